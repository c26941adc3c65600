"""The geometry of events that lack something: not rated, at rest, of an older run, element sets gone."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from storage import schema
from storage.disk.layout import ELEMENT_FILES, write_parquet
from storage.reading.newest_run import connect
from tests import runs
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.geometry_client import get
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

# TCA is stored to the microsecond, in which two objects at 15 km/s come 15 mm nearer.
TCA_ROUNDING_M = 0.02
SGP4_VELOCITY_M_S = 0.3  # by which it differs from the motion of its positions


def stored_analysis(store: Path, **changed: Any) -> int:
    """Store the most dangerous event again as an analysis of another id, with changes; return that id."""
    with connect(store) as connection:
        first = (
            connection.sql("FROM conjunctions ORDER BY miss_distance_m LIMIT 1").to_arrow_table().to_pylist()
        )
    row = {**first[0], "event_id": 4711, "computed_at": datetime(2100, 1, 1, tzinfo=UTC), **changed}
    write_parquet(
        pa.Table.from_pylist([row], schema=schema.CONJUNCTIONS.arrow), store / "analyses" / "one.parquet"
    )
    return 4711


UNSCORED = dict.fromkeys(
    [
        *(f"{who}_{rest}" for who in ("primary", "secondary") for rest in ("covariance_source",)),
        *(f"{who}_sigma_{axis}_m" for who in ("primary", "secondary") for axis in "rtn"),
        *("probability", "probability_2d", "probability_3d", "probability_best", "probability_method"),
        *("probability_max", "diluted", "probability_flag"),
        *("hard_body_radius_m", "hard_body_source"),
    ]
)


@pytest.fixture
def pair_store(store_with_run: Path, store: Path) -> Path:
    """Give a store with two hours' run of real objects, that a test may change."""
    shutil.copytree(store_with_run, store)
    return store


def test_a_quick_analysis_has_a_miss_and_no_probability(pair_store: Path) -> None:
    event_id = stored_analysis(pair_store, origin="quick", **UNSCORED)
    with serving(pair_store) as client:
        found = get(client, event_id)
    plane = found["encounter_plane"]
    assert np.hypot(plane["miss_x_m"], plane["miss_y_m"]) == pytest.approx(found["miss_distance_m"])
    for name in ("primary", "secondary", "combined", "miss_sigmas", "hard_body_radius_m"):
        assert plane[name] is None
    for name in ("primary", "secondary", "combined"):
        assert found["encounter_rtn"][f"covariance_{name}_m2"] is None
    assert found["probability_against_scale"] is None
    assert set(found["missing"]) == {
        "encounter_plane.covariance",
        "probability_against_scale",
        "probability_against_radius",
        "objects.primary.hard_body_radius_m",
        "objects.secondary.hard_body_radius_m",
    }
    assert found["probability_against_radius"] is None
    for name in ("scale", "radius"):
        assert "quick" in found["missing"][f"probability_against_{name}"]
    assert found["range"] is not None


@pytest.mark.slow
def test_a_position_from_the_ephemeris_shows_how_far_it_is_off(pair_store: Path) -> None:
    with connect(pair_store) as connection:
        (x,) = connection.execute(
            "SELECT primary_x_km FROM conjunctions ORDER BY miss_distance_m LIMIT 1"
        ).fetchall()[0]
    event_id = stored_analysis(pair_store, origin="quick", primary_x_km=x + 0.3)
    with serving(pair_store) as client:
        objects = get(client, event_id)["objects"]
    assert objects["primary"]["sgp4_offset_m"] == pytest.approx(300.0, abs=TCA_ROUNDING_M)
    assert objects["secondary"]["sgp4_offset_m"] < TCA_ROUNDING_M


@pytest.mark.slow
def test_objects_at_rest_to_each_other_have_no_plane(pair_store: Path) -> None:
    with connect(pair_store) as connection:
        found = connection.sql("FROM conjunctions ORDER BY miss_distance_m LIMIT 1").to_arrow_table()
    same = {f"secondary_v{axis}_km_s": found[f"primary_v{axis}_km_s"][0].as_py() for axis in "xyz"}
    with serving(pair_store) as client:
        event_id = stored_analysis(pair_store, relative_speed_m_s=0.0, probability_flag="slow", **same)
        wait_until(lambda: client.get(f"/conjunctions/{event_id}").status_code == 200)
        answer = get(client, event_id)
    assert answer["encounter_plane"] is None
    assert "no relative velocity" in answer["missing"]["encounter_plane"]
    rtn = answer["encounter_rtn"]
    assert [rtn[f"{name}_axis"] for name in "xyz"] == [None] * 3
    assert rtn["covariance_combined_m2"] is not None
    assert answer["range"]["near"]["seconds_from_tca"][-1] > 0


@pytest.mark.slow
def test_radii_that_have_changed_since_are_not_shown(pair_store: Path) -> None:
    event_id = stored_analysis(pair_store, hard_body_radius_m=123.0)
    with serving(pair_store) as client:
        found = get(client, event_id)
    assert found["encounter_plane"]["hard_body_radius_m"] == 123.0
    assert found["objects"]["primary"]["hard_body_radius_m"] is None
    assert "other" in found["missing"]["objects.primary.hard_body_radius_m"]


@pytest.mark.slow
def test_an_event_of_an_older_run_keeps_its_own_element_sets(
    pair_store: Path, catalogue_lines: list[str], tmp_path: Path
) -> None:
    with serving(pair_store) as client:
        # Of a primary without published dimensions, whose radius alone would not tell of both.
        events = client.get("/conjunctions", params={"limit": 100}).json()["conjunctions"]
        shown = ((event, get(client, event["id"])) for event in events)
        event, before = next(
            (event, one)
            for event, one in shown
            if one["objects"]["primary"]["radius_m"] is None and one["objects"]["secondary"]["radius_m"]
        )
        # A day later: newer sets of all, and one of the two is gone.
        header = catalogue_lines[0].split(",")
        epoch, number = header.index("EPOCH"), header.index("NORAD_CAT_ID")
        newer = []
        for line in catalogue_lines[1:]:
            cells = line.split(",")
            later = datetime.fromisoformat(cells[epoch]) + timedelta(minutes=1)
            cells[epoch] = later.isoformat(timespec="microseconds")
            if int(cells[number]) != event["secondary_norad_id"]:
                newer.append(",".join(cells))
        later_run = runs.make_run(
            runs.source_of([catalogue_lines[0], *newer], tmp_path),
            pair_store,
            np.datetime64("2024-11-03T00:00:00", "us"),
        )
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == later_run.run_id)
        after = get(client, event["id"])
    assert after["run_id"] == event["run_id"]
    for part in ("range", "orbits", "encounter_plane", "probability_against_scale"):
        assert after[part] == before[part]
    # What the object that is gone was like is no longer known.
    published = (
        "mean_shadow_radius_m",
        "probability_mean_shadow",
        "bounding_radius_m",
        "probability_bounding",
    )
    assert all(before["probability_against_radius"][name] is not None for name in published)
    assert after["probability_against_radius"] == {
        **before["probability_against_radius"],
        **dict.fromkeys(published),
    }
    assert "does not have" in after["missing"]["objects.secondary.hard_body_radius_m"]


@pytest.mark.slow
def test_element_sets_that_are_no_longer_kept(pair_store: Path, tmp_path: Path) -> None:
    with serving(pair_store) as client:
        event = client.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
        kept = get(client, event["id"])["encounter_rtn"]
        publish(pair_store, make_run(synthetic=False))
        wait_until(lambda: client.get("/runs/current").json()["source"] == "made up")
        for path in pair_store.glob(ELEMENT_FILES):
            if not path.name.startswith("0."):
                path.unlink()
        found = get(client, event["id"])
    assert (found["range"], found["orbits"]) == (None, {"primary": None, "secondary": None})
    assert str(event["primary_norad_id"]) in found["missing"]["orbits.primary"]
    assert str(event["secondary_norad_id"]) in found["missing"]["range"]
    assert found["encounter_plane"] is not None
    # Two-body motion from the states stands in for both paths.
    moved = [np.transpose(list(one["path"].values())) for one in (kept, found["encounter_rtn"])]
    np.testing.assert_allclose(moved[1], moved[0], atol=5 * SGP4_VELOCITY_M_S)
    np.testing.assert_allclose(moved[1][100, 1:], kept["secondary_m"], atol=6e-4)  # sent to a millimetre
    assert found["probability_against_scale"] is not None


@pytest.mark.slow
def test_a_made_up_run_is_answered_whatever_its_numbers(client: Client) -> None:
    page = client.get("/conjunctions", params={"limit": 100}).json()["conjunctions"]
    for event in page:
        get(client, event["id"])
