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

from screening.search.all_pairs.plan import Plan, Task, cut
from screening.search.all_pairs.population import Population, meetings
from screening.search.all_pairs.rates import RATES, Rates
from screening.search.all_pairs.task_costs import (
    BlockPair,
    features,
    parts_of_pairs,
    task_bytes,
    with_low_zone,
)

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
