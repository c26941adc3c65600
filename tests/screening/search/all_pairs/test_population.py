"""The expected events of a catalogue are those that a search finds, for real and for synthetic ones."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search.all_pairs.population import Population, meetings, population, sample_of
from screening.synthetic.catalogue import synthetic_catalogue

START = np.datetime64("2024-11-01T00:00:00", "us")
# The sample has some 4,000 objects, of which 10,000 pairs may meet; shells are uneven in longitude.
A_FIFTH = 0.2


def crowd_of(elements: ElementArray, hours: float = 24.0) -> Population:
    some = elements[sample_of(len(elements))]
    return population(some, Propagator(some, window(START, hours)), len(elements))


def expected(crowd: Population, threshold_km: float, hours: float) -> float:
    return float(meetings(crowd, threshold_km).per_s.sum()) * hours * 3600.0


@pytest.fixture(scope="module")
def synthetic() -> Population:
    return crowd_of(synthetic_catalogue(26_834, 1, START).elements)


def test_the_events_of_the_real_day(real_elements: ElementArray) -> None:
    found_in_24_h_at_10_km = 132_441
    assert expected(crowd_of(real_elements), 10.0, 24.0) == pytest.approx(found_in_24_h_at_10_km, rel=A_FIFTH)


@pytest.mark.parametrize(
    ("threshold_km", "found"),
    [
        (1.0, 242),
        (2.0, 940),
        (5.0, 6_063),
        (10.0, 30_308),
        (20.0, 135_765),
        (50.0, 788_953),
        (100.0, 2_926_888),
    ],
)
def test_the_events_of_a_synthetic_catalogue_at_every_threshold(
    synthetic: Population, threshold_km: float, found: int
) -> None:
    assert expected(synthetic, threshold_km, 6.0) == pytest.approx(found, rel=A_FIFTH)


def test_objects_that_never_meet_have_no_events(real_elements: ElementArray) -> None:
    crowd = crowd_of(real_elements[:2])
    apart = crowd._replace(r_teme_km=crowd.r_teme_km * np.array([1.0, 3.0]))
    assert expected(apart, 10.0, 24.0) == 0.0


def test_a_sample_stands_for_all() -> None:
    assert len(sample_of(3)) == 3
    for objects in (1, 4096, 5000, 26_834, 1_000_000):
        assert 0.5 * min(objects, 4096) < len(sample_of(objects)) < 8192


def test_a_catalogue_of_nobody_has_no_events(real_elements: ElementArray) -> None:
    assert expected(crowd_of(real_elements[:0]), 10.0, 24.0) == 0.0
