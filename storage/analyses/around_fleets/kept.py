"""Store what was found around the objects of fleets in a run: events that it does not have itself, and whose.

Runs search all fleets, and a fleet that is saved between two runs is searched by itself: its rows take the
place of those it had in the files of the run.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from storage.analyses.stored import LOCK_TIMEOUT_S, events_of_analyses
from storage.disk.checksums import verify_parquet
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import ANALYSES, FLEETS, STAGED_SUFFIX, replace_parquet
from storage.disk.whole_files import sync_folder
from storage.fleets.events import (
    events_path,
    found_inside,
    found_path,
    members_of_run,
    write_membership,
)
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
from storage.state.fleets import Fleet, fleets
from storage.upkeep.upgrade import opened_for_writing
from storage.vocabulary import FLEET
from storage.writing.found_events import events_of
from storage.writing.known_events import events_of_run, ids_of_others, seen_before


class Superseded(StoreError):
    """The run is not the newest any more."""


def store_fleet_look(
    store: Path,
    run_id: str,
    looked_at: Sequence[Fleet],
    conjunctions: ConjunctionArray,
    elements: ElementArray,
    inside: Callable[[EventIds], pa.Table],
    members: pa.Table,
    computed_at: datetime,
) -> None:
    """Store conjunctions (n,) that a run does not have, and which events are inside whose volume.

    What the run has of the fleets `looked_at` is replaced. A fleet that has been changed since stays as it
    is in the run, if it is there: that may be the later look.

    `elements` hold the sets of all objects in them; `inside` is given their ids (n,), and returns rows of
    FLEET_EVENTS; `members` are rows of FLEET_MEMBERS. `computed_at` is UTC. The fleets of the run count as
    looked at once all of it is there.

    Raises:
        Superseded: a newer run has been published.
        StoreError: the store is held by another process, or cannot be written.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        newest = read_current(store)
        if newest is None or newest.run_id != run_id:
            raise Superseded(f"The run {run_id} is no longer the newest: its fleets are not searched.")
        ids = _event_ids(store, run_id, conjunctions)
        rows = conjunction_table(
            conjunctions, ids, names_of(elements), run_id=run_id, origin=FLEET, computed_at=computed_at
        )
        old_members = members_of_run(store, run_id)
        replaced = _replaced(store, looked_at, old_members)
        others = _without(old_members, replaced)
        memberships = _joined(_without(found_inside(store, run_id), replaced), _only(inside(ids), replaced))
        rows = _joined(_found(store, run_id, memberships, rows), _of(memberships, rows))
        _remove_remains(store)
        try:
            replace_parquet(rows, found_path(store, run_id))
            sync_folder(store / ANALYSES)
            write_membership(store, run_id, memberships, _joined(others, _only(members, replaced)), others)
        except BaseException:
            _remove_remains(store)
            raise


def _replaced(store: Path, looked_at: Sequence[Fleet], there: pa.Table) -> pa.Array:
    """Return the ids of the fleets whose rows are replaced; `there` are the members that the run has."""
    now = {one.id: _asked(one) for one in fleets(store)}
    known = set(there["fleet_id"].to_pylist())
    replaced = [one.id for one in looked_at if one.id not in known or now.get(one.id) == _asked(one)]
    return pa.array(replaced, there["fleet_id"].type)


def _asked(fleet: Fleet) -> tuple[object, ...]:
    return fleet.volume, fleet.hours, fleet.radius, fleet.name_pattern, fleet.objects


def _found(store: Path, run_id: str, memberships: pa.Table, but: pa.Table) -> pa.Table:
    """Return the events that are stored for a run, of those inside volumes, but some."""
    path = found_path(store, run_id)
    if not path.is_file():
        return but.slice(0, 0)
    verify_parquet(path)
    rows = _of(memberships, pq.read_table(path, schema=CONJUNCTIONS.arrow, partitioning=None))
    return rows.filter(pc.invert(pc.is_in(rows["event_id"], but["event_id"].combine_chunks())))


def _of(memberships: pa.Table, rows: pa.Table) -> pa.Table:
    return rows.filter(pc.is_in(rows["event_id"], memberships["event_id"].combine_chunks()))


def _only(rows: pa.Table, fleet_ids: pa.Array) -> pa.Table:
    return rows.filter(pc.is_in(rows["fleet_id"], fleet_ids))


def _without(rows: pa.Table, fleet_ids: pa.Array) -> pa.Table:
    return rows.filter(pc.invert(pc.is_in(rows["fleet_id"], fleet_ids)))


def _joined(some: pa.Table, others: pa.Table) -> pa.Table:
    return pa.concat_tables([some, others]).unify_dictionaries()


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
    """Undo what a killed look left: without its last file a run has not been searched. Needs the lock.

    A reader may have listed a file of events, which is emptied.
    """
    for folder in (store / ANALYSES, store / FLEETS):
        for staged in folder.glob(f"*{STAGED_SUFFIX}"):
            staged.unlink()
    for path in (store / ANALYSES).glob(f"{FLEET}-*.parquet"):
        run_id = path.stem.removeprefix(f"{FLEET}-")
        if not events_path(store, run_id).is_file() and pq.read_metadata(path).num_rows:
            replace_parquet(CONJUNCTIONS.arrow.empty_table(), path)
