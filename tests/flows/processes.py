"""Looking at processes from outside: what is below one, and whether they end."""

import os
import select
from pathlib import Path
from threading import Event

ALL_GONE_WITHIN_S = 10.0


def descendants(process: int) -> set[int]:
    """Return the ids of all processes below one."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = {int(child) for task in tasks for child in (task / "children").read_text().split()}
    except FileNotFoundError:
        return set()  # it has just ended
    return children | {below for child in children for below in descendants(child)}


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
