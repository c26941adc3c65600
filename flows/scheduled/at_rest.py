"""The schedule between runs: `python -P -m flows.scheduled.at_rest SOCKET DUE STORE COMMAND ...`.

Prefect takes a quarter of a gigabyte, and between runs nobody needs it. So the process of `skysieve up` that
has Prefect's server replaces itself by this one, which listens where the server did. It becomes the server
and the schedule again some time before the next run is due, when one is asked for, and when a client
connects, which waits for its answer meanwhile. It stays the same process to the group.
"""

import os
import select
import socket
import sys
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from storage.disk.lock import lock_if_free
from storage.machine.replaced_process import (
    become,
    become_module,
    hold_signals,
    own_words,
    take_signals,
)
from storage.state.database import asked_run
from storage.state.tables import ServiceStateError

SCHEDULE_LOCK = "schedule.lock"
EARLY_S = 120.0  # before a run is due: Prefect takes 10 s to start, more on a busy machine
SERVER_SOCKET, NEXT_DUE = "--server-socket", "--next-due"  # options of `schedule`, which only this gives it
_LOOK_EVERY_S = 2.0


def rest(listening: socket.socket, due: datetime, store: Path) -> NoReturn:
    """Replace this process until the next run is due; its socket stays open."""
    listening.set_inheritable(True)
    command = [word for word in own_words() if word.partition("=")[0] not in (SERVER_SOCKET, NEXT_DUE)]
    words = (str(listening.fileno()), str(due.timestamp()), str(store))
    hold_signals()
    become_module("flows.scheduled.at_rest", *words, *command)


def main(listening: int, due_s: float, store: Path, command: list[str]) -> NoReturn:
    """Wait until there is something to do, then be the process that was."""
    take_signals()
    with lock_if_free(store, SCHEDULE_LOCK) as free:  # if not, another schedule is running, which that says
        while free and not _wanted(listening, due_s, store):
            _bury()
    become([*command, f"{SERVER_SOCKET}={listening}", f"{NEXT_DUE}={due_s}"])


def _wanted(listening: int, due_s: float, store: Path) -> bool:
    connected, _, _ = select.select([listening], [], [], _LOOK_EVERY_S)
    if connected or time.time() > due_s - EARLY_S:
        return True
    try:
        return asked_run(store, waiting=True) is not None
    except ServiceStateError:
        return False  # the service and the deliveries say so, and the next run


def _bury() -> None:
    """Take note of children of the process that this was, which have ended with it."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
