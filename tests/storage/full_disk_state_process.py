"""Read the state of a service on a disk that is full: run inside a mount namespace of its own.

`unshare --user --map-root-user --mount python full_disk_state_process.py FOLDER` mounts a small disk there.
It prints what was seen as JSON: what is listed, and what a service answers that nobody has asked before.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from screening.errors import StoreError
from storage.state.credentials import create_credential, list_credentials
from storage.state.database import SERVICE_STATE, service_state
from storage.state.fleets import FleetObject, NewFleet, create_fleet, fleets, remove_fleet
from tests.api.conftest import serving_with
from tests.made_up_run import make_run, publish

DISK_KB = 16_000
NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)


def fill(disk: Path) -> None:
    """Leave not a block free."""
    with (disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def die_with_what_is_not_in_the_database_file_yet(store: Path) -> None:
    """Leave a credential in the file beside the database, as a process that is killed does."""
    child = os.fork()
    if child == 0:
        held = sqlite3.connect(store / SERVICE_STATE)  # whoever closes last puts all into the database file
        held.execute("SELECT count(*) FROM credentials").fetchone()
        create_credential(store, "bearer", "late", NOW)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    for path in store.glob(f"{SERVICE_STATE}-shm"):
        path.unlink()


def main(disk: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_KB}k", "none", str(disk)], check=True)
    store = disk / "store"
    publish(store, make_run())
    secret = create_credential(store, "bearer", "desk", NOW).secret
    create_fleet(store, NewFleet("mine", (FleetObject(5),)), NOW)
    seen = {}
    for left in ("nothing left behind", "something left behind"):
        if left == "something left behind":
            (disk / "ballast").unlink()
            die_with_what_is_not_in_the_database_file_yet(store)
            seen["size beside"] = (store / f"{SERVICE_STATE}-wal").stat().st_size
        fill(disk)
        with serving_with(store, secret) as client:
            answers = [client.get("/conjunctions?limit=1").status_code for _ in range(3)]
        listed = [credential.name for credential in list_credentials(store)]
        try:
            with service_state(store) as state:
                state.execute("UPDATE credentials SET name = 'other'")
            refused = "it was written"
        except StoreError as error:
            refused = str(error)
        try:
            remove_fleet(store, "mine", NOW)
            kept = "it was removed"
        except StoreError as error:
            kept = str(error)
        names = [fleet.name for fleet in fleets(store)]
        seen[left] = {"answers": answers, "listed": listed, "refused": refused, "fleets": names, "kept": kept}
    shutil.rmtree(store)
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
