"""Log lasting faults once a minute, however often they occur."""

import time
from collections.abc import Callable

EVERY_S = 60.0


class Throttle:
    """Knows which fault was logged last, and when. Two threads at once may log one twice, no more."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._told = ""
        self._told_at_s = -float("inf")

    def due(self, fault: str) -> bool:
        """Return whether to log a fault now: it is a new one, or a minute has passed."""
        now_s = self._monotonic_s()
        if fault == self._told and now_s - self._told_at_s < EVERY_S:
            return False
        self._told, self._told_at_s = fault, now_s
        return True
