"""What scripts written for an earlier release ask of its store: the same columns, the same rows."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from storage.analyst_file.tables_and_views import VIEWS
from storage.reading.read_only_sql import query
from storage.schema import TABLES
from storage.times import fetched_utc
from tests.earlier_stores import RELEASES, as_if_made_at, columns_of, unpacked
from tests.storage.test_migration import ROWS, SECOND, new_run

Rows = list[tuple[object, ...]]
# Of its README, and questions that could be asked of it.
SQL_OF_0_1 = (
    """SELECT tca, primary_name, secondary_name, miss_distance_m, relative_speed_m_s, probability_2d
    FROM conjunctions WHERE 900000281 IN (primary_norad_id, secondary_norad_id) AND miss_distance_m < 100000
    ORDER BY tca""",
    """SELECT event_id, count(*), min(miss_distance_m), max(run_id) FROM conjunction_history
    GROUP BY ALL ORDER BY ALL""",
    "SELECT risk_level, risk_basis, count(*) FROM events GROUP BY ALL ORDER BY ALL",
    """SELECT o.object_type, count(*), max(e.mean_motion_rev_day)
    FROM objects AS o JOIN elements AS e USING (norad_id) GROUP BY ALL ORDER BY ALL""",
    "SELECT run_id, versions['skysieve'], threshold_km, critical + high + medium + low FROM runs ORDER BY 1",
    "SELECT norad_id, count(DISTINCT content_hash) FROM element_history GROUP BY ALL ORDER BY ALL",
)


def answers(store: Path, sql: str) -> Rows:
    _, rows = query(store, sql)
    return list(rows)


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of release 0.1.0 with a run of this one."""
    store = unpacked("0.1.0", tmp_path_factory.mktemp("upgraded"))
    new_run(store)
    return store


@pytest.fixture
def unmoved(tmp_path: Path) -> Path:
    """The store of release 0.1.0 as if it had always been here: its views are those that the release made."""
    return as_if_made_at(unpacked("0.1.0", tmp_path))


@pytest.mark.parametrize("release", RELEASES)
def test_no_column_of_a_release_is_gone_or_has_another_type(
    release: str, upgraded: Path, tmp_path: Path
) -> None:
    had, has = columns_of(unpacked(release, tmp_path)), columns_of(upgraded)
    assert set(had) >= {"conjunctions", "events", "runs"}
    changed = {
        f"{table}.{column}": (kind, has.get(table, {}).get(column))
        for table, columns in had.items()
        for column, kind in columns.items()
        if has.get(table, {}).get(column) != kind
    }
    assert changed == {}


def test_tables_and_views_of_today_are_all_there(upgraded: Path) -> None:
    assert set(columns_of(upgraded)) == {*TABLES, *VIEWS}


def _stored(store: Path) -> Iterator[tuple[str, str, Rows]]:
    """Yield the tables of 0.1.0, their columns and rows, as DuckDB alone reads them."""
    columns = columns_of(store)
    with duckdb.connect(str(store / "skysieve.duckdb"), read_only=True) as connection:
        for table in (table for table in TABLES if table in columns):
            # The words of an object's status are others today, also of what an earlier release stored.
            same = [name for name in columns[table] if (table, name) != ("objects", "status")]
            names = ", ".join(same)
            yield table, names, fetched_utc(connection.execute(f"SELECT {names} FROM {table} ORDER BY ALL"))


@pytest.mark.slow
def test_every_column_of_its_tables_has_the_values_that_it_stored(tmp_path: Path) -> None:
    store = unpacked("0.1.0", tmp_path)
    stored = list(_stored(store))
    assert {table: len(rows) for table, _, rows in stored} == {table: ROWS[table] for table, _, _ in stored}
    for table, names, rows in stored:
        assert answers(store, f"SELECT {names} FROM {table} ORDER BY ALL") == rows, table
    # Of the newest run, which was 0.1.0's, the history has what the table had.
    ((names, rows),) = ((names, rows) for table, names, rows in stored if table == "conjunctions")
    history = f"SELECT {names} FROM conjunction_history WHERE run_id = '{SECOND}' ORDER BY ALL"
    assert answers(store, history) == rows


@pytest.mark.slow
def test_rows_of_its_runs_are_the_same_after_a_run_of_this_release(upgraded: Path, tmp_path: Path) -> None:
    before = unpacked("0.1.0", tmp_path)
    columns = columns_of(before)
    for view in ("conjunction_history", "element_history", "analyses", "runs"):
        mine = f"WHERE run_id <= '{SECOND}'" if view != "analyses" else ""
        sql = f"SELECT {', '.join(columns[view])} FROM {view} {mine} ORDER BY ALL"
        assert len(answers(before, sql)) == ROWS[view]
        assert answers(upgraded, sql) == answers(before, sql), view


def test_new_columns_have_values_in_new_rows_and_null_in_old_ones(upgraded: Path) -> None:
    new = "primary_trajectory, primary_manoeuvring, primary_age_days, probability_level"
    filled = " AND ".join(f"count({name}) = count(*)" for name in new.split(", ")[:3])
    empty = " AND ".join(f"count({name}) = 0" for name in new.split(", "))
    old = f"run_id <= '{SECOND}' AS old"
    sql = f"SELECT {old}, {filled}, {empty} FROM conjunction_history GROUP BY 1 ORDER BY 1"
    assert answers(upgraded, sql) == [(False, True, False), (True, False, True)]
    sql = f"SELECT {old}, count(trajectories) FROM runs GROUP BY 1 ORDER BY 1"
    assert answers(upgraded, sql) == [(False, 1), (True, 0)]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("sql", SQL_OF_0_1)
def test_its_sql_answers_alike_where_it_was_made_and_where_it_was_moved(
    sql: str, unmoved: Path, tmp_path: Path
) -> None:
    moved = Path(shutil.copytree(unmoved, tmp_path / "moved", symlinks=True))
    asked = answers(unmoved, sql)
    assert asked
    assert answers(moved, sql) == asked


@pytest.mark.slow
def test_in_a_moved_store_tables_and_views_have_all_columns(tmp_path: Path) -> None:
    store = unpacked("0.1.0", tmp_path)
    for view in ("messages", "fleet_events"):
        assert answers(store, f"SELECT count(*) FROM {view}") == [(0,)]
    answers(store, "SELECT primary_manoeuvring FROM conjunction_history")
    columns = columns_of(store)
    for name, table in {**TABLES, **VIEWS}.items():
        assert set(columns[name]) == {column.name for column in table.columns}, name
