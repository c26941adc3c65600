"""Orbits and pairs that are hard on a search: each planted or real, each against the naive one."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.all_pairs.low_grid import LOW_ZONE_RADIUS_KM
from tests.screening.agreement import (
    DEFECT_OF_DECAYING_KM_S,
    FIVE_CENTIMETRES_KM,
    SLOW_KM_S,
    assert_the_same_fast_ones,
    tca_tolerance_s,
)
from tests.screening.geometries import X, Y, Z, at_radius, unit
from tests.screening.oracle import FloatArray, closest, minima, path, prepared
from tests.screening.planting import (
    MU_KM3_S2,
    Crossing,
    circular_km_s,
    crossing,
    element_set,
    two_objects,
)

AT = np.datetime64("2024-11-01T12:00:00", "us")
THRESHOLD_KM = 10.0
MISS_KM = 9.99  # who is tested by too narrow a margin is lost first when it is far away
GEOSTATIONARY_KM = 42_164.0

ONE_METRE_KM = 1e-3


def _window_before(at: np.datetime64, seconds: float, hours: float) -> TimeWindow:
    return window(at - np.timedelta64(round(seconds * 1e6), "us"), hours)


def _assert_planted_is_found(
    elements: ElementArray, at: np.datetime64, before_s: float, threshold_km: float = THRESHOLD_KM
) -> None:
    """Find an approach at an instant, once, in a window that begins `before_s` earlier."""
    span = _window_before(at, before_s, 2.0)
    true = closest(elements, span, before_s)
    assert true.miss_km < threshold_km
    found = screen_catalogue(elements, span, threshold_km)
    assert not found.failures
    rows = found.encounters[np.abs(found.encounters["tca_s"] - true.tca_s) < tca_tolerance_s(true)]
    assert len(rows) == 1
    assert rows["miss_distance_km"][0] == pytest.approx(true.miss_km, abs=FIVE_CENTIMETRES_KM)


# Where in its step and interval an approach lies: in the middle, at borders, and between.
MOMENTS_S = [3300.0, 3000.0, 3075.0, 3150.0, 3451.7]


# --- eccentricity 0.9 ---------------------------------------------------------------------------------------


def _orbit(
    norad_id: int,
    perigee_km: float,
    eccentricity: float,
    inclination_deg: float,
    perigee_deg: float,
    node_deg: float = 0.0,
    anomaly_deg: float = 0.0,
) -> ElementArray:
    """Return an element set with epoch `AT`; far from circles nothing iterates to a given state."""
    elements = element_set(AT, 7000.0 * X, circular_km_s(7000.0) * unit(Y + Z), norad_id)
    a_km = perigee_km / (1.0 - eccentricity)
    elements["mean_motion_rev_day"] = np.sqrt(MU_KM3_S2 / a_km**3) * 86400.0 / (2.0 * np.pi)
    elements["eccentricity"] = eccentricity
    elements["inclination_deg"] = inclination_deg
    elements["raan_deg"] = node_deg
    elements["argument_of_perigee_deg"] = perigee_deg
    elements["mean_anomaly_deg"] = anomaly_deg
    return elements


def _crosser(elements: ElementArray, at: np.datetime64, turn_deg: float, speed: float = 1.0) -> ElementArray:
    """Return an object that meets another at an instant, at an angle, by default on a circle."""
    span = window(at, 1.0)
    before, r = path(prepared(elements)[0], span, np.array([-0.02, 0.0]))
    v = (r - before) / 0.02
    up = unit(r)
    along = unit(v - (v @ up) * up)
    turn = np.radians(turn_deg)
    direction = np.cos(turn) * along + np.sin(turn) * np.cross(up, along)
    v_other = speed * circular_km_s(float(np.linalg.norm(r))) * direction
    number = int(elements["norad_id"][0]) + 1
    return element_set(at, crossing(r, v, v_other, MISS_KM, 0.9).r2_km, v_other, number)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("after_perigee_s", [0.0, 300.0, -900.0, 2500.0, -9000.0, 60_000.0])
@pytest.mark.parametrize("inclination_deg", [28.0, 63.4, 140.0])
def test_eccentricity_of_0_9_against_a_circle(after_perigee_s: float, inclination_deg: float) -> None:
    """At its perigee of 7,000 km, on its way out and back, and at 90,000 km."""
    eccentric = _orbit(1, 7000.0, 0.9, inclination_deg, 40.0)
    at = AT + np.timedelta64(round(after_perigee_s * 1e6), "us")
    elements = np.concatenate([eccentric, _crosser(eccentric, at, 73.0)])
    for before_s in MOMENTS_S:
        _assert_planted_is_found(elements, at, before_s)


def test_head_on_at_the_perigee_of_eccentricity_0_9() -> None:
    """Nobody bound meets much faster so low."""
    one = _orbit(1, 7000.0, 0.9, 50.0, 90.0)
    other = _crosser(one, AT, 179.9, 1.25)
    assert other["eccentricity"][0] > 0.5
    elements = np.concatenate([one, other])
    assert closest(elements, _window_before(AT, 3000.0, 2.0), 3000.0).speed_km_s > 18.0
    for before_s in MOMENTS_S:
        _assert_planted_is_found(elements, AT, before_s)


# --- retrograde ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius_km", [6800.0, LOW_ZONE_RADIUS_KM + 1.0])
@pytest.mark.parametrize("inclination_deg", [180.0, 179.999, 178.0, 100.0])
def test_retrograde_against_the_equator(radius_km: float, inclination_deg: float) -> None:
    """SGP4 divides by 1 + cos i; the pair meets twice a revolution, head-on at 180 degrees."""
    r = at_radius(X + Y, radius_km)
    east = unit(np.cross(Z, r))
    tilt = np.radians(inclination_deg)
    speed = circular_km_s(radius_km)
    other = speed * (np.cos(tilt) * east + np.sin(tilt) * Z)
    elements = two_objects(AT, crossing(r, speed * east, other, MISS_KM, 0.4))
    assert elements["inclination_deg"][1] == pytest.approx(inclination_deg, abs=0.2)
    for before_s in MOMENTS_S:
        _assert_planted_is_found(elements, AT, before_s)


@pytest.mark.parametrize("radius_km", [20_000.0, GEOSTATIONARY_KM])
@pytest.mark.parametrize("inclination_deg", [180.0, 179.99, 175.0, 120.0])
def test_high_retrograde(radius_km: float, inclination_deg: float) -> None:
    retrograde = _orbit(1, radius_km, 0.0002, inclination_deg, 10.0, 200.0, 30.0)
    elements = np.concatenate([retrograde, _crosser(retrograde, AT, 73.0)])
    for before_s in MOMENTS_S:
        _assert_planted_is_found(elements, AT, before_s)


# --- slow passes: bending decides ---------------------------------------------------------------------------


def _radially_600_m_s(r: FloatArray, along: FloatArray, turn_rad: float) -> Crossing:
    up, speed = unit(r), circular_km_s(float(np.linalg.norm(r)))
    v_rising, v_falling = speed * along + 0.3 * up, speed * along - 0.3 * up
    return crossing(r, v_rising, v_falling, MISS_KM, turn_rad)


def _along_600_m_s(r: FloatArray, along: FloatArray, turn_rad: float) -> Crossing:
    speed = circular_km_s(float(np.linalg.norm(r)))
    return crossing(r, speed * along, (speed + 0.6) * along, MISS_KM, turn_rad)


@pytest.mark.parametrize(
    "pass_", [_radially_600_m_s, _along_600_m_s], ids=["rising and falling", "overtaking"]
)
@pytest.mark.parametrize("turn_rad", [0.0, 0.7, np.pi / 2], ids=["radial", "between", "out of plane"])
@pytest.mark.parametrize(
    "radius_km", [6800.0, 7400.0, LOW_ZONE_RADIUS_KM - 5.0, LOW_ZONE_RADIUS_KM + 5.0, 26_560.0]
)
def test_co_planar_passes_at_600_m_s(pass_: object, turn_rad: float, radius_km: float) -> None:
    """In half a step such a pair comes 45 km nearer, and gravity bends the way by the same order as a pad."""
    assert callable(pass_)
    r = at_radius(X - 2 * Y + Z, radius_km)
    states = pass_(r, unit(np.cross(r, X)), turn_rad)
    assert states.relative_speed_km_s == pytest.approx(0.6, abs=1e-6)
    elements = two_objects(AT, states)
    for before_s in MOMENTS_S:
        _assert_planted_is_found(elements, AT, before_s)


def test_geostationary_pairs_at_5_m_s() -> None:
    """They cross at their nodes, at 5 m/s: a visit each time, as faster ones are rows of their own."""
    speeds_m_s = (0.0, 5.0, 12.0, 50.0, 200.0)
    ring = [
        _orbit(1 + k, GEOSTATIONARY_KM, 1e-4, 0.05 + np.degrees(speed / 3075.0), 70.0 * k, 200.0, -70.0 * k)
        for k, speed in enumerate(speeds_m_s)
    ]
    elements = np.concatenate(ring)
    span = _window_before(AT, 9000.7, 24.0)
    found = screen_catalogue(elements, span, THRESHOLD_KM)
    naive = minima(elements, span, THRESHOLD_KM)
    assert assert_the_same_fast_ones(found.encounters, naive, THRESHOLD_KM, span) > 5
    expected = sorted((m.i, m.j, m.tca_s, m.miss_km) for m in naive if m.speed_km_s < SLOW_KM_S)
    assert [pair for *pair, _, _ in expected].count([0, 1]) == 2
    slow = found.encounters[found.encounters["slow"]]
    columns = ("primary_index", "secondary_index", "tca_s", "miss_distance_km")
    visits = sorted(zip(*(slow[name].tolist() for name in columns), strict=True))
    assert [visit[:2] for visit in visits] == [visit[:2] for visit in expected]
    for visit, naive_one in zip(visits, expected, strict=True):
        assert visit[3] == pytest.approx(naive_one[3], abs=ONE_METRE_KM)


# --- equal element sets -------------------------------------------------------------------------------------


def test_equal_element_sets_are_proximities_and_meet_others_alike() -> None:
    """Five numbers for one element set, and one object that crosses it."""
    r = at_radius(Y - Z, 7000.0)
    speed = circular_km_s(7000.0)
    along = unit(np.cross(r, X))
    states = crossing(r, speed * along, speed * X, 2.0)
    one, other = np.split(two_objects(AT, states), 2)
    five = np.repeat(one, 5)
    five["norad_id"] = [3, 5, 8, 13, 21]
    other["norad_id"] = 9
    elements = np.sort(np.concatenate([five, other]), order="norad_id")
    span = _window_before(AT, 4000.0, 5.0)
    found = screen_catalogue(elements, span, THRESHOLD_KM)
    assert len(found.proximities) == 10
    assert found.proximities["same_elements"].all()
    crosser = int(np.flatnonzero(elements["norad_id"] == 9)[0])
    rows = found.encounters
    assert ((rows["primary_index"] == crosser) | (rows["secondary_index"] == crosser)).all()
    single = screen_catalogue(np.concatenate([one, other]), span, THRESHOLD_KM).encounters
    assert len(single) > 0
    assert len(rows) == 5 * len(single)
    assert np.sort(rows["miss_distance_km"]) == pytest.approx(
        np.sort(np.repeat(single["miss_distance_km"], 5)), abs=1e-6
    )


# --- decay --------------------------------------------------------------------------------------------------


def test_an_object_that_fails_after_ten_hours_keeps_what_it_met_before() -> None:
    """Partners meet it after 1, 5, 9 and 9.9 hours; it is counted as failed once."""
    r = at_radius(0.6 * X + 0.8 * Z, 6560.0)
    falling = element_set(AT, r, circular_km_s(6560.0) * Y, 1, bstar=0.0148)
    span = window(AT, 16.0)
    hours = (1.0, 5.0, 9.0, 9.9)
    index = np.zeros(len(hours), np.int32)
    _, at_r, at_v = Propagator(falling, span).at(index, 3600.0 * np.array(hours))
    partners = []
    for k, hour in enumerate(hours):
        up = unit(at_r[k])
        across = np.cross(up, unit(at_v[k]))
        states = crossing(at_r[k], at_v[k], 8.6 * across, 1.0 + k)
        at = AT + np.timedelta64(round(hour * 3.6e9), "us")
        partners.append(element_set(at, states.r2_km, 8.6 * across, 10 + k))
    elements = np.concatenate([falling, *partners])
    found = screen_catalogue(elements, span, THRESHOLD_KM)
    assert list(found.failures) == [0]
    fails_s = found.failures[0].first_s
    assert 10.0 < fails_s / 3600.0 < 10.8
    naive = [m for m in minima(elements, span, THRESHOLD_KM) if m.i == 0]
    with_falling = found.encounters[found.encounters["primary_index"] == 0]
    assert assert_the_same_fast_ones(with_falling, naive, THRESHOLD_KM, span) >= len(hours)
    assert (with_falling["tca_s"] < fails_s).all()


# --- the curves that err most -------------------------------------------------------------------------------

# COSMOS 1024 (e = 0.71): 21 km; two decaying low ones: 2.5 and 2.1 km.
WORST_CURVES = (10970, 55876, 48727)


@pytest.fixture(scope="module")
def worst_curves(real_elements: ElementArray) -> ElementArray:
    some: ElementArray = real_elements[np.isin(real_elements["norad_id"], WORST_CURVES)]
    assert len(some) == len(WORST_CURVES)
    return some


@pytest.mark.parametrize("number", WORST_CURVES)
@pytest.mark.parametrize("threshold_km", [0.1, 10.0])
def test_the_curves_that_err_most(worst_curves: ElementArray, number: int, threshold_km: float) -> None:
    """At every tenth of an interval, where the curve may be kilometres off, somebody crosses the object."""
    one = worst_curves[worst_curves["norad_id"] == number]
    span = window(np.datetime64("2024-11-01T03:07:11", "us"), 9.0)
    times_s = 2000.0 + np.arange(40) * 660.0 + 7.0
    _, r, v = Propagator(one, span).at(np.zeros(len(times_s), np.int32), times_s)
    partners = []
    for k, at_s in enumerate(times_s.tolist()):
        across = np.cross(r[k], v[k])
        radius_km = float(np.linalg.norm(r[k]))
        partners.append(
            element_set(
                span.start + np.timedelta64(round(at_s * 1e6), "us"),
                crossing(r[k], v[k], circular_km_s(radius_km) * unit(across), 0.9 * threshold_km).r2_km,
                circular_km_s(radius_km) * unit(across),
                90_000 + k,
            )
        )
    elements = np.concatenate([one, *partners])
    naive = [m for m in minima(elements, span, threshold_km) if m.i == 0]
    found = screen_catalogue(elements, span, threshold_km)
    rows = found.encounters[found.encounters["primary_index"] == 0]
    defect_km_s = DEFECT_OF_DECAYING_KM_S
    assert assert_the_same_fast_ones(rows, naive, threshold_km, span, defect_km_s) >= len(times_s)


def test_the_curves_that_err_most_among_real_objects(
    worst_curves: ElementArray, real_elements: ElementArray
) -> None:
    """Among two hundred others that are as high as two of the three are, all approaches below 100 km."""
    span = window(np.datetime64("2024-11-01T05:31:02.5", "us"), 6.0)
    _, r, _ = Propagator(real_elements, span).on_grid(np.zeros(1))
    radius_km = np.linalg.norm(r[0], axis=0)
    worst = np.isin(real_elements["norad_id"], WORST_CURVES)
    low_km = radius_km[worst & (radius_km < LOW_ZONE_RADIUS_KM)]
    near = np.flatnonzero((np.abs(radius_km[:, None] - low_km) < 60.0).any(axis=1) & ~worst)
    chosen = np.sort(np.concatenate([near[:: max(1, len(near) // 200)], np.flatnonzero(worst)]))
    elements = real_elements[chosen]
    naive = minima(elements, span, 100.0)
    rows = screen_catalogue(elements, span, 100.0).encounters
    assert assert_the_same_fast_ones(rows, naive, 100.0, span, DEFECT_OF_DECAYING_KM_S) > 50
    hard = np.isin(chosen, np.flatnonzero(worst))
    assert (hard[rows["primary_index"]] | hard[rows["secondary_index"]]).any()
