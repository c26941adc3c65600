"""Processes seen from outside: what one prints, what is below it, and whether they end."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import psutil

ALL_GONE_WITHIN_S = 10.0


@contextmanager
def running(program: str, folder: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run a program that reads its standard input to the end; yields it and the first line that it prints."""
    file = folder / "program.py"
    file.write_text(program)
    with subprocess.Popen(
        [sys.executable, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()


def descendants(process: int) -> set[int]:
    """Return the ids of all processes below one."""
    return {child.pid for child in psutil.Process(process).children(recursive=True)}


def command_line(process: int) -> str:
    """Return the words a process was started with; nothing if it has just ended."""
    try:
        return " ".join(psutil.Process(process).cmdline())
    except psutil.NoSuchProcess:
        return ""


def wait_for_descendants(process: int, count: int) -> set[int]:
    """Wait until a process has so many below it."""
    pause = Event()
    for _ in range(600):
        found = descendants(process)
        if len(found) >= count:
            return found
        pause.wait(0.05)
    raise AssertionError(f"{count} processes expected, {found} are there")


def handles(processes: set[int]) -> list[int]:
    """Return file descriptors that tell when processes end; one that has ended by now is left out."""
    found = []
    for process in processes:
        try:
            found.append(os.pidfd_open(process))
        except ProcessLookupError:
            continue
    return found


def assert_ended(handles: list[int], within_s: float = ALL_GONE_WITHIN_S) -> None:
    """Assert that the processes behind file descriptors end in time."""
    for handle in handles:
        ended = select.select([handle], [], [], within_s)[0]
        os.close(handle)
        assert ended
