"""Store analyses: what comes near one object, or a fleet, computed between two runs.

Each is one small Parquet file. Its name follows from the question, so that the same question asked again
replaces its file. A file appears whole or not at all, and remains of a killed process are removed by the
next.
"""

import hashlib
import json
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from storage.analyses.asked import Bounds, beyond, place_of, with_question
from storage.disk.checksums import verify_parquet
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import ANALYSES, STAGED_SUFFIX, analyses_written, replace_parquet
from storage.disk.whole_files import sync_folder
from storage.rows.over_runs.event_ids import EVENT_DTYPE, EventArray, EventIds, assign_event_ids, joined
from storage.rows.records import conjunction_table, names_of
from storage.schema import CONJUNCTIONS
from storage.times import time_text
from storage.upkeep.upgrade import opened_for_writing
from storage.vocabulary import AnalysisMode
from storage.writing.found_events import events_of
from storage.writing.known_events import (
    events_of_file,
    events_of_rows,
    events_of_run,
    ids_of_others,
    seen_before,
)

LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two


class Analysis(NamedTuple):
    """The question, and when it was answered."""

    mode: AnalysisMode
    primaries: tuple[int, ...]  # catalogue numbers
    run_id: str  # also in the rows
    basis: str  # source of the element sets: a run's id, or the hash of a catalogue text
    start: datetime | None  # UTC, as requested; None: now, or the start of a historic window
    hours: float
    threshold_km: float
    computed_at: datetime  # UTC
    synthetic: bool


def store_analysis(
    store: Path,
    analysis: Analysis,
    conjunctions: ConjunctionArray,
    elements: ElementArray,
    bounds: Bounds | None = None,
    *,
    keep: bool = True,
) -> pa.Table:
    """Store the conjunctions of an analysis, replacing those of the same question, and return the rows.

    If not `keep`, nothing is stored: what would come near an object on a path that it does not fly.

    `conjunctions` (n,) of CONJUNCTION_DTYPE; the asked-for object is the primary. `elements` hold the sets of
    all objects in them. Events that the store knows keep their ids. With `bounds`, for an analysis on demand
    of one object from now on, the oldest of these are removed if there are too many.

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
        if not keep:
            return rows
        folder = store / ANALYSES
        for left_behind in folder.glob(f"*{STAGED_SUFFIX}"):
            left_behind.unlink()
        if bounds is None:
            replace_parquet(rows, folder / _file_name(analysis))
        else:
            (number,) = analysis.primaries
            question = (analysis.mode, number, analysis.hours, analysis.threshold_km)
            target = place_of(store, question, bounds.analyses)
            replace_parquet(with_question(rows, question), target)
            _events_read[store][target.name] = target.stat().st_mtime_ns, events_of_rows(rows)
            for path in beyond(store, target, bounds.events):
                replace_parquet(CONJUNCTIONS.arrow.empty_table(), path)
        sync_folder(folder)
    return rows


def analysis_files(store: Path) -> dict[str, int]:
    """Return the names of the analysis files, and when each was written, ns."""
    with store_faults(store):
        return analyses_written(store)


def read_analysis(store: Path, name: str) -> pa.Table:
    """Return the rows of one file as rows of the table `analyses`."""
    path = store / ANALYSES / name
    with store_faults(store):
        verify_parquet(path)
        with pq.ParquetFile(path) as file:  # `read_table` takes three times as long
            rows = file.read(use_threads=False).replace_schema_metadata()
        if rows.schema.equals(CONJUNCTIONS.arrow):
            return rows
        return pq.read_table(path, schema=CONJUNCTIONS.arrow, use_threads=False)  # of an earlier release


def _file_name(analysis: Analysis) -> str:
    """Return the file name for a question, independent of when it is asked."""
    start = None if analysis.start is None else time_text(analysis.start).removesuffix("Z")
    numbers = sorted(analysis.primaries)
    question = (analysis.mode, numbers, analysis.basis, start, analysis.hours, analysis.threshold_km)
    digest = hashlib.sha256(json.dumps(question).encode()).hexdigest()[:16]
    first, *others = numbers
    who = f"{first}-and-{len(others)}" if others else str(first)
    return f"{analysis.mode}-{who}-{digest}.parquet"


def _event_ids(store: Path, conjunctions: ConjunctionArray) -> EventIds:
    """Return the ids of events; the ids of all runs are read only if some event is new to the store."""
    new, current = events_of(conjunctions), read_current(store)
    known = [joined(events_of_analyses(store), EVENT_DTYPE)]
    if current is not None:
        known.append(_events_of_run(store, current.run_id))

    def taken(fresh: EventArray) -> EventIds:
        others = ids_of_others(store, fresh, expiry_of(current))
        return np.concatenate([others, *(events["event_id"] for events in known)])

    numbers = _numbers(new)
    return assign_event_ids(
        new,
        np.concatenate([_among(events, numbers) for events in known]),
        taken,
        lambda fresh: seen_before(store, fresh, expiry_of(current)),
    )


# A published run never changes, and the next analysis needs the same one: saves 50 ms.
_events_of_run = lru_cache(maxsize=1)(events_of_run)


# By store and name, as last written: bounded by what is kept of analyses.
_events_read: dict[Path, dict[str, tuple[int, EventArray]]] = {}


def events_of_analyses(store: Path) -> list[EventArray]:
    """Return the events of each analysis; a file is read again only if it has been replaced.

    Call it while holding the store's lock.
    """
    read = _events_read.setdefault(store, {})
    files = analyses_written(store)
    for name in read.keys() - files.keys():
        del read[name]
    for name, written_ns in files.items():
        if name not in read or read[name][0] != written_ns:
            read[name] = written_ns, events_of_file(store / ANALYSES / name)
    return [read[name][1] for name in files]


def _among(events: EventArray, numbers: npt.NDArray[np.int64]) -> EventArray:
    """Return the events whose objects are both among some numbers (m,), ascending."""
    for who in ("primary", "secondary"):
        events = events[np.isin(events[f"{who}_norad_id"], numbers)]
    return events


def _numbers(rows: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    return np.unique(np.concatenate([rows["primary_norad_id"], rows["secondary_norad_id"]]))


def _refuse_synthetic_over_real(store: Path, analysis: Analysis) -> None:
    current = read_current(store)
    if analysis.synthetic and current is not None and not current.synthetic:
        raise StoreError(
            f"The store {store} holds the real run {current.run_id}: events of a synthetic catalogue are not "
            "stored among real ones. Name another store (--store DIR or SKYSIEVE_STORE)."
        )
