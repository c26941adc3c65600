"""One flipped bit of a file is reported or changes nothing; it never gives another number.

A bit of every kind of file of the store is flipped 60 times, at random places from a fixed seed, and who
reads that kind of file is asked each time.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from screening.errors import StoreError
from storage.analyst_file.tables_and_views import new_file
from storage.disk.checksums import verify_parquet
from storage.disk.current import NOTHING_EXPIRED, read_current
from storage.disk.downloads import histories, last_good
from storage.disk.ephemeris_states import read_ephemeris
from storage.disk.faults import store_faults
from storage.disk.layout import prepare
from storage.in_memory.arrays import element_sets
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.check import check, parts
from storage.reading.element_history import carried_factors, element_history
from storage.reading.newest_run import events, status
from storage.reading.read_only_sql import query
from storage.reading.run_tables import run_columns
from storage.rows.elements import element_table, new_sets
from storage.state.credentials import list_credentials
from storage.state.object_facts import is_newest_import, read_facts, stored_facts
from storage.writing.found_events import events_of
from storage.writing.known_events import events_of_run, ids_of_others, known_events
from tests.made_up_run import make_run
from tests.storage.flipping import FIRST, SATCAT, SECOND, TEXT, outcomes, store_with_all_kinds


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with every kind of file."""
    return store_with_all_kinds(tmp_path_factory.mktemp("whole") / "store")


def history_of_some(store: Path) -> object:
    ids = events_of_run(store, SECOND)["event_id"].tolist()[:3]
    snapshot = newest_snapshot(store)
    return [snapshot.history(event_id) for event_id in ids]


def an_older_run(store: Path) -> object:
    table = newest_snapshot(store).table(FIRST)
    return table and table.arrow().to_pylist()


def rows_of(sql: str) -> Callable[[Path], object]:
    return lambda store: sorted(map(repr, query(store, sql)[1]))


def runs_in_a_new_analyst_file(store: Path) -> object:
    path = store.parent / "new.duckdb"
    path.unlink(missing_ok=True)
    with store_faults(store), new_file(path) as file:
        file.add_what_the_store_has(store, SECOND, NOTHING_EXPIRED)
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("FROM runs").fetchall()


def checked(store: Path) -> None:
    """Check all files as the command does, and raise what is wrong with one."""
    for found in map(check, parts(store)):
        if found is not None and found.damage:
            raise StoreError(f"{found.part.path}: {found.damage}")


def made_ready(store: Path) -> object:
    """Return the columns of the files without rows, after the next who writes has made them ready."""
    prepare(store)
    files = [*store.glob("runs/run_id=0/*"), *store.glob("*/0.parquet")]
    return [(file, pq.read_table(file, partitioning=None)) for file in sorted(files)]


OF_RUNS = {
    "the served run": lambda store: newest_snapshot(store).events(EventQuery(limit=None)),
    "the list": lambda store: events(store, limit=10_000),
    "known events": lambda store: known_events(store, read_current(store)).tobytes(),
    "ids of others": lambda store: ids_of_others(store, events_of(make_run(seed=9).conjunctions)).tolist(),
    "history of an event": history_of_some,
    "an older run": an_older_run,
    "an older run's tables": lambda store: [
        part.to_pylist()
        for name in ("conjunctions", "proximities")
        for part in run_columns(store, name, FIRST)
    ],
    "sql": rows_of("FROM conjunction_history"),
    "sql of events": rows_of("FROM events"),
    "the table of runs": runs_in_a_new_analyst_file,
}
OF_ELEMENTS = {
    "history": lambda store: element_history(store, make_run(seed=0).elements).tobytes(),
    "sql": rows_of("FROM element_history"),
    "new sets": lambda store: known_hashes(store),
}
OF_THE_NEWEST = {
    "status": status,
    "the served run": lambda store: newest_snapshot(store).events(EventQuery(limit=None)),
    "proximities": lambda store: newest_snapshot(store).proximities(),
    "objects": lambda store: newest_snapshot(store).objects(("norad_id", "name", "hard_body_radius_m")),
    "elements": lambda store: element_sets(newest_snapshot(store)).tobytes(),
    "factors": lambda store: carried_factors(store, make_run(seed=1).elements).tobytes(),
    "rejections": lambda store: newest_snapshot(store).rejections(9),
    "current": read_current,
}


CHECK = {"check": checked}  # nobody else reads these files of earlier runs
OF_THE_STATE = {
    "credentials": list_credentials,
    "facts": lambda store: [facts.tobytes() for facts in read_facts(store)],
    "facts of one": lambda store: stored_facts(store, 5),
    "imports": lambda store: is_newest_import(store, SATCAT),
}


def known_hashes(store: Path) -> object:
    """Ask as the next run does, without its setting aside."""
    for path in sorted(store.glob("elements/*.parquet")):
        verify_parquet(path, ["content_hash"])
    return new_sets(store, element_table(make_run(seed=0).elements, run_id=SECOND))["norad_id"].to_pylist()


def ephemeris(store: Path) -> object:
    found = read_ephemeris(store, SECOND)
    parts = (found.norad_ids, found.ranges.low_km, found.ranges.high_km, found.states, found.slack_km)
    return found.start, found.chunk_borders, [part.tobytes() for part in parts]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("flips", [1, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        (f"runs/run_id={FIRST}/conjunctions.parquet", OF_RUNS),
        (f"runs/run_id={SECOND}/conjunctions.parquet", OF_RUNS),
        (f"runs/run_id={FIRST}/run.parquet", OF_RUNS),
        (f"runs/run_id={FIRST}/kept.parquet", OF_RUNS),
        ("runs/run_id=0/conjunctions.parquet", {"writer": made_ready}),
        ("runs/run_id=0/kept.parquet", {"writer": made_ready, **OF_RUNS}),
        ("analyses/full-1-0123.parquet", OF_RUNS),
        ("analyses/0.parquet", {"writer": made_ready, **OF_RUNS}),
        (f"elements/{FIRST}.parquet", OF_ELEMENTS),
        ("elements/0.parquet", {"writer": made_ready, **OF_ELEMENTS}),
        ("current.json", OF_THE_NEWEST),
        (f"shown/{SECOND}.1.duckdb", OF_THE_NEWEST),
        (f"ephemeris/{SECOND}/states.npy", {"ephemeris": ephemeris}),
        (f"ephemeris/{SECOND}/slack_km.npy", {"ephemeris": ephemeris}),
        (f"ephemeris/{SECOND}/objects.npy", {"ephemeris": ephemeris}),
        (f"ephemeris/{SECOND}/about.json", {"ephemeris": ephemeris}),
        (f"runs/run_id={FIRST}/proximities.parquet", CHECK),
        (f"runs/run_id={FIRST}/rejections.parquet", CHECK),
        ("service.sqlite", OF_THE_STATE),
    ],
)
def test_it_is_reported_or_changes_nothing(
    whole: Path, name: str, asked: Mapping[str, Callable[[Path], object]], flips: int
) -> None:
    assert set(outcomes(whole, name, asked, flips)) <= {"same", "told"}


def test_a_catalogue_text(whole: Path) -> None:
    (history,) = histories(whole)
    name = f"catalogues/{history.texts[0].sha256}.gz"
    seen = outcomes(whole, name, {"last good": lambda store: (last_good(store, history) or (0, TEXT))[1]}, 60)
    assert set(seen) == {"same"}  # the text as it was, or none


def test_what_is_known_of_a_source(whole: Path) -> None:
    (name,) = (str(path.relative_to(whole)) for path in whole.glob("catalogues/*.json"))
    assert set(outcomes(whole, name, {"history": histories}, 60)) <= {"same", "told"}
