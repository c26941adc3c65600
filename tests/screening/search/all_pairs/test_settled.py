"""What a task may call final is final: with what is left, joined, it gives the rows of joining everything."""

from itertools import pairwise

import numpy as np
import pytest

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import co_orbiting, join
from screening.search.all_pairs.plan import Plan, Task, cut, task_members
from screening.search.all_pairs.screen import screen_window
from screening.search.all_pairs.settled import settle, unsettled
from screening.search.results import Found, Screening
from screening.search.staying_close.same_sets import SameSets, found_for_each, same_sets
from tests.screening.planting import circular_km_s, crossing, element_set

SPAN = window(np.datetime64("2024-11-01T05:13:17.25", "us"), 12.0)
THRESHOLD_KM = 20.0
# Pairs that fly together, dock, part slowly or share an element set.
TOGETHER = (25544, 49044, 60566, 60568, 56154, 56156, 40482, 40483)


@pytest.fixture(scope="module")
def elements(real_elements: ElementArray) -> ElementArray:
    """Return every 25th object, pairs that stay together, copies of two sets, and one that decays."""
    chosen = np.zeros(len(real_elements), bool)
    chosen[::25] = True
    some: ElementArray = real_elements[chosen | np.isin(real_elements["norad_id"], TOGETHER)]
    copies = np.repeat(some[[100, 500]], (3, 2))
    copies["norad_id"] = 900_000_000 + np.arange(len(copies))
    r, speed = 6560.0 * np.array([0.6, 0.0, 0.8]), circular_km_s(6560.0)
    along, across = np.array([0.0, 1.0, 0.0]), np.array([0.8, 0.0, -0.6])
    met = crossing(r, speed * along, speed * across, 2.0)
    at = np.datetime64("2024-11-01T07:00:00", "us")
    return np.concatenate(
        [
            some,
            copies,
            element_set(at, met.r1_km, met.v1_km_s, 910_000_001, bstar=0.02),
            element_set(at, met.r2_km, met.v2_km_s, 910_000_002),
        ]
    )


@pytest.fixture(scope="module")
def sets(elements: ElementArray) -> SameSets:
    return same_sets(elements)


@pytest.fixture(scope="module")
def whole(elements: ElementArray) -> Screening:
    return joined(elements, [screen_window(elements, SPAN, 0.0, SPAN.seconds, THRESHOLD_KM)])


def joined(elements: ElementArray, parts: list[Found]) -> Screening:
    return join(co_orbiting(elements, Propagator(elements, SPAN), THRESHOLD_KM), THRESHOLD_KM, parts)


def absent(found: Found) -> list[int]:
    return [one.object_index for one in found.absences]


def in_order(rows: EncounterArray) -> EncounterArray:
    order: EncounterArray = rows[
        np.lexsort([rows[name] for name in ("secondary_index", "primary_index", "tca_s")])
    ]
    return order


def at_tca_of_some(whole: Screening) -> Plan:
    """Return tasks that end at the very TCAs of encounters, and at the start of a visit."""
    encounters = whole.encounters
    borders = [0.0, *encounters["tca_s"][len(encounters) // 4 :: len(encounters) // 4][:3], SPAN.seconds]
    borders += encounters["tca_s"][encounters["slow"]][:1].tolist()
    return Plan(1, len(borders) - 1, [Task(0, 0, *ends) for ends in pairwise(sorted(borders))])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("made", [cut(SPAN.seconds, 1, 1), cut(SPAN.seconds, 3, 4), None], ids=str)
def test_final_and_joined_rows_are_those_of_joining_everything(
    elements: ElementArray, sets: SameSets, whole: Screening, made: Plan | None
) -> None:
    firsts = elements[sets.first]
    never = unsettled(Propagator(firsts, SPAN), sets)
    final, left = [], []
    for task in (made or at_tca_of_some(whole)).tasks:
        members, sides = task_members(len(firsts), made or cut(SPAN.seconds, 1, 1), task)
        found = screen_window(
            firsts[members], SPAN, task.begin_s, task.end_s, THRESHOLD_KM, sides, numbers=sets.first[members]
        )
        encounters, rest = settle(found, task.begin_s, task.end_s, never, absent(found))
        final.append(encounters)
        left.append(found_for_each(sets, rest))
    rest = joined(elements, left[::-1])
    rows = in_order(np.concatenate([*final, rest.encounters]))
    for ours, theirs in ((rows, in_order(whole.encounters)), (rest.proximities, whole.proximities)):
        for name in theirs.dtype.names or ():
            np.testing.assert_array_equal(ours[name], theirs[name], name)
    assert rest.failures.keys() == whole.failures.keys()
    for i, failure in rest.failures.items():
        np.testing.assert_array_equal(failure, whole.failures[i])


def test_the_catalogue_of_this_test_has_everything_that_joining_is_for(
    elements: ElementArray, sets: SameSets, whole: Screening
) -> None:
    assert whole.encounters["slow"].any()
    assert len(whole.proximities) > 5
    assert whole.failures
    assert (sets.sizes > 1).sum() >= 2
    copies = np.flatnonzero(elements["norad_id"] >= 900_000_000)
    assert np.isin(whole.encounters["secondary_index"], copies).any()


def test_nearly_all_minima_are_final_in_their_task(elements: ElementArray, sets: SameSets) -> None:
    firsts = elements[sets.first]
    never = unsettled(Propagator(firsts, SPAN), sets)
    found = screen_window(firsts, SPAN, 3600.0, 7200.0, THRESHOLD_KM, numbers=sets.first)
    final, rest = settle(found, 3600.0, 7200.0, never, absent(found))
    assert len(final) > 0.8 * len(found.encounters)
    assert rest.absences == found.absences
    assert rest.candidates == found.candidates
