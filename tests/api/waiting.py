"""Waiting for what another thread does."""

import time
from collections.abc import Callable
from threading import Event

VISIBLE_WITHIN_S = 2.0  # what the service promises for a new run


def wait_until(holds: Callable[[], bool], within_s: float = VISIBLE_WITHIN_S) -> None:
    """Ask until something holds; fail if it does not within the time."""
    pause = Event()
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end, f"it does not hold after {within_s} s"
        pause.wait(0.02)
