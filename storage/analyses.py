"""Analyses on demand: what comes near one object, or a fleet, computed between two runs.

Each is one small Parquet file. Its name follows from what was asked, so that the same question asked again
replaces its file. A file appears whole or not at all, and what a killed process left is removed by the next.
"""

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from storage.current import read_current
from storage.event_ids import EventIds, assign_event_ids
from storage.faults import store_faults
from storage.known_events import events_of, ids_of_others, known_events
from storage.layout import ANALYSES, sync_folder, write_parquet
from storage.records import conjunction_table, naive_utc, names_of
from storage.refresh import opened_for_writing

LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two
_STAGED = ".new"

Mode = Literal["quick", "full"]


class Analysis(NamedTuple):
    """What was asked, and when it was answered."""

    mode: Mode
    primaries: tuple[int, ...]  # catalogue numbers
    run_id: str  # stands in the rows
    basis: str  # whose element sets were used: a run's id, or the hash of a catalogue text
    start: datetime | None  # UTC, that was asked for; None: now, or the start of a historic window
    hours: float
    threshold_km: float
    computed_at: datetime  # UTC
    synthetic: bool


def store_analysis(
    store: Path, analysis: Analysis, conjunctions: ConjunctionArray, elements: ElementArray
) -> pa.Table:
    """Store the conjunctions of an analysis in place of those of the same question, and return the rows.

    `conjunctions` (n,) of CONJUNCTION_DTYPE; the asked-for object is the primary. `elements` hold the sets of
    all objects in them. Events that the store knows keep their ids.

    Raises:
        StoreError: the store is held by another process, or must not take the analysis.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        _refuse_synthetic_over_real(store, analysis)
        rows = conjunction_table(
            conjunctions,
            _event_ids(store, conjunctions),
            names_of(elements[np.isin(elements["norad_id"], _numbers(conjunctions))]),
            run_id=analysis.run_id,
            origin=analysis.mode,
            computed_at=analysis.computed_at,
        )
        folder = store / ANALYSES
        for left_behind in folder.glob(f"*{_STAGED}"):
            left_behind.unlink()
        target = folder / _file_name(analysis)
        staged = target.with_suffix(_STAGED)
        write_parquet(rows, staged)
        staged.replace(target)
        sync_folder(folder)
    return rows


def _file_name(analysis: Analysis) -> str:
    """Return the same name for the same question, whenever it is asked."""
    start = None if analysis.start is None else naive_utc(analysis.start).isoformat()
    numbers = sorted(analysis.primaries)
    question = (analysis.mode, numbers, analysis.basis, start, analysis.hours, analysis.threshold_km)
    digest = hashlib.sha256(json.dumps(question).encode()).hexdigest()[:16]
    first, *others = numbers
    who = f"{first}-and-{len(others)}" if others else str(first)
    return f"{analysis.mode}-{who}-{digest}.parquet"


def _event_ids(store: Path, conjunctions: ConjunctionArray) -> EventIds:
    """Return the ids of events; the ids of all runs are read only if some event is new to the store."""
    new = events_of(conjunctions)
    current = read_current(store)
    known = known_events(store, None if current is None else current.run_id)
    numbers = _numbers(new)
    candidates = known[
        np.isin(known["primary_norad_id"], numbers) & np.isin(known["secondary_norad_id"], numbers)
    ]
    ids = assign_event_ids(new, candidates, known["event_id"])
    if np.isin(ids, candidates["event_id"]).all():
        return ids
    taken = np.union1d(known["event_id"], ids_of_others(store, new))
    return assign_event_ids(new, candidates, taken)


def _numbers(rows: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    return np.unique(np.concatenate([rows["primary_norad_id"], rows["secondary_norad_id"]]))


def _refuse_synthetic_over_real(store: Path, analysis: Analysis) -> None:
    current = read_current(store)
    if analysis.synthetic and current is not None and not current.synthetic:
        raise StoreError(
            f"The store {store} holds the real run {current.run_id}: events of a synthetic catalogue are not "
            "stored among real ones. Name another store (--store DIR or SKYSIEVE_STORE)."
        )
