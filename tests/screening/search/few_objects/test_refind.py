"""A known approach is found again on other paths, near or far, fast or slow."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, TimeWindow, window
from screening.search.few_objects.primary import screen_primaries
from screening.search.few_objects.refind import approach_again, visit_again
from tests.flows.runs.starlink_scene import FRAGMENTS, TCA_S, make_scene

START = np.datetime64("2024-11-01T00:00:00", "us")
AROUND_S = 600.0
MILLISECOND_S, METRE_KM = 1e-3, 1e-3
pytestmark = pytest.mark.timeout(300)  # kernels may have to be compiled


@pytest.fixture(scope="module")
def pair(catalogue_lines: list[str]) -> ElementArray:
    """Give a satellite and the fragment that meets it at TCA_S[1]."""
    elements = make_scene(catalogue_lines, START).elements
    return elements[[1, int(np.flatnonzero(elements["norad_id"] == FRAGMENTS[1])[0])]]


def around(tca_s: float) -> TimeWindow:
    return window(START + np.timedelta64(int(tca_s - AROUND_S), "s"), 2.0 * AROUND_S / 3600.0)


def ahead(pair: ElementArray, km: float) -> ElementArray:
    moved = pair.copy()
    moved["mean_anomaly_deg"][0] += np.degrees(km / 6928.0)
    return moved


def smallest_by_sampling_km(pair: ElementArray, span: TimeWindow) -> float:
    """Return the smallest distance among samples 10 ms apart, which miss the minimum by 0.08 km at most."""
    times_s = np.arange(0.0, span.seconds, 0.01)
    r = [Propagator(pair, span).at(np.full(len(times_s), i, np.int32), times_s)[1] for i in (0, 1)]
    return float(np.linalg.norm(r[1] - r[0], axis=1).min())


def test_on_the_same_paths_it_is_the_encounter_of_the_search(pair: ElementArray) -> None:
    span = around(TCA_S[1])
    paths = Propagator(pair, span)
    (expected,) = screen_primaries(pair, paths, 10.0, np.zeros(1, np.int32)).encounters
    (found,) = approach_again(paths)
    assert found["tca_s"] == pytest.approx(expected["tca_s"], abs=MILLISECOND_S)
    assert found["miss_distance_km"] == pytest.approx(expected["miss_distance_km"], abs=METRE_KM)
    assert not found["slow"]


@pytest.mark.parametrize("km", [5.0, 40.0, 300.0, 2000.0])
def test_it_is_the_smallest_distance_however_far_it_is(pair: ElementArray, km: float) -> None:
    moved, span = ahead(pair, km), around(TCA_S[1])
    (found,) = approach_again(Propagator(moved, span))
    assert found["miss_distance_km"] == pytest.approx(smallest_by_sampling_km(moved, span), abs=0.08)
    assert abs(found["tca_s"] - AROUND_S) < km / 7.0


def test_a_visit_is_found_with_its_span_and_a_former_one_with_its_smallest_distance(
    pair: ElementArray,
) -> None:
    """Two satellites in one orbit: one is 4 or 60 km ahead, and falls back by 40 km a day.

    Since its epoch it has fallen back by 14 km.
    """
    companions = pair[[0, 0]].copy()
    companions["norad_id"][1] += 1
    companions["mean_motion_rev_day"][1] -= 40.0 / (2.0 * np.pi * 6928.0)
    span = window(START, 6.0)
    for km, slow_visit in ((18.0, True), (74.0, False)):
        both = ahead(companions, -km)
        (found,) = visit_again(both, Propagator(both, span), 3.0, 0.0)
        assert found["slow"] == slow_visit  # 50 km apart the velocities turn by 55 m/s
        assert np.isfinite(found["inside_from_s"]) == slow_visit
        if slow_visit:
            (expected,) = screen_primaries(
                both, Propagator(both, span), 3.0, np.zeros(1, np.int32)
            ).encounters
            assert found["inside_from_s"] == expected["inside_from_s"]
        else:
            assert 40.0 < found["miss_distance_km"] < 70.0


def test_where_neither_has_states_there_is_none(pair: ElementArray) -> None:
    lost = pair.copy()
    lost["mean_motion_rev_day"][0] = 17.9  # below ground
    lost["eccentricity"][0] = 0.01
    found = approach_again(Propagator(lost, window(START, 10.0 / SECONDS_PER_DAY * 24.0)))
    assert len(found) == 0
