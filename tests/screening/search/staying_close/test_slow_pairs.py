"""Visits slower than 10 m/s, and pairs that stay together: one row each, whatever they do."""

import numpy as np
import pytest

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.results import Screening
from tests.screening.oracle import FloatArray, closest, distances_km, minima, prepared
from tests.screening.planting import Crossing, circular_km_s, two_objects

AT = np.datetime64("2024-11-01T12:00:00", "us")
RING_KM = 42_164.0
UP, ALONG, ACROSS = np.array([[-0.6, 0.8, 0.0], [-0.78, -0.585, 0.222], [0.1776, 0.1332, 0.975]])

ONE_METRE_KM = 1e-3
ONE_MILLIMETRE_KM = 1e-6
# python-sgp4 solves Kepler's equation to 1e-12 rad, 1e-8 km: the oracle knows when a pair that passes 12 km
# off at 11 m/s is closest to some tenths of a second.
NOISE_S = 0.5
# A border is found to 1 ms, in which a pair at 10 m/s changes its distance by 10 mm.
BORDER_KM = 1e-5


def _neighbours(relative_v_km_s: FloatArray, apart_km: FloatArray) -> ElementArray:
    """Return two objects of the geosynchronous ring with the given relative state at `AT`."""
    along = np.cross(np.cross(UP, ALONG), UP)
    along /= np.linalg.norm(along)
    v = circular_km_s(RING_KM) * along
    r = RING_KM * UP / np.linalg.norm(UP)
    return two_objects(AT, Crossing(r, v, r + apart_km, v + relative_v_km_s))


@pytest.fixture(scope="module")
def passing() -> ElementArray:
    """Return a pair that passes 3 km off at 3 m/s, closest at `AT`."""
    return _neighbours(0.003 * ACROSS / np.linalg.norm(ACROSS), 3.0 * UP / np.linalg.norm(UP))


def _from(hours_after: float, hours: float) -> TimeWindow:
    return window(AT + np.timedelta64(round(hours_after * 3.6e9), "us"), hours)


def _distances(elements: ElementArray, span: TimeWindow, times_s: list[float]) -> FloatArray:
    pairs = np.tile([[0], [1]], len(times_s))
    return distances_km(prepared(elements), span, pairs, np.array(times_s))


def _only(encounters: EncounterArray) -> np.void:
    assert len(encounters) == 1
    row: np.void = encounters[0]
    return row


def test_a_slow_minimum_is_one_row_with_its_time_inside(passing: ElementArray) -> None:
    span = _from(-3.0, 6.0)
    row = _only(screen_catalogue(passing, span, 20.0).encounters)
    true = closest(passing, span, 3 * 3600.0, 600.0)
    assert row["slow"]
    assert row["miss_distance_km"] == pytest.approx(true.miss_km, abs=ONE_METRE_KM)
    assert 0.0 < row["inside_from_s"] < row["tca_s"] < row["inside_to_s"] < span.seconds
    borders = _distances(passing, span, [row["inside_from_s"], row["inside_to_s"]])
    assert borders == pytest.approx([20.0, 20.0], abs=BORDER_KM)


def test_a_pair_that_moves_away_from_the_start_on(passing: ElementArray) -> None:
    """Inside the threshold without a minimum in the window: the start itself is the deepest point."""
    span = _from(1.0, 1.0)
    row = _only(screen_catalogue(passing, span, 30.0).encounters)
    depth, end = _distances(passing, span, [0.0, span.seconds])
    assert depth < end < 30.0
    assert row["slow"]
    assert row["tca_s"] == 0.0
    assert row["miss_distance_km"] == pytest.approx(depth, abs=ONE_MILLIMETRE_KM)
    assert (row["inside_from_s"], row["inside_to_s"]) == (0.0, span.seconds)


def test_a_pair_that_comes_nearer_until_the_end(passing: ElementArray) -> None:
    span = _from(-2.0, 1.0)
    row = _only(screen_catalogue(passing, span, 15.0).encounters)
    start, depth = _distances(passing, span, [0.0, span.seconds])
    assert start > 15.0 > depth
    assert row["tca_s"] == span.seconds
    assert row["miss_distance_km"] == pytest.approx(depth, abs=ONE_MILLIMETRE_KM)
    assert row["inside_to_s"] == span.seconds
    assert _distances(passing, span, [row["inside_from_s"]]) == pytest.approx([15.0], abs=BORDER_KM)


def test_outside_the_threshold_at_the_edge_there_is_no_row(passing: ElementArray) -> None:
    span = _from(1.0, 1.0)
    depth = _distances(passing, span, [0.0])[0]
    assert len(screen_catalogue(passing, span, depth - ONE_METRE_KM).encounters) == 0
    assert len(screen_catalogue(passing, span, depth + ONE_METRE_KM).encounters) == 1


def test_a_fast_pair_at_the_edge_makes_no_row() -> None:
    """Its minimum lies outside the window: it belongs to another run."""
    fast = _neighbours(0.012 * ACROSS / np.linalg.norm(ACROSS), 3.0 * UP / np.linalg.norm(UP))
    span = _from(0.05, 1.0)
    assert _distances(fast, span, [0.0])[0] < 10.0
    assert len(screen_catalogue(fast, span, 10.0).encounters) == 0
    assert len(screen_catalogue(fast, _from(-0.05, 1.0), 10.0).encounters) == 1


def test_minima_on_either_side_of_10_m_s(real_elements: ElementArray, real_day: TimeWindow) -> None:
    """Slow minima of a visit share a row, which is the deepest of them; the faster ones keep their own."""
    pair = real_elements[np.isin(real_elements["norad_id"], (60566, 60568))]
    rows = screen_catalogue(pair, real_day, 10.0).encounters
    naive = minima(pair, real_day, 10.0)
    expected_fast = [m for m in naive if m.speed_km_s >= 0.01]
    expected_slow = [m for m in naive if m.speed_km_s < 0.01]
    assert len(expected_fast) == 1
    assert len(expected_slow) > 1
    fast = rows[~rows["slow"]]
    assert len(fast) == len(expected_fast)
    row = _only(rows[rows["slow"]])
    deepest = min(expected_slow, key=lambda m: m.miss_km)
    assert row["miss_distance_km"] == pytest.approx(deepest.miss_km, abs=ONE_METRE_KM)
    assert row["inside_from_s"] <= min(m.tca_s for m in expected_slow)
    assert row["inside_to_s"] >= max(m.tca_s for m in expected_slow)


@pytest.fixture(scope="module")
def drifting(real_elements: ElementArray) -> ElementArray:
    """Return Zarya and Nauka: docked, but their element sets drift apart by 33 km in seven days."""
    both: ElementArray = real_elements[np.isin(real_elements["norad_id"], (25544, 49044))]
    return both


@pytest.fixture(scope="module")
def week() -> TimeWindow:
    return window(np.datetime64("2024-11-01T00:00:00", "us"), 168.0)


def _together(screening: Screening) -> np.void:
    assert len(screening.proximities) == 1
    row: np.void = screening.proximities[0]
    return row


def test_a_proximity_raises_no_alarm_before_it_leaves(drifting: ElementArray, week: TimeWindow) -> None:
    screening = screen_catalogue(drifting, week, 10.0)
    row = _together(screening)
    assert len(minima(drifting, week, 10.0)) > 5
    assert len(screening.encounters) == 0
    assert row["leaves_at_s"] > 86400.0
    assert _distances(drifting, week, [row["leaves_at_s"]]) == pytest.approx([10.0], abs=BORDER_KM)
    minutes_s = np.arange(0.0, week.seconds + 1.0, 60.0).tolist()
    distance = _distances(drifting, week, minutes_s)
    assert row["max_distance_km"] == pytest.approx(distance.max(), abs=ONE_METRE_KM)
    assert row["min_distance_km"] <= distance.min() + ONE_MILLIMETRE_KM
    assert not row["same_elements"]


def test_the_minima_of_a_proximity_count_once_it_has_left(
    real_elements: ElementArray, week: TimeWindow
) -> None:
    """56153 and 56154 fly together for two days and then meet every 95 minutes at 11 m/s and more."""
    pair = real_elements[np.isin(real_elements["norad_id"], (56153, 56154))]
    screening = screen_catalogue(pair, week, 15.0)
    leaves_s = _together(screening)["leaves_at_s"]
    naive = minima(pair, week, 15.0)
    afterwards = [m.tca_s for m in naive if m.tca_s >= leaves_s]
    assert 2 * 86400.0 < leaves_s < 3 * 86400.0
    assert len(afterwards) > 5
    assert len(naive) > 2 * len(afterwards)
    assert screening.encounters["tca_s"].tolist() == pytest.approx(afterwards, abs=NOISE_S)
    assert not screening.encounters["slow"].any()


def test_the_rule_looks_24_hours_ahead_whatever_the_window(
    drifting: ElementArray, real_elements: ElementArray
) -> None:
    """For six hours both pairs stay within 10 km; one of them leaves after half a day."""
    span = window(np.datetime64("2024-11-01T00:00:00", "us"), 6.0)
    assert len(screen_catalogue(drifting, span, 10.0).proximities) == 1
    leaving = _neighbours(8e-5 * np.cross(ACROSS, UP), 3.0 * ACROSS)
    six_hours = _from(0.0, 6.0)
    minutes_s = np.arange(0.0, 86401.0, 60.0)
    beyond = np.flatnonzero(_distances(leaving, six_hours, minutes_s.tolist()) > 10.0)
    assert len(beyond)
    assert minutes_s[beyond[0]] > six_hours.seconds
    screening = screen_catalogue(leaving, six_hours, 10.0)
    assert len(screening.proximities) == 0
    assert _only(screening.encounters)["slow"]


def test_the_same_element_set_under_two_numbers(real_elements: ElementArray, real_day: TimeWindow) -> None:
    twins = np.concatenate([real_elements[1000:1001], real_elements[1000:1001]])
    twins["norad_id"] = [1, 2]
    screening = screen_catalogue(twins, real_day, 10.0)
    row = _together(screening)
    assert row["same_elements"]
    assert (row["min_distance_km"], row["max_distance_km"]) == (0.0, 0.0)
    assert np.isnan(row["leaves_at_s"])
    assert len(screening.encounters) == 0
