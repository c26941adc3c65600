"""How a screening is cut into tasks: a pure function of catalogue size, span and workers.

A task is a pair of blocks of objects and a window of time. One block of all objects is cheapest: pairs across
blocks sort and propagate their objects again. Blocks are split only where a task would need too much memory,
or where there are more workers than useful windows.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Measured on one core for all against all at 10 km (docs/performance.md): seconds per object and hour,
# and per pair of objects and hour.
SECONDS_PER_OBJECT_HOUR = 8e-6
SECONDS_PER_PAIR_HOUR = 1.5e-10
# Memory of a task per object: knots of 4 h, coefficients, cells.
BYTES_PER_OBJECT = 4500.0
LARGEST_TASK_BYTES = 0.6e9
# A task should last long against its overhead (propagation outside its window, about 1 ms of scheduling) and
# short against the run, so that workers end together and a lost one costs little.
SHORTEST_WINDOW_HOURS = 1.0
LONGEST_TASK_S = 5.0
TASKS_PER_WORKER = 3


class Task(NamedTuple):
    """One piece of work: objects of block `i` against block `j` in [begin_s, end_s) of the window."""

    block_i: int
    block_j: int
    begin_s: float
    end_s: float


class Plan(NamedTuple):
    """The cut of a screening."""

    blocks: int
    windows: int
    tasks: list[Task]

    def __str__(self) -> str:
        hours = (self.tasks[0].end_s - self.tasks[0].begin_s) / 3600.0
        return f"{len(self.tasks)} tasks: {self.blocks} block(s), {self.windows} window(s) of {hours:.2f} h"


def plan(objects: int, span_s: float, workers: int) -> Plan:
    """Choose the number of blocks and windows for `objects` over `span_s` seconds on `workers` workers."""
    blocks = max(1, math.ceil(objects * BYTES_PER_OBJECT / LARGEST_TASK_BYTES))
    in_task = objects if blocks == 1 else 2 * math.ceil(objects / blocks)
    hours = span_s / 3600.0
    cost_s = hours * (in_task * SECONDS_PER_OBJECT_HOUR + in_task**2 / 2 * SECONDS_PER_PAIR_HOUR)
    wanted = max(
        math.ceil(cost_s / LONGEST_TASK_S), math.ceil(TASKS_PER_WORKER * workers / (blocks * blocks))
    )
    windows = max(1, min(wanted, math.floor(hours / SHORTEST_WINDOW_HOURS)))
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


def block_members(objects: int, blocks: int, block: int) -> npt.NDArray[np.intp]:
    """Return the indices of the objects in one block: every `blocks`-th, so that blocks are alike."""
    return np.arange(block, objects, blocks)


def task_members(objects: int, plan: Plan, task: Task) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int8]]:
    """Return the sorted indices of a task's objects and their sides: 0 within one block, else 1 and 2."""
    first = block_members(objects, plan.blocks, task.block_i)
    if task.block_i == task.block_j:
        return first, np.zeros(len(first), np.int8)
    second = block_members(objects, plan.blocks, task.block_j)
    members = np.concatenate([first, second])
    sides = np.repeat(np.array([1, 2], np.int8), [len(first), len(second)])
    order = np.argsort(members)
    return members[order], sides[order]
