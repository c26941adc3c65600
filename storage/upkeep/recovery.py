"""Undo what a killed publisher left behind.

While a run is published, a staging folder holds files not yet in place, the id of the run, and a second name
of the link to the analyst file that is about to be replaced. The run counts once `current.json` names it. If
the holder of the lock finds a staging folder, its publisher has died: unless its run already counts, the
run's files are removed and the former analyst file is shown again.
"""

import logging
import shutil
from pathlib import Path

from storage.analyst_file.shown import remember_shown, show_remembered
from storage.disk.current import read_current
from storage.disk.ephemeris import remove_ephemeris
from storage.disk.layout import (
    CATALOGUE_CHANGE_FILES,
    DECAY_FILES,
    ENVIRONMENT_FILES,
    FORECAST_FILES,
    FRAGMENTATION_FILES,
    STAGED_SUFFIX,
    STAGING,
    element_file,
    manoeuvre_file,
    run_folder,
)
from storage.disk.run_ids import is_run_id
from storage.disk.whole_files import sync_folder, write_text

_RUN_ID = "run_id"
_NEW = "run_id.new"
# What a run writes once it is published, file by file: killed there, it leaves a file that nothing replaces.
_AFTER_RUNS = (
    CATALOGUE_CHANGE_FILES,
    DECAY_FILES,
    ENVIRONMENT_FILES,
    FORECAST_FILES,
    FRAGMENTATION_FILES,
)

log = logging.getLogger("skysieve")


def begin_staging(store: Path, run_id: str) -> Path:
    """Make the staging folder of a run, with everything needed to undo it, and return it. Needs the lock.

    What an earlier run was killed at while it wrote goes, if that run was published already.
    """
    for pattern in _AFTER_RUNS:
        for left_behind in (store / pattern).parent.glob(f"*{STAGED_SUFFIX}"):
            left_behind.unlink()
    staging = store / STAGING
    staging.mkdir()
    remember_shown(store)
    write_text(staging / _NEW, run_id)
    (staging / _NEW).rename(staging / _RUN_ID)  # last, so that it shows that the rest is complete
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
    """Return whether a publisher is working or was killed."""
    return (store / STAGING).exists()


def remove_remains(store: Path) -> None:
    """Undo what a killed publisher did. Needs the lock. Can itself be killed at any point."""
    staging = store / STAGING
    if not staging.exists():
        return
    if (staging / _RUN_ID).exists():
        run_id = (staging / _RUN_ID).read_bytes().decode("ascii", "replace")
        if is_run_id(run_id):
            current = read_current(store)
            if current is None or current.run_id != run_id:
                _undo(store, run_id)
        else:  # release 0.1.0 could die while it wrote the name, when there was nothing to undo yet
            log.warning(
                "The name in %s is not a run id (%r): no run's files are removed.", staging / _RUN_ID, run_id
            )
    end_staging(store)


def _undo(store: Path, run_id: str) -> None:
    show_remembered(store, run_id)
    if run_folder(store, run_id).exists():
        shutil.rmtree(run_folder(store, run_id))
    element_file(store, run_id).unlink(missing_ok=True)
    manoeuvre_file(store, run_id).unlink(missing_ok=True)
    remove_ephemeris(store, run_id)
