"""Two further ways to what comes near an object: a stored ephemeris, and minutes around coarse minima."""

from pathlib import Path

import numpy as np
import pytest

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.near_earth import is_near_earth
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.few_objects.curves import Ephemeris
from screening.search.few_objects.from_ephemeris import screen_on_ephemeris
from screening.search.few_objects.primary import screen_by_fine_stage
from screening.search.results import Screening
from storage.disk.ephemeris import place_ephemeris
from storage.disk.ephemeris_states import read_ephemeris, stage_ephemeris
from tests.screening.conftest import THRESHOLD_KM

# What quick analyses promise, in low orbits.
QUICK_TCA_S, QUICK_MISS_KM = 0.1, 0.5
QUICK_SHARE = 0.999
# What full analyses promise.
FULL_TCA_S, FULL_MISS_KM = 0.01, 1e-3


@pytest.fixture(scope="module")
def ephemeris(
    real_elements: ElementArray, real_day: TimeWindow, tmp_path_factory: pytest.TempPathFactory
) -> Ephemeris:
    """Return the ephemeris that a run over the real day leaves."""
    store = tmp_path_factory.mktemp("store")
    place_ephemeris(store, stage_ephemeris(store, real_elements, real_day.start, 36.0), "run")
    return read_ephemeris(store, "run")


def _of(screening: Screening, primary: int) -> EncounterArray:
    rows = screening.encounters
    of_primary: EncounterArray = rows[
        (rows["primary_index"] == primary) | (rows["secondary_index"] == primary)
    ]
    return of_primary


def _agreeing(rows: EncounterArray, found: EncounterArray, tca_s: float, miss_km: float) -> int:
    """Return how many rows stand among the found ones too, one to one."""
    order = ["primary_index", "secondary_index", "tca_s"]
    if len(rows) != len(found):
        return -1
    rows, found = np.sort(rows, order=order), np.sort(found, order=order)
    same = (rows["primary_index"] == found["primary_index"]) & (
        rows["secondary_index"] == found["secondary_index"]
    )
    same &= rows["slow"] == found["slow"]
    same &= np.abs(rows["miss_distance_km"] - found["miss_distance_km"]) < miss_km
    same &= (np.abs(rows["tca_s"] - found["tca_s"]) < tca_s) | rows["slow"]
    return int(same.sum())


def _primaries(elements: ElementArray, count: int) -> list[int]:
    named = np.flatnonzero(np.isin(elements["norad_id"], (25544, 44714)))
    return [*named.tolist(), *np.random.default_rng(8).choice(len(elements), count, replace=False).tolist()]


@pytest.mark.parametrize("count", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_the_fine_stage_finds_what_the_run_found(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening, count: int
) -> None:
    propagator = Propagator(real_elements, real_day)
    rows = 0
    for primary in _primaries(real_elements, count):
        found = screen_by_fine_stage(real_elements, propagator, THRESHOLD_KM, np.array([primary], np.int32))
        expected = _of(real_screening, primary)
        assert _agreeing(expected, found.encounters, FULL_TCA_S, FULL_MISS_KM) == len(expected)
        rows += len(expected)
    assert rows > count


@pytest.mark.slow
def test_the_fine_stage_on_slow_pairs_and_proximities(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening
) -> None:
    slow = real_screening.encounters[real_screening.encounters["slow"]]
    primaries = np.unique(slow["primary_index"])[:12]
    together = real_screening.proximities["primary_index"][:4]
    propagator = Propagator(real_elements, real_day)
    for primary in [*primaries.tolist(), *together.tolist()]:
        found = screen_by_fine_stage(real_elements, propagator, THRESHOLD_KM, np.array([primary], np.int32))
        expected = _of(real_screening, primary)
        assert _agreeing(expected, found.encounters, 10 * FULL_TCA_S, FULL_MISS_KM) == len(expected)


@pytest.mark.slow
@pytest.mark.parametrize("count", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_quick_finds_what_the_run_found_in_low_orbits(
    real_elements: ElementArray,
    real_day: TimeWindow,
    real_screening: Screening,
    ephemeris: Ephemeris,
    count: int,
) -> None:
    low = is_near_earth(real_elements)
    rows, agreeing = 0, 0
    for primary in _primaries(real_elements, count):
        if not low[primary]:
            continue
        found = screen_on_ephemeris(
            real_elements, ephemeris, real_day, THRESHOLD_KM, np.array([primary], np.int32)
        )
        expected = _of(real_screening, primary)
        for pair in np.unique(np.stack([expected["primary_index"], expected["secondary_index"]]), axis=1).T:
            here = [
                one[(one["primary_index"] == pair[0]) & (one["secondary_index"] == pair[1])]
                for one in (expected, found.encounters)
            ]
            rows += len(here[0])
            agreeing += max(_agreeing(*here, QUICK_TCA_S, QUICK_MISS_KM), 0)
    assert rows > 5 * count
    assert agreeing >= QUICK_SHARE * rows


@pytest.mark.slow
def test_quick_finds_proximities(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening, ephemeris: Ephemeris
) -> None:
    primaries = np.unique(real_screening.proximities["primary_index"])
    found = screen_on_ephemeris(real_elements, ephemeris, real_day, THRESHOLD_KM, primaries).proximities
    expected = real_screening.proximities
    with_primary = np.isin(expected["primary_index"], primaries)
    assert np.array_equal(found["secondary_index"], expected["secondary_index"][with_primary])
    assert np.array_equal(found["same_elements"], expected["same_elements"][with_primary])
    off_km = np.abs(found["min_distance_km"] - expected["min_distance_km"][with_primary])
    assert off_km.max() < QUICK_MISS_KM


def test_quick_finds_nothing_beyond_the_ephemeris(
    real_elements: ElementArray, ephemeris: Ephemeris, tmp_path: Path
) -> None:
    busy = np.flatnonzero(real_elements["norad_id"] == 44714).astype(np.int32)
    half = window(ephemeris.end - np.timedelta64(3, "h"), 6.0)
    found = screen_on_ephemeris(real_elements, ephemeris, half, THRESHOLD_KM, busy).encounters
    assert len(found) > 0
    assert found["tca_s"].max() < 3 * 3600.0
    after = window(ephemeris.end + np.timedelta64(1, "h"), 6.0)
    nothing = screen_on_ephemeris(real_elements, ephemeris, after, THRESHOLD_KM, busy)
    assert len(nothing.encounters) == len(nothing.proximities) == nothing.candidates == 0


def test_who_is_not_in_the_ephemeris_meets_nobody(
    real_elements: ElementArray, real_day: TimeWindow, ephemeris: Ephemeris
) -> None:
    some = real_elements[:50].copy()
    some["norad_id"][-1] = 999_999_999
    found = screen_on_ephemeris(some, ephemeris, real_day, THRESHOLD_KM, np.array([49], np.int32))
    assert len(found.encounters) == 0
