"""Visits of random slow pairs: all regimes, thresholds and windows, against the naive search."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from tests.screening.oracle import FloatArray, distances_km, prepared
from tests.screening.planting import NoElementSetError, element_set, velocity_km_s
from tests.screening.visits_oracle import visits

AT = np.datetime64("2024-11-01T12:00:00", "us")
PAIR = np.array([[0], [1]])
# The kernels are within 1 mm of python-sgp4.
UNSURE_KM = 1e-5
BORDER_S = 1.0


def _drawn(rng: np.random.Generator) -> tuple[ElementArray, TimeWindow, float]:
    """Return a pair that is slow and near at `AT`, a window around that time, and a threshold."""
    perigee_km = float(rng.choice([6_800.0, 7_300.0, 12_000.0, 26_000.0, 42_164.0]) * rng.uniform(1.0, 1.02))
    apogee_km = perigee_km * float(rng.choice([1.0, 1.0, 1.05, 2.5])) + rng.uniform(1.0, 50.0)
    radius_km = float(rng.uniform(perigee_km, apogee_km))
    up = _unit(rng.normal(size=3))
    along = _unit(np.cross(up, rng.normal(size=3)))
    radial_km_s, transverse_km_s = velocity_km_s(radius_km, perigee_km, apogee_km)
    r, v = radius_km * up, radial_km_s * up + transverse_km_s * along
    apart_km = float(np.exp(rng.uniform(np.log(0.05), np.log(90.0))))
    drift_km_s = float(np.exp(rng.uniform(np.log(1e-4), np.log(1.2e-2))))
    apart, drift = _unit(rng.normal(size=3)), _unit(rng.normal(size=3))
    if rng.random() < 0.7:  # as long a revolution, nearly: they come back
        apart, drift = _unit(np.cross(up, apart)), _unit(drift - (drift @ along) * along)
    turning = np.cross(transverse_km_s / radius_km * np.cross(up, along), apart_km * apart)
    r2, v2 = r + apart_km * apart, v + turning + drift_km_s * drift
    both = np.concatenate([element_set(AT, r, v, 1), element_set(AT, r2, v2, 2)])
    hours = float(np.exp(rng.uniform(np.log(0.3), np.log(40.0))))
    start = AT - np.timedelta64(round(hours * rng.uniform(-0.1, 1.1) * 3.6e9), "us")
    threshold_km = float(np.clip(apart_km * np.exp(rng.normal(0.2, 0.5)), 0.1, 100.0))
    return both, window(start, hours), threshold_km


def _unit(vector: FloatArray) -> FloatArray:
    unit: FloatArray = vector / np.linalg.norm(vector)
    return unit


def _assert_agree(seed: int) -> int:
    """Hold the visits of a random pair against the naive ones; return how many there are."""
    try:
        both, span, threshold_km = _drawn(np.random.default_rng(seed))
    except NoElementSetError:
        return 0
    found = screen_catalogue(both, span, threshold_km)
    if len(found.proximities):
        return 0
    rows = np.sort(found.encounters[found.encounters["slow"]], order="inside_from_s")
    expected = visits(both, span, threshold_km, PAIR, step_s=10.0)
    assert len(rows) == len(expected)
    for row, visit in zip(rows, expected, strict=True):
        assert row["miss_distance_km"] == pytest.approx(min(visit.depths_km), abs=UNSURE_KM)
        for border, true_s in (("inside_from_s", visit.from_s), ("inside_to_s", visit.to_s)):
            if abs(row[border] - true_s) > BORDER_S:  # it hardly crosses the threshold there
                distance = distances_km(prepared(both), span, PAIR, np.array([row[border]]))
                assert distance == pytest.approx(threshold_km, abs=UNSURE_KM)
    return len(rows)


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 2000), marks=pytest.mark.slow)])
def test_random_slow_pairs(seeds: range) -> None:
    found = [_assert_agree(seed) for seed in seeds]
    assert sum(count > 0 for count in found) > len(seeds) / 3
    assert max(found) > 1
