"""Faults that last: told once a minute, however often they are met."""

import time
from collections.abc import Callable

EVERY_S = 60.0


class Throttle:
    """Knows which fault was told last, and when. Two threads at once may tell one twice, no more."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._told = ""
        self._told_at_s = -float("inf")

    def due(self, fault: str) -> bool:
        """Return whether a fault is to be told now: it is another one, or a minute has passed."""
        now_s = self._monotonic_s()
        if fault == self._told and now_s - self._told_at_s < EVERY_S:
            return False
        self._told, self._told_at_s = fault, now_s
        return True
