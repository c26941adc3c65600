"""Store what a run has found around the objects of fleets: events that it does not have itself, and whose."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from storage.analyses.stored import LOCK_TIMEOUT_S, events_of_analyses
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import ANALYSES, FLEETS, STAGED_SUFFIX, replace_parquet
from storage.disk.whole_files import sync_folder
from storage.fleets.events import events_path, found_path, write_membership
from storage.rows.over_runs.event_ids import (
    EVENT_DTYPE,
    EventArray,
    EventIds,
    assign_event_ids,
    joined,
    pair_key,
)
from storage.rows.records import conjunction_table, names_of
from storage.schema import CONJUNCTIONS
from storage.upkeep.fit_to_read import opened_for_writing
from storage.vocabulary import FLEET
from storage.writing.found_events import events_of
from storage.writing.known_events import events_of_run, ids_of_others, seen_before


def store_fleet_look(
    store: Path,
    run_id: str,
    conjunctions: ConjunctionArray,
    elements: ElementArray,
    inside: Callable[[EventIds], pa.Table],
    members: pa.Table,
    computed_at: datetime,
) -> None:
    """Store conjunctions (n,) that a run does not have, and which events are inside whose volume.

    `elements` hold the sets of all objects in them; `inside` is given their ids (n,), and returns rows of
    FLEET_EVENTS; `members` are rows of FLEET_MEMBERS. `computed_at` is UTC. The fleets of the run count as
    looked at once all of it is there.

    Raises:
        StoreError: the store is held by another process, or cannot be written.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        ids = _event_ids(store, run_id, conjunctions)
        rows = conjunction_table(
            conjunctions, ids, names_of(elements), run_id=run_id, origin=FLEET, computed_at=computed_at
        )
        memberships = inside(ids)
        _remove_remains(store)
        try:
            replace_parquet(rows, found_path(store, run_id))
            sync_folder(store / ANALYSES)
            write_membership(store, run_id, memberships, members)
        except BaseException:
            _remove_remains(store)
            raise


def _event_ids(store: Path, run_id: str, conjunctions: ConjunctionArray) -> EventIds:
    """Return the ids of events: as analyses or earlier runs had them, unless the run has given them."""
    new = events_of(conjunctions)
    of_run = events_of_run(store, run_id)["event_id"]
    expiry = expiry_of(read_current(store))

    def not_given(events: EventArray) -> EventArray:
        return events[~np.isin(events["event_id"], of_run)]

    of_analyses = joined(events_of_analyses(store), EVENT_DTYPE)
    known = of_analyses[np.isin(pair_key(of_analyses), pair_key(new))]
    return assign_event_ids(
        new,
        not_given(known),
        lambda fresh: np.concatenate([ids_of_others(store, fresh, expiry), of_run, of_analyses["event_id"]]),
        lambda fresh: not_given(seen_before(store, fresh, expiry)),
    )


def _remove_remains(store: Path) -> None:
    """Undo what a killed look left: without its last file a run has not been looked at. Needs the lock.

    A reader may have listed a file of events, which is emptied.
    """
    for folder in (store / ANALYSES, store / FLEETS):
        for staged in folder.glob(f"*{STAGED_SUFFIX}"):
            staged.unlink()
    for path in (store / ANALYSES).glob(f"{FLEET}-*.parquet"):
        run_id = path.stem.removeprefix(f"{FLEET}-")
        if not events_path(store, run_id).is_file() and pq.read_metadata(path).num_rows:
            replace_parquet(CONJUNCTIONS.arrow.empty_table(), path)
