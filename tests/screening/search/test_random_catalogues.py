"""Small catalogues drawn at random, in which objects of all regimes meet, against the naive search."""

from typing import NamedTuple

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from tests.screening.agreement import ONE_MILLIMETRE_KM, assert_the_same_fast_ones
from tests.screening.oracle import FloatArray, minima
from tests.screening.planting import Crossing, NoElementSetError, crossing, two_objects, velocity_km_s

DAY_S = 86400.0
LOWEST_PERIGEE_KM = (
    6378.135 + 300.0
)  # a miss of 100 km may lower an orbit by more: it still clears the ground
THRESHOLDS_KM = (0.1, 1.0, 10.0, 100.0)
MEETINGS = 6


class Drawn(NamedTuple):
    elements: ElementArray
    span: TimeWindow
    threshold_km: float
    planted: int  # meetings below the threshold inside the window


def _direction(rng: np.random.Generator) -> FloatArray:
    out: FloatArray = rng.normal(size=3)
    return out / np.linalg.norm(out)


def _crossing(rng: np.random.Generator, miss_km: float) -> Crossing:
    """Return two orbits of any shape and direction that meet at any radius up to 60,000 km."""
    radius_km = float(np.exp(rng.uniform(np.log(6720.0), np.log(60_000.0))))
    up = _direction(rng)
    along = np.cross(up, _direction(rng))
    along /= np.linalg.norm(along)
    across = np.cross(up, along)
    velocities = []
    for _ in range(2):
        perigee_km = rng.uniform(LOWEST_PERIGEE_KM + 1.0, radius_km)
        apogee_km = radius_km * rng.choice([1.0, 1.01, 1.3, 5.0])
        if rng.random() < 0.5:
            perigee_km = radius_km - min(20.0, radius_km - LOWEST_PERIGEE_KM)
        turn = rng.uniform(0.0, 2 * np.pi)
        radial, transverse = velocity_km_s(
            radius_km, perigee_km, max(apogee_km, radius_km + 1.0), outward=bool(rng.random() < 0.5)
        )
        velocities.append(radial * up + transverse * (np.cos(turn) * along + np.sin(turn) * across))
    return crossing(radius_km * up, *velocities, miss_km, rng.uniform(0.0, np.pi))


def drawn(seed: int, hours: float, threshold_km: float) -> Drawn:
    """Return objects that meet inside a window whose start and end lie on no grid of the search."""
    rng = np.random.default_rng(seed)
    start = np.datetime64("2024-11-01", "us") + np.timedelta64(int(rng.integers(0, 86_400_000_000)), "us")
    span = window(start, hours)
    pairs: list[ElementArray] = []
    planted = 0
    while len(pairs) < MEETINGS:
        miss_km = threshold_km * float(rng.choice([0.02, 0.6, 0.999, 1.001]))
        at = start + np.timedelta64(int(rng.uniform(0.02, 0.98) * span.seconds * 1e6), "us")
        states = _crossing(rng, miss_km)
        if states.relative_speed_km_s < 0.1:
            continue
        try:
            pairs.append(two_objects(at, states, 2 * len(pairs) + 1))
        except NoElementSetError:
            continue
        planted += miss_km < threshold_km
    return Drawn(np.concatenate(pairs), span, threshold_km, planted)


def _assert_agree(drawn: Drawn) -> None:
    naive = minima(drawn.elements, drawn.span, drawn.threshold_km + ONE_MILLIMETRE_KM)
    found = screen_catalogue(drawn.elements, drawn.span, drawn.threshold_km)
    matched = assert_the_same_fast_ones(found.encounters, naive, drawn.threshold_km, drawn.span)
    assert matched >= drawn.planted - 1  # a planted miss of 0.999 may be above after all


@pytest.mark.parametrize("threshold_km", THRESHOLDS_KM)
@pytest.mark.parametrize("seed", range(5))
def test_a_few_hours(seed: int, threshold_km: float) -> None:
    hours = float(np.random.default_rng(seed).uniform(0.5, 9.0))
    _assert_agree(drawn(seed, hours, threshold_km))


@pytest.mark.parametrize("threshold_km", THRESHOLDS_KM)
@pytest.mark.parametrize("seed", range(5))
def test_the_shortest_window(seed: int, threshold_km: float) -> None:
    """Six minutes: less than one interval between knots, and no border on its grid."""
    _assert_agree(drawn(100 + seed, 0.1, threshold_km))


@pytest.mark.slow
@pytest.mark.parametrize("threshold_km", [pytest.param(1.0, marks=pytest.mark.slow), 100.0])
def test_the_longest_window(threshold_km: float) -> None:
    _assert_agree(drawn(200, 720.0, threshold_km))


@pytest.mark.slow
@pytest.mark.parametrize("threshold_km", THRESHOLDS_KM)
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_many_catalogues(seed: int, threshold_km: float) -> None:
    hours = float(np.exp(np.random.default_rng(seed).uniform(np.log(0.1), np.log(30.0))))
    _assert_agree(drawn(seed, hours, threshold_km))
