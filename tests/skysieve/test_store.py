"""What `skysieve.open_store` reads is what DuckDB reads from `skysieve.duckdb`."""

import doctest
import pickle
import tarfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

import skysieve
import skysieve.store
from storage.schema import CONJUNCTIONS, TABLES
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.skysieve.conftest import FIRST, SECOND

STORES = Path(__file__).parents[1] / "storage" / "stores"
OLD_RELEASE = "skysieve-store-0.1.0"


def as_duckdb_has_it(value: object) -> object:
    """Return a cell of a frame as DuckDB's rows hold it: naive times, None."""
    if isinstance(value, dict):
        return value
    if pd.isna(value):  # type: ignore[call-overload]
        return None
    return value.tz_localize(None).to_pydatetime() if isinstance(value, pd.Timestamp) else value


def cells(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    columns: Iterable[list[object]] = ([as_duckdb_has_it(value) for value in frame[name]] for name in frame)
    return sorted(zip(*columns, strict=True), key=repr)


def of_duckdb(store: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(store / "skysieve.duckdb"), read_only=True) as connection:
        return sorted(connection.execute(sql).fetchall(), key=repr)


@pytest.mark.parametrize("table", ["conjunctions", "proximities", "objects", "runs"])
def test_tables_are_those_of_the_analyst_file(store: skysieve.Store, table: str) -> None:
    frame = getattr(store, table)()
    assert cells(frame) == of_duckdb(store.path, f"FROM {table}")
    assert list(frame.columns) == [column.name for column in TABLES[table].columns]
    assert len(frame) > 1


def test_another_run_is_what_the_history_has_of_it(store: skysieve.Store) -> None:
    assert set(store.conjunctions(FIRST)["run_id"]) == {FIRST}
    assert cells(store.conjunctions(FIRST)) == of_duckdb(
        store.path, f"FROM conjunction_history WHERE run_id = '{FIRST}'"
    )
    assert cells(store.conjunctions(SECOND)) == cells(store.conjunctions())
    assert set(store.proximities(FIRST)["run_id"]) == {FIRST}


def test_the_history_of_an_event_is_in_order_of_runs(store: skysieve.Store) -> None:
    event_id = store.sql(
        "SELECT event_id FROM conjunction_history GROUP BY 1 HAVING count(*) = 2 LIMIT 1"
    ).iloc[0, 0]
    history = store.history(event_id)
    assert history["run_id"].tolist() == [FIRST, SECOND]
    assert cells(history) == of_duckdb(store.path, f"FROM conjunction_history WHERE event_id = {event_id}")
    assert history.dtypes.map(str).to_dict() == store.conjunctions().dtypes.map(str).to_dict()


def test_an_event_that_no_run_has_has_an_empty_history(store: skysieve.Store) -> None:
    history = store.history(1)
    assert len(history) == 0
    assert list(history.columns) == [column.name for column in CONJUNCTIONS.columns]


def test_types_do_not_depend_on_what_a_run_found(tmp_path: Path, store: skysieve.Store) -> None:
    publish(tmp_path / "store", make_run(conjunctions=0))
    empty = skysieve.open_store(tmp_path / "store").conjunctions()
    assert len(empty) == 0
    assert empty.dtypes.map(str).to_dict() == store.conjunctions().dtypes.map(str).to_dict()
    nullable = {column.name for column in CONJUNCTIONS.columns if column.nullable}
    assert {str(empty[name].dtype) for name in set(empty) - nullable} == {
        *("int64", "float64", "category", "datetime64[us, UTC]")
    }


@pytest.mark.slow
def test_of_an_expired_run_the_critical_and_high_events_remain(tmp_path: Path) -> None:
    path = tmp_path / "store"
    publish(path, make_run(conjunctions=300))
    publish(path, make_run(conjunctions=300, hours_later=40 * 24))
    store = skysieve.open_store(path)
    before = store.conjunctions(FIRST)
    limit = timedelta(days=30)
    assert compact(path, WINDOW_START + timedelta(days=41), Retention(limit, limit)).runs == 1
    kept = store.conjunctions(FIRST)
    assert 0 < len(kept) < len(before)
    assert cells(kept) == cells(before[before["risk_level"] >= "high"])


@pytest.mark.slow
def test_a_store_of_release_0_1_has_all_columns(tmp_path: Path) -> None:
    with tarfile.open(STORES / f"{OLD_RELEASE}.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    store = skysieve.open_store(tmp_path / OLD_RELEASE)
    events = store.conjunctions()
    assert len(events) == 85  # as release 0.1.0 counted them
    assert list(events.columns) == [column.name for column in CONJUNCTIONS.columns]
    assert events["probability_level"].isna().all()
    assert events["primary_manoeuvring"].isna().all()
    assert len(store.objects()) == 300
    assert store.runs()["versions"].iloc[0]["skysieve"] == "0.1.0"
    assert (
        store.history(int(events["event_id"].iloc[0]))["run_id"].tolist() == store.runs()["run_id"].tolist()
    )


@pytest.mark.slow
def test_a_new_run_is_seen_by_the_next_call(tmp_path: Path) -> None:
    publish(tmp_path / "store", make_run())
    store = skysieve.open_store(tmp_path / "store")
    assert set(store.conjunctions()["run_id"]) == {FIRST}
    publish(tmp_path / "store", make_run(hours_later=6))
    assert set(store.conjunctions()["run_id"]) == {SECOND}
    assert store.runs()["run_id"].tolist() == [FIRST, SECOND]


def test_arrow_tables_have_the_same_rows(store: skysieve.Store) -> None:
    for table in ("conjunctions", "proximities", "objects", "runs"):
        arrow = store.to_arrow(table)  # type: ignore[arg-type]
        assert arrow.schema == TABLES[table].arrow
        arrow.validate(full=True)
        assert arrow.num_rows == len(getattr(store, table)())
    assert store.to_arrow("conjunctions", FIRST)["run_id"].unique().to_pylist() == [FIRST]
    found = store.sql_arrow("SELECT count(*) AS n FROM conjunctions")
    assert found.to_pylist() == [{"n": store.to_arrow("conjunctions").num_rows}]


WHEN = datetime(2026, 11, 21, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("condition", "parameters"),
    [
        ("tca > ?", [WHEN]),
        ("tca > ?", [pd.Timestamp(WHEN).tz_convert("Asia/Tokyo")]),
        ("tca > ?", [np.datetime64("2026-11-21T18:00:00")]),
        ("tca > ?", [WHEN.replace(tzinfo=None)]),
        ("tca > $after", {"after": pd.Timestamp(WHEN)}),
    ],
)
def test_parameters_are_times_of_python_pandas_and_numpy(
    store: skysieve.Store, condition: str, parameters: list[object] | dict[str, object]
) -> None:
    found = store.sql(f"SELECT event_id FROM conjunctions WHERE {condition} ORDER BY 1", parameters)
    events = store.conjunctions()
    assert found["event_id"].tolist() == sorted(events.loc[events["tca"] > WHEN, "event_id"])
    assert 0 < len(found) < len(events)


def test_parameters_are_numbers_and_lists_of_numpy_and_pandas(store: skysieve.Store) -> None:
    ids = store.conjunctions()["event_id"].head(3)
    for given in (ids, ids.to_numpy(), ids.tolist(), pd.Index(ids), tuple(ids)):
        found = store.sql("SELECT event_id FROM conjunctions WHERE list_contains(?, event_id)", [given])
        assert set(found["event_id"]) == set(ids)
    assert store.sql("SELECT ? + ? AS n", [np.int64(2), np.float32(0.5)])["n"].tolist() == [2.5]


@pytest.mark.parametrize("given", [5, 5.0, "abc", b"abc", datetime(2026, 11, 21, tzinfo=UTC)])
def test_parameters_that_are_no_list_are_named(store: skysieve.Store, given: object) -> None:
    with pytest.raises(skysieve.UsageError) as refused:
        store.sql("SELECT ? AS a", given)  # type: ignore[arg-type]
    assert str(refused.value).startswith(f"parameters is {given!r}; expected a list with a value for each ?")


def test_a_store_can_be_compared_printed_and_sent_to_processes(store: skysieve.Store, two_runs: Path) -> None:
    assert pickle.loads(pickle.dumps(store)) == store == skysieve.open_store(str(two_runs))
    assert str(two_runs) in repr(store)


def test_without_a_path_the_store_is_that_of_the_commands(
    two_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKYSIEVE_STORE", str(two_runs))
    assert skysieve.open_store().path == two_runs
    monkeypatch.delenv("SKYSIEVE_STORE")
    monkeypatch.chdir(two_runs.parent)
    two_runs.with_name("skysieve-store").symlink_to(two_runs)
    assert skysieve.open_store().path == two_runs


def test_examples_of_the_reference_run(
    two_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "skysieve-store").symlink_to(two_runs)
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(skysieve.store)
    assert (found.failed, found.attempted) == (0, 7)
