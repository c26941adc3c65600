"""Undo what a killed publisher left behind.

While a run is published, a staging folder holds what is not in place yet, the id of the run, and a second
name (hard link) of the catalogue file that is about to be replaced. The run counts once `current.json` names
it. If a staging folder is found by the holder of the lock, its publisher died: unless its run counts already,
the run's files are removed and the former catalogue file is put back.
"""

import os
import shutil
from pathlib import Path

from storage.current import read_current
from storage.ephemeris import remove_ephemeris
from storage.layout import CATALOGUE, STAGING, element_file, run_folder, sync_folder, write_text

_RUN_ID = "run_id"
_FORMER = "former.duckdb"


def begin_staging(store: Path, run_id: str) -> Path:
    """Make the staging folder of a run, with what is needed to undo it, and return it. Needs the lock."""
    staging = store / STAGING
    staging.mkdir()
    if (store / CATALOGUE).exists():
        _second_name(store / CATALOGUE, staging / _FORMER)
    write_text(staging / _RUN_ID, run_id)  # last: from now on the rest is complete
    sync_folder(staging)
    sync_folder(store)
    return staging


def end_staging(store: Path) -> None:
    """Remove the staging folder. Needs the lock."""
    staging = store / STAGING
    (staging / _RUN_ID).unlink(missing_ok=True)  # first: without it there is nothing to undo
    sync_folder(staging)
    shutil.rmtree(staging)


def remains(store: Path) -> bool:
    """Tell whether a publisher is at work or was killed."""
    return (store / STAGING).exists()


def remove_remains(store: Path) -> None:
    """Undo what a killed publisher did. Needs the lock. Can be killed itself at any point."""
    staging = store / STAGING
    if not staging.exists():
        return
    if (staging / _RUN_ID).exists():
        run_id = (staging / _RUN_ID).read_text(encoding="utf-8")
        current = read_current(store)
        if current is None or current.run_id != run_id:
            _undo(store, run_id)
    end_staging(store)


def _undo(store: Path, run_id: str) -> None:
    former = store / STAGING / _FORMER
    if former.exists():
        again = store / STAGING / "again.duckdb"
        again.unlink(missing_ok=True)
        _second_name(former, again)
        again.replace(store / CATALOGUE)
    else:
        (store / CATALOGUE).unlink(missing_ok=True)
    sync_folder(store)
    if run_folder(store, run_id).exists():
        shutil.rmtree(run_folder(store, run_id))
    element_file(store, run_id).unlink(missing_ok=True)
    remove_ephemeris(store, run_id)


def _second_name(path: Path, link: Path) -> None:
    """Give a file a second name; where the file system has no hard links, copy it."""
    try:
        os.link(path, link)
    except OSError:
        shutil.copyfile(path, link)
