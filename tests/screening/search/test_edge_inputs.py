"""Catalogues that are small, empty, one-sided, or too crowded for the first buffers."""

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble, screen_catalogue
from screening.search.all_pairs.plan import cut, task_members
from screening.search.all_pairs.screen import screen_window
from tests.screening.planting import circular_km_s, crossing, two_objects

SPAN = window(np.datetime64("2024-11-01T00:00:00", "us"), 3.0)
ONE_MILLIMETRE_KM = 1e-6


def _eccentric(elements: ElementArray) -> ElementArray:
    some: ElementArray = elements[elements["eccentricity"] >= 0.05]
    return some


def _circular(elements: ElementArray) -> ElementArray:
    some: ElementArray = elements[elements["eccentricity"] < 0.05]
    return some


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("threshold_km", [0.1, 100.0])
def test_nobody_to_meet(real_elements: ElementArray, count: int, threshold_km: float) -> None:
    screening = screen_catalogue(real_elements[:count], SPAN, threshold_km)
    assert len(screening.encounters) == len(screening.proximities) == len(screening.failures) == 0
    assert screening.candidates == 0


@pytest.mark.parametrize("count", [1, 2, 50])
def test_nobody_propagates(count: int) -> None:
    elements = np.zeros(count, ELEMENT_DTYPE)
    elements["norad_id"] = np.arange(1, count + 1)
    elements["mean_motion_rev_day"] = 17.9
    elements["epoch_jd"] = SPAN.start_jd
    screening = screen_catalogue(elements, SPAN, 10.0)
    assert len(screening.encounters) == len(screening.proximities) == 0
    assert {failure.code for failure in screening.failures.values()} == {6}
    assert list(screening.failures) == list(range(count))


def test_two_objects_that_never_meet(real_elements: ElementArray) -> None:
    low = real_elements[real_elements["norad_id"] == 25544]
    high = real_elements[real_elements["mean_motion_rev_day"] < 1.1][:1]
    screening = screen_catalogue(np.concatenate([high, low]), SPAN, 100.0)
    assert len(screening.encounters) == len(screening.proximities) == screening.candidates == 0


@pytest.mark.parametrize("regime", [_eccentric, _circular], ids=["only eccentric", "none eccentric"])
def test_one_kind_of_orbit_alone(real_elements: ElementArray, regime: object) -> None:
    """Pads are measured separately for both kinds; either may be missing."""
    assert callable(regime)
    some = regime(real_elements)
    some = some[:: max(1, len(some) // 800)]
    both = np.sort(np.concatenate([some, real_elements[:400]]), order="norad_id")
    both = both[np.append(np.diff(both["norad_id"]) != 0, True)]
    expected = screen_catalogue(both, SPAN, 50.0).encounters
    alone = np.isin(both["norad_id"], some["norad_id"])
    expected = expected[alone[expected["primary_index"]] & alone[expected["secondary_index"]]]
    found = screen_catalogue(some, SPAN, 50.0).encounters
    assert len(found) == len(expected) > 10
    assert found["miss_distance_km"] == pytest.approx(expected["miss_distance_km"], abs=ONE_MILLIMETRE_KM)


def test_two_fast_objects_alone() -> None:
    """All candidates above 3 km/s, no slow pair: a stage with nothing to do must do nothing."""
    at = np.datetime64("2024-11-01T01:00:00", "us")
    r = np.array([0.0, 7000.0, 0.0])
    speed = circular_km_s(7000.0)
    states = crossing(r, speed * np.array([1.0, 0.0, 0.0]), speed * np.array([0.0, 0.0, 1.0]), 1.0)
    screening = screen_catalogue(two_objects(at, states), SPAN, 10.0)
    assert len(screening.encounters) >= 1
    assert not screening.encounters["slow"].any()


@pytest.mark.slow
def test_a_crowd_outgrows_every_first_buffer(real_elements: ElementArray) -> None:
    """At 100 km some thousand objects make ten times as many candidates as there was room for."""
    crowd = real_elements[::13]
    span = window(np.datetime64("2024-11-01T00:00:00", "us"), 24.0)
    screening = screen_catalogue(crowd, span, 100.0)
    encounters = screening.encounters
    assert len(encounters) > 20 * len(crowd)
    near = encounters[encounters["miss_distance_km"] < 10.0]
    alone = screen_catalogue(crowd, span, 10.0).encounters
    near, alone = near[~near["slow"]], alone[~alone["slow"]]
    assert near["tca_s"] == pytest.approx(alone["tca_s"], abs=1e-3)
    assert near["miss_distance_km"] == pytest.approx(alone["miss_distance_km"], abs=ONE_MILLIMETRE_KM)


@pytest.mark.slow
def test_a_crowd_at_one_place() -> None:
    """All meet at the node, twice a revolution: runs of entries are longer than any average suggests."""
    rng = np.random.default_rng(3)
    elements = np.zeros(300, ELEMENT_DTYPE)
    elements["norad_id"] = np.arange(1, 301)
    elements["epoch_jd"] = SPAN.start_jd
    elements["mean_motion_rev_day"] = 15.0 + 1e-5 * rng.normal(size=300)
    elements["inclination_deg"] = 53.0 + 5.0 * rng.normal(size=300)
    elements["mean_anomaly_deg"] = 0.1 * rng.normal(size=300)
    whole = screen_catalogue(elements, SPAN, 20.0)
    made = cut(SPAN.seconds, 4, 1)
    parts = []
    for task in made.tasks:
        members, sides = task_members(len(elements), made, task)
        parts.append(
            screen_window(elements[members], SPAN, task.begin_s, task.end_s, 20.0, sides, numbers=members)
        )
    split = assemble(elements, SPAN, 20.0, parts)
    assert len(whole.encounters) == len(split.encounters) > 10_000
    assert len(whole.proximities) == len(split.proximities)


@pytest.mark.parametrize("hours", [0.1, 1.0 / 6.0, 0.5])
def test_windows_shorter_than_an_interval(real_elements: ElementArray, hours: float) -> None:
    some = real_elements[::10]
    short = TimeWindow(SPAN.start_jd, 0.0123, hours * 3600.0)
    longer = short._replace(seconds=1800.0)
    found = screen_catalogue(some, short, 20.0).encounters
    expected = screen_catalogue(some, longer, 20.0).encounters
    expected = expected[(expected["tca_s"] < short.seconds) & ~expected["slow"]]
    found = found[~found["slow"]]
    assert len(found) > 0
    assert found["tca_s"] == pytest.approx(expected["tca_s"], abs=1e-3)
