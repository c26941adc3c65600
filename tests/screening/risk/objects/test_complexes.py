"""Docked objects are one body, as the element sets of the real stations show."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from screening.encounters import PROXIMITY_DTYPE
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from screening.risk.objects.complexes import NONE, complex_ids, connected
from screening.search.staying_close.proximities import find_proximities

ISS = {25544, 49044, 59913, 60378, 60450, 61043, 61447}
TIANGONG = {48274, 53239, 54216, 58811, 59591, 61683}


def proximities(*rows: tuple[int, int, float, float]) -> np.ndarray:
    """Return proximities: primary, secondary, largest distance in km, when it leaves 10 km in s."""
    found = np.zeros(len(rows), PROXIMITY_DTYPE)
    for name, column in zip(
        ("primary_index", "secondary_index", "max_distance_km", "leaves_at_s"),
        zip(*rows, strict=True),
        strict=True,
    ):
        found[name] = column
    return found


def ids(numbers: list[int], found: np.ndarray, docked_to: list[int] | None = None) -> list[int]:
    return complex_ids(np.array(numbers), np.array(docked_to or [0] * len(numbers)), found).tolist()


def test_the_stations_of_the_real_catalogue_are_one_body_each(shared_file) -> None:
    elements = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements
    low = (elements["mean_motion_rev_day"] > 15.4) & (elements["mean_motion_rev_day"] < 15.75)
    tilted = np.abs(elements["inclination_deg"][:, None] - [51.64, 41.47]).min(axis=1) < 0.1
    elements = elements[low & tilted]
    span = window(np.datetime64("2024-10-31T22:00:00", "us"), 24.0)
    found = find_proximities(elements, Propagator(elements, span))
    numbers = elements["norad_id"]
    together = complex_ids(numbers, np.zeros(len(numbers), np.int64), found)
    for station in (ISS, TIANGONG):
        assert set(numbers[together == min(station)].tolist()) == station
    # Starlinks that were launched together and others of the inclination fly alone.
    assert set(together.tolist()) == {NONE, 25544, 48274}
    # The ISS itself has a set of its own, that puts it up to 1.7 km from the rest.
    zarya = found[numbers[found["primary_index"]] == 25544]
    assert zarya["max_distance_km"].min() > 1.0


NEVER = float("nan")


@pytest.mark.parametrize(
    ("found", "docked_to", "expected"),
    [
        ([(0, 1, 0.2, NEVER)], None, [5, 5, NONE]),
        ([(0, 1, 0.201, NEVER)], None, [NONE, NONE, NONE]),
        ([(0, 1, 12.0, 200_000.0)], None, [NONE, NONE, NONE]),  # it parts
        ([(0, 1, 12.0, 200_000.0)], [0, 5, 0], [5, 5, NONE]),  # or its element sets do
        ([(0, 1, 0.1, NEVER), (1, 2, 0.0, NEVER)], None, [5, 5, 5]),
        ([(0, 1, 5.0, NEVER)], [0, 5, 0], [5, 5, NONE]),  # docked by SATCAT
        ([(0, 1, 5.0, NEVER)], [7, 0, 0], [5, 5, NONE]),
        ([(0, 1, 5.0, NEVER)], [0, 0, 5], [NONE, NONE, NONE]),  # SATCAT says so, but it is not there
        ([(0, 2, 5.0, NEVER)], [0, 5, 0], [NONE, NONE, NONE]),
    ],
)
def test_what_makes_one_body(
    found: list[tuple[int, int, float, float]], docked_to: list[int] | None, expected: list[int]
) -> None:
    assert ids([5, 7, 9], proximities(*found), docked_to) == expected


def test_the_smallest_number_names_it_whatever_the_order() -> None:
    assert ids([9, 7, 5], proximities((0, 1, 0.0, NEVER), (1, 2, 0.0, NEVER))) == [5, 5, 5]


def test_without_proximities_all_are_alone() -> None:
    none = np.zeros(0, PROXIMITY_DTYPE)
    assert ids([5, 7], none) == [NONE, NONE]
    assert ids([], none) == []


@pytest.mark.parametrize("pairs", [0, 1, 100, 400, 3000])
def test_groups_are_those_of_a_graph(pairs: int) -> None:
    rng = np.random.default_rng(pairs)
    first, second = rng.integers(0, 800, (2, pairs), np.int32)
    _, group = connected_components(coo_array((np.ones(pairs), (first, second)), shape=(800, 800)), False)
    expected = [np.flatnonzero(group == label).min() for label in group]
    assert connected(first, second, 800).tolist() == expected


def test_a_long_chain_is_one_group_however_it_is_numbered() -> None:
    chain = np.random.default_rng(1).permutation(5000).astype(np.int32)
    assert not connected(chain[:-1], chain[1:], 5000).any()
