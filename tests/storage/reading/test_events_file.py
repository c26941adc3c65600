"""Events as CSV: times say that they are UTC, and DuckDB and pandas read them, also those of release 0.1."""

from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from screening.vocabulary import SIZES_FROM
from storage.reading.events_file import write_events, write_rows
from tests.earlier_stores import as_if_made_at, unpacked

WITH_ZONE = datetime(2024, 11, 1, 12, 30, 15, 250000, UTC)
TCA = WITH_ZONE.replace(tzinfo=None)
# As release 0.1 wrote it: without a zone, decimals as many as needed.
OF_RELEASE_0_1 = "event_id,tca,primary_name,secondary_name\n7,2024-11-01 12:30:15.25,A,B\n"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    times = pa.array([TCA, None], pa.timestamp("us"))
    names = pa.array(["A", "=B"])
    rows = pa.table({"event_id": [7, 8], "tca": times, "primary_name": names, "secondary_name": names})
    return write_rows(rows, tmp_path / "events.csv")


def test_times_end_in_z(written: Path) -> None:
    lines = written.read_text().splitlines()
    assert lines[1] == "7,2024-11-01T12:30:15.250000Z,A,A"
    assert lines[2].startswith("8,,")


def test_files_say_whose_the_published_sizes_are_where_they_have_room_for_it(tmp_path: Path) -> None:
    rows = pa.table({"primary_name": ["A"], "secondary_name": ["B"], "primary_radius_m": [1.26]})
    parquet, csv, database = (
        write_rows(rows, tmp_path / f"events.{suffix}") for suffix in ("parquet", "csv", "duckdb")
    )
    assert pq.read_metadata(parquet).metadata[b"sizes, masses and owners"].decode() == SIZES_FROM
    assert pq.read_table(parquet).equals(rows)
    assert csv.read_text().splitlines()[0] == "primary_name,secondary_name,primary_radius_m"
    with duckdb.connect(str(database), read_only=True) as connection:
        ((said,),) = connection.execute("SELECT comment FROM duckdb_tables()").fetchall()
    assert SIZES_FROM in said


def test_duckdb_reads_an_instant(written: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'America/New_York'")
        kind, tca = connection.execute(
            "SELECT typeof(tca), epoch_us(tca) FROM read_csv(?) WHERE event_id = 7", [str(written)]
        ).fetchall()[0]
    assert kind == "TIMESTAMP WITH TIME ZONE"
    assert tca == round(WITH_ZONE.timestamp() * 1e6)


def test_pandas_reads_an_instant(written: Path) -> None:
    frame = pd.read_csv(written, parse_dates=["tca"])
    assert str(frame["tca"].dt.tz) == "UTC"
    assert frame["tca"][0] == WITH_ZONE


def test_csv_of_release_0_1_is_read_as_utc(tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    old.write_text(OF_RELEASE_0_1)
    assert pd.to_datetime(pd.read_csv(old)["tca"], utc=True)[0] == WITH_ZONE
    with duckdb.connect() as connection:
        (row,) = connection.execute("SELECT typeof(tca), tca FROM read_csv(?)", [str(old)]).fetchall()
    assert row == ("TIMESTAMP", TCA)


@pytest.fixture
def of_one_store(tmp_path: Path) -> tuple[Path, Path]:
    """The events of a store of release 0.1.0, as that release wrote them and as this one writes them."""
    store = as_if_made_at(unpacked("0.1.0", tmp_path))
    old = tmp_path / "old.csv"
    with duckdb.connect(str(store / "skysieve.duckdb"), read_only=True) as connection:
        connection.execute(f"COPY conjunctions TO '{old}' (FORMAT csv, HEADER)")
    return old, write_events(store, tmp_path / "new.csv")


@pytest.mark.slow
def test_duckdb_reads_the_events_of_release_0_1_as_it_reads_todays(of_one_store: tuple[Path, Path]) -> None:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        old, new = (connection.read_csv(str(path)) for path in of_one_store)
        times = [name for name, kind in zip(old.columns, old.types, strict=True) if kind == "TIMESTAMP"]
        assert {"computed_at", "tca", "primary_epoch", "secondary_epoch"} <= set(times)
        as_utc = ", ".join(f"{name}::TIMESTAMP AS {name}" for name in times)
        todays = new.select(", ".join(f'"{name}"' for name in old.columns)).select(f"* REPLACE ({as_utc})")
        rows = old.order("event_id").fetchall()
        assert len(rows) > 50
        assert todays.order("event_id").fetchall() == rows


@pytest.mark.slow
def test_pandas_reads_the_events_of_release_0_1_as_it_reads_todays(of_one_store: tuple[Path, Path]) -> None:
    old, new = (pd.read_csv(path).sort_values("event_id", ignore_index=True) for path in of_one_store)
    for name in ("computed_at", "tca", "primary_epoch", "secondary_epoch"):
        for frame in (old, new):
            frame[name] = pd.to_datetime(frame[name], utc=True, format="ISO8601")
    assert len(old) > 50
    pd.testing.assert_frame_equal(new[old.columns], old)
