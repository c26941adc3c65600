"""Stop a process that is no longer needed: its time is over, or its parent is gone."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from screening.errors import SkysieveError

_AGAIN_S = 30.0  # in case the first interruption was taken for something else
_LOOK_EVERY_S = 1.0


class RunTooLong(SkysieveError):
    """A run took longer than it may."""


@contextmanager
def ended_after(minutes: float, what: str = "The run") -> Iterator[None]:
    """Raise RunTooLong inside the block when it takes longer; only the main thread can be interrupted.

    `what` is cancelled then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise RunTooLong(
            f"{what} was cancelled: it took longer than {minutes:g} minutes (SKYSIEVE_RUN_TIMEOUT_MINUTES)."
        )

    former = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, minutes * 60, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, for whatever reason.

    It looks every second: the kernel's way, PR_SET_PDEATHSIG, would end it with the thread that began it.
    """
    started_by = multiprocessing.parent_process()  # None unless it is a multiprocessing child
    parent = os.getppid()

    def watch() -> None:
        pause = threading.Event()
        while os.getppid() == parent and (started_by is None or started_by.is_alive()):
            pause.wait(_LOOK_EVERY_S)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
