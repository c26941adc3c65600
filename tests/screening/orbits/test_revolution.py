"""One revolution of real objects: against python-sgp4 and skyfield, closed, and even where it is fast."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from skyfield.api import EarthSatellite, load, wgs84
from skyfield.framelib import itrs

from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.elements import ElementArray
from screening.orbits.revolution import POINTS, Revolution, apsides_km, period_s, place, revolution
from screening.orbits.sgp4.propagate import Propagator, satrecs
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, julian_date

NOON = np.datetime64("2024-11-01T12:00:00", "us")
SPAN = TimeWindow(*(float(x[0]) for x in julian_date(np.array([NOON]))), 0.0)
MIDDLE = POINTS // 2
RAD_PER_ARCSEC = np.pi / 648_000

ONE_METRE_KM = 1e-3
# Skyfield stops its iteration for the latitude at 2e-8 degrees.
SAME_DEG = 1e-7
# Skyfield is given the Earth's orientation of noon for a whole day: UT1 drifts by up to 2 ms, 1 m at the
# ground and 6 m in GEO.
ORIENTATION_OF_NOON_KM = 1e-2
# After a revolution the perturbations have moved an object on by some hundredths of its radius at most.
CLOSED = 0.03


@pytest.fixture(scope="module")
def elements(shared_file: Callable[[str], Path]) -> ElementArray:
    """Return 60 real objects of all regimes, eccentric ones among them."""
    whole = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements
    # Drag moves an old set's period by per cents away from its mean motion: then the orbit does not close.
    whole = whole[(whole["epoch_jd"] > SPAN.start_jd - 10.0)]
    eccentric = whole[whole["eccentricity"] > 0.6][:20]
    return np.concatenate([whole[::600][:40], eccentric])


@pytest.fixture(scope="module")
def revolutions(elements: ElementArray) -> list[Revolution]:
    objects = Propagator(elements, SPAN)
    error, r_km, v_km_s = objects.on_grid(np.zeros(1))
    assert not error.any()
    return [
        revolution(objects, i, r_km[0, :, i], v_km_s[0, :, i], period_s(elements["mean_motion_rev_day"][i]))
        for i in range(len(elements))
    ]


def test_the_points_are_those_of_python_sgp4(elements: ElementArray, revolutions: list[Revolution]) -> None:
    for record, orbit in zip(satrecs(elements), revolutions, strict=True):
        jd = np.full(POINTS, SPAN.start_jd)
        _, r_km, _ = record.sgp4_array(jd, SPAN.start_day_fraction + orbit.seconds / 86_400)
        np.testing.assert_allclose(orbit.r_teme_km, r_km, atol=ONE_METRE_KM)


def test_the_places_are_those_of_skyfield(elements: ElementArray, revolutions: list[Revolution]) -> None:
    at_noon = earth_orientation(SPAN.start_jd, SPAN.start_day_fraction)
    timescale = load.timescale(delta_t=37.0 + 32.184 - float(at_noon.ut1_minus_utc_s), builtin=True)
    pole = (float(p) / RAD_PER_ARCSEC for p in (at_noon.pole_x_rad, at_noon.pole_y_rad))
    timescale.polar_motion_table = (np.array([0.0, 1e7]), *(np.array([p, p]) for p in pole))
    for record, orbit in zip(satrecs(elements), revolutions, strict=True):
        satellite = EarthSatellite.from_satrec(record, timescale)
        for k in (0, 40, MIDDLE, 170):
            at = satellite.at(timescale.utc(2024, 11, 1, 12, 0, float(orbit.seconds[k])))
            ground = wgs84.geographic_position_of(at)
            np.testing.assert_allclose(orbit.r_itrf_km[k], at.frame_xyz(itrs).km, atol=ORIENTATION_OF_NOON_KM)
            assert orbit.altitude_km[k] == pytest.approx(ground.elevation.km, abs=ORIENTATION_OF_NOON_KM)
            assert orbit.latitude_deg[k] == pytest.approx(ground.latitude.degrees, abs=1e-4)
            east = (orbit.longitude_deg[k] - ground.longitude.degrees + 180.0) % 360.0 - 180.0
            assert east == pytest.approx(0.0, abs=1e-4)


def test_the_middle_is_the_instant_where_both_frames_meet(
    elements: ElementArray, revolutions: list[Revolution]
) -> None:
    for orbit in revolutions:
        assert orbit.seconds[MIDDLE] == 0.0
        np.testing.assert_array_equal(orbit.r_itrf_km[MIDDLE], orbit.r_itrf_at_instant_km[MIDDLE])
        latitude, longitude, altitude = place(orbit.r_teme_km[MIDDLE], SPAN)
        assert latitude == pytest.approx(orbit.latitude_deg[MIDDLE], abs=SAME_DEG)
        assert longitude == pytest.approx(orbit.longitude_deg[MIDDLE], abs=SAME_DEG)
        assert altitude == pytest.approx(orbit.altitude_km[MIDDLE], abs=ONE_METRE_KM)


def test_the_orbit_closes_and_keeps_its_shape_when_turned(
    elements: ElementArray, revolutions: list[Revolution]
) -> None:
    for mean_motion, orbit in zip(elements["mean_motion_rev_day"], revolutions, strict=True):
        assert orbit.seconds[-1] - orbit.seconds[0] == pytest.approx(86_400 / mean_motion)
        for points in (orbit.r_teme_km, orbit.r_itrf_at_instant_km):
            gap = np.linalg.norm(points[-1] - points[0]) / np.linalg.norm(points, axis=1).max()
            assert gap < CLOSED
        steps = [
            np.linalg.norm(np.diff(points, axis=0), axis=1)
            for points in (orbit.r_teme_km, orbit.r_itrf_at_instant_km)
        ]
        np.testing.assert_allclose(*steps, rtol=1e-9)


def test_an_eccentric_orbit_is_smooth_at_its_perigee(
    elements: ElementArray, revolutions: list[Revolution]
) -> None:
    turns = []
    for orbit in revolutions:
        towards = np.diff(orbit.r_teme_km, axis=0)
        towards /= np.linalg.norm(towards, axis=1, keepdims=True)
        cosine = np.einsum("ni,ni->n", towards[1:], towards[:-1])
        turns.append(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())
    # 2 degrees are a circle's; at the perigee 2 / sqrt(1 - e^2) are due, and 1 / (1 - e) times that at even
    # steps of time: 9 degrees for an eccentricity of 0.7.
    assert max(turns) < 4.0
    assert min(turns) < 2.1


def test_altitudes_of_a_known_orbit() -> None:
    # Geostationary: 35,786 km above the equator (CCSDS, ITU: 42,164 km from the centre).
    assert apsides_km(1.0027379, 0.0) == pytest.approx((35_786.0, 35_786.0), abs=1.0)


def test_an_object_that_decays_has_gaps(elements: ElementArray) -> None:
    decaying = elements[:1].copy()
    decaying["epoch_jd"], decaying["epoch_day_fraction"] = SPAN.start_jd, SPAN.start_day_fraction
    decaying["eccentricity"], decaying["mean_motion_rev_day"] = 1e-3, 16.9
    decaying["bstar_per_earth_radius"] = 0.2
    objects = Propagator(decaying, SPAN)
    error, r_km, v_km_s = objects.on_grid(np.zeros(1))
    assert not error.any()
    orbit = revolution(objects, 0, r_km[0, :, 0], v_km_s[0, :, 0], period_s(16.9))
    known = np.isfinite(orbit.latitude_deg)
    assert known[MIDDLE]
    assert not known.all()
    np.testing.assert_array_equal(known, np.isfinite(orbit.r_itrf_km).all(axis=1))
