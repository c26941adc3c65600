"""Events as CSV: times say that they are UTC, and DuckDB and pandas read them, also those of release 0.1."""

from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

from storage.reading.events_file import write_rows

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
