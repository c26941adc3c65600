"""What expires is hidden in one step and freed by the following run, under whatever reader has it open."""

import json
import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from screening.errors import StoreError
from storage import schema
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.current import read_current
from storage.disk.layout import run_folder
from storage.reading.newest_run import connect, events, status
from storage.writing.retention import Compacted, Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.storage.doomed import compact_only, killed_before_file_event, publish_and_compact

DAY_H = 24
DAYS_30 = Retention(timedelta(days=30), timedelta(days=30))
FIRST, SECOND, THIRD = "20261121T060000Z", "20261201T060000Z", "20261231T060000Z"


def on_day(day: float) -> datetime:
    return WINDOW_START + timedelta(days=day)


def rows(store: Path, sql: str) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(sql).fetchall()


def history(store: Path) -> list[tuple[object, ...]]:
    return rows(store, "SELECT run_id, event_id, risk_level FROM conjunction_history ORDER BY ALL")


def full_file(store: Path, run_id: str) -> Path:
    return run_folder(store, run_id) / "conjunctions.parquet"


@pytest.fixture
def three_runs(store: Path) -> Path:
    """A store with runs of days 0, 10 and 40; they found other events and had other element sets."""
    for seed, day in enumerate((0, 10, 40), start=1):
        publish(store, make_run(seed=seed, hours_later=day * DAY_H))
    return store


@pytest.mark.slow
def test_an_expired_run_keeps_its_critical_and_high_rows(three_runs: Path) -> None:
    before = history(three_runs)
    assert compact(three_runs, on_day(40.2), DAYS_30).runs == 2
    expected = [row for row in before if row[0] == THIRD or row[2] in ("critical", "high")]
    assert history(three_runs) == expected
    assert 0 < len(expected) < len(before)
    assert status(three_runs).runs == 3
    assert rows(three_runs, "SELECT run_id FROM runs ORDER BY 1") == [(FIRST,), (SECOND,), (THIRD,)]


@pytest.mark.slow
def test_every_column_of_a_kept_row_stays_as_it_was(three_runs: Path) -> None:
    kept = "FROM conjunction_history WHERE risk_level IN ('critical', 'high') ORDER BY run_id, event_id"
    before = rows(three_runs, kept)
    compact(three_runs, on_day(40.2), DAYS_30)
    assert rows(three_runs, kept) == before


@pytest.mark.slow
def test_the_disk_is_freed_by_the_following_run_and_nothing_else_changes(three_runs: Path) -> None:
    sizes = [full_file(three_runs, run_id).stat().st_size for run_id in (FIRST, SECOND)]
    compact(three_runs, on_day(40.2), DAYS_30)
    compact(three_runs, on_day(40.2), DAYS_30)  # a second time in the same run frees nothing either
    assert [full_file(three_runs, run_id).stat().st_size for run_id in (FIRST, SECOND)] == sizes
    hidden = history(three_runs)
    publish(three_runs, make_run(seed=4, hours_later=40.25 * DAY_H))
    assert [row for row in history(three_runs) if row[0] <= THIRD] == hidden
    assert full_file(three_runs, SECOND).stat().st_size < 1000
    assert sorted(path.name for path in run_folder(three_runs, SECOND).iterdir()) == [
        "conjunctions.parquet",
        "kept.parquet",
        "run.parquet",
    ]
    assert not run_folder(three_runs, FIRST).exists(), "November has expired, and has a file of its own"


@pytest.mark.slow
def test_a_run_that_follows_at_once_frees_nothing(three_runs: Path) -> None:
    """A query may go on for minutes, and somebody may start two runs in one."""
    compact(three_runs, on_day(40.2), DAYS_30)
    publish(three_runs, make_run(seed=4, hours_later=40.2 * DAY_H + 0.1))
    assert all(full_file(three_runs, run_id).stat().st_size > 1000 for run_id in (FIRST, SECOND))
    publish(three_runs, make_run(seed=5, hours_later=40.2 * DAY_H + 0.2))
    assert not run_folder(three_runs, FIRST).exists()
    assert full_file(three_runs, SECOND).stat().st_size < 1000


@pytest.mark.slow
def test_the_newest_run_never_expires(three_runs: Path) -> None:
    compact(three_runs, on_day(4000), DAYS_30)
    assert len([row for row in history(three_runs) if row[0] == THIRD]) == 60
    assert len(events(three_runs).rows) == 60
    assert rows(three_runs, "SELECT count(*) FROM element_history") == [(30,)]


@pytest.mark.slow
def test_nothing_expires_before_its_time(three_runs: Path) -> None:
    before = (three_runs / "current.json").read_bytes()
    assert compact(three_runs, on_day(29.9), DAYS_30) == Compacted(0, 0, 0)
    assert (three_runs / "current.json").read_bytes() == before


@pytest.mark.slow
def test_what_has_expired_does_not_come_back_when_more_is_to_be_kept(three_runs: Path) -> None:
    compact(three_runs, on_day(40.2), DAYS_30)
    hidden = history(three_runs)
    forever = Retention(timedelta(days=4000), timedelta(days=4000))
    assert compact(three_runs, on_day(40.6), forever) == Compacted(0, 0, 0)
    assert history(three_runs) == hidden


@pytest.mark.slow
def test_a_clock_that_is_put_back_hides_no_new_run(store: Path) -> None:
    publish(store, make_run(seed=1))
    publish(store, make_run(seed=2, hours_later=400 * DAY_H))
    compact(store, on_day(400), DAYS_30)
    run_id = publish(store, make_run(seed=3, hours_later=6))
    compact(store, on_day(0.3), DAYS_30)
    assert len([row for row in history(store) if row[0] == run_id]) == 60
    assert {row[2] for row in history(store) if row[0] == FIRST} == {"critical", "high"}


@pytest.mark.slow
def test_element_sets_expire_unless_the_newest_run_uses_them(store: Path) -> None:
    old, new = make_run(seed=1), make_run(seed=2, hours_later=40 * DAY_H)
    publish(store, old)
    still_used = old.elements[:5]
    new.elements["norad_id"][:5] = still_used["norad_id"]
    order = np.argsort(new.elements["norad_id"])
    for name in new.elements.dtype.names:
        if name != "norad_id":
            new.elements[name][:5] = still_used[name]
    new = new._replace(elements=new.elements[order], conjunctions=new.conjunctions[:0])
    publish(store, new)
    hashes = "SELECT content_hash, run_id FROM element_history"
    before = rows(store, hashes)
    assert compact(store, on_day(40), DAYS_30).element_files == 1
    used = {value for (value,) in rows(store, "SELECT content_hash FROM elements")}
    after = rows(store, hashes)
    assert sorted(value for value, _ in after) == sorted(used)  # each once
    assert len(used) == 30 < len(before) == 55
    assert {run_id for _, run_id in after} == {SECOND.replace("1201", "1231")}
    publish(store, new._replace(run=make_run(hours_later=40.25 * DAY_H).run))
    assert sorted(rows(store, hashes)) == sorted(after)
    assert (store / "elements" / f"{FIRST}.parquet").stat().st_size < 1000


def store_analysis(store: Path, computed_at: datetime) -> Path:
    """Put an analysis into a store: the rows of its newest run, as if computed then."""
    with connect(store) as connection:
        found = connection.sql("FROM conjunctions LIMIT 3").to_arrow_table()
    naive = pa.scalar(computed_at.replace(tzinfo=None), pa.timestamp("us"))
    place = found.schema.get_field_index("computed_at")
    found = found.set_column(place, "computed_at", pa.repeat(naive, len(found)))
    path = store / "analyses" / f"{computed_at:%Y%m%dT%H%M%S}.parquet"
    pq.write_table(found.cast(schema.CONJUNCTIONS.arrow), path)
    return path


@pytest.mark.slow
def test_analyses_expire(store: Path) -> None:
    publish(store, make_run())
    old, new = store_analysis(store, on_day(1)), store_analysis(store, on_day(20))
    assert compact(store, on_day(40), DAYS_30) == Compacted(0, 0, 1)
    assert rows(store, "SELECT DISTINCT computed_at FROM analyses") == [(on_day(20).replace(tzinfo=None),)]
    assert old.stat().st_size > 1000
    publish(store, make_run(hours_later=40.2 * DAY_H))
    assert [pq.read_metadata(path).num_rows for path in (old, new)] == [0, 3]
    assert rows(store, "SELECT count(*) FROM analyses") == [(3,)]


@pytest.mark.slow
def test_files_of_expired_analyses_go_when_nobody_can_have_listed_them(store: Path) -> None:
    publish(store, make_run())
    old, new = store_analysis(store, on_day(1)), store_analysis(store, on_day(20))
    compact(store, on_day(40), DAYS_30)
    publish(store, make_run(hours_later=40.2 * DAY_H))
    for path in (old, new):
        os.utime(path, (on_day(40.2).timestamp(),) * 2)
    publish(store, make_run(hours_later=42 * DAY_H))
    assert (old.exists(), new.exists()) == (True, True)
    publish(store, make_run(hours_later=42.3 * DAY_H))
    assert (old.exists(), new.exists()) == (False, True)
    assert rows(store, "SELECT count(*) FROM analyses") == [(3,)]


@pytest.fixture
def long_history(store: Path) -> Path:
    """A store with so many runs that DuckDB has not opened all files when it returns the first rows."""
    run_id = publish(store, make_run(conjunctions=3000, objects=300))
    for number in range(60):
        copied = store / "runs" / f"run_id=20261021T{number:06d}Z"
        shutil.copytree(run_folder(store, run_id), copied)
    return store


def half_read(store: Path) -> duckdb.DuckDBPyConnection:
    """Begin to read the history of all runs."""
    connection = connect(store)
    connection.execute("SET threads = 1")
    connection.execute("FROM conjunction_history")
    assert len(connection.fetchmany(10)) == 10
    return connection


def rest_of(connection: duckdb.DuckDBPyConnection) -> int:
    with connection:
        return 10 + sum(len(part) for part in iter(lambda: connection.fetchmany(10_000), []))


@pytest.mark.slow
@pytest.mark.parametrize("day", [0.1, pytest.param(12.0, id="a month")])
def test_a_reader_goes_on_while_runs_expire_and_another_while_they_are_freed(
    long_history: Path, day: float
) -> None:
    """Rewriting a file in place gave `Prefetch registered for bytes outside file` to who was reading it."""
    reader = half_read(long_history)
    assert compact(long_history, on_day(day), DAYS_30).runs == 60
    assert rest_of(reader) == 61 * 3000
    kept = len(history(long_history))
    assert 3000 < kept < 61 * 3000
    reader = half_read(long_history)
    publish(long_history, make_run(hours_later=day * DAY_H + 6))
    expired = full_file(long_history, "20261021T000000Z")
    assert not expired.exists() if day > 1 else expired.stat().st_size < 1000
    assert rest_of(reader) == kept


@pytest.mark.slow
def test_the_borders_move_with_the_store(three_runs: Path, tmp_path: Path) -> None:
    compact(three_runs, on_day(40.2), DAYS_30)
    hidden = history(three_runs)
    moved = three_runs.rename(tmp_path / "elsewhere")
    assert history(moved) == hidden


def test_a_store_without_borders_is_read(published: Path) -> None:
    path = published / "current.json"
    stored = json.loads(path.read_text())
    del stored["expiry"], stored["crc32"]  # as release 0.1.0 wrote it
    path.write_text(json.dumps(stored))
    assert len(history(published)) == 60


@pytest.mark.parametrize("expiry", [3, {"unknown": ""}])
def test_damaged_borders_are_reported(published: Path, expiry: object) -> None:
    path = published / "current.json"
    path.write_text(sealed_json(opened_json(path.read_bytes()) | {"expiry": expiry}))
    with pytest.raises(StoreError, match=r"current\.json is damaged"):
        status(published)


def test_a_damaged_run_is_named_and_nothing_expires(three_runs: Path) -> None:
    full_file(three_runs, SECOND).write_bytes(b"PAR1" + bytes(20_000) + b"PAR1")
    before = (three_runs / "current.json").read_bytes()
    with pytest.raises(StoreError, match=SECOND):
        compact(three_runs, on_day(40.2), DAYS_30)
    assert (three_runs / "current.json").read_bytes() == before
    assert len(events(three_runs).rows) == 60


def test_an_empty_or_missing_store_has_nothing_to_remove(store: Path) -> None:
    assert compact(store, on_day(40), DAYS_30) == Compacted(0, 0, 0)
    assert not store.exists()


@pytest.mark.slow
def test_killed_at_every_single_file_event(three_runs: Path, tmp_path: Path) -> None:
    compact_only(three_runs, on_day(35), 30)
    unharmed = tmp_path / "unharmed"
    shutil.copytree(three_runs, unharmed)
    publish_and_compact(unharmed, 41 * DAY_H, on_day(41), 30)
    expected = history(unharmed)
    number = 1
    while killed_before_file_event(
        number, publish_and_compact, three_runs, (41 + number / 1000) * DAY_H, on_day(41), 30
    ):
        current = read_current(three_runs)
        assert current is not None
        assert status(three_runs).run.run_id == current.run_id
        found = history(three_runs)
        assert set(expected) >= {row for row in found if row[0] == FIRST}
        assert len(found) == len(set(found))
        assert not (three_runs / ".publishing").exists()
        number += 1
    assert number > 40
    old = [row for row in history(three_runs) if row[0] <= THIRD]
    assert old == [row for row in expected if row[0] <= THIRD]


@pytest.mark.slow
def test_killed_while_runs_expire(three_runs: Path) -> None:
    compact_only(three_runs, on_day(35), 30)
    number = 1
    while killed_before_file_event(number, compact_only, three_runs, on_day(41), 30):
        assert {row[0] for row in history(three_runs)} == {FIRST, SECOND, THIRD}
        assert len(events(three_runs).rows) == 60
        assert not (three_runs / ".publishing").exists()
        number += 1
    assert number > 10
    assert {row[2] for row in history(three_runs) if row[0] < THIRD} == {"critical", "high"}
    assert compact(three_runs, on_day(41), DAYS_30) == Compacted(0, 0, 0)
