"""Store second looks: events of a run evaluated again on the ephemerides of operators, a file a run.

The rows have the ids of the run's own, which stay as they are: the view `events` shows the second look, the
history of an event both.
"""

from datetime import datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from storage.analyses.stored import LOCK_TIMEOUT_S
from storage.disk.faults import store_faults
from storage.disk.layout import ANALYSES, STAGED_SUFFIX, replace_parquet
from storage.disk.whole_files import sync_folder
from storage.rows.records import conjunction_table, names_of
from storage.upkeep.upgrade import opened_for_writing
from storage.vocabulary import SECOND_LOOK


def store_second_look(
    store: Path,
    run_id: str,
    conjunctions: ConjunctionArray,
    event_ids: npt.NDArray[np.int64],
    elements: ElementArray,
    computed_at: datetime,
) -> pa.Table:
    """Store the second look at some events (n,) of a run, and return the rows. `computed_at` is UTC.

    `elements` hold the sets of all objects in them.

    Raises:
        StoreError: the store is held by another process, or cannot be written.
    """
    store = store.resolve()
    rows = conjunction_table(
        conjunctions,
        event_ids,
        names_of(elements),
        run_id=run_id,
        origin=SECOND_LOOK,
        computed_at=computed_at,
    )
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        folder = store / ANALYSES
        for left_behind in folder.glob(f"*{STAGED_SUFFIX}"):
            left_behind.unlink()
        replace_parquet(rows, folder / f"{SECOND_LOOK}-{run_id}.parquet")
        sync_folder(folder)
    return rows
