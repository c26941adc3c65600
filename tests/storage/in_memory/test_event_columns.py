"""Rows added to the events in memory: others still see what they saw, and room that ends is made anew."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from storage.in_memory import event_columns
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery, EventTable
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.times import utc_rows
from tests.naive_order import naive_key

ALL = EventQuery(limit=None)
Rows = dict[int, dict[str, Any]]  # by event_id


@pytest.fixture
def store(tmp_path: Path, make) -> Path:
    store = tmp_path / "store"
    make.publish(store, make.run(conjunctions=60))
    return store


@pytest.fixture
def table(store: Path) -> EventTable:
    snapshot = newest_snapshot(store)
    found = snapshot.table(snapshot.run.run_id)
    assert found is not None
    return found


@pytest.fixture
def rows(store: Path) -> pa.Table:
    with connect(store) as connection:
        return connection.sql("FROM conjunctions ORDER BY event_id").to_arrow_table()


def changed(rows: pa.Table, begin: int, end: int, **values: Any) -> pa.Table:
    """Return some rows with other values, newer than they were."""
    some = rows.to_pylist()[begin:end]
    for row in some:
        row.update(values, computed_at=row["computed_at"] + timedelta(hours=1))
    return pa.Table.from_pylist(some, rows.schema)


def moved(rows: pa.Table, begin: int, end: int, by: int = 1) -> pa.Table:
    """Return some rows as other events, with names that the table does not have."""
    some = rows.to_pylist()[begin:end]
    for row in some:
        row.update(event_id=row["event_id"] + by, primary_name=f"ADDED {row['event_id'] + by}")
    return pa.Table.from_pylist(some, rows.schema)


def with_nulls(row: tuple[object, ...]) -> dict[str, Any]:
    """Return a row by its columns, with None for NULL numbers, which memory has as NaN."""
    return {n: None if v != v else v for n, v in zip(EVENT_COLUMNS, row, strict=True)}


def seen(table: EventTable) -> Rows:
    as_rows = [with_nulls(row) for row in table.page(ALL).rows]
    assert [row["event_id"] for row in as_rows] == [row["event_id"] for row in sorted(as_rows, key=naive_key)]
    by_id = {row["event_id"]: row for row in as_rows}
    assert len(by_id) == len(as_rows) == len(table)
    assert {row["event_id"] for row in table.arrow().to_pylist()} == set(by_id)
    for number, row in by_id.items():
        found = table.event(number)
        assert found is not None
        assert with_nulls(found) == row
    return by_id


def expected(*parts: pa.Table) -> Rows:
    """Return the rows of parts, of an event those of the last one."""
    return {row["event_id"]: {n: row[n] for n in EVENT_COLUMNS} for part in parts for row in utc_rows(part)}


def test_each_table_has_its_own_rows(table: EventTable, rows: pa.Table) -> None:
    """Two that are made of the same one, whichever adds first, and one of these."""
    before = seen(table)
    one, other = moved(rows, 0, 5), moved(rows, 3, 9, by=2)
    with_one, with_other = table.with_parts({1: one}), table.with_parts({2: other})
    with_both = with_one.with_parts({1: one, 2: other})
    assert seen(with_one) == expected(rows, one)
    assert seen(with_other) == expected(rows, other)
    assert seen(with_both) == expected(rows, one, other)
    assert seen(table) == before == expected(rows)


@pytest.mark.slow
def test_a_newer_row_takes_the_place_of_its_event_time_and_again(table: EventTable, rows: pa.Table) -> None:
    first = changed(rows, 0, 20, miss_distance_m=77.0, probability_best=None, probability_level=None)
    again = changed(first, 10, 20, miss_distance_m=3.0, primary_name=None)
    parts = {"first": first, "again": again, "moved": moved(rows, 30, 31)}
    with_first = table.with_parts({"first": first})
    with_again = with_first.with_parts(parts)
    assert seen(with_first) == expected(rows, first)
    assert seen(with_again) == expected(rows, first, again, moved(rows, 30, 31))
    assert seen(with_again.with_parts({**parts, "older": first})) == seen(with_again), (
        "older rows change nothing"
    )


@pytest.mark.slow
def test_room_that_ends_is_made_anew(store: Path, rows: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_columns, "_SPARE_ROWS", 4)
    snapshot = newest_snapshot(store)
    grown = snapshot.table(snapshot.run.run_id)
    parts = [moved(rows, k, k + 3, by=10 + k) for k in range(0, 30, 3)]
    for count in range(1, len(parts) + 1):
        assert grown is not None
        grown = grown.with_parts(dict(enumerate(parts[:count])))
        assert seen(grown) == expected(rows, *parts[:count])


@pytest.mark.slow
def test_no_rows_change_nothing(table: EventTable, rows: pa.Table) -> None:
    assert seen(table.with_parts({1: rows.slice(0, 0)})) == expected(rows)


@pytest.mark.slow
def test_a_part_that_is_dropped_or_replaced_gives_back_what_it_had_beaten(
    table: EventTable, rows: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_columns, "_SPARE_ROWS", 30)
    one = changed(rows, 0, 9, miss_distance_m=77.0)
    other = changed(changed(rows, 0, 12), 5, 12, miss_distance_m=3.0)  # two hours newer, not one
    both = table.with_parts({"one": one, "other": other})
    assert seen(both) == expected(rows, one, other)
    for _ in range(9):  # through rooms that are used up
        assert seen(both.with_parts({"one": one})) == expected(rows, one)
        both = both.with_parts({"other": other})
        assert seen(both) == expected(rows, other)
        both = both.with_parts({"other": other, "third": changed(rows, 20, 23, miss_distance_m=1.0)})
        assert seen(both) == expected(rows, other, changed(rows, 20, 23, miss_distance_m=1.0))
        both = both.with_parts({"one": one, "other": other})
        assert seen(both) == expected(rows, one, other)
        both = table.with_parts({"one": one, "other": other})
    assert seen(both.with_parts({})) == seen(table)


@pytest.mark.parametrize("spare", [4, 4096])  # in wider arrays, and in a room made anew
def test_more_values_than_their_codes_can_tell_stay_what_they_are(
    store: Path, rows: pa.Table, monkeypatch: pytest.MonkeyPatch, spare: int
) -> None:
    monkeypatch.setattr(event_columns, "_SPARE_ROWS", spare)
    alike = rows.set_column(
        rows.schema.get_field_index("primary_radius_m"), "primary_radius_m", pa.array([1.5] * len(rows))
    )
    table = EventTable.of(alike.select(EVENT_COLUMNS))
    before = table._columns._arrays["primary_radius_m"]
    assert before.dtype == "uint8"
    parts = {}
    for k in range(5):
        some = moved(alike, 0, 60, by=10 + k).to_pylist()
        for place, row in enumerate(some):
            row["primary_radius_m"] = 100.0 * k + place / 7.0 if place else None
        parts[k] = pa.Table.from_pylist(some, rows.schema)
    grown = table.with_parts(parts)
    assert grown._columns._arrays["primary_radius_m"].dtype == "uint16"
    assert seen(grown) == expected(alike, *parts.values())
    assert seen(table) == expected(alike)
