"""The file that analysts open: at any time, alone, and after the store has moved."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from screening.errors import StoreError
from storage import schema
from storage.analyst_file.tables_and_views import VIEWS
from storage.disk.checksums import opened_json, sealed_json
from storage.reading.newest_run import connect, events, status

# What an analyst does, in a process of its own: open, ask, close, over and over until stdin ends.
READER = """
import sys, threading, duckdb
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
path, reads, errors, runs = sys.argv[1], 0, [], set()
while not stop.is_set():
    try:
        with duckdb.connect(path, read_only=True) as connection:
            row = connection.execute(
                "SELECT any_value(run_id), count(DISTINCT run_id), count(*), "
                "(SELECT count(*) FROM events), (SELECT count(*) FROM runs) FROM conjunctions").fetchone()
        runs.add(row[0])
        if row[1:4] != (1, 60, 60):
            errors.append(row)
    except Exception as error:
        errors.append(repr(error))
    reads += 1
    if reads == 1:
        print("reading", flush=True)
print(len(errors), reads, len(runs), errors[:3], flush=True)
"""


@contextmanager
def reader(store: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(store / "skysieve.duckdb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        yield process


@pytest.mark.slow
def test_readers_see_no_error_and_no_half_run_while_runs_are_published(make, published: Path) -> None:
    with reader(published) as process:
        for i in range(1, 11):
            make.publish(published, make.run(hours_later=6 * i))
        output, _ = process.communicate()
    failures, reads, runs = (int(word) for word in output.split()[:3])
    assert failures == 0, output
    assert reads > 1
    assert runs > 1  # it saw the file change


def test_a_file_whose_link_a_reader_followed_remains_however_soon_others_are_shown(
    make, published: Path
) -> None:
    """Two publications removed the file before a reader that had followed the link came to open it."""
    followed = (published / "skysieve.duckdb").resolve()
    for i in range(1, 4):
        make.publish(published, make.run(hours_later=6 * i))
    with duckdb.connect(followed, read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM conjunctions").fetchone() == (60,)

    an_hour_ago, files = time.time() - 3600.0, sorted((published / "shown").iterdir())
    for place, path in enumerate(files):
        os.utime(path, (an_hour_ago + place, an_hour_ago + place))
    make.publish(published, make.run(hours_later=24))
    newest = (published / "skysieve.duckdb").resolve()
    assert sorted((published / "shown").iterdir()) == [files[-1], newest], "the one before it stays"


@pytest.mark.slow
def test_a_reader_in_the_same_process_sees_the_new_run_beside_an_open_old_one(make, published: Path) -> None:
    """duckdb.connect(path) gave the old file for as long as a connection to it was open."""
    with connect(published) as old:
        new_id = make.publish(published, make.run(hours_later=6))
        with connect(published) as new, connect(published) as another:
            assert another.execute("SELECT count(*) FROM events").fetchone() == (60,)
            assert new.execute("SELECT DISTINCT run_id FROM conjunctions").fetchall() == [(new_id,)]
        assert old.execute("SELECT DISTINCT run_id FROM conjunctions").fetchall() != [(new_id,)]


def test_the_file_alone_answers_from_its_tables(published: Path, tmp_path: Path) -> None:
    alone = shutil.copy(published / "skysieve.duckdb", tmp_path / "copy.duckdb")
    shutil.rmtree(published)
    with duckdb.connect(alone, read_only=True) as connection:
        counts = {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in schema.TABLES}
    assert counts == {
        "conjunctions": 60,
        "proximities": 4,
        "objects": 30,
        "elements": 30,
        "rejections": 1,
        "runs": 1,
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elsewhere", "odd [a-z]*'s name"])
def test_a_moved_store_works_and_its_file_follows(make, published: Path, tmp_path: Path, name: str) -> None:
    before = events(published).rows
    moved = published.rename(tmp_path / name)
    assert events(moved).rows == before
    assert status(moved).runs == 1
    with duckdb.connect(moved / "skysieve.duckdb", read_only=True) as connection:  # an analyst's own DuckDB
        assert connection.execute("SELECT count(*) FROM conjunction_history").fetchone() == (60,)
        assert connection.execute("SELECT count(*) FROM element_history").fetchone() == (30,)
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (60,)
    make.publish(moved, make.run(hours_later=6))
    assert status(moved).runs == 2
    assert json.loads((moved / "current.json").read_text())["folder"] == str(moved)


def test_a_store_that_has_not_moved_is_not_written_by_readers(published: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in published.rglob("*")}
    events(published)
    status(published)
    assert {path: path.stat().st_mtime_ns for path in published.rglob("*")} == before


def test_every_table_and_column_says_what_it_is(published: Path) -> None:
    with connect(published) as connection:
        silent = connection.execute(
            "SELECT name FROM ("
            "SELECT column_name AS name, database_name, comment FROM duckdb_columns() UNION ALL "
            "SELECT table_name, database_name, comment FROM duckdb_tables() UNION ALL "
            "SELECT view_name, database_name, comment FROM duckdb_views()"
            ") WHERE database_name = 'skysieve' AND comment IS NULL"
        ).fetchall()
        unit = connection.execute(
            "SELECT DISTINCT comment FROM duckdb_columns() WHERE database_name = 'skysieve' "
            "AND column_name = 'miss_distance_m' AND table_name NOT IN ('messages', 'forecasts')"
        ).fetchall()
        tables = connection.execute(
            "SELECT count(DISTINCT table_name) FROM duckdb_columns() WHERE database_name = 'skysieve'"
        ).fetchone()
    assert silent == []
    assert unit == [("m, distance at TCA",)]
    assert tables == (len(schema.TABLES) + len(VIEWS),)


def test_the_file_can_be_opened_by_the_oldest_supported_duckdb(published: Path) -> None:
    with connect(published) as connection:
        tags = connection.execute(
            "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'skysieve'"
        ).fetchone()
    assert tags is not None
    assert tags[0].startswith("v1.4.0")


@pytest.mark.slow
def test_runs_stored_before_a_column_existed_stay_readable(make, published: Path) -> None:
    """The files of an older release lack a column: it reads as NULL, the run stays."""
    path = next(published.glob("runs/run_id=2*/conjunctions.parquet"))
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM read_parquet('{path}', hive_partitioning = false)")
        connection.execute("ALTER TABLE t DROP diluted")
        connection.execute(f"COPY t TO '{path}'")
    make.publish(published, make.run(hours_later=6))
    with connect(published) as connection:
        rows = connection.execute(
            "SELECT run_id, count(*), count(diluted) > 0 FROM conjunction_history GROUP BY 1 ORDER BY 1"
        ).fetchall()
    assert rows == [("20261121T060000Z", 60, False), ("20261121T120000Z", 60, True)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("text", ["", "{", "[]", '{"run_id": "x"}', '{"run_id": 5, "synthetic": []}'])
def test_a_damaged_current_json_says_what_to_do(make, published: Path, text: str) -> None:
    path = published / "current.json"
    path.write_text(text)
    with pytest.raises(StoreError, match=r"damaged.*rename it") as refused:
        events(published)
    assert str(path) in str(refused.value)
    path.unlink()
    make.publish(published, make.run(hours_later=6))
    assert status(published).runs == 2


def test_a_store_of_a_newer_release_is_refused(make, published: Path) -> None:
    path = published / "current.json"
    path.write_text(sealed_json(opened_json(path.read_bytes()) | {"schema_version": 99}))
    with pytest.raises(StoreError, match="schema version 99"):
        events(published)
    with pytest.raises(StoreError, match="schema version 99"):
        make.publish(published, make.run(hours_later=6))


def test_an_empty_or_missing_store_says_how_to_fill_it(tmp_path: Path) -> None:
    for store in (tmp_path, tmp_path / "missing"):
        with pytest.raises(StoreError, match="holds no run yet") as refused:
            status(store)
        assert str(store) in str(refused.value)


@pytest.mark.slow
def test_a_missing_analyst_file_says_what_to_do(make, published: Path) -> None:
    (published / "skysieve.duckdb").unlink()
    with pytest.raises(StoreError, match="is missing"):
        events(published)
    make.publish(published, make.run(hours_later=6))
    assert len(events(published).rows) == 60


def test_a_damaged_analyst_file_is_a_store_error(published: Path) -> None:
    (published / "skysieve.duckdb").write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreError, match=r"skysieve\.duckdb is damaged"):
        events(published)
