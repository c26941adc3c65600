"""Events of a release that knew element sets only: their geometry and their report."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.report.contents import report_on
from api.report.summary import sentences
from api.settings import ApiSettings
from storage.in_memory.snapshot import newest_snapshot
from storage.settings import load_settings
from tests.api.conftest import serving
from tests.api.geometry_client import get
from tests.earlier_stores import unpacked


@pytest.fixture(scope="module")
def earlier_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked("0.1.0", tmp_path_factory.mktemp("earlier"))


@pytest.mark.slow
def test_an_event_that_does_not_say_rests_on_element_sets(earlier_store: Path) -> None:
    with serving(earlier_store) as client:
        event = client.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
        found = get(client, event["id"])
    assert event["primary_trajectory"] is None
    assert event["primary_correlation_rt"] is None
    assert "orbits.primary" not in found["missing"]
    for who in ("primary", "secondary"):
        said = found["objects"][who]
        assert (said["trajectory"], said["trajectory_id"]) == (None, None)
        assert said["sgp4_offset_m"] == said["path_offset_m"] < 1.0
    curve = found["probability_against_scale"]
    assert curve["probability_2d"] == pytest.approx(event["probability_2d"], rel=1e-9)


def test_its_report_speaks_of_element_sets(earlier_store: Path) -> None:
    snapshot = newest_snapshot(earlier_store)
    (number,) = snapshot.columns("SELECT event_id FROM events ORDER BY miss_distance_m LIMIT 1")["event_id"]
    settings = load_settings(ApiSettings, store=earlier_store)
    said = " ".join(sentences(report_on(snapshot, int(number), settings, datetime.now(UTC))))
    assert "At TCA the element sets are" in said
    assert "ephemeris" not in said
