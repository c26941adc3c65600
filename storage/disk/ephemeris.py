"""Folders of ephemerides: stage, move into place, and remove them.

An ephemeris is staged, and moved into place when its run is published, or afterwards if it takes longer. Two
are kept, that of the newest run and that of the one before, which a reader may be about to open.
`ephemeris_states` writes and reads the content.
"""

import fcntl
import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from screening.errors import StoreError
from storage.disk.layout import EPHEMERIS
from storage.disk.run_ids import is_run_id
from storage.disk.whole_files import sync_folder

KEPT = 2
ABOUT, FILES_CRC32 = "about.json", "files_crc32"
BEING_WRITTEN = "ephemeris.lock"  # in the store, locked by all who write an ephemeris
_STAGED = ".staged-"  # followed by the process, and a number in it
_numbers = itertools.count(1)  # two threads may make runs at the same time


def new_staging_folder(store: Path) -> Path:
    """Make an empty folder for the ephemeris of a run by this process."""
    folder = store / EPHEMERIS / f"{_STAGED}{os.getpid()}-{next(_numbers)}"
    shutil.rmtree(folder, ignore_errors=True)  # of an earlier process with this id
    folder.mkdir(parents=True)
    return folder


def place_ephemeris(store: Path, staged: Path, run_id: str) -> None:
    """Give a staged ephemeris the name of its run. Needs the lock."""
    sync_folder(staged)
    staged.rename(ephemeris_folder(store, run_id))
    sync_folder(store / EPHEMERIS)


def remove_ephemeris(store: Path, run_id: str) -> None:
    """Remove the ephemeris of a run that was not published. Needs the lock.

    Raises StoreError for a name that is not a run id: an empty one would mean the folder of all ephemerides.
    """
    if not is_run_id(run_id):
        raise StoreError(f"{run_id!r} is not a run id: nothing in {store / EPHEMERIS} is removed.")
    shutil.rmtree(ephemeris_folder(store, run_id), ignore_errors=True)


def remove_old_ephemerides(store: Path) -> None:
    """Remove all but the newest ephemerides, and remains of killed runs. Needs the lock."""
    if not (store / EPHEMERIS).is_dir():
        return
    folders = sorted(path for path in (store / EPHEMERIS).iterdir() if is_run_id(path.name))
    dead = [path for path in (store / EPHEMERIS).glob(f"{_STAGED}*") if not _alive(path)]
    for folder in [*folders[:-KEPT], *dead]:
        shutil.rmtree(folder, ignore_errors=True)


def ephemeris_folder(store: Path, run_id: str) -> Path:
    """Return the folder of a run's ephemeris."""
    return store / EPHEMERIS / run_id


@contextmanager
def shown_as_being_written(store: Path) -> Iterator[None]:
    """Let readers know that an ephemeris is being written, until the block or the process ends.

    A lock shows that in other containers too, where a process id means nothing.
    """
    store.mkdir(parents=True, exist_ok=True)
    with (store / BEING_WRITTEN).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def is_being_written(store: Path) -> bool:
    """Return whether someone is writing an ephemeris. Changes nothing in the store."""
    try:
        descriptor = os.open(store / BEING_WRITTEN, os.O_RDONLY)
    except OSError:
        return False  # nobody ever did, or it may not be read: then it is not known
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _alive(staged: Path) -> bool:
    """Return whether the process that writes a staged ephemeris is still alive."""
    try:
        os.kill(int(staged.name.removeprefix(_STAGED).partition("-")[0]), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True
