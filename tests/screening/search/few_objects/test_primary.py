"""A few primaries against all: the rows of the screening of all against all, and no other."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.few_objects.primary import screen_primaries
from screening.search.results import Screening
from tests.screening.conftest import THRESHOLD_KM
from tests.screening.geometries import GEOMETRIES
from tests.screening.planting import two_objects

# Both refine the same minima on SGP4 itself; Newton's method stops within a microsecond.
TWO_MICROSECONDS_S = 2e-6
ONE_MILLIMETRE_KM = 1e-6
FAST_ENOUGH_KM_S = 0.1
# At 10 m/s the iteration ends up to 0.05 s beside the minimum, depending on where it begins: 0.5 m of way.
A_TENTH_OF_A_SECOND = 0.1
# The deepest point of a slow pair may be either of two equal minima.
ONE_METRE_KM = 1e-3

RANDOM_PRIMARIES = 12
MANY_RANDOM_PRIMARIES = 200


def _with(screening: Screening, primaries: Sequence[int]) -> Screening:
    """Keep the rows that have one of the primaries on either side."""

    def chosen(rows: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        sides = [np.isin(rows[f"{who}_index"], primaries) for who in ("primary", "secondary")]
        return rows[sides[0] | sides[1]]

    return screening._replace(
        encounters=chosen(screening.encounters), proximities=chosen(screening.proximities)
    )


def _assert_same(found: Screening, expected: Screening) -> None:
    order = ["primary_index", "secondary_index", "slow", "tca_s"]
    rows, expected_rows = (np.sort(one.encounters, order=order) for one in (found, expected))
    for field in order[:3]:
        assert np.array_equal(rows[field], expected_rows[field])
    off_s = np.abs(rows["tca_s"] - expected_rows["tca_s"])
    off_km = np.abs(rows["miss_distance_km"] - expected_rows["miss_distance_km"])
    fast, slow = rows["relative_speed_km_s"] > FAST_ENOUGH_KM_S, rows["slow"]
    assert off_s[fast].max(initial=0.0) < TWO_MICROSECONDS_S
    assert off_s[~slow].max(initial=0.0) < A_TENTH_OF_A_SECOND
    assert off_km[~slow].max(initial=0.0) < ONE_MILLIMETRE_KM
    assert off_km[slow].max(initial=0.0) < ONE_METRE_KM
    for border in ("inside_from_s", "inside_to_s"):
        off_s = np.abs(rows[border][slow] - expected_rows[border][slow])
        assert off_s.max(initial=0.0) < A_TENTH_OF_A_SECOND
    assert np.all(np.diff(found.encounters["tca_s"]) >= 0.0)
    for field in ("primary_index", "secondary_index", "same_elements"):
        assert np.array_equal(found.proximities[field], expected.proximities[field])
    assert found.proximities["min_distance_km"] == pytest.approx(
        expected.proximities["min_distance_km"], abs=ONE_MILLIMETRE_KM
    )


def _screened(
    elements: ElementArray, span: TimeWindow, threshold_km: float, primaries: Sequence[int]
) -> Screening:
    chosen = np.array(primaries, np.int32)
    return screen_primaries(elements, Propagator(elements, span), threshold_km, chosen)


def _random(elements: ElementArray, count: int) -> list[int]:
    return np.random.default_rng(41).choice(len(elements), count, replace=False).tolist()


def _assert_each_alone(
    elements: ElementArray, span: TimeWindow, whole: Screening, primaries: Sequence[int]
) -> int:
    """Compare each primary alone; return how many rows there were."""
    propagator, rows = Propagator(elements, span), 0
    for primary in primaries:
        alone = np.array([primary], np.int32)
        found = screen_primaries(elements, propagator, THRESHOLD_KM, alone)
        _assert_same(found, _with(whole, [primary]))
        rows += len(found.encounters)
    return rows


@pytest.mark.slow
def test_random_primaries(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening
) -> None:
    primaries = _random(real_elements, RANDOM_PRIMARIES)
    assert _assert_each_alone(real_elements, real_day, real_screening, primaries) > RANDOM_PRIMARIES


@pytest.mark.slow
def test_many_random_primaries(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening
) -> None:
    primaries = _random(real_elements, MANY_RANDOM_PRIMARIES)
    assert _assert_each_alone(real_elements, real_day, real_screening, primaries) > MANY_RANDOM_PRIMARIES


@pytest.mark.slow
@pytest.mark.parametrize("count", [10, 100])
def test_a_fleet(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening, count: int
) -> None:
    primaries = _random(real_elements, count)
    found = _screened(real_elements, real_day, THRESHOLD_KM, primaries)
    assert len(found.encounters) > count
    _assert_same(found, _with(real_screening, primaries))


@pytest.mark.slow
def test_slow_pairs_and_proximities(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening
) -> None:
    slow = real_screening.encounters[real_screening.encounters["slow"]]
    together = real_screening.proximities
    primaries = np.unique(np.concatenate([slow["secondary_index"], together["primary_index"]])).tolist()
    found = _screened(real_elements, real_day, THRESHOLD_KM, primaries)
    assert found.encounters["slow"].sum() == len(slow)
    assert len(found.proximities) == len(together)
    _assert_same(found, _with(real_screening, primaries))


def test_a_failing_primary(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening
) -> None:
    """An object that decays within the window is used up to there, and an unusable one finds nothing."""
    failing = sorted(real_screening.failures)
    found = _screened(real_elements, real_day, THRESHOLD_KM, failing)
    _assert_same(found, _with(real_screening, failing))
    for primary in failing:
        assert found.failures[primary] == real_screening.failures[primary]


@pytest.mark.parametrize(("hours", "threshold_km"), [(3.3, 100.0), (5.0, 0.1)])
def test_other_thresholds_and_a_window_off_the_grid(
    real_elements: ElementArray, hours: float, threshold_km: float
) -> None:
    some: ElementArray = real_elements[::7]
    span = window(np.datetime64("2024-11-03T05:13:17.25", "us"), hours)
    whole = screen_catalogue(some, span, threshold_km)
    primaries = _random(some, 60)
    _assert_same(_screened(some, span, threshold_km, primaries), _with(whole, primaries))


def test_weeks_after_the_epochs(real_elements: ElementArray) -> None:
    """SGP4's velocities are then up to 1 km/s off the derivative of its positions, and objects decay."""
    some: ElementArray = real_elements[::9]
    span = window(np.datetime64("2024-11-25T00:00:00", "us"), 8.0)
    whole = screen_catalogue(some, span, 20.0)
    failing_soon = [i for i, failure in whole.failures.items() if failure.first_s > 0.0]
    highly_eccentric = np.flatnonzero(some["eccentricity"] > 0.5)[:40].tolist()
    primaries = [*failing_soon, *highly_eccentric, *_random(some, 40)]
    _assert_same(_screened(some, span, 20.0, primaries), _with(whole, primaries))


@pytest.mark.parametrize("name", GEOMETRIES)
@pytest.mark.parametrize("primary", [0, 1])
def test_planted_approaches(name: str, primary: int) -> None:
    """At the edges of a window, of an interval, of half an interval, and in between."""
    make, r_km, along = GEOMETRIES[name]
    at = np.datetime64("2026-03-01T12:00:00", "us")
    elements = two_objects(at, make(r_km, along, 2.0))
    for before_s in (0.5, 299.99, 300.01, 600.0, 1234.5):
        start = at - np.timedelta64(round(before_s * 1e6), "us")
        span = window(start, 0.5)
        whole = screen_catalogue(elements, span, 5.0)
        found = _screened(elements, span, 5.0, [primary])
        assert len(found.encounters) + len(found.proximities) > 0
        _assert_same(found, whole)


def test_an_object_alone(real_elements: ElementArray) -> None:
    span = window(np.datetime64("2024-11-01T00:00:00", "us"), 1.0)
    found = _screened(real_elements[:1], span, 10.0, [0])
    assert len(found.encounters) == len(found.proximities) == 0
