"""Publish a run: all of it becomes visible in one step, or nothing."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from screening.encounters import ProximityArray
from screening.errors import InputError, StoreError
from screening.orbits.elements import ElementArray, Rejection
from storage.analyst_file.expired_months import merged, month_of
from storage.analyst_file.shown import show_file
from storage.analyst_file.tables_and_views import ROW_GROUP, NewFile, new_file
from storage.disk.current import Current, Expiry, expiry_of, read_current, write_current
from storage.disk.ephemeris import place_ephemeris, remove_old_ephemerides
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ANALYST_FILE,
    RUN_FILES,
    SCHEMA_VERSION,
    SCREENED,
    element_file,
    manoeuvre_file,
    new_parquet,
    run_folder,
    write_parquet,
)
from storage.disk.run_ids import free_run_id, stamp
from storage.disk.whole_files import sync_folder
from storage.manoeuvre_schema import MANOEUVRES
from storage.manoeuvres.kept import ManoeuvreArray, manoeuvre_table, not_yet_stored
from storage.messages.shown import show_told
from storage.rows.elements import element_table, new_sets
from storage.rows.over_runs.event_ids import EventIds, assign_event_ids
from storage.rows.over_runs.screened import screened_table
from storage.rows.records import conjunction_table, names_of, proximity_table, rejection_table
from storage.rows.run_record import Run, run_table
from storage.schema import CONJUNCTIONS, TABLES
from storage.upkeep.damaged_files import read_without_damaged
from storage.upkeep.expired_files import empty_what_is_hidden
from storage.upkeep.recovery import begin_staging, end_staging, remove_remains
from storage.upkeep.upgrade import opened_for_writing
from storage.writing.found_events import FoundEvents
from storage.writing.known_events import ids_of_others, known_events, seen_before
from storage.writing.objects_table import ObjectArray, complexes_of, object_table, objects_of

_AT_ONCE = 2  # tables of conjunctions that wait for the analyst file, 14 MB each
LOCK_TIMEOUT_S = 600.0  # a publisher finishes in a second or two; a much longer wait means a stuck one


def publish_run(
    store: Path,
    run: Run,
    found: FoundEvents,
    proximities: ProximityArray,
    elements: ElementArray,
    *,
    rejected: Sequence[Rejection] = (),
    objects: ObjectArray | None = None,
    failed: Collection[int] = (),
    manoeuvres: ManoeuvreArray | None = None,
    ephemeris: Callable[[], Path | None] = lambda: None,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    on_step: Callable[[str], None] = lambda _step: None,
) -> str:
    """Write a catalogue-wide run into the store, make it current, and return its id.

    Args:
        store: folder of the store; created if it does not exist.
        run: the record of the run; counts that follow from the other arguments are filled in.
        found: the conjunctions.
        proximities: (m,) PROXIMITY_DTYPE, pointing into `elements`.
        elements: (k,) ELEMENT_DTYPE, the sets that were screened.
        rejected: records of the catalogue that were left out.
        objects: (k,) OBJECT_DTYPE in the order of `elements`, which also give the complexes of the objects in
            conjunctions; by default from their names.
        failed: places in `elements` of those that SGP4 could not propagate through the window.
        manoeuvres: what the histories of its objects show, MANOEUVRE_DTYPE; what the store has is left out.
        ephemeris: returns, without waiting, the folder that `stage_ephemeris` has written, which is moved
            into place last; None: there is none, or it is not complete, and `place_late` may follow.
        lock_timeout_s: how long to wait for another publisher, s.
        on_step: called with the name of each step once it is done, for a progress display.

    Raises:
        InputError: the arrays do not match, or a required value is missing.
        StoreError: the store is locked by another publisher, or must not take this run.
    """
    store = store.resolve()
    if run.scope != "catalogue":
        raise InputError(f"A run of scope {run.scope!r} cannot become current: only 'catalogue' can.")
    run = _counted(run, found, proximities, elements, rejected)
    with store_faults(store), opened_for_writing(store, lock_timeout_s):
        current = read_current(store)
        _refuse_synthetic_over_real(store, run, current)
        _refuse_replay_over_present(store, run, current)
        read_without_damaged(store, lambda: empty_what_is_hidden(store, expiry_of(current), run.started))
        taken = merged(store, expiry_of(current), {month_of(stamp(run.started))})
        run = replace(run, run_id=free_run_id(store, run.started, taken))
        rows = _rows(store, current, found, elements, objects, run)
        tables: dict[str, Callable[[], pa.Table]] = {  # the large ones first: each is stored once it is made
            "elements": lambda: element_table(elements, run_id=run.run_id),
            "objects": lambda: object_table(objects_of(elements) if objects is None else objects, elements),
            "proximities": lambda: proximity_table(
                proximities, elements, run.window_start, run_id=run.run_id
            ),
            "rejections": lambda: rejection_table(rejected, run_id=run.run_id),
            "runs": lambda: run_table(run),
            "screened": lambda: screened_table(elements, list(failed), run.run_id),
            "manoeuvres": lambda: _manoeuvres(store, run, manoeuvres, expiry_of(current)),
        }
        try:
            _write(store, run, _borders(current, run.run_id), rows, tables, ephemeris, on_step)
        except BaseException:
            remove_remains(store)
            raise
        show_told(store)
    return run.run_id


def _manoeuvres(store: Path, run: Run, found: ManoeuvreArray | None, expiry: Expiry) -> pa.Table:
    if found is None or not len(found):
        return MANOEUVRES.arrow.empty_table()
    return manoeuvre_table(not_yet_stored(store, found, expiry), run.started, run.run_id)


def _rows(
    store: Path,
    current: Current | None,
    found: FoundEvents,
    elements: ElementArray,
    objects: ObjectArray | None,
    run: Run,
) -> Iterator[pa.Table]:
    """Yield the rows of the table `conjunctions` in their order, some at a time, once their ids are known."""
    event_ids = read_without_damaged(store, lambda: _event_ids(store, found, current))
    names, first_row = names_of(elements), 0
    for records, places in found.most_dangerous_first(ROW_GROUP):
        if objects is not None:
            for who in ("primary", "secondary"):
                records[f"{who}_complex_id"] = complexes_of(objects, records[f"{who}_norad_id"])
        yield conjunction_table(
            records,
            event_ids[places],
            names,
            run_id=run.run_id,
            origin="run",
            computed_at=run.finished,
            first_row=first_row,
        )
        first_row += len(records)


def _write(
    store: Path,
    run: Run,
    expiry: Expiry,
    conjunctions: Iterator[pa.Table],
    made_from: dict[str, Callable[[], pa.Table]],
    ephemeris: Callable[[], Path | None],
    on_step: Callable[[str], None],
) -> None:
    staging = begin_staging(store, run.run_id)
    on_step("staging begun")
    staged_run = staging / "run"
    staged_run.mkdir()
    with new_file(staging / ANALYST_FILE) as analyst_file:
        with new_parquet(staged_run / RUN_FILES["conjunctions"], CONJUNCTIONS.arrow) as file:
            tables = _made(made_from, analyst_file)
            added: deque[Future[None]] = deque()
            for rows in conjunctions:
                added.append(analyst_file.append("conjunctions", rows))
                file.write_table(rows)
                if len(added) == _AT_ONCE:
                    added.popleft().result()
        for name in ("proximities", "rejections", "runs"):
            write_parquet(tables[name], staged_run / RUN_FILES[name])
        write_parquet(tables["screened"], staged_run / SCREENED)
        fresh = new_sets(store, tables["elements"], expiry)
        beside_it = {
            "elements.parquet": (fresh, element_file(store, run.run_id)),
            "manoeuvres.parquet": (tables["manoeuvres"], manoeuvre_file(store, run.run_id)),
        }
        for name, (rows, _) in beside_it.items():
            if len(rows):
                write_parquet(rows, staging / name)
        sync_folder(staged_run)
        on_step("run written")
        staged_run.rename(run_folder(store, run.run_id))
        for name, (rows, path) in beside_it.items():
            if len(rows):
                (staging / name).rename(path)
        for path in (run_folder(store, run.run_id), *(path for _, path in beside_it.values())):
            sync_folder(path.parent)
        on_step("run in place")
        read_without_damaged(store, lambda: analyst_file.add_what_the_store_has(store, run.run_id, expiry))
    on_step("catalogue written")
    staged_ephemeris = ephemeris()
    show_file(store, staging / ANALYST_FILE, run.run_id)
    on_step("catalogue in place")
    if staged_ephemeris is not None:
        place_ephemeris(store, staged_ephemeris, run.run_id)
        on_step("ephemeris in place")
    write_current(store, Current(run.run_id, run.synthetic, str(store), SCHEMA_VERSION, expiry))
    on_step("current")
    end_staging(store)
    remove_old_ephemerides(store)


def _made(made_from: dict[str, Callable[[], pa.Table]], analyst_file: NewFile) -> dict[str, pa.Table]:
    """Make tables, and add those of the analyst file beside while the next ones are made."""
    tables: dict[str, pa.Table] = {}
    for name, make in made_from.items():
        tables[name] = make()
        if name in TABLES and name != "runs":
            analyst_file.append(name, tables[name])
    return tables


def _counted(
    run: Run,
    found: FoundEvents,
    proximities: ProximityArray,
    elements: ElementArray,
    rejected: Sequence[Rejection],
) -> Run:
    by_risk = found.by_level("risk_level")
    slow = int(np.count_nonzero(found.events()["slow"]))
    return replace(
        run,
        objects=len(elements),
        rejected=run.rejected + len(rejected),  # of very many, only the first are stored
        failed=sum(run.failed_by_code.values()),
        conjunctions=len(found) - slow,
        slow=slow,
        proximities=len(proximities),
        probability_levels=found.by_level("probability_level"),
        near_levels=found.by_level("near_level"),
        critical=by_risk["critical"],
        high=by_risk["high"],
        medium=by_risk["medium"],
        low=by_risk["low"],
    )


def _event_ids(store: Path, found: FoundEvents, current: Current | None) -> EventIds:
    expiry = expiry_of(current)
    known = known_events(store, current)
    return assign_event_ids(
        found.events(),
        known,
        lambda new: ids_of_others(store, new, expiry),
        lambda new: seen_before(store, new, expiry),
    )


def _borders(current: Current | None, run_id: str) -> Expiry:
    """Return the store's borders; none may pass the new run, which happens when a clock was put back."""
    expiry = expiry_of(current)
    return expiry._replace(
        runs_from=min(expiry.runs_from, run_id),
        elements_from=min(expiry.elements_from, run_id),
        analyses_from=min(expiry.analyses_from, run_id),
        hidden_at=min(expiry.hidden_at, run_id),
    )


def _refuse_synthetic_over_real(store: Path, run: Run, current: Current | None) -> None:
    if run.synthetic and current is not None and not current.synthetic:
        raise StoreError(
            f"The store {store} holds the real run {current.run_id}: a run of a synthetic catalogue never "
            "replaces a real one. Publish it to another store (--store DIR or SKYSIEVE_STORE)."
        )


def _refuse_replay_over_present(store: Path, run: Run, current: Current | None) -> None:
    """Refuse a replay in a store whose newest run is none; that it is one is in that run's file."""
    if not run.replay or current is None:
        return
    known = pq.read_table(run_folder(store, current.run_id) / RUN_FILES["runs"], use_threads=False)
    if "replay" not in known.column_names or known["replay"].to_pylist() != [True]:
        raise StoreError(
            f"The store {store} holds the run {current.run_id}, which is not a replay: a replay never "
            "replaces such a run. Import the history into another store, and replay it there (--store DIR or "
            "SKYSIEVE_STORE)."
        )
