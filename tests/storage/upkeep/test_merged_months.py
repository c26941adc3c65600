"""Once all runs of a month have expired, one file stands for them, and every reader sees each run once."""

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from screening.errors import InputError
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.layout import month_folder, run_folder
from storage.reading.check import check, parts
from storage.reading.newest_run import connect, status
from storage.reading.read_only_sql import query_arrow
from storage.reading.run_tables import run_columns
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.storage.doomed import compact_only, killed_before_file_event, publish_and_compact

DAY_H = 24
KEPT_DAYS = 30
DAYS_30 = Retention(timedelta(days=KEPT_DAYS), timedelta(days=KEPT_DAYS))
NOVEMBER = ["20261121T060000Z", "20261125T060000Z", "20261129T060000Z"]
DECEMBER, JANUARY = "20261203T060000Z", "20270101T060000Z"
MERGED_DAY = 41.2  # by then all of November has expired
MOST_BYTES_A_RUN = 3000


def rows(store: Path, sql: str) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(sql).fetchall()


def seen(store: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return what readers see of the runs that may have expired, with every column."""
    critical = (
        "FROM conjunction_history WHERE risk_level IN ('critical', 'high') AND run_id < '2027' ORDER BY ALL"
    )
    return rows(store, critical), rows(store, "FROM runs WHERE run_id < '2027' ORDER BY run_id")


def day(number: float) -> datetime:
    return WINDOW_START + timedelta(days=number)


def own_folders(store: Path) -> list[str]:
    return sorted(path.name.removeprefix("run_id=") for path in store.glob("runs/run_id=2*"))


@pytest.fixture
def two_months(store: Path) -> Path:
    """A store with three runs of November, one of December, and one of January."""
    for seed, number in enumerate((0, 4, 8, 12, 41), start=1):
        publish(store, make_run(seed=seed, hours_later=number * DAY_H))
    return store


@pytest.fixture
def merged(two_months: Path) -> Path:
    """A store in which the file of November stands for its runs, whose folders are still there."""
    compact(two_months, day(MERGED_DAY), DAYS_30)
    return two_months


def next_run(store: Path, hours: float = 6) -> str:
    return publish(store, make_run(seed=9, hours_later=MERGED_DAY * DAY_H + hours))


def test_the_runs_of_a_month_are_seen_as_before_and_have_no_folders(two_months: Path) -> None:
    before = seen(two_months)
    assert len(before[0]) > 12
    compact(two_months, day(MERGED_DAY), DAYS_30)
    assert own_folders(two_months) == [*NOVEMBER, DECEMBER, JANUARY], "readers may have listed them"
    assert seen(two_months) == before
    newest = next_run(two_months)
    assert own_folders(two_months) == [DECEMBER, JANUARY, newest]
    assert seen(two_months) == before
    assert status(two_months).runs == 6
    assert {path.name for path in (two_months / "expired").iterdir()} == {"month=0", "month=202611"}
    compact(two_months, day(MERGED_DAY + 0.3), DAYS_30)
    assert seen(two_months) == before


@pytest.mark.slow
def test_sql_reads_the_month(merged: Path) -> None:
    next_run(merged)
    counted = query_arrow(
        merged, "SELECT run_id, count(*) AS n FROM conjunction_history GROUP BY 1 ORDER BY 1"
    )
    assert counted["run_id"].to_pylist()[:3] == NOVEMBER


@pytest.mark.slow
def test_the_rows_of_one_run_come_from_its_month(two_months: Path) -> None:
    def conjunctions() -> list[list[object]]:
        return [
            column.to_pylist()
            for part in run_columns(two_months, "conjunctions", NOVEMBER[1])
            for column in part
        ]

    compact(two_months, day(36), DAYS_30)  # some days after the run itself has expired
    before = conjunctions()
    assert len(before[0]) > 3
    compact(two_months, day(MERGED_DAY), DAYS_30)
    assert conjunctions() == before
    next_run(two_months)
    assert conjunctions() == before
    with pytest.raises(InputError, match=f"{NOVEMBER[1]} has expired"):
        list(run_columns(two_months, "proximities", NOVEMBER[1]))


@pytest.mark.slow
def test_the_files_are_checked_and_set_aside_like_others(merged: Path) -> None:
    next_run(merged)
    found = [check(part) for part in parts(merged)]
    assert all(one and one.verified and not one.damage for one in found)
    kept = month_folder(merged, "202611") / "kept.parquet"
    kept.write_bytes(kept.read_bytes()[:-20])
    assert [one.part.path for one in map(check, parts(merged)) if one and one.damage] == [kept]
    next_run(merged, 12)
    assert not kept.exists()
    assert rows(merged, "SELECT min(run_id) FROM conjunction_history") == [(DECEMBER,)]


@pytest.mark.slow
def test_a_run_of_few_events_takes_little_of_the_month(store: Path) -> None:
    count = 40
    for number in range(count):
        publish(store, make_run(conjunctions=20, hours_later=5 * number))
    publish(store, make_run(hours_later=41 * DAY_H))
    compact(store, day(MERGED_DAY), DAYS_30)
    next_run(store)
    month = sum(path.stat().st_size for path in month_folder(store, "202611").iterdir())
    assert month / count < MOST_BYTES_A_RUN


@pytest.mark.slow
def test_a_month_is_not_merged_while_a_file_of_it_is_missing(two_months: Path) -> None:
    compact(two_months, day(36), DAYS_30)
    record = run_folder(two_months, NOVEMBER[0]) / "run.parquet"
    away = record.rename(two_months / "backup.parquet")
    compact(two_months, day(MERGED_DAY), DAYS_30)
    next_run(two_months)
    assert own_folders(two_months)[:3] == NOVEMBER
    away.rename(record)
    compact(two_months, day(46), DAYS_30)
    next_run(two_months, 6 * DAY_H)
    assert [run_id for (run_id,) in rows(two_months, "SELECT run_id FROM runs")][:3] == NOVEMBER
    assert not set(own_folders(two_months)) & set(NOVEMBER)


@pytest.mark.slow
def test_runs_in_a_month_that_is_merged_already_are_seen_once(merged: Path) -> None:
    """A clock may be put back by weeks, even to the second of an earlier run."""
    before = seen(merged)[0]
    for hours in (0, 6):
        publish(merged, make_run(seed=8, hours_later=hours))
    again = [f"{NOVEMBER[0]}-002", "20261121T120000Z"]
    counts = dict(rows(merged, "SELECT run_id, count(*) FROM conjunction_history GROUP BY 1"))
    assert [counts[run_id] for run_id in again] == [60, 60]
    assert len(rows(merged, "FROM runs")) == 7
    compact(merged, day(0.3), DAYS_30)
    next_run(merged)
    compact(merged, day(MERGED_DAY + 0.3), DAYS_30)
    next_run(merged, 12)
    assert set(before) <= set(seen(merged)[0])
    assert len(seen(merged)[0]) == len(set(seen(merged)[0]))
    run_ids = [run_id for (run_id,) in rows(merged, "SELECT run_id FROM runs ORDER BY 1")]
    assert run_ids[:5] == sorted([*NOVEMBER, *again])
    assert own_folders(merged)[0] == DECEMBER
    assert (merged / "expired" / "month=202611-002").is_dir()


@pytest.mark.slow
def test_a_store_of_earlier_months_is_merged_by_the_next_expiry(merged: Path) -> None:
    """Of a release without months: its runs have expired, and there is no folder for these."""
    before = seen(merged)
    shutil.rmtree(merged / "expired")
    path = merged / "current.json"
    stored = opened_json(path.read_bytes())
    del stored["expiry"]["months"]
    path.write_text(sealed_json(stored))
    next_run(merged)
    assert seen(merged) == before
    assert own_folders(merged)[:3] == NOVEMBER
    compact(merged, day(46), DAYS_30)
    next_run(merged, 6 * DAY_H)
    assert json.loads(path.read_text())["expiry"]["months"] == "202611"
    assert seen(merged) == before
    assert not set(own_folders(merged)) & set(NOVEMBER)


@pytest.mark.slow
def test_killed_at_every_file_event_of_merging(two_months: Path) -> None:
    before = seen(two_months)
    number = 1
    while killed_before_file_event(number, compact_only, two_months, day(MERGED_DAY), KEPT_DAYS):
        assert seen(two_months) == before
        number += 1
    assert number > 10
    assert seen(two_months) == before
    assert [path.name for path in sorted((two_months / "expired").iterdir())] == ["month=0", "month=202611"]


@pytest.mark.slow
def test_killed_at_every_file_event_of_removing_folders(merged: Path) -> None:
    before = seen(merged)
    number = 1
    while run_folder(merged, NOVEMBER[-1]).exists():
        hours = MERGED_DAY * DAY_H + 6 + number / 60
        assert killed_before_file_event(
            number, publish_and_compact, merged, hours, day(MERGED_DAY + 0.25), KEPT_DAYS
        )
        assert seen(merged) == before
        number += 1
    assert number > 4
    next_run(merged, 12)
    assert seen(merged) == before
    assert not set(own_folders(merged)) & set(NOVEMBER)
