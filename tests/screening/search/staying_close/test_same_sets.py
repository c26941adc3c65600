"""Copies of an element set, and crowds: counted before they are searched, and no more work than needed."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble, co_orbiting, join, screen_catalogue
from screening.search.all_pairs.screen import screen_window
from screening.search.staying_close import crowds
from screening.search.staying_close.crowds import (
    Crowded,
    check_crowd,
    check_pairs_at,
    check_same_sets,
    pairs_near,
)
from screening.search.staying_close.proximities import find_proximities
from screening.search.staying_close.same_sets import (
    copies_of,
    first_paths,
    for_each_pair,
    found_for_each,
    same_sets,
)
from screening.search.staying_close.slow import edge_points
from tests.screening.planting import circular_km_s, crossing, element_set

THRESHOLD_KM = 10.0
AT = np.datetime64("2024-11-01T12:00:00", "us")
WINDOW: TimeWindow = window(AT - np.timedelta64(1, "h"), 3.0)


def pair() -> ElementArray:
    """Two objects that cross near each other at `AT`."""
    r, speed = 7000.0 * np.array([0.6, 0.0, 0.8]), circular_km_s(7000.0)
    states = crossing(r, speed * np.array([0.0, 1.0, 0.0]), speed * np.array([0.8, 0.0, -0.6]), 2.0)
    return np.concatenate(
        [element_set(AT, states.r1_km, states.v1_km_s, 50), element_set(AT, states.r2_km, states.v2_km_s, 60)]
    )


def under_numbers(record: ElementArray, numbers: list[int]) -> ElementArray:
    copies = np.repeat(record, len(numbers))
    copies["norad_id"] = numbers
    return copies


def sorted_by_number(*parts: ElementArray) -> ElementArray:
    elements = np.concatenate(parts)
    return elements[np.argsort(elements["norad_id"])]


def crowd(count: int) -> ElementArray:
    """Objects on one orbit, a few metres apart along it."""
    elements = under_numbers(pair()[:1], list(range(1, count + 1)))
    elements["mean_anomaly_deg"] += 1e-6 * np.arange(count)
    return elements


def test_what_copies_meet_is_what_a_search_of_all_of_them_finds() -> None:
    one, other = pair()[:1], pair()[1:]
    # Numbers on either side of the partner's, so that some pairs are the other way round.
    elements = sorted_by_number(under_numbers(one, [3, 55, 70, 80]), under_numbers(other, [60, 65, 75]))
    sets = same_sets(elements)
    firsts = screen_window(
        elements[sets.first], WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM, numbers=sets.first
    )
    found = found_for_each(sets, firsts)
    grouped = assemble(elements, WINDOW, THRESHOLD_KM, [found])
    alone = screen_catalogue(elements, WINDOW, THRESHOLD_KM)
    assert len(alone.encounters) >= 12
    for name in alone.encounters.dtype.names or ():
        np.testing.assert_array_equal(grouped.encounters[name], alone.encounters[name], name)
    assert int(copies_of(sets, firsts.encounters).sum()) == len(found.encounters)


def test_copies_are_proximities_of_each_other_at_no_distance() -> None:
    elements = sorted_by_number(under_numbers(pair()[:1], list(range(1, 301))), pair()[1:])
    rows = find_proximities(elements, Propagator(elements, WINDOW))
    assert len(rows) == 300 * 299 // 2
    assert rows["same_elements"].all()
    assert not rows["min_distance_km"].any()
    assert np.isnan(rows["leaves_at_s"]).all()
    assert (rows["primary_index"] < rows["secondary_index"]).all()


def test_a_neighbour_of_copies_is_a_neighbour_of_each() -> None:
    near = pair()[:1].copy()
    near["mean_anomaly_deg"] += 0.01  # 1.2 km along the orbit
    elements = sorted_by_number(under_numbers(pair()[:1], [1, 90]), under_numbers(near, [50]))
    rows = find_proximities(elements, Propagator(elements, WINDOW))
    pairs = list(zip(rows["primary_index"].tolist(), rows["secondary_index"].tolist(), strict=True))
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    assert rows["same_elements"].tolist() == [False, True, False]
    assert rows["min_distance_km"][0] == rows["min_distance_km"][2] > 1.0


def test_groups_are_by_every_element_that_sgp4_uses() -> None:
    elements = under_numbers(pair()[:1], [1, 2, 3, 4])
    elements["bstar_per_earth_radius"][1] = np.nextafter(elements["bstar_per_earth_radius"][1], 1.0)
    elements["inclination_deg"][2] = -0.0
    elements["inclination_deg"][3] = 0.0
    assert same_sets(elements).sizes.tolist() == [1, 1, 2]
    assert same_sets(elements).first.tolist() == [0, 1, 2]


def test_rows_without_copies_are_left_as_they_are() -> None:
    elements = pair()
    found = screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM).encounters
    assert for_each_pair(same_sets(elements), found) is found


def test_more_copies_than_allowed_are_refused_by_name() -> None:
    elements = under_numbers(pair()[:1], list(range(1001, 4001)))
    sets = same_sets(elements)
    check_same_sets(elements, sets, 449_850_000)
    with pytest.raises(
        Crowded,
        match=r"3,000 objects have the same element set.*\(1001, 1002, 1003, \.\.\.\).*4,498,500 pairs",
    ):
        check_same_sets(elements, sets, 449_849_999)


def test_a_crowd_is_counted_before_it_is_searched() -> None:
    elements = crowd(3000)
    with pytest.raises(
        Crowded, match=r"4,498,500 pairs of objects are within 10 km .* 143,952,000 approaches"
    ):
        check_crowd(first_paths(elements, Propagator(elements, WINDOW)), 5_000_000)


def test_pairs_are_counted_as_a_list_of_them_has_them() -> None:
    elements = crowd(200)
    elements["mean_anomaly_deg"] += 0.02 * np.arange(200)  # 2.4 km from one to the next
    propagator = Propagator(elements, WINDOW)
    r = propagator.on_grid(np.zeros(1))[1][0]
    apart = np.linalg.norm(r[:, :, None] - r[:, None, :], axis=0)
    within = (apart[np.triu_indices(200, 1)] <= THRESHOLD_KM).sum()
    assert pairs_near(propagator, 0.0, THRESHOLD_KM) == within > 200
    with pytest.raises(Crowded, match=f"{within:,} pairs of objects are within 10 km .* 0 h after"):
        check_pairs_at(propagator, 0.0, THRESHOLD_KM, int(within) - 1)
    with pytest.raises(Crowded, match="0 h after"):
        edge_points(propagator, THRESHOLD_KM, most=int(within) - 1)


@pytest.mark.slow
def test_a_search_stops_when_it_has_found_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "FOLLOWED_COUNTS_AS", 1)
    elements = crowd(100)
    all_of_it = len(screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM).encounters)
    assert all_of_it > 4950
    with pytest.raises(Crowded, match=rf"More than {all_of_it - 1:,} approaches"):
        screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM, most=all_of_it - 1)
    screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM, most=all_of_it)


def gathering(count: int, apart_km: float) -> ElementArray:
    """Objects on one orbit, together at `AT`; an hour off each is `apart_km` from the next."""
    elements = under_numbers(pair()[:1], list(range(1, count + 1)))
    elements["mean_motion_rev_day"] += apart_km / (2.0 * np.pi * 7000.0) * 24.0 * np.arange(count)
    return elements


def test_a_crowd_that_gathers_later_is_refused_where_it_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "_LEAST_AT_ONCE", 1000)
    monkeypatch.setattr(crowds, "FOLLOWED_COUNTS_AS", 1)
    elements = gathering(60, 0.9)
    check_crowd(first_paths(elements, Propagator(elements, WINDOW)), 24_000)
    with pytest.raises(Crowded, match=r"1,\d+ pairs of objects meet within a few minutes, 1\.0 h after"):
        screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM, most=24_000)
    screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM, most=48_000)


@pytest.mark.slow
def test_slow_pairs_are_counted_before_they_are_followed() -> None:
    elements = gathering(60, 0.5)
    slow_pairs = len(screen_catalogue(elements, WINDOW, THRESHOLD_KM).encounters)
    assert slow_pairs > 1000
    beside = co_orbiting(elements, Propagator(elements, WINDOW), THRESHOLD_KM)
    found = screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM)
    enough = 100 * slow_pairs  # each counts as a hundred events
    join(beside, THRESHOLD_KM, [found], most=enough)
    with pytest.raises(Crowded, match=f"{slow_pairs:,} pairs of objects come close at less than 10 m/s"):
        join(beside, THRESHOLD_KM, [found], most=enough - 1)
    with pytest.raises(Crowded, match=r"pairs of objects come close at less than 10 m/s within a few hours"):
        screen_window(elements, WINDOW, 0.0, WINDOW.seconds, THRESHOLD_KM, most=enough // 2)


def test_proximities_are_counted_before_they_are_measured_and_with_the_events() -> None:
    elements = crowd(20)
    propagator = Propagator(elements, WINDOW)
    beside = co_orbiting(elements, propagator, THRESHOLD_KM, most=19_000)
    assert len(beside.proximities) == 190
    with pytest.raises(Crowded, match="190 pairs of objects stay within 10 km of each other for a day"):
        co_orbiting(elements, propagator, THRESHOLD_KM, most=18_999)
    with pytest.raises(Crowded, match="0 conjunctions and 190 proximities"):
        join(beside, THRESHOLD_KM, [], most=189)
    join(beside, THRESHOLD_KM, [], most=190)
