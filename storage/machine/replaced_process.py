"""Replace a process by a smaller one while it waits, and that by what it was: to others it stays the same."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

_STOPPING = {signal.SIGTERM, signal.SIGINT}


def own_words() -> list[str]:
    """Return with which words after `python` this process was begun."""
    return sys.orig_argv[1:]


def hold_signals() -> None:
    """Let signals to stop wait from now on, also for what this process becomes."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)


def let_signals_come() -> None:
    """End what `hold_signals` began: their handlers are called, also for those that came meanwhile."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)


def take_signals() -> None:
    """End this process, with exit code 0, when it is asked to stop, or was meanwhile."""
    for number in _STOPPING:
        signal.signal(number, lambda *_: sys.exit(0))
    let_signals_come()


def become_module(module: str, *words: str) -> NoReturn:
    """Go on as a module, which is not looked for in the current folder unless this process has it there."""
    become([*([] if str(Path.cwd()) in sys.path else ["-P"]), "-m", module, *words])


def become(words: Sequence[str]) -> NoReturn:
    """Go on as `python` with these words."""
    os.execv(sys.executable, [sys.executable, *words])  # noqa: S606 - our own commands
