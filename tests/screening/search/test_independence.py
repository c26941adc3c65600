"""The result does not depend on how the work is cut, on the order of the objects, or on who else is there."""

import numpy as np
import numpy.typing as npt
import pytest

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble, screen_catalogue
from screening.search.all_pairs.chosen_plan import at_full_speed, chosen_plan
from screening.search.all_pairs.plan import cut, task_members
from screening.search.all_pairs.population import population, sample_of
from screening.search.all_pairs.screen import screen_window
from screening.search.results import Screening

# Starts and ends on no grid of the search; windows then begin anywhere too.
SPAN = window(np.datetime64("2024-11-01T05:13:17.25", "us"), 11.03)
THRESHOLD_KM = 20.0

# Different pieces start Newton's method from the same curve; it stops within 1e-6 s of the curve's minimum.
TWO_MICROSECONDS_S = 2e-6
ONE_MILLIMETRE_KM = 1e-6
FAST_ENOUGH_KM_S = 0.1
# Slower, the time of the minimum is less well defined: a step of 1 ms ends the iteration.
ONE_MILLISECOND_S = 1e-3
# A border of a visit is found to 1 ms, and at a glancing one the distance hardly changes.
TEN_MILLISECONDS_S = 0.01
# The deepest point of a slow pair may be either of two equal minima.
ONE_METRE_KM = 1e-3


@pytest.fixture(scope="module")
def elements(real_elements: ElementArray) -> ElementArray:
    """Return every eleventh object, and pairs that fly together or drift apart slowly."""
    chosen = np.zeros(len(real_elements), bool)
    chosen[::11] = True
    chosen |= np.isin(real_elements["norad_id"], (25544, 49044, 60566, 60568, 56154, 56156, 40482, 40483))
    some: ElementArray = real_elements[chosen]
    return some


@pytest.fixture(scope="module")
def whole(elements: ElementArray) -> Screening:
    return screen_catalogue(elements, SPAN, THRESHOLD_KM)


def _in_pieces(
    elements: ElementArray,
    blocks: int,
    windows: int,
    span: TimeWindow = SPAN,
    threshold_km: float = THRESHOLD_KM,
) -> Screening:
    made = cut(span.seconds, blocks, windows)
    parts = []
    for task in made.tasks:
        members, sides = task_members(len(elements), made, task)
        parts.append(
            screen_window(
                elements[members], span, task.begin_s, task.end_s, threshold_km, sides, numbers=members
            )
        )
    return assemble(elements, span, threshold_km, parts[::-1])


def _by_number(screening: Screening, elements: ElementArray) -> tuple[npt.NDArray[np.int64], EncounterArray]:
    """Return catalogue numbers (k, 2), smaller first, and encounters, sorted by pair and TCA."""
    encounters = screening.encounters
    numbers = np.stack([elements["norad_id"][encounters[f"{who}_index"]] for who in ("primary", "secondary")])
    numbers = np.sort(numbers, axis=0)
    when_s = np.where(encounters["slow"], encounters["inside_from_s"], encounters["tca_s"])
    order = np.lexsort((when_s, numbers[1], numbers[0], encounters["slow"]))
    return numbers[:, order].T, encounters[order]


def _assert_same(
    found: Screening, found_elements: ElementArray, expected: Screening, expected_elements: ElementArray
) -> None:
    numbers, rows = _by_number(found, found_elements)
    expected_numbers, expected_rows = _by_number(expected, expected_elements)
    assert np.array_equal(numbers, expected_numbers)
    assert np.array_equal(rows["slow"], expected_rows["slow"])
    off_s = np.abs(rows["tca_s"] - expected_rows["tca_s"])
    off_km = np.abs(rows["miss_distance_km"] - expected_rows["miss_distance_km"])
    slow, fast = rows["slow"], rows["relative_speed_km_s"] > FAST_ENOUGH_KM_S
    assert off_s[fast].max(initial=0.0) < TWO_MICROSECONDS_S
    assert off_s[~slow].max(initial=0.0) < ONE_MILLISECOND_S
    assert off_km[~slow].max(initial=0.0) < ONE_MILLIMETRE_KM
    assert off_km[slow].max(initial=0.0) < ONE_METRE_KM
    for border in ("inside_from_s", "inside_to_s"):
        off_s = np.abs(rows[border][slow] - expected_rows[border][slow])
        assert off_s.max(initial=0.0) < TEN_MILLISECONDS_S
    assert len(found.proximities) == len(expected.proximities)
    assert _failed(found, found_elements) == _failed(expected, expected_elements)


def _failed(screening: Screening, elements: ElementArray) -> dict[int, tuple[int, float]]:
    return {int(elements["norad_id"][i]): (f.code, f.first_s) for i, f in screening.failures.items()}


def test_there_is_something_to_compare(whole: Screening) -> None:
    assert (~whole.encounters["slow"]).sum() > 1000
    assert whole.encounters["slow"].any()
    assert len(whole.proximities) >= 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("blocks", "windows"), [(1, 2), (1, 7), (3, 1), (3, 7), (1, 67)])
def test_however_the_work_is_cut(elements: ElementArray, whole: Screening, blocks: int, windows: int) -> None:
    _assert_same(_in_pieces(elements, blocks, windows), elements, whole, elements)


@pytest.mark.parametrize("workers", [1, 2, 5, 64])
def test_however_many_workers_it_is_planned_for(
    elements: ElementArray, whole: Screening, workers: int
) -> None:
    some = elements[sample_of(len(elements))]
    crowd = population(some, Propagator(some, SPAN), len(elements))
    made = chosen_plan(crowd, SPAN.seconds, THRESHOLD_KM, at_full_speed(workers)).plan
    _assert_same(_in_pieces(elements, made.blocks, made.windows), elements, whole, elements)


@pytest.mark.parametrize("threshold_km", [4.0, 10.0, 100.0])
def test_at_every_threshold(elements: ElementArray, threshold_km: float) -> None:
    some = elements[::2]
    expected = screen_catalogue(some, SPAN, threshold_km)
    assert len(expected.encounters) > 0
    _assert_same(_in_pieces(some, 2, 3, threshold_km=threshold_km), some, expected, some)


def test_whatever_the_order_of_the_objects(elements: ElementArray, whole: Screening) -> None:
    shuffled = np.random.default_rng(7).permutation(elements)
    _assert_same(screen_catalogue(shuffled, SPAN, THRESHOLD_KM), shuffled, whole, elements)


def test_whoever_else_is_in_the_catalogue(elements: ElementArray, whole: Screening) -> None:
    """The first and last objects of events, and two in three of the others, are left out."""
    stay = np.arange(len(elements)) % 3 == 1
    part = elements[stay]
    rows = whole.encounters
    both = stay[rows["primary_index"]] & stay[rows["secondary_index"]]
    together = whole.proximities
    expected = whole._replace(
        encounters=rows[both],
        proximities=together[stay[together["primary_index"]] & stay[together["secondary_index"]]],
        failures={i: failure for i, failure in whole.failures.items() if stay[i]},
    )
    _assert_same(screen_catalogue(part, SPAN, THRESHOLD_KM), part, expected, elements)


def test_a_later_window_finds_the_same(elements: ElementArray, whole: Screening) -> None:
    """A window that starts 2 h 0.7 s later has other knots: only the accuracy of both binds them."""
    later_s = 7200.7
    later = window(SPAN.start + np.timedelta64(7_200_700_000, "us"), 3.3)
    found = screen_catalogue(elements, later, THRESHOLD_KM).encounters
    found = found[~found["slow"]]
    rows = whole.encounters
    inside = (rows["tca_s"] >= later_s) & (rows["tca_s"] < later_s + later.seconds) & ~rows["slow"]
    expected = rows[inside]
    found, expected = (
        np.sort(some, order=["primary_index", "secondary_index", "tca_s"]) for some in (found, expected)
    )
    assert np.array_equal(found["primary_index"], expected["primary_index"])
    assert np.array_equal(found["secondary_index"], expected["secondary_index"])
    assert np.abs(found["tca_s"] + later_s - expected["tca_s"]).max() < ONE_MILLISECOND_S
    assert np.abs(found["miss_distance_km"] - expected["miss_distance_km"]).max() < ONE_MILLIMETRE_KM
