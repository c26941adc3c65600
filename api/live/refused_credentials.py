"""Refused credentials and sign-ins, counted for the audit log: a row for each address and minute."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock

from storage.state.whose.audit import record
from storage.vocabulary import NOBODY

MOST_ADDRESSES = 100  # of a minute that get a row each; further ones share one
_OTHERS = "others"


@dataclass(slots=True)
class _Refused:
    """What was refused to an address in a minute: the first request, and how many."""

    operation: str
    result: str
    times: int = 0


class RefusedCredentials:
    """How often each address was refused; any number of threads may ask at once.

    A flood of requests costs no writing, and pushes out nothing but older rows of its kind.
    """

    def __init__(self, store: Path) -> None:
        self._store = store
        self._lock = Lock()
        self._counted: dict[tuple[datetime, str], _Refused] = {}  # by minute and address

    def count(self, at: datetime, address: str, operation: str, result: str) -> None:
        """Count one refused request."""
        minute = at.replace(second=0, microsecond=0)
        with self._lock:
            known = (minute, address) in self._counted
            if not known and sum(one == minute for one, _ in self._counted) >= MOST_ADDRESSES:
                address = _OTHERS
            self._counted.setdefault((minute, address), _Refused(operation, result)).times += 1

    def write(self, now: datetime | None = None) -> None:
        """Write the rows of the minutes that have passed, without `now` all; one thread at a time.

        Raises:
            ServiceStateError: the store's state cannot be written; the rows are written later.
        """
        present = None if now is None else now.replace(second=0, microsecond=0)
        with self._lock:
            ended = [key for key in self._counted if key[0] != present]
        for key in ended:  # without the lock, so that no request waits for the disk
            minute, address = key
            one = self._counted[key]
            record(
                self._store,
                minute,
                NOBODY,
                "not recognised",
                one.operation,
                one.result,
                about=f"{one.times} {'time' if one.times == 1 else 'times'}",
                address=address,
            )
            with self._lock:
                del self._counted[key]
