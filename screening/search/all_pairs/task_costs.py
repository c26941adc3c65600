"""What the tasks of a plan cost, expected from a sample of the catalogue.

A task searches the objects of one block or two in a window. It propagates each to the knots around its window
and to the instants at which curves are checked, searches both zones interval by interval, and refines each
minimum. `layout.py` expects the work of the low zone; the rest is proportional to what is counted here.
"""

import math
from typing import NamedTuple

import numpy as np

from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.sgp4.propagate import IndexArray
from screening.search.all_pairs.layout import chosen_layout, expected_work
from screening.search.all_pairs.low_zone import LOW_ZONE_RADIUS_KM
from screening.search.all_pairs.plan import blocks_meet, order_by_radius
from screening.search.all_pairs.population import Meetings, Population
from screening.search.all_pairs.rates import Rates
from screening.search.all_pairs.screen import EDGE_S, INTERVALS_AT_A_TIME
from screening.search.one_step.pads import CHECKED_FRACTIONS, CIRCULAR_STRIDE
from screening.search.radial_range import RadialRange


class BlockPair(NamedTuple):
    """What the tasks of one pair of blocks do, whatever their window; numbers are expected ones."""

    block_i: int
    block_j: int
    members: IndexArray  # of the sample
    near_earth: float  # objects
    deep_space: float
    often_near_earth: float  # of these, those whose curves are checked in each interval
    often_deep_space: float
    high: float  # objects above the low zone
    events_per_s: float  # of the window
    low_zone_s: float = 0.0  # CPU seconds an interval, by `layout.py`

    @property
    def objects(self) -> float:
        """Return how many objects a task has."""
        return self.near_earth + self.deep_space


class Features(NamedTuple):
    """How often a task does what has a rate; in the order of the first fields of Rates."""

    near_states: float
    deep_states: float
    objects: float
    object_intervals: float
    low_zone_s: float
    high_pairs: float
    events: float
    tasks: float

    def seconds(self, rates: Rates) -> float:
        """Return the CPU seconds."""
        return sum(count * rate for count, rate in zip(self, rates, strict=False))


def parts_of_pairs(crowd: Population, blocks: int, threshold_km: float, met: Meetings) -> list[BlockPair]:
    """Return what the tasks of all pairs of blocks do, but for those apart; without the low zone."""
    size = len(crowd.deep_space)
    order = order_by_radius(crowd.ranges)
    block = np.empty(size, np.intp)
    block[order] = np.arange(size) * blocks // max(1, size)
    low, high = np.sort(np.stack([block[met.first], block[met.second]]), axis=0)
    events_per_s = np.bincount(low * blocks + high, met.per_s, minlength=blocks**2)
    members = [np.flatnonzero(block == one).astype(np.int32) for one in range(blocks)]
    ranges = RadialRange(*(bound[order] for bound in crowd.ranges))
    radius_km = np.sqrt((crowd.r_teme_km[0] ** 2).sum(axis=0))
    pairs = []
    for i, j in blocks_meet(ranges, blocks, threshold_km):
        some = members[i] if i == j else np.concatenate([members[i], members[j]])
        deep, often = crowd.deep_space[some], crowd.often_checked[some]
        pairs.append(
            BlockPair(
                block_i=i,
                block_j=j,
                members=some,
                near_earth=crowd.weight * np.count_nonzero(~deep),
                deep_space=crowd.weight * np.count_nonzero(deep),
                often_near_earth=crowd.weight * np.count_nonzero(~deep & often),
                often_deep_space=crowd.weight * np.count_nonzero(deep & often),
                high=crowd.weight * np.count_nonzero(radius_km[some] > LOW_ZONE_RADIUS_KM),
                events_per_s=float(events_per_s[i * blocks + j]),
            )
        )
    return pairs


def with_low_zone(crowd: Population, pair: BlockPair, threshold_km: float) -> BlockPair:
    """Return a pair of blocks with the work of its low zone."""
    if len(pair.members) == 0:
        return pair
    pads_km = crowd.curves.pads_km[pair.members]
    sample = crowd.curves._replace(
        curves=np.ascontiguousarray(crowd.curves.curves[:, pair.members]),
        pads_km=pads_km,
        largest_pad_km=float(pads_km.max()),
        objects=round(crowd.weight * len(pair.members)),
    )
    layout = chosen_layout(sample, threshold_km)
    return pair._replace(low_zone_s=float(expected_work(sample, threshold_km, layout).seconds))


def features(pair: BlockPair, begin_s: float, end_s: float) -> Features:
    """Return what a task of two blocks does in the window [begin_s, end_s)."""
    intervals = _intervals(begin_s, end_s)
    checks = len(CHECKED_FRACTIONS)
    circular = intervals + 1 + checks * math.ceil(intervals / CIRCULAR_STRIDE)
    more_for_often = checks * (intervals - math.ceil(intervals / CIRCULAR_STRIDE))
    searched = (end_s - begin_s + 2 * EDGE_S) / KNOT_STEP_S
    return Features(
        near_states=pair.near_earth * circular + pair.often_near_earth * more_for_often,
        deep_states=pair.deep_space * circular + pair.often_deep_space * more_for_often,
        objects=pair.objects,
        object_intervals=pair.objects * searched,
        low_zone_s=pair.low_zone_s * searched,
        high_pairs=pair.high**2 / 2.0 * searched,
        events=pair.events_per_s * (end_s - begin_s),
        tasks=1.0,
    )


def task_bytes(pair: BlockPair, begin_s: float, end_s: float, rates: Rates) -> float:
    """Return the memory of a task beyond that of an idle worker."""
    intervals = _intervals(begin_s, end_s)
    knots = math.ceil(intervals / max(1, round(intervals / INTERVALS_AT_A_TIME))) + 1
    return (
        pair.objects * (rates.task_object_bytes + knots * rates.task_knot_bytes)
        + pair.events_per_s * (end_s - begin_s) * rates.task_event_bytes
    )


def _intervals(begin_s: float, end_s: float) -> int:
    """Return between how many knots a task interpolates."""
    return math.ceil((end_s + EDGE_S) / KNOT_STEP_S) - math.floor((begin_s - EDGE_S) / KNOT_STEP_S)
