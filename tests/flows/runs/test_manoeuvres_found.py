"""Runs find the manoeuvres that the sets known to them show, and store each once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from storage.manoeuvres.lists import COLUMNS, Wanted, listed
from storage.reading.newest_run import connect
from storage.reading.object_errors import object_errors
from tests.storage.manoeuvres.planted import BEGIN, BURN, BURNING, SHOWN, TOO_SOON, replay, take

Row = dict[str, object]
ALL = Wanted()
two_hours = timedelta(hours=2)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store with sets of five objects over 54 days, of which one burns after 25.4."""
    return take(tmp_path / "store", tmp_path)


def rows(store: Path, wanted: Wanted = ALL) -> list[Row]:
    found, total = listed(store, wanted, 100)
    assert total == len(found)
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def objects(store: Path, columns: str = "last_manoeuvre") -> dict[int, Sequence[object]]:
    with connect(store) as connection:
        found = connection.execute(f"SELECT norad_id, {columns} FROM objects").fetchall()
    return {number: values for number, *values in found}


def files(store: Path) -> list[str]:
    return sorted(path.stem for path in (store / "manoeuvres").glob("*.parquet"))


@pytest.mark.slow
def test_a_run_finds_a_burn_once_its_sets_show_it(store: Path) -> None:
    replay(store, TOO_SOON)
    assert rows(store) == []
    run_id = replay(store, SHOWN)
    (row,) = rows(store)
    assert (row["norad_id"], row["run_id"], row["found_at"]) == (BURNING, run_id, SHOWN)
    assert abs(row["at"] - BURN) < two_hours
    assert row["from"] <= BURN <= row["to"]
    assert row["dv_m_s"] == pytest.approx(0.02, abs=0.002)
    last = {number: value for number, (value,) in objects(store).items()}
    assert last.pop(BURNING) == row["to"].replace(tzinfo=None)
    assert set(last.values()) == {None}
    with connect(store) as connection:
        shown = connection.execute('SELECT norad_id, "from", "to", sigmas FROM manoeuvres').fetchall()
        comments = dict(
            connection.execute(
                "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'manoeuvres'"
            ).fetchall()
        )
    times = (row[name].replace(tzinfo=None) for name in ("from", "to"))
    assert shown == [(BURNING, *times, row["sigmas"])]
    assert "last set before it" in comments["from"]


def test_an_object_that_was_seen_to_manoeuvre_has_that_law(store: Path) -> None:
    replay(store, SHOWN)
    found = objects(store, "error_class, manoeuvring, can_manoeuvre, can_manoeuvre_reason, status")
    assert found[BURNING] == ["manoeuvred", True, "yes", "manoeuvre seen on 2024-03-27", "active"]
    assert found[1001][:3] == ["ballistic", False, "unknown"]
    errors = object_errors(store, BURNING)
    assert (errors.error_class, errors.manoeuvring) == ("manoeuvred", True)


@pytest.mark.slow
def test_a_burn_is_stored_once_by_later_runs_and_repeated_ones(store: Path) -> None:
    first = replay(store, SHOWN)
    for later in (SHOWN, SHOWN + timedelta(days=2), SHOWN + timedelta(days=10)):
        replay(store, later)
    assert [(row["run_id"], row["found_at"]) for row in rows(store)] == [(first, SHOWN)]
    assert files(store) == ["0", first]
    assert objects(store)[BURNING] != [None], "known from what earlier runs found"


@pytest.mark.slow
def test_a_replay_knows_what_was_found_by_then(store: Path) -> None:
    replay(store, SHOWN)
    replay(store, TOO_SOON)
    assert objects(store)[BURNING] == [None]
    assert len(rows(store)) == 1
    replay(store, SHOWN)
    assert objects(store)[BURNING] != [None]
    assert len(rows(store)) == 1


@pytest.mark.slow
def test_a_burn_that_is_over_when_the_first_run_looks_is_found(store: Path) -> None:
    replay(store, BEGIN + timedelta(days=50))
    assert [row["norad_id"] for row in rows(store)] == [BURNING]


@pytest.mark.slow
def test_the_surest_row_of_an_object_and_time_counts(store: Path) -> None:
    replay(store, SHOWN)
    (row,) = rows(store)
    since: list[tuple[datetime | None, datetime | None, int]] = [
        (BURN - timedelta(days=1), None, 1),
        (BURN + timedelta(days=1), None, 0),
        (None, BURN - timedelta(days=1), 0),
        (row["at"], row["at"] + timedelta(seconds=1), 1),
    ]
    for begin, end, count in since:
        assert len(rows(store, Wanted(None, begin, end))) == count
    assert len(rows(store, Wanted([BURNING]))) == 1
    assert rows(store, Wanted([1001])) == []
