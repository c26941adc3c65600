"""Objects on ephemerides among others: tasks on a cluster find what one thread finds."""

import numpy as np
import pytest

from flows.cluster.fan_out import cluster
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import Pieces, pieces_of
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import Plan, cut
from tests.flows.small_screening import Rated, assert_identical, screened_in_one_thread, screened_on_cluster
from tests.screening.paths_as_ephemerides import ephemerides_of


@pytest.fixture(scope="module")
def pieces(elements: ElementArray, span: TimeWindow) -> Pieces:
    """Return the paths of objects: one in nine has ephemerides that begin and end in the window."""
    chosen = np.arange(len(elements))[::9]
    times_s = [np.arange(begin_s, begin_s + 3000.0, 60.0) for begin_s in (-1200.0, 2222.0, 7000.0)]
    return pieces_of(elements, ephemerides_of(elements, span, chosen, *times_s), span)[0]


@pytest.fixture(scope="module")
def expected(elements: ElementArray, span: TimeWindow, pieces: Pieces) -> Rated:
    return screened_in_one_thread(elements, span, pieces)


@pytest.mark.parametrize("plan", [cut(10800.0, 1, 1), cut(10800.0, 1, 4), cut(10800.0, 3, 2)], ids=str)
def test_the_cluster_finds_what_one_thread_finds(
    elements: ElementArray, span: TimeWindow, pieces: Pieces, expected: Rated, plan: Plan
) -> None:
    with cluster("", 2) as workers:
        found = screened_on_cluster(workers, elements, span, plan, pieces=pieces)
    assert len(expected.conjunctions) > 20
    assert_identical(found, expected)
