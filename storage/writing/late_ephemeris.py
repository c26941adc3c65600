"""Place the ephemeris of a run that is published already."""

from pathlib import Path

from storage.disk.ephemeris import place_ephemeris, remove_old_ephemerides
from storage.disk.faults import store_faults
from storage.disk.layout import run_folder
from storage.upkeep.upgrade import opened_for_writing
from storage.writing.publish import LOCK_TIMEOUT_S


def place_late(store: Path, staged: Path, run_id: str, lock_timeout_s: float = LOCK_TIMEOUT_S) -> None:
    """Move a staged ephemeris into place, unless its run has expired meanwhile.

    Raises StoreError if the store cannot be written, or another publisher does not finish in time.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, lock_timeout_s):
        if run_folder(store, run_id).exists():
            place_ephemeris(store, staged, run_id)
            remove_old_ephemerides(store)
