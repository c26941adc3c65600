"""Choose blocks and windows by what their tasks cost, for the workers there are.

Small tasks cost more in all: knots beyond both ends of a window, objects propagated again for each block.
Large ones need memory, leave workers idle at the end, above all slow ones, and are lost whole with a worker.
Cuts are played through, and the one that ends first is taken. Results do not depend on it.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.sgp4.propagate import IndexArray
from screening.search.all_pairs.layout import chosen_layout, expected_work
from screening.search.all_pairs.low_grid import LOW_ZONE_RADIUS_KM
from screening.search.all_pairs.plan import Plan, Task, blocks_meet, cut, order_by_radius
from screening.search.all_pairs.population import Meetings, Population, meetings
from screening.search.all_pairs.rates import RATES, Rates
from screening.search.all_pairs.screen import EDGE_S, intervals_at_a_time
from screening.search.one_step.pads import CHECKED_FRACTIONS, CIRCULAR_STRIDE
from screening.search.radial_range import RadialRange

# What the tasks of a plan cost, expected from a sample of the catalogue.
#
# A task searches the objects of one block or two in a window. It propagates each to the knots around its
# window and to the instants at which curves are checked, searches both zones interval by interval, and
# refines each minimum. `layout.py` expects the work of the low zone; the rest is proportional to what is
# counted here.


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
    circular = intervals + _chunks(pair, intervals) + checks * math.ceil(intervals / CIRCULAR_STRIDE)
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
    knots = math.ceil(intervals / _chunks(pair, intervals)) + 1
    return (
        pair.objects * (rates.task_object_bytes + knots * rates.task_knot_bytes)
        + pair.events_per_s * (end_s - begin_s) * rates.task_event_bytes
    )


def _chunks(pair: BlockPair, intervals: int) -> int:
    """Return in how many chunks a task's intervals are searched."""
    return max(1, round(intervals / intervals_at_a_time(round(pair.objects))))


def _intervals(begin_s: float, end_s: float) -> int:
    """Return between how many knots a task interpolates."""
    return math.ceil((end_s + EDGE_S) / KNOT_STEP_S) - math.floor((begin_s - EDGE_S) / KNOT_STEP_S)


SHORTEST_WINDOW_S = 600.0  # one interval between knots
LARGEST_TASK_BYTES = 0.8e9
MOST_EVENTS_IN_TASK = 1.5e5  # a rated one, and what it is made from: 0.7 kB
MOST_BLOCKS = 32
MOST_TASKS = 20_000
# A task's way through the scheduler and back, one after the other.
DISPATCH_S = 2e-3
# Tasks do not take just what is expected: the last ones end later by a part of the longest one.
UNEVEN = 0.15
ENOUGH_TASKS_A_WORKER = 3  # more blocks would only cost more
_PLAYED_THROUGH = 100  # tasks a worker; of more the last ones hardly count


class Workers(NamedTuple):
    """Threads that search: their speeds, 1 that of the core that was measured, and memory for each."""

    speeds: tuple[float, ...]
    bytes_per_thread: float = math.inf


class Planned(NamedTuple):
    """A plan, and what it is expected to cost."""

    plan: Plan
    seconds: list[float]  # of its tasks, CPU seconds
    search_s: float  # until the last task is done
    events: float
    task_bytes: float  # of the largest task
    fits: bool  # into the memory for each thread

    def __str__(self) -> str:
        return f"{self.plan}, about {self.events:,.0f} events and {sum(self.seconds):,.0f} CPU-s"

    def shares(self) -> Callable[[int, int], float]:
        """Return a function of (done, all), numbers of tasks: the part of the expected work that is done.

        From 0 to 1, in the order of the plan. Of the planned tasks those of blocks that are apart may be left
        out.
        """
        expected_s = np.cumsum(self.seconds or [1.0])

        def share(done: int, of: int) -> float:
            planned = round(done * len(expected_s) / max(1, of))
            return float(expected_s[planned - 1] / expected_s[-1]) if planned else 0.0

        return share


def chosen_plan(
    crowd: Population, span_s: float, threshold_km: float, workers: Workers, rates: Rates = RATES
) -> Planned:
    """Choose the cut of `span_s` seconds with which the workers are done first.

    If no cut fits into the memory for each thread, the one with the smallest tasks comes back, with `fits`
    false.
    """
    met = meetings(crowd, threshold_km)
    allowed = min(workers.bytes_per_thread, LARGEST_TASK_BYTES)
    found: list[Planned] = []
    for blocks in _numbers_of_blocks():
        pairs = parts_of_pairs(crowd, blocks, threshold_km, met)
        fitting = [
            windows
            for windows in _windows(len(pairs), span_s)
            if _largest_bytes(pairs, span_s / windows, rates) <= allowed
        ]
        most_per_s = max((pair.events_per_s for pair in pairs), default=0.0)
        crowded = [windows for windows in fitting if most_per_s * span_s / windows > MOST_EVENTS_IN_TASK]
        fitting = fitting[len(crowded) :] or fitting[-1:]
        if not fitting and blocks < MOST_BLOCKS:
            continue
        costed = [with_low_zone(crowd, pair, threshold_km) for pair in pairs]
        cuts = [
            _planned(costed, blocks, windows, span_s, workers, rates)._replace(fits=bool(fitting))
            for windows in fitting or _windows(len(pairs), span_s)[-1:]
        ]
        found.append(min(cuts, key=lambda one: one.search_s + UNEVEN * max(one.seconds, default=0.0)))
        if len(found) > 1 and found[-1].search_s >= found[-2].search_s:
            break
        if fitting and len(pairs) * fitting[-1] >= ENOUGH_TASKS_A_WORKER * len(workers.speeds):
            break
    best = min(found, key=lambda one: one.search_s)
    borders = cut(span_s, best.plan.blocks, best.plan.windows)
    searched = {(task.block_i, task.block_j) for task in best.plan.tasks}
    return best._replace(
        plan=borders._replace(
            tasks=[task for task in borders.tasks if (task.block_i, task.block_j) in searched]
        )
    )


def _numbers_of_blocks() -> list[int]:
    """Return numbers of blocks to try: the fewest first, since each more costs more."""
    return [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, MOST_BLOCKS]


def _windows(pairs: int, span_s: float) -> list[int]:
    """Return numbers of windows to try: from one up to an interval each, a quarter more each time."""
    most = max(1, min(math.floor(span_s / SHORTEST_WINDOW_S), MOST_TASKS // max(1, pairs)))
    ladder = {round(1.25**k) for k in range(64)}
    return sorted({most, *(windows for windows in ladder if windows < most)})


def _largest_bytes(pairs: Sequence[BlockPair], window_s: float, rates: Rates) -> float:
    return max((task_bytes(pair, 0.0, window_s, rates) for pair in pairs), default=0.0)


def _planned(
    pairs: Sequence[BlockPair], blocks: int, windows: int, span_s: float, workers: Workers, rates: Rates
) -> Planned:
    """Return a cut into windows; the plan names only the tasks of the first window."""
    window_s = span_s / windows
    seconds = [features(pair, 0.0, window_s).seconds(rates) for pair in pairs] * windows
    return Planned(
        Plan(blocks, windows, [Task(pair.block_i, pair.block_j, 0.0, window_s) for pair in pairs]),
        seconds,
        makespan_s(seconds, workers.speeds),
        sum(pair.events_per_s for pair in pairs) * span_s,
        _largest_bytes(pairs, window_s, rates),
        fits=True,
    )


def makespan_s(seconds: Sequence[float], speeds: Sequence[float]) -> float:
    """Return when the last task is done if each worker takes the next one when it is free.

    Nothing keeps a slow worker from being the first to take one.
    """
    if len(seconds) > _PLAYED_THROUGH * len(speeds):
        return max(sum(seconds) / sum(speeds), len(seconds) * DISPATCH_S)
    free = [(0.0, speed) for speed in sorted(speeds)]  # a heap: when, and how fast
    end_s = 0.0
    for number, one in enumerate(seconds):
        free_s, speed = free[0]
        done_s = max(free_s, number * DISPATCH_S) + one / speed
        heapq.heapreplace(free, (done_s, speed))
        end_s = max(end_s, done_s)
    return end_s


def at_full_speed(threads: int) -> Workers:
    """Return threads as fast as the core that was measured, with memory enough."""
    return Workers(tuple(np.ones(threads).tolist()))
