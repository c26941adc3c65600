"""Each visit of a slow pair is one row with its own times, whatever else the pair does in the window."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble, screen_catalogue
from screening.search.all_pairs.plan import cut, task_members
from screening.search.all_pairs.screen import screen_window
from screening.search.few_objects.from_ephemeris import screen_on_ephemeris
from screening.search.few_objects.primary import screen_by_fine_stage, screen_primaries
from screening.search.results import Screening
from storage.disk.ephemeris import place_ephemeris
from storage.disk.ephemeris_states import read_ephemeris, stage_ephemeris
from tests.screening.oracle import closest, distances_km, minima, prepared
from tests.screening.planting import Crossing, circular_km_s, two_objects
from tests.screening.visits_oracle import Visit, slow_pairs, visits

FloatArray = npt.NDArray[np.float64]

AT = np.datetime64("2024-11-01T12:00:00", "us")
LOW_KM, RING_KM = 7200.0, 42_164.0
UP = np.array([0.7442, 0.6202, 0.2481])
PAIR = np.array([[0], [1]])

ONE_SECOND = 1.0
# A border is found to 1 ms. The kernels of the search are within 1 mm of python-sgp4, most of them within 1
# um, which moves the border of a pair at 0.1 mm/s by 10 ms.
BORDER_S = 0.01
ONE_MILLIMETRE_KM = 1e-6
# Curves between stored states are some 10 m off, which a pair at 5 m/s flies in 2 s.
ON_A_CURVE_S = 10.0


def _neighbours(apart_km: list[float], drift_m_s: list[float], radius_km: float = LOW_KM) -> ElementArray:
    """Return two objects, place and motion of the second given in the turning RTN frame of the first."""
    up = UP / np.linalg.norm(UP)
    across = np.cross(up, np.cross([0.3, -0.2, 1.0], up))
    across /= np.linalg.norm(across)
    rtn = np.stack([up, np.cross(across, up), across], axis=1)
    speed_km_s = circular_km_s(radius_km)
    r, v, apart = radius_km * rtn[:, 0], speed_km_s * rtn[:, 1], rtn @ np.array(apart_km)
    turning = np.cross(speed_km_s / radius_km * rtn[:, 2], apart)
    return two_objects(AT, Crossing(r, v, r + apart, v + turning + rtn @ (1e-3 * np.array(drift_m_s))))


@pytest.fixture(scope="module")
def swinging() -> ElementArray:
    """Return a pair that swings between 2 and 14 km once per revolution, at 6 m/s where it is closest.

    Every maximum is some 0.5 km lower than the one before.
    """
    return _neighbours([0.0, 15.0, 0.0], [3.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def crossing_over() -> ElementArray:
    """Return a pair that has minima on both sides of its orbit, of 8 to 10.5 m/s."""
    return _neighbours([0.0, 15.0, 0.0], [3.0, 0.3, 8.0])


def _from(seconds: float, hours: float) -> TimeWindow:
    return window(AT + np.timedelta64(round(seconds * 1e6), "us"), hours)


def _slow(screening: Screening) -> EncounterArray:
    rows = screening.encounters[screening.encounters["slow"]]
    return np.sort(rows, order=["primary_index", "secondary_index", "inside_from_s"])


def _assert_the_visits(
    rows: EncounterArray, expected: list[Visit], border_s: float = BORDER_S, tca_s: float = ONE_SECOND
) -> None:
    assert [(row["primary_index"], row["secondary_index"]) for row in rows] == [(v.i, v.j) for v in expected]
    for row, visit in zip(rows, expected, strict=True):
        assert row["inside_from_s"] == pytest.approx(visit.from_s, abs=border_s), visit
        assert row["inside_to_s"] == pytest.approx(visit.to_s, abs=border_s), visit
        assert row["miss_distance_km"] == pytest.approx(min(visit.depths_km), abs=ONE_MILLIMETRE_KM), visit
        # Two minima of a visit may be equally deep, to the millimetre.
        deepest = np.array(visit.depths_km) < min(visit.depths_km) + ONE_MILLIMETRE_KM
        assert np.abs(np.array(visit.points_s)[deepest] - row["tca_s"]).min() < tca_s, visit


def _assert_agree(elements: ElementArray, span: TimeWindow, threshold_km: float) -> list[Visit]:
    expected = visits(elements, span, threshold_km, PAIR, step_s=20.0)
    _assert_the_visits(_slow(screen_catalogue(elements, span, threshold_km)), expected)
    return expected


def _top_km(elements: ElementArray, span: TimeWindow, around_s: float) -> float:
    """Return the largest distance of the two within a minute of a time, to 1e-9 km."""
    times_s = around_s + np.linspace(-60.0, 60.0, 12_001)
    return float(distances_km(prepared(elements), span, np.tile(PAIR, len(times_s)), times_s).max())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("most_inclined_deg", "least"), [(0.06, 300), pytest.param(180.0, 550, marks=pytest.mark.slow)]
)
def test_geostationary_objects_over_two_weeks(
    real_elements: ElementArray, most_inclined_deg: float, least: int
) -> None:
    """Two satellites that are within 10 km twice a day, for an hour, were one row, "inside" for two weeks."""
    day = real_elements["mean_motion_rev_day"]
    high = (day > 0.9) & (day < 1.1) & (real_elements["eccentricity"] < 0.1)
    some = real_elements[high & (real_elements["inclination_deg"] < most_inclined_deg)]
    span = window(np.datetime64("2024-11-01T00:00:00", "us"), 14 * 24.0)
    found = screen_catalogue(some, span, 20.0)
    together = {(int(row["primary_index"]), int(row["secondary_index"])) for row in found.proximities}
    assert len(together) <= 1
    expected = [
        visit
        for visit in visits(some, span, 20.0, slow_pairs(some, span, 20.0))
        if (visit.i, visit.j) not in together
    ]
    assert len(expected) > least
    assert len({(visit.i, visit.j) for visit in expected}) < len(expected) / 5
    _assert_the_visits(_slow(found), expected, ONE_SECOND)


def test_each_visit_is_a_row(swinging: ElementArray) -> None:
    assert len(_assert_agree(swinging, _from(0.0, 6.0), 10.0)) == 4


def test_minima_without_an_exit_between_them_are_one_visit(swinging: ElementArray) -> None:
    span = _from(0.0, 6.0)
    (visit,) = _assert_agree(swinging, span, 20.0)
    assert len(visit.points_s) == 5  # four minima and the end
    assert (visit.from_s, visit.to_s) == (0.0, span.seconds)


@pytest.mark.parametrize("outside_s", [0.5, 3.0, 20.0, 55.0])
@pytest.mark.parametrize("start_s", [0.0, 13.0, 37.0])
def test_visits_that_are_seconds_apart(swinging: ElementArray, outside_s: float, start_s: float) -> None:
    """A minute's samples see nothing of the time outside."""
    span = _from(start_s, 5.5)
    times_s = 12_125.0 - start_s
    top_km = _top_km(swinging, span, times_s)
    low_km = distances_km(
        prepared(swinging), span, np.tile(PAIR, 3), times_s + np.array([-200.0, 0.0, 200.0])
    )
    bend_km_s2 = (2 * low_km[1] - low_km[0] - low_km[2]) / 200.0**2
    expected = _assert_agree(swinging, span, top_km - bend_km_s2 * outside_s**2 / 8)
    assert len(expected) == 3
    assert expected[2].from_s - expected[1].to_s == pytest.approx(outside_s, rel=0.05)
    assert len(_assert_agree(swinging, span, top_km + ONE_MILLIMETRE_KM)) == 2


@pytest.mark.parametrize("beside_s", [15.0, 30.0, 59.0])
def test_a_visit_of_seconds_at_an_edge_of_the_window(beside_s: float) -> None:
    """The pair is outside for 16 s, between the last minute's samples: the edge is a visit of its own."""
    swinging = _neighbours([0.0, 15.0, 0.0], [0.2, 0.0, 0.0], RING_KM)
    times_s = np.linspace(0.0, 172_800.0, 2881)
    distance = distances_km(prepared(swinging), _from(0.0, 48.0), np.tile(PAIR, len(times_s)), times_s)
    middle = 1 + int(np.flatnonzero((distance[1:-1] > distance[:-2]) & (distance[1:-1] > distance[2:]))[-1])
    fine_s = np.linspace(times_s[middle - 1], times_s[middle + 1], 12_001)
    distance = distances_km(prepared(swinging), _from(0.0, 48.0), np.tile(PAIR, len(fine_s)), fine_s)
    top_s, threshold_km = float(fine_s[distance.argmax()]), float(distance.max()) - ONE_MILLIMETRE_KM
    for span, edge in ((_from(0.0, (top_s + beside_s) / 3600.0), -1), (_from(top_s - beside_s, 20.0), 0)):
        expected = visits(swinging, span, threshold_km, PAIR, step_s=5.0)
        assert len(expected) >= 2
        assert 5.0 < expected[edge].to_s - expected[edge].from_s < beside_s - 5.0
        _assert_the_visits(_slow(screen_catalogue(swinging, span, threshold_km)), expected, ONE_SECOND)


@pytest.mark.parametrize("inside_km", [1e-8, 1e-6, 1e-4])
def test_a_visit_that_grazes_the_threshold(swinging: ElementArray, inside_km: float) -> None:
    span = _from(1800.0, 0.5)
    deepest = closest(swinging, span, 3068.0 - 1800.0, 100.0)
    expected = _assert_agree(swinging, span, deepest.miss_km + inside_km)
    assert len(expected) == 1
    assert 0.01 < expected[0].to_s - expected[0].from_s < 60.0
    assert len(screen_catalogue(swinging, span, deepest.miss_km - ONE_MILLIMETRE_KM).encounters) == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("start_s", [-1500.0, 500.0, 2000.0, 3068.0, 4000.0])
@pytest.mark.parametrize("hours", [0.1, 0.7, 1.7])
def test_visits_cut_by_the_edges_of_the_window(swinging: ElementArray, start_s: float, hours: float) -> None:
    _assert_agree(swinging, _from(start_s, hours), 10.0)


def test_a_minimum_above_10_m_s_in_a_slow_visit_keeps_its_own_row(crossing_over: ElementArray) -> None:
    span = _from(0.0, 6.0)
    expected = _assert_agree(crossing_over, span, 9.2)
    found = screen_catalogue(crossing_over, span, 9.2).encounters
    fast = found[~found["slow"]]
    naive = [m for m in minima(crossing_over, span, 9.2) if m.speed_km_s >= 0.01]
    assert fast["tca_s"].tolist() == pytest.approx([m.tca_s for m in naive], abs=ONE_SECOND)
    inside = [[m for m in naive if visit.from_s < m.tca_s < visit.to_s] for visit in expected]
    assert [len(some) for some in inside] == [1, 0]
    assert len(naive) == 2  # the other one is alone in its time inside: no visit
    assert len(expected[1].points_s) == 2


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("blocks", "windows"), [(1, 2), (1, 13), (2, 1), (2, 7)])
@pytest.mark.parametrize("threshold_km", [8.0, 13.6, 20.0])
def test_however_the_window_and_the_pair_are_cut(
    swinging: ElementArray, blocks: int, windows: int, threshold_km: float
) -> None:
    """A visit of hours lies in many tasks, and its objects in two blocks."""
    span = _from(0.0, 6.0)
    whole = screen_catalogue(swinging, span, threshold_km)
    made = cut(span.seconds, blocks, windows)
    parts = []
    for task in made.tasks:
        members, sides = task_members(len(swinging), made, task)
        chosen = swinging[members]
        parts.append(
            screen_window(chosen, span, task.begin_s, task.end_s, threshold_km, sides, numbers=members)
        )
    _assert_same_rows(assemble(swinging, span, threshold_km, parts[::-1]), whole)


@pytest.mark.parametrize("threshold_km", [8.0, 13.6, 20.0])
@pytest.mark.parametrize("search", [screen_primaries, screen_by_fine_stage])
def test_the_search_around_one_object_finds_the_same_visits(search, swinging, threshold_km) -> None:  # type: ignore[no-untyped-def]
    span = _from(0.0, 6.0)
    found = search(swinging, Propagator(swinging, span), threshold_km, np.array([1], np.int32))
    _assert_same_rows(found, screen_catalogue(swinging, span, threshold_km))


@pytest.mark.slow
def test_the_search_in_an_ephemeris_finds_the_same_visits(swinging: ElementArray, tmp_path: Path) -> None:
    span = _from(0.0, 6.0)
    place_ephemeris(tmp_path, stage_ephemeris(tmp_path, swinging, span.start, 24.0), "run")
    primaries = np.array([1], np.int32)
    found = _slow(screen_on_ephemeris(swinging, read_ephemeris(tmp_path, "run"), span, 10.0, primaries))
    expected = _slow(screen_catalogue(swinging, span, 10.0))
    assert len(found) == len(expected) > 2
    for field in ("inside_from_s", "inside_to_s"):
        assert found[field] == pytest.approx(expected[field], abs=ON_A_CURVE_S)


def _assert_same_rows(found: Screening, expected: Screening) -> None:
    rows, expected_rows = _slow(found), _slow(expected)
    assert len(rows) == len(expected_rows) > 0
    for field in ("inside_from_s", "inside_to_s"):
        assert rows[field] == pytest.approx(expected_rows[field], abs=BORDER_S)
    assert rows["miss_distance_km"] == pytest.approx(expected_rows["miss_distance_km"], abs=ONE_MILLIMETRE_KM)
