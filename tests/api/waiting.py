"""Waiting for what another thread does."""

import time
from collections.abc import Callable
from threading import Event

WAIT_S = 30.0  # for what takes half a second on an idle machine


def wait_until(holds: Callable[[], bool], within_s: float = WAIT_S) -> None:
    """Ask until something holds; fail if it does not within the time."""
    pause = Event()
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end, f"it does not hold after {within_s} s"
        pause.wait(0.02)
