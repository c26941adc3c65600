"""A small screening on a cluster, rated as a run rates it, and the same in one thread to compare with."""

from contextlib import closing
from typing import NamedTuple

import numpy as np

from flows.cluster.fan_out import Progress, parts_on_cluster
from flows.cluster.remote import Cluster
from flows.cluster.threads import Threads
from screening.encounters import ProximityArray
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import Pieces, paths_of
from screening.orbits.timegrid import TimeWindow
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.score import score
from screening.search.all_pairs.assemble import co_orbiting, join, screen_catalogue
from screening.search.all_pairs.plan import Plan
from screening.search.staying_close.same_sets import first_paths
from storage.reading.known_objects import knowledge_of
from storage.writing.objects_table import objects_of

HOURS = 3.0
THRESHOLD_KM = 50.0
ANY_NUMBER = 10**9


class Rated(NamedTuple):
    """The result of a screening."""

    conjunctions: ConjunctionArray  # sorted by TCA, then pair
    proximities: ProximityArray
    failures: set[int]


def known(elements: ElementArray) -> ObjectKnowledge:
    """Return what names tell about objects."""
    return knowledge_of(objects_of(elements))


def screened_in_one_thread(elements: ElementArray, span: TimeWindow, pieces: Pieces | None = None) -> Rated:
    """Screen in one piece, then rate."""
    found = screen_catalogue(elements, span, THRESHOLD_KM, pieces)
    rated = score(found.encounters, elements, span, known(elements))
    return Rated(_in_order(rated), found.proximities, set(found.failures))


def screened_on_cluster(
    workers: Cluster | Threads,
    elements: ElementArray,
    span: TimeWindow,
    plan: Plan,
    on_progress: Progress = lambda _done, _of: None,
    max_events: int = ANY_NUMBER,
    pieces: Pieces | None = None,
) -> Rated:
    """Screen and rate in tasks, then join what they leave."""
    objects = known(elements)
    rated, left = [], []
    propagator = paths_of(elements, span, pieces)
    firsts = first_paths(elements, propagator)
    parts = parts_on_cluster(
        workers,
        elements,
        firsts,
        objects,
        THRESHOLD_KM,
        plan,
        on_progress,
        max_events=max_events,
        pieces=pieces,
    )
    with closing(parts):
        for part in parts:
            rated.append(part.conjunctions)
            left.append(part.unsettled)
    beside = co_orbiting(elements, propagator, THRESHOLD_KM)
    joined = join(beside, THRESHOLD_KM, left)
    rated.append(score(joined.encounters, elements, span, objects))
    return Rated(_in_order(np.concatenate(rated)), joined.proximities, set(joined.failures))


def assert_identical(found: Rated, expected: Rated) -> None:
    """Compare two results to the last bit."""
    for ours, theirs in zip(found[:2], expected[:2], strict=True):
        for name in theirs.dtype.names or ():  # by itself: numpy lets NaN equal NaN in plain arrays only
            np.testing.assert_array_equal(ours[name], theirs[name], name)
    assert found.failures == expected.failures


def _in_order(rows: ConjunctionArray) -> ConjunctionArray:
    order: ConjunctionArray = rows[
        np.lexsort([rows[name] for name in ("secondary_norad_id", "primary_norad_id", "tca")])
    ]
    return order
