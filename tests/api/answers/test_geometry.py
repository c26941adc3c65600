"""`GET /conjunctions/{id}/geometry` against the event's row and python-sgp4, and what it says is missing."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from storage.reading.read_only_sql import query
from tests.api.answers.published_orbits import PublishedOrbits
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.geometry_client import Record, get

# TCA is stored to the microsecond, in which two objects at 15 km/s come 15 mm nearer.
TCA_ROUNDING_M = 0.02
# Our SGP4 kernel is held to 1 mm of python-sgp4 a component, and distances are sent to 1 mm.
TWO_SGP4_M = 5e-3
ROUNDING = 1e-9
HIGHEST_NUMBER_OF_PYTHON_SGP4 = 339_999


@pytest.fixture(scope="module")
def dangerous(dangerous_store: Path) -> Iterator[Client]:
    with serving(dangerous_store) as client:
        yield client


@pytest.fixture(scope="module")
def events(dangerous: Client) -> list[Record]:
    found: list[Record] = dangerous.get("/conjunctions").json()["conjunctions"]
    return found


@pytest.fixture(scope="module")
def pairs(dangerous: Client, events: list[Record]) -> list[tuple[Record, Record]]:
    """Return each event with its geometry."""
    return [(event, get(dangerous, event["id"])) for event in events]


def test_the_events_are_of_all_kinds(events: list[Record]) -> None:
    assert len([event for event in events if event["risk_level"] == "critical"]) >= 3
    assert {event["encounter"] for event in events} == {"fast", "slow"}
    assert {event["diluted"] for event in events} == {True, False, None}
    assert any(event["probability_flag"] == "slow long" and event["encounter"] == "fast" for event in events)


@pytest.mark.slow
def test_the_numbers_are_those_of_the_row(pairs: list[tuple[Record, Record]]) -> None:
    for event, found in pairs:
        for name in set(event) & set(found):
            assert found[name] == event[name]
        plane = found["encounter_plane"]
        assert plane["hard_body_radius_m"] == event["hard_body_radius_m"]
        length = np.linalg.norm([plane[f"miss_{axis}_m"] for axis in ("x", "y", "along")])
        assert length == pytest.approx(event["miss_distance_m"], rel=ROUNDING, abs=1e-6)
        for who in ("primary", "secondary"):
            said = found["objects"][who]
            assert said["norad_id"] == event[f"{who}_norad_id"]
            assert said["epoch"] == event[f"{who}_epoch"]
            age = datetime.fromisoformat(event["tca"]) - datetime.fromisoformat(said["epoch"])
            assert said["age_hours"] == pytest.approx(age.total_seconds() / 3600)
            for axis in "rtn":
                assert said[f"sigma_{axis}_m"] == event[f"{who}_sigma_{axis}_m"]
        radii = [found["objects"][who]["hard_body_radius_m"] for who in ("primary", "secondary")]
        assert sum(radii) == pytest.approx(event["hard_body_radius_m"], rel=ROUNDING)


def test_the_dilution_curve_goes_through_the_probability_of_the_row(
    pairs: list[tuple[Record, Record]],
) -> None:
    rated = [(event, found) for event, found in pairs if event["probability_2d"] is not None]
    assert len(rated) > 5
    for event, found in rated:
        curve = found["probability_against_scale"]
        assert curve["probability_2d"] == pytest.approx(event["probability_2d"], rel=ROUNDING)
        assert curve["probability"][curve["scale"].index(1.0)] == pytest.approx(
            event["probability_2d"], rel=ROUNDING
        )
        assert curve["peak_probability"] == pytest.approx(event["probability_max"], rel=ROUNDING)
        assert curve["diluted"] == event["diluted"]
        assert found["encounter_plane"]["miss_sigmas"] == pytest.approx(event["formula_h"], rel=ROUNDING)


def test_the_curve_over_the_radius_goes_through_the_probability_of_the_row(
    pairs: list[tuple[Record, Record]],
) -> None:
    for event, found in pairs:
        curve = found["probability_against_radius"]
        assert (curve is None) == (event["probability_2d"] is None)
        if curve is None:
            assert found["missing"]["probability_against_radius"]
            continue
        own = curve["hard_body_radius_m"]
        assert own == event["hard_body_radius_m"]
        assert curve["probability_2d"] == pytest.approx(event["probability_2d"], rel=ROUNDING)
        assert curve["radius_m"][0] <= 0.05 < 30.0 <= curve["radius_m"][-1] * (1 + 1e-12)
        between = np.interp(np.log(own), np.log(curve["radius_m"]), np.log(curve["probability"]))
        assert np.exp(between) == pytest.approx(curve["probability_2d"], rel=0.01)
        assert curve["limits"] == {"critical": 1e-4, "high": 1e-5, "medium": 1e-6}


def test_both_radii_of_the_bodies_are_those_of_the_objects_and_on_the_curve(
    dangerous_store: Path, pairs: list[tuple[Record, Record]]
) -> None:
    names = ("radius_m", "bounding_radius_m", "mass_kg", "body_source")
    _, rows = query(dangerous_store, f"SELECT norad_id, {', '.join(names)} FROM objects")
    stored = {row[0]: dict(zip(names, row[1:], strict=True)) for row in rows}
    drawn = []
    for event, found in pairs:
        sides = [found["objects"][who] for who in ("primary", "secondary")]
        for side in sides:
            assert {name: side[name] for name in names} == stored[side["norad_id"]]
        curve = found["probability_against_radius"]
        if curve is None:
            continue
        for kind, name in (("mean_shadow", "radius_m"), ("bounding", "bounding_radius_m")):
            one, other = (side[name] for side in sides)
            radius, chance = curve[f"{kind}_radius_m"], curve[f"probability_{kind}"]
            if one is None and other is None:
                assert radius is chance is None
                continue
            rated = (event["primary_radius_m"], event["secondary_radius_m"])
            expected = sum(own or used for own, used in zip((one, other), rated, strict=True))
            assert radius == pytest.approx(expected, rel=ROUNDING)
            between = np.interp(np.log(radius), np.log(curve["radius_m"]), np.log(curve["probability"]))
            assert np.exp(between) == pytest.approx(chance, rel=0.01)
            drawn.append((kind, radius))
    assert {kind for kind, _ in drawn} == {"mean_shadow", "bounding"}
    assert len({radius for _, radius in drawn}) > 5


def test_what_is_not_defined_is_null_and_says_why(pairs: list[tuple[Record, Record]]) -> None:
    flagged = [(event, found) for event, found in pairs if event["probability_2d"] is None]
    assert len(flagged) >= 3
    for event, found in flagged:
        assert found["probability_against_scale"] is None
        for flag in event["probability_flag"].split():
            assert f"flag {flag}" in found["missing"]["probability_against_scale"]
        assert found["encounter_plane"]["combined"] is not None
    for event, found in pairs:
        if event["probability_2d"] is not None:
            assert found["missing"] == {}


def test_the_distance_at_tca_is_the_miss_and_nothing_is_nearer(pairs: list[tuple[Record, Record]]) -> None:
    for event, found in pairs:
        for curve in found["range"].values():
            middle = curve["seconds_from_tca"].index(0.0)
            at_tca = curve["range_m"][middle]
            assert at_tca == pytest.approx(event["miss_distance_m"], abs=TCA_ROUNDING_M)
            for axis in ("radial", "in_track", "cross_track"):
                assert curve[f"{axis}_m"][middle] == pytest.approx(
                    event[f"miss_{axis}_m"], abs=TCA_ROUNDING_M
                )
            components = [curve[f"{axis}_m"] for axis in ("radial", "in_track", "cross_track")]
            np.testing.assert_allclose(np.linalg.norm(components, axis=0), curve["range_m"], atol=2e-3)
        if event["encounter"] == "fast":
            # Of the many passes of a co-orbiting pair the curve from wide may show another.
            assert min(found["range"]["near"]["range_m"]) >= event["miss_distance_m"] - TCA_ROUNDING_M


def test_the_distances_are_those_of_python_sgp4(
    pairs: list[tuple[Record, Record]], shared_file: Callable[[str], Path]
) -> None:
    positions_km = PublishedOrbits(shared_file("gp_onorbit_20241101.csv")).positions_km
    for event, found in pairs:
        tca = datetime.fromisoformat(event["tca"])
        for curve in found["range"].values():
            seconds = np.array(curve["seconds_from_tca"])
            both = [positions_km(event[f"{who}_norad_id"], tca, seconds) for who in ("primary", "secondary")]
            expected_m = np.linalg.norm(both[1] - both[0], axis=1) * 1e3
            np.testing.assert_allclose(curve["range_m"], expected_m, rtol=0, atol=TWO_SGP4_M)


def test_a_slow_event_is_shown_for_as_long_as_it_lasts(pairs: list[tuple[Record, Record]]) -> None:
    slow = [(event, found) for event, found in pairs if event["encounter"] == "slow"]
    assert len(slow) == 3  # 36581 and 39617 meet twice
    for event, found in slow:
        seconds = found["range"]["wide"]["seconds_from_tca"]
        tca, begin, end = (
            datetime.fromisoformat(event[name]) for name in ("tca", "inside_from", "inside_to")
        )
        assert seconds[0] < (begin - tca).total_seconds()
        assert seconds[-1] > (end - tca).total_seconds()
        assert seconds[-1] >= found["objects"]["primary"]["period_min"] * 60 * 0.999
    fast = [found for event, found in pairs if event["encounter"] == "fast"]
    assert {found["range"]["wide"]["seconds_from_tca"][-1] for found in fast} == {600.0}


def test_both_orbits_meet_at_tca(pairs: list[tuple[Record, Record]]) -> None:
    for event, found in pairs:
        points = []
        for who in ("primary", "secondary"):
            orbit = found["orbits"][who]
            middle = orbit["seconds_from_tca"].index(0.0)
            stored = [event[f"{who}_{axis}_km"] for axis in "xyz"]
            # 1 us of flight, and 1 cm of rounding.
            np.testing.assert_allclose(orbit["r_teme_km"][middle], stored, atol=3e-5)
            assert orbit["r_itrf_km"][middle] == orbit["r_itrf_at_tca_km"][middle]
            points.append(np.array(orbit["r_itrf_at_tca_km"][middle]))
            assert found["objects"][who]["sgp4_offset_m"] < TCA_ROUNDING_M
        apart = np.linalg.norm(points[1] - points[0]) * 1e3
        assert apart == pytest.approx(event["miss_distance_m"], abs=0.05)
        orbit = found["orbits"]["primary"]
        place = found["place"]
        middle = orbit["seconds_from_tca"].index(0.0)
        for name in ("latitude_deg", "longitude_deg"):
            assert place[name] == pytest.approx(orbit[name][middle], abs=2e-6)


def test_facts_about_the_objects(pairs: list[tuple[Record, Record]]) -> None:
    found = next(found for event, found in pairs if event["secondary_norad_id"] == 270293)
    primary = found["objects"]["primary"]
    assert (primary["name"], primary["object_id"], primary["object_type"]) == (
        "SL-8 DEB",
        "1986-030C",
        "debris",
    )
    assert primary["hard_body_source"] == "type"
    assert primary["inclination_deg"] == pytest.approx(74.022)
    assert found["objects"]["secondary"]["object_type"] == "unknown"
    assert found["approach_angle_deg"] == pytest.approx(171, abs=1)


@pytest.mark.parametrize("number", ["1", "0", "-1", str(2**60), str(10**30)])
def test_an_event_that_never_was(client: Client, number: str) -> None:
    assert client.get(f"/conjunctions/{number}/geometry").status_code == 404


def test_what_is_refused(client: Client) -> None:
    assert client.get("/conjunctions/abc/geometry").status_code == 422
    assert client.get("/conjunctions/1/geometry", params={"points": 5}).status_code == 422
    assert client.without_credential().get("/conjunctions/1/geometry").status_code == 401
