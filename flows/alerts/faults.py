"""Faults of what a process does again and again: logged, and the rest goes on."""

import logging
from collections.abc import Callable

from screening.errors import SkysieveError

log = logging.getLogger("skysieve")


class Faults:
    """Logs a fault that lasts once, until it is over or there is another."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def logged(self, what: str, work: Callable[[], object], but: tuple[type[Exception], ...] = ()) -> None:
        """Do some work, and log what prevents it: the process goes on, and tries again.

        Faults of the types in `but` are raised.
        """
        try:
            work()
        except but:
            raise
        except Exception as error:
            # A bug must not end the deliveries of all.
            if self._known.get(what) != repr(error):
                told = isinstance(error, SkysieveError)  # its text says it all
                log.log(logging.ERROR, "%s failed: %s", what, error, exc_info=not told)
            self._known[what] = repr(error)
        else:
            self._known.pop(what, None)
