"""Analysts who read all the time notice nothing of runs that are published, expire and are freed."""

import itertools
import threading
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import duckdb
import pytest

from screening.errors import StoreError
from storage.disk.layout import ANALYST_FILE, SHOWN
from storage.reading.newest_run import connect
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.storage.doomed import pipe, start

READERS = 4
FIRST_H = 8 * 24  # two days later a month ends, which is merged on the way
OPENED = 300
KEPT = Retention(timedelta(hours=20), timedelta(hours=20))
QUERIES = (
    "SELECT count(*), count(DISTINCT run_id) FROM conjunctions",
    "SELECT count(*) FROM events",
    "SELECT run_id, count(*), sum(miss_distance_m) FROM conjunction_history GROUP BY ALL",
    "SELECT count(*), sum(mean_motion_rev_day) FROM element_history",
    "SELECT * FROM runs",
)


def read_until_told(store: Path, told: Connection) -> None:
    """Open the analyst file and ask, again and again; then tell how often, and what went wrong."""
    asked, errors = 0, []
    while not told.poll():
        try:
            with duckdb.connect(str(store / ANALYST_FILE), read_only=True) as connection:
                for query in QUERIES:
                    rows = connection.execute(query).fetchall()
                    if query == QUERIES[0] and rows != [(400, 1)]:
                        errors.append(f"{query}: {rows}")
        except duckdb.Error as error:
            errors.append(str(error))
        asked += len(QUERIES)
        told.send("round")
    told.send((asked, errors))


def wait_for_new_rounds(ends: list[Connection]) -> None:
    """Wait until every reader has opened the file anew: a query lasts no longer than from run to run."""
    for end in ends:
        while end.poll():
            end.recv()
        for _ in range(2):  # the first was under way
            end.recv()


def last_word(end: Connection) -> tuple[int, list[str]]:
    """Return what a reader has found."""
    while (word := end.recv()) == "round":
        continue
    return word  # type: ignore[no-any-return]


@pytest.mark.slow
def test_no_query_of_four_processes_fails_while_runs_are_published(store: Path) -> None:
    publications = 20
    publish(store, make_run(conjunctions=400, objects=60, hours_later=FIRST_H))
    ends = [pipe() for _ in range(READERS)]
    processes = [start(read_until_told, store, theirs) for _, theirs in ends]
    for number in range(1, publications + 1):
        publish(store, make_run(conjunctions=400, objects=60, seed=number, hours_later=FIRST_H + 6 * number))
        compact(store, WINDOW_START + timedelta(hours=FIRST_H + 6 * number), KEPT)
        wait_for_new_rounds([ours for ours, _ in ends])
    for ours, _ in ends:
        ours.send("enough")
    found = [last_word(ours) for ours, _ in ends]
    for process in processes:
        process.join()
    assert [errors for _, errors in found] == [[]] * READERS
    assert min(asked for asked, _ in found) > publications
    with duckdb.connect(str(store / ANALYST_FILE), read_only=True) as connection:
        shown = connection.execute("SELECT count(*) FROM conjunction_history").fetchall()[0][0]
    assert 400 * 4 <= shown < 400 * publications, "runs must have expired meanwhile"
    assert not list(store.glob("runs/run_id=202611*")), "their month must have been merged"


def open_often(file: Path, told: Connection) -> None:
    """Open a file many times; then tell how many rows were seen, and what went wrong."""
    counts, errors = set(), []
    for _ in range(OPENED):
        try:
            with duckdb.connect(str(file), read_only=True) as connection:
                counts |= set(connection.execute("SELECT count(*) FROM conjunctions").fetchall())
        except duckdb.Error as error:
            errors.append(str(error))
    told.send((counts, errors))


@pytest.mark.slow
def test_what_is_shown_may_change_at_any_moment_of_opening_it(store: Path) -> None:
    """Were the file itself replaced, about one open in a hundred would fail with DuckDB 2.0.0."""
    publish(store, make_run(conjunctions=40, objects=60))
    publish(store, make_run(conjunctions=40_000, objects=60, hours_later=6))
    shown = itertools.cycle(sorted((store / SHOWN).iterdir()))
    ours, theirs = pipe()
    process = start(open_often, store / ANALYST_FILE, theirs)
    link = store / "next"
    while not ours.poll(0.001):
        link.symlink_to(next(shown))
        link.replace(store / ANALYST_FILE)
    assert ours.recv() == ({(40,), (40_000,)}, [])
    process.join()


def test_a_damaged_file_is_reported(store: Path) -> None:
    publish(store, make_run())
    file = store / ANALYST_FILE
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(StoreError, match="cannot be used"):
        connect(store)


@pytest.mark.slow
def test_no_request_of_threads_in_one_process_sees_an_old_file(store: Path) -> None:
    """A connection that is open keeps `duckdb.connect` in its process on the file before a publication."""
    first = publish(store, make_run())
    newest = [first]
    wrong: list[str] = []
    ended = threading.Event()

    def ask() -> None:
        while not ended.is_set():
            published = newest[0]
            with connect(store) as connection:
                ((seen,),) = connection.execute("SELECT DISTINCT run_id FROM conjunctions").fetchall()
            if seen < published:
                wrong.append(f"{seen} after {published}")

    threads = [threading.Thread(target=ask) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        newest[0] = publish(store, make_run(hours_later=6 * number))
    ended.set()
    for thread in threads:
        thread.join()
    assert wrong == []
