"""Cut a screening into tasks: pairs of blocks of objects, in windows of time. `chosen_plan.py` chooses a cut.

One block of all objects is cheapest: pairs of blocks sort and propagate their objects again. With several,
objects are ordered by radius, so that blocks whose objects can never meet need no task.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.search.radial_range import RadialRange

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
    meeting = set(blocks_meet(ranges, plan.blocks, threshold_km))
    return plan._replace(tasks=[task for task in plan.tasks if (task.block_i, task.block_j) in meeting])


def blocks_meet(ranges: RadialRange, blocks: int, threshold_km: float) -> list[tuple[int, int]]:
    """Return the pairs of blocks (i <= j) of objects (n,), in the blocks' order, that may come near."""
    members = [block_members(len(ranges.low_km), blocks, block) for block in range(blocks)]
    low_km = [ranges.low_km[some].min(initial=np.inf) - threshold_km for some in members]
    high_km = [ranges.high_km[some].max(initial=0.0) for some in members]
    return [
        (i, j)
        for i in range(blocks)
        for j in range(i, blocks)
        if low_km[i] <= high_km[j] and low_km[j] <= high_km[i]
    ]


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
