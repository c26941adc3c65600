"""The view `events`: one row an event, of the newest run and the analyses since."""

from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from storage import schema
from storage.disk.layout import write_parquet
from storage.reading.newest_run import connect
from storage.times import utc_datetime


def analysis_of(store: Path, *, origin: str, computed_at: datetime, scored: bool, miss_m: float) -> int:
    """Store an analysis that found the run's first event again, and one more; return the first's id."""
    with connect(store) as connection:
        first = connection.sql("FROM conjunctions ORDER BY event_id LIMIT 1").to_arrow_table().to_pylist()[0]
    source = "default" if scored else None
    changed = {
        "origin": origin,
        "computed_at": computed_at,
        "miss_distance_m": miss_m,
        "primary_covariance_source": source,
        "secondary_covariance_source": source,
    }
    again = {**first, **changed}
    found = pa.Table.from_pylist([again, {**again, "event_id": 4711}], schema=schema.CONJUNCTIONS.arrow)
    write_parquet(found, store / "analyses" / f"{origin}-{computed_at:%H%M%S}.parquet")
    return int(first["event_id"])


def shown(store: Path, event_id: int) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(
            "SELECT origin, miss_distance_m FROM events WHERE event_id = ?", [event_id]
        ).fetchall()


@pytest.fixture
def finished(make) -> datetime:
    return make.run().run.finished.replace(tzinfo=None)


@pytest.fixture
def scored_store(make, store: Path) -> Path:
    made_up = make.run()
    made_up.conjunctions["primary_covariance_source"] = 0
    make.publish(store, made_up)
    return store


@pytest.mark.slow
def test_a_newer_scored_analysis_replaces_the_row_of_the_run(scored_store: Path, finished: datetime) -> None:
    later = finished + timedelta(hours=1)
    event_id = analysis_of(scored_store, origin="full", computed_at=later, scored=True, miss_m=1.5)
    assert shown(scored_store, event_id) == [("full", 1.5)]
    assert shown(scored_store, 4711) == [("full", 1.5)]
    with connect(scored_store) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (61,)


@pytest.mark.slow
def test_an_unscored_row_never_hides_a_scored_one(scored_store: Path, finished: datetime) -> None:
    later = finished + timedelta(hours=1)
    event_id = analysis_of(scored_store, origin="quick", computed_at=later, scored=False, miss_m=1.5)
    assert [row[0] for row in shown(scored_store, event_id)] == ["run"]
    assert shown(scored_store, 4711) == [("quick", 1.5)]


@pytest.mark.slow
def test_of_two_analyses_the_newer_wins(scored_store: Path, finished: datetime) -> None:
    for hours in (2, 1):
        later = finished + timedelta(hours=hours)
        event_id = analysis_of(scored_store, origin="full", computed_at=later, scored=True, miss_m=hours)
    assert shown(scored_store, event_id) == [("full", 2.0)]


def test_an_analysis_before_the_newest_run_is_history(scored_store: Path, finished: datetime) -> None:
    earlier = finished - timedelta(seconds=1)
    event_id = analysis_of(scored_store, origin="full", computed_at=earlier, scored=True, miss_m=1.5)
    assert [row[0] for row in shown(scored_store, event_id)] == ["run"]
    assert shown(scored_store, 4711) == []


@pytest.mark.slow
def test_a_run_takes_over_the_ids_of_analyses(make, store: Path, finished: datetime) -> None:
    """An encounter that an analysis found first keeps its id when the next run finds it."""
    everything = make.run()
    make.publish(store, everything._replace(conjunctions=everything.conjunctions[1:]))
    with connect(store) as connection:
        table = connection.sql("FROM conjunctions LIMIT 1").to_arrow_table().to_pylist()[0]
    missing = everything.conjunctions[0]
    analysis = {
        **table,
        "event_id": 4711,
        "origin": "full",
        "primary_norad_id": int(missing["secondary_norad_id"]),  # the asked-for object comes first
        "secondary_norad_id": int(missing["primary_norad_id"]),
        "tca": utc_datetime(missing["tca"]) + timedelta(seconds=3),
        "encounter": "fast",
        "inside_from": None,
        "inside_to": None,
    }
    rows = pa.Table.from_pylist([analysis], schema=schema.CONJUNCTIONS.arrow)
    write_parquet(rows, store / "analyses" / "one.parquet")
    everything.conjunctions["encounter"][0] = 0
    make.publish(store, everything)
    with connect(store) as connection:
        found = connection.execute(
            "SELECT primary_norad_id, secondary_norad_id FROM conjunctions WHERE event_id = 4711"
        ).fetchall()
    assert found == [(missing["primary_norad_id"], missing["secondary_norad_id"])]


def test_the_file_without_rows_is_not_an_analysis(published: Path) -> None:
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT count(*) FROM '{published}/analyses/*.parquet'").fetchone()
    assert rows == (0,)
