"""`GET /objects/{id}/orbit` against python-sgp4 and skyfield, and on an operator's ephemeris."""

import csv
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter
from sgp4 import omm
from sgp4.api import Satrec
from skyfield.api import EarthSatellite, load, wgs84
from skyfield.framelib import itrs

from api.models.positions import ObjectOrbit
from storage.reading.newest_objects import NewestRun
from storage.trajectories.incoming import Named, take
from tests import runs
from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, publish
from tests.storage.commands.path_store import ADDED, HIGH, NAVIGATION, ON_EPHEMERIS, STATION, made

SharedFile = Callable[[str], Path]
Record = dict[str, Any]
START = datetime(2024, 11, 1, tzinfo=UTC)
NUMBERS = (STATION, ON_EPHEMERIS, NAVIGATION, HIGH)
# Skyfield's own Earth orientation leaves out polar motion (10 m) and rounds UT1 (0.1 s, 50 m at the ground).
ORIENTATION_KM, ORIENTATION_DEG = 0.4, 1e-3  # in GEO six times as far out
EQUATORIAL_KM, MU_KM3_S2 = 6378.135, 398_600.8  # WGS-72


@pytest.fixture(scope="module")
def store_of_paths(shared_file: SharedFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(shared_file, tmp_path_factory.mktemp("orbits"))


@pytest.fixture(scope="module")
def of_paths(store_of_paths: Path) -> Iterator[Client]:
    with serving(store_of_paths) as client:
        yield client


@pytest.fixture(scope="module")
def open_paths(
    store_of_paths: Path, shared_file: SharedFile, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """Serve a store whose trajectory may be handed on: without the name, it is not Starlink's."""
    folder = tmp_path_factory.mktemp("open")
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    wanted = [line for line in records if int(line.split(",")[number]) in NUMBERS]
    source = runs.source_of([header, *wanted], folder)
    path = (store_of_paths.parent / "path.oem").read_bytes()
    known = NewestRun(folder / "store")
    take(folder / "store", path, "path.oem", "definitive", Named(norad_id=ON_EPHEMERIS), ADDED, known)
    runs.make_run(source, folder / "store", hours=12.0)
    with serving(folder / "store") as client:
        yield client


@pytest.fixture(scope="module")
def published(shared_file: SharedFile) -> dict[int, dict[str, str]]:
    with shared_file("gp_onorbit_20241101.csv").open(newline="") as file:
        return {int(row["NORAD_CAT_ID"]): row for row in csv.DictReader(file)}


def orbit(client: Client, norad_id: int, at: str | None = None) -> Record:
    answer = client.get(f"/objects/{norad_id}/orbit", params={} if at is None else {"at": at})
    assert answer.status_code == 200, answer.text
    TypeAdapter(ObjectOrbit).validate_json(answer.content)  # strict: no other field, no other type
    found: Record = answer.json()
    return found


@pytest.mark.parametrize("norad_id", NUMBERS)
def test_the_points_are_those_of_python_sgp4_and_skyfield(
    of_paths: Client, published: dict[int, dict[str, str]], norad_id: int
) -> None:
    found = orbit(of_paths, norad_id)
    assert (found["at"], found["trajectory"]) == ("2024-11-01T00:00:00Z", "gp")  # a historic store
    record = Satrec()
    omm.initialize(record, published[norad_id])
    timescale = load.timescale(builtin=True)
    satellite = EarthSatellite.from_satrec(record, timescale)
    seconds = found["seconds_from_at"]
    assert seconds == sorted(seconds)
    assert seconds[90] == 0.0
    assert seconds[-1] - seconds[0] == pytest.approx(found["period_min"] * 60.0, abs=0.01)
    for k in (0, 45, 90, 180):
        instant = START + timedelta(seconds=seconds[k])
        at = satellite.at(timescale.from_datetime(instant))
        ground = wgs84.geographic_position_of(at)
        assert found["altitude_km"][k] == pytest.approx(ground.elevation.km, abs=ORIENTATION_KM)
        assert found["latitude_deg"][k] == pytest.approx(ground.latitude.degrees, abs=ORIENTATION_DEG)
        east = (found["longitude_deg"][k] - ground.longitude.degrees + 180.0) % 360.0 - 180.0
        assert east == pytest.approx(0.0, abs=ORIENTATION_DEG)
    middle_km = satellite.at(timescale.from_datetime(START)).frame_xyz(itrs).km
    np.testing.assert_allclose(found["r_itrf_at_instant_km"][90], middle_km, atol=ORIENTATION_KM)


@pytest.mark.parametrize("norad_id", NUMBERS)
def test_size_and_age_are_those_of_the_element_set(
    of_paths: Client, published: dict[int, dict[str, str]], norad_id: int
) -> None:
    found, row = orbit(of_paths, norad_id), published[norad_id]
    motion, eccentricity = float(row["MEAN_MOTION"]), float(row["ECCENTRICITY"])
    axis_km = (MU_KM3_S2 / (motion * 2 * np.pi / 86_400) ** 2) ** (1 / 3)
    assert found["period_min"] == pytest.approx(1440 / motion)
    assert found["perigee_km"] == pytest.approx(axis_km * (1 - eccentricity) - EQUATORIAL_KM, abs=0.1)
    assert found["apogee_km"] == pytest.approx(axis_km * (1 + eccentricity) - EQUATORIAL_KM, abs=0.1)
    assert found["inclination_deg"] == float(row["INCLINATION"])
    epoch = datetime.fromisoformat(row["EPOCH"]).replace(tzinfo=UTC)
    assert datetime.fromisoformat(found["epoch"]) == epoch
    assert found["age_hours"] == pytest.approx((START - epoch) / timedelta(hours=1))
    assert found["name"] == row["OBJECT_NAME"]


@pytest.mark.slow
def test_on_an_ephemeris_while_it_lasts(open_paths: Client) -> None:
    inside, edge, after = (
        orbit(open_paths, ON_EPHEMERIS, f"2024-11-01T{time}Z")
        for time in ("03:30:00", "04:40:00", "06:00:00")
    )
    assert [one["trajectory"] for one in (inside, edge, after)] == ["ephemeris", "ephemeris", "gp"]
    assert inside["epoch"] == "2024-11-01T02:00:00Z"
    assert inside["age_hours"] == pytest.approx(1.5)
    assert None not in inside["latitude_deg"]
    # It ends at 05:00, twenty minutes after; what is not known is null, also beside the instant.
    there = [seconds for seconds, km in zip(edge["seconds_from_at"], edge["altitude_km"], strict=True) if km]
    assert 1170 < there[-1] <= 1200
    assert edge["r_itrf_at_instant_km"][180] == [None, None, None]
    # The file was sampled from the element set: both are the same orbit but for what osculates.
    assert inside["inclination_deg"] == pytest.approx(after["inclination_deg"], abs=0.1)
    assert inside["perigee_km"] == pytest.approx(after["perigee_km"], abs=20)


def test_a_path_that_must_not_be_handed_on_is_not_drawn(of_paths: Client) -> None:
    at = "2024-11-01T03:30:00Z"
    assert (
        of_paths.get(f"/objects/{ON_EPHEMERIS}/ephemeris", params={"start": at, "hours": 1}).status_code
        == 403
    )
    assert orbit(of_paths, ON_EPHEMERIS, at)["trajectory"] == "gp"


@pytest.mark.slow
def test_an_element_set_that_sgp4_cannot_follow_is_said(store: Path) -> None:
    made_up = make_run()  # no real orbits: less than one revolution a day
    made_up.elements["mean_motion_rev_day"], made_up.elements["eccentricity"] = 16.9, 0.2
    publish(store, made_up)
    number = made_up.elements["norad_id"][0]
    with serving(store) as client:
        answer = client.get(f"/objects/{number}/orbit")
    assert answer.status_code == 404
    assert "SGP4 fails" in answer.json()["detail"]


@pytest.mark.parametrize("norad_id", [1, 999_999_998])
def test_an_object_that_the_run_has_not(of_paths: Client, norad_id: int) -> None:
    answer = of_paths.get(f"/objects/{norad_id}/orbit")
    assert answer.status_code == 404
    assert f"No object {norad_id}" in answer.json()["detail"]


def test_what_is_refused(of_paths: Client) -> None:
    for at in ("2026-11-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        too_far = of_paths.get(f"/objects/{STATION}/orbit", params={"at": at})
        assert too_far.status_code == 422
        assert "30 days" in too_far.json()["detail"]
    assert of_paths.get(f"/objects/{STATION}/orbit", params={"at": "soon"}).status_code == 422
    assert of_paths.get(f"/objects/{STATION}/orbit", params={"when": "now"}).status_code == 422
    assert of_paths.get("/objects/0/orbit").status_code == 422
    assert of_paths.without_credential().get(f"/objects/{STATION}/orbit").status_code == 401
