"""What an event's sentence says of others like it, against counts written by hand."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from storage.disk.layout import FORECAST_TALLIES, replace_parquet
from storage.verification.outlook import SHIPPED, outlook
from storage.verification.tallies import TALLIES

NOW = datetime(2026, 11, 1, tzinfo=UTC)
COUNTS = {"high>high": 60.0, "critical>critical": 12.0, "high>medium": 700.0, "high>vanished": 428.0}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    rows = [(date(2026, 10, 30), 3, "leo", "level", bin_, count, 0.0, 0.0) for bin_, count in COUNTS.items()]
    rows.append((date(2026, 10, 30), 3, "leo", "region", "0.5", 9e9, 0.0, 0.0))
    columns = [
        pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), TALLIES, strict=True)
    ]
    path = tmp_path / FORECAST_TALLIES
    path.parent.mkdir()
    replace_parquet(
        pa.table(columns, TALLIES.with_metadata({"summed_until": "x", "judged_until": "x"})), path
    )
    return tmp_path


@pytest.mark.parametrize("hours", [66.0, 72.0, 83.9])
def test_the_store_s_own_record_counts(store: Path, hours: float) -> None:
    said = outlook(store, "critical", NOW + timedelta(hours=hours), NOW)
    assert said == (
        "Of 1,200 encounters rated critical or high 3 days ahead (here), the last run before TCA rated 6 % "
        "critical or high, 58 % medium, none low, and found 36 % beyond its threshold."
    )


def test_before_it_has_one_the_shipped_record_counts(tmp_path: Path) -> None:
    said = outlook(tmp_path, "medium", NOW + timedelta(days=1), NOW)
    fate = SHIPPED[1, "medium"]
    assert f"Of {fate.encounters:,.0f} encounters rated medium one day ahead (in a week of May 2026" in said
    assert f"{100 * fate.vanished / fate.encounters:.0f} % beyond its threshold" in said


@pytest.mark.parametrize(
    ("level", "days"), [("critical", 3.0), ("medium", 0.4), ("unknown", 2.0), (None, 2.0), ("medium", 9.0)]
)
def test_what_nobody_knows_is_not_said(tmp_path: Path, level: str | None, days: float) -> None:
    assert outlook(tmp_path, level, NOW + timedelta(days=days), NOW) == ""
