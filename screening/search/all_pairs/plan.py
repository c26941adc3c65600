"""Cut a screening into tasks: a pure function of catalogue size, span, threshold and workers.

A task is a pair of blocks of objects and a window of time. One block of all objects is cheapest: pairs of
blocks sort and propagate their objects again. Blocks are split only if a task would need too much memory, or
if there are more workers than useful windows. Objects are then ordered by radius, so that blocks whose
objects can never meet need no task.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.search.radial_range import RadialRange

# Measured on one core for all against all at 10 km (docs/performance.md): seconds per object and hour,
# and per pair of objects and hour.
SECONDS_PER_OBJECT_HOUR = 3.2e-6
SECONDS_PER_PAIR_HOUR = 1.0e-10
# 132,441 events for 26,834 objects in 24 h at 10 km; they grow with the square of the objects and of the
# threshold.
EVENTS_PER_OBJECT2_HOUR_KM2 = 7.7e-8
# Memory of a task per object: knots of 4 h, coefficients, cells.
BYTES_PER_OBJECT = 4500.0
LARGEST_TASK_BYTES = 0.6e9
MOST_EVENTS_IN_TASK = 1e6  # 0.16 GB, and as much again during their creation
# A task should be long compared with its overhead (propagation outside its window, about 1 ms of scheduling)
# and short compared with the run, so that workers finish together and a lost one costs little.
SHORTEST_WINDOW_HOURS = 1.0
SHORTEST_CROWDED_WINDOW_HOURS = 1 / 6  # one interval between knots
LONGEST_TASK_S = 5.0
SHORTEST_TASK_S = 1.0  # unless workers would be idle
TASKS_PER_WORKER = 3
# Between lowest and highest radius, margins included: objects on rounder orbits form blocks that are thin
# shells, the others come last.
ROUND_ORBIT_KM = 300.0


class Task(NamedTuple):
    """One piece of work: objects of block `i` against block `j` in [begin_s, end_s) of the window."""

    block_i: int
    block_j: int
    begin_s: float
    end_s: float


class Plan(NamedTuple):
    """A screening cut into tasks."""

    blocks: int
    windows: int
    tasks: list[Task]

    def __str__(self) -> str:
        hours = (self.tasks[0].end_s - self.tasks[0].begin_s) / 3600.0
        return f"{len(self.tasks)} tasks: {self.blocks} block(s), {self.windows} window(s) of {hours:.2f} h"


def plan(objects: int, span_s: float, threshold_km: float, workers: int) -> Plan:
    """Choose blocks and windows for `objects` over `span_s` seconds on a number of workers (threads)."""
    blocks = max(1, math.ceil(objects * BYTES_PER_OBJECT / LARGEST_TASK_BYTES))
    in_task = objects if blocks == 1 else 2 * math.ceil(objects / blocks)
    hours = span_s / 3600.0
    cost_s = hours * (in_task * SECONDS_PER_OBJECT_HOUR + in_task**2 / 2 * SECONDS_PER_PAIR_HOUR)
    events = hours * in_task**2 * threshold_km**2 * EVENTS_PER_OBJECT2_HOUR_KM2
    tasks = max(workers, min(TASKS_PER_WORKER * workers, math.floor(cost_s * blocks**2 / SHORTEST_TASK_S)))
    wanted = max(math.ceil(cost_s / LONGEST_TASK_S), math.ceil(tasks / blocks**2))
    windows = max(
        1,
        min(wanted, math.floor(hours / SHORTEST_WINDOW_HOURS)),
        min(math.ceil(events / MOST_EVENTS_IN_TASK), math.floor(hours / SHORTEST_CROWDED_WINDOW_HOURS)),
    )
    return cut(span_s, blocks, windows)


def cut(span_s: float, blocks: int, windows: int) -> Plan:
    """Cut a span into equal windows, and all pairs of blocks into tasks."""
    borders = np.linspace(0.0, span_s, windows + 1).tolist()
    tasks = [
        Task(i, j, begin_s, end_s)
        for begin_s, end_s in pairwise(borders)
        for i in range(blocks)
        for j in range(i, blocks)
    ]
    return Plan(blocks, windows, tasks)


def order_by_radius(ranges: RadialRange) -> npt.NDArray[np.int32]:
    """Return the order of objects (n,) in blocks: round orbits from low to high, then the rest."""
    eccentric = ranges.high_km - ranges.low_km > ROUND_ORBIT_KM
    return np.lexsort((ranges.low_km, eccentric)).astype(np.int32)


def without_blocks_apart(plan: Plan, ranges: RadialRange, threshold_km: float) -> Plan:
    """Leave out tasks of two blocks whose objects (n,), in the blocks' order, never come near each other."""
    blocks = [block_members(len(ranges.low_km), plan.blocks, block) for block in range(plan.blocks)]
    low_km = [ranges.low_km[members].min(initial=np.inf) - threshold_km for members in blocks]
    high_km = [ranges.high_km[members].max(initial=0.0) for members in blocks]
    meeting = [
        task
        for task in plan.tasks
        if low_km[task.block_i] <= high_km[task.block_j] and low_km[task.block_j] <= high_km[task.block_i]
    ]
    return plan._replace(tasks=meeting)


def block_members(objects: int, blocks: int, block: int) -> npt.NDArray[np.int32]:
    """Return the places, in the blocks' order, of the objects in one block."""
    return np.arange(objects * block // blocks, objects * (block + 1) // blocks, dtype=np.int32)


def task_members(objects: int, plan: Plan, task: Task) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """Return the places of a task's objects and their sides: 0 within one block, else 1 and 2."""
    first = block_members(objects, plan.blocks, task.block_i)
    if task.block_i == task.block_j:
        return first, np.zeros(len(first), np.int8)
    second = block_members(objects, plan.blocks, task.block_j)
    return np.concatenate([first, second]), np.repeat(np.array([1, 2], np.int8), [len(first), len(second)])
