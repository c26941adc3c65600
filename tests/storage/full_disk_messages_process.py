"""Take messages on a disk that is full at every point, then on one that is read-only.

Run inside a mount namespace of its own, as full_disk_process.py. It prints one line of JSON a try.
"""

import json
import subprocess
import sys
from pathlib import Path

from screening.errors import StoreError
from storage.messages.kept import received
from tests.made_up_run import make_run, publish
from tests.storage.full_disk_process import DISK_KB, leave_free
from tests.storage.messages.received import taken, text

COUNT, STEP_KB = 300, 24


def tried(store: Path) -> str:
    """Take the messages; print what became of it, and return the error."""
    error = ""
    try:
        taken(store, *(text(message_id=str(number)) for number in range(1, COUNT + 1)))
    except StoreError as refused:
        error = str(refused)
    sys.stdout.write(json.dumps({"error": error, "messages": len(received(store))}) + "\n")
    return error


def main(disk: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_KB}k", "none", str(disk)], check=True)
    store, free_kb = disk / "store", 0
    publish(store, make_run())
    leave_free(disk, free_kb)
    while tried(store):
        free_kb += STEP_KB
        leave_free(disk, free_kb)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    tried(store)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
