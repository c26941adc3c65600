"""One file of the store that is damaged stops no run: it is set aside, and all others stay."""

import logging
import os
import shutil
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from screening.errors import StoreError
from storage.disk.layout import run_folder
from storage.reading.newest_run import connect
from storage.upkeep.damaged_files import set_aside
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish

FIRST, SECOND = "20261121T060000Z", "20261121T120000Z"


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwritten(path: Path) -> None:
    """Leave the footer, by which a file is known, and spoil what it points to."""
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    path.write_bytes(bytes(content))


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.fixture
def two_runs(store: Path) -> Path:
    """A store with two runs, and an analysis (any file with the columns of one)."""
    for number in range(2):
        publish(store, make_run(seed=number, hours_later=6 * number))
    shutil.copy(run_folder(store, FIRST) / "conjunctions.parquet", store / "analyses" / "full-1-0123.parquet")
    return store


def runs_in(store: Path, view: str) -> list[str]:
    with connect(store) as connection:
        found = connection.execute(f"SELECT DISTINCT run_id FROM {view} ORDER BY 1").fetchall()
    return [run_id for (run_id,) in found]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "damage", [truncated, *(pytest.param(other, marks=pytest.mark.slow) for other in (overwritten, empty))]
)
@pytest.mark.parametrize(
    "name", [f"runs/run_id={FIRST}/conjunctions.parquet", f"runs/run_id={SECOND}/conjunctions.parquet",
             f"runs/run_id={FIRST}/run.parquet", "analyses/full-1-0123.parquet"],
)  # fmt: skip
def test_the_next_run_sets_it_aside(
    two_runs: Path, name: str, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    path = two_runs / name
    damage(path)  # type: ignore[operator]
    content = path.read_bytes()
    with caplog.at_level(logging.WARNING):
        third = publish(two_runs, make_run(seed=3, hours_later=12))
    assert f"{path} cannot be read" in caplog.text
    assert not path.exists()
    assert path.with_name(f"{path.name}.damaged").read_bytes() == content
    shown = "runs" if name.endswith("run.parquet") else "conjunction_history"
    kept = [run for run in (FIRST, SECOND, third) if f"={run}/" not in name]
    assert runs_in(two_runs, shown) == kept
    caplog.clear()
    publish(two_runs, make_run(seed=4, hours_later=18))
    assert caplog.text == ""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("damage", [truncated, overwritten, empty])
def test_an_old_analysis_is_set_aside_where_analyses_expire(
    two_runs: Path, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    day = timedelta(days=1)
    compact(two_runs, WINDOW_START + 40 * day, Retention(30 * day, 30 * day))
    path = two_runs / "analyses" / "full-1-0123.parquet"
    damage(path)  # type: ignore[operator]
    long_ago_s = (WINDOW_START - 3 * day).timestamp()
    os.utime(path, (long_ago_s, long_ago_s))
    third = publish(two_runs, make_run(seed=3, hours_later=41 * 24))
    assert f"{path} cannot be read" in caplog.text
    assert not path.exists()
    assert runs_in(two_runs, "runs") == [FIRST, SECOND, third]


def test_what_is_whole_stays(two_runs: Path) -> None:
    before = sorted(two_runs.rglob("*"))
    assert set_aside(two_runs) == []
    assert sorted(two_runs.rglob("*")) == before


def test_a_fault_without_a_damaged_file_is_reported(two_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise duckdb.IOException("the cable is out")

    monkeypatch.setattr("storage.writing.publish.known_events", fail)
    with pytest.raises(StoreError, match="the cable is out"):
        publish(two_runs, make_run(seed=3, hours_later=12))
    assert runs_in(two_runs, "runs") == [FIRST, SECOND]
