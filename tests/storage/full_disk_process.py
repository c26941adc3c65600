"""Write to a store on a disk that becomes full at every point: run inside a mount namespace of its own.

`unshare --user --map-root-user --mount python full_disk_process.py FOLDER STEP_KB` mounts a small disk at
FOLDER. With more and more space left it publishes a run, then lets another one expire. It prints one line of
JSON a try: what was done, what was free, the error, what the store then shows; at last, which files it has.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from screening.errors import StoreError
from storage.reading.newest_run import connect, status
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish

DISK_KB = 32_000
DAYS_30 = Retention(timedelta(days=30), timedelta(days=30))
DAY_H = 24


def free_kb(disk: Path) -> int:
    found = subprocess.run(["df", "--output=avail", "-k", str(disk)], capture_output=True, check=True)
    return int(found.stdout.split()[-1])


def leave_free(disk: Path, wanted_kb: int) -> None:
    """Fill the disk with a file, so that only so much is free."""
    ballast = disk / "ballast"
    ballast.unlink(missing_ok=True)
    ballast.write_bytes(bytes(max(free_kb(disk) - wanted_kb, 0) * 1024))


def shown(store: Path) -> list[object]:
    """Return what every kind of reader sees."""
    with connect(store) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]
            for table in ("conjunctions", "events", "conjunction_history", "element_history", "runs")
        ]
    return [status(store).run.run_id, *counts]


def until_it_fits(disk: Path, step_kb: int, what: str, work: Callable[[], object]) -> None:
    """Do work with more and more space left, until there is enough."""
    wanted_kb, error = 0, "none yet"
    while error:
        leave_free(disk, wanted_kb)
        error = ""
        try:
            work()
        except StoreError as refused:
            error = str(refused)
        tried = {"what": what, "free_kb": wanted_kb, "error": error, "shown": shown(disk / "store")}
        sys.stdout.write(json.dumps(tried) + "\n")
        wanted_kb += step_kb


def main(disk: Path, step_kb: int) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_KB}k", "none", str(disk)]
    subprocess.run(mount, check=True)
    store = disk / "store"
    publish(store, make_run())
    publish(store, make_run(seed=2, hours_later=10 * DAY_H))
    compact(store, WINDOW_START + timedelta(days=35), DAYS_30)
    until_it_fits(disk, step_kb, "publish", lambda: publish(store, make_run(seed=3, hours_later=41 * DAY_H)))
    later = WINDOW_START + timedelta(days=42)
    until_it_fits(disk, step_kb, "compact", lambda: compact(store, later, DAYS_30))
    (disk / "ballast").unlink()
    publish(store, make_run(seed=4, hours_later=42 * DAY_H))
    left = sorted(str(path.relative_to(store)) for path in store.rglob("*") if path.is_file())
    sys.stdout.write(json.dumps({"left": left}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
