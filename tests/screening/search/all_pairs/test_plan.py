"""The plan covers every pair of objects at every time exactly once, whatever the size."""

from itertools import combinations

import numpy as np
import pytest

from screening.search.all_pairs.plan import (
    cut,
    order_by_radius,
    task_members,
    without_blocks_apart,
)
from screening.search.radial_range import RadialRange

DAY_S = 86400.0


@pytest.mark.parametrize(("blocks", "windows"), [(1, 1), (1, 7), (3, 1), (4, 5)])
def test_every_pair_is_searched_once_at_every_time(blocks: int, windows: int) -> None:
    objects = 11
    made = cut(DAY_S, blocks, windows)
    searched_s = dict.fromkeys(combinations(range(objects), 2), 0.0)
    for task in made.tasks:
        members, sides = task_members(objects, made, task)
        for p, q in combinations(range(len(members)), 2):
            if sides[p] == 0 or sides[p] != sides[q]:
                searched_s[int(members[p]), int(members[q])] += task.end_s - task.begin_s
    assert list(searched_s.values()) == [pytest.approx(DAY_S)] * len(searched_s)


def test_blocks_of_objects_that_never_meet_need_no_task() -> None:
    low_km = np.concatenate([np.linspace(6700.0, 7400.0, 60), [6600.0] * 20, [42100.0] * 20])
    high_km = np.concatenate([low_km[:60] + 80.0, [40000.0] * 20, [42200.0] * 20])
    shuffled = np.random.default_rng(3).permutation(100)
    ranges = RadialRange(low_km[shuffled], high_km[shuffled])
    order = order_by_radius(ranges)
    ordered = RadialRange(ranges.low_km[order], ranges.high_km[order])
    made = cut(DAY_S, 10, 2)
    kept = without_blocks_apart(made, ordered, 10.0)
    assert 0 < len(kept.tasks) < len(made.tasks)
    searched = set()
    for task in kept.tasks:
        members, sides = task_members(100, kept, task)
        for p, q in combinations(range(len(members)), 2):
            if sides[p] == 0 or sides[p] != sides[q]:
                searched.add((*sorted((int(members[p]), int(members[q]))), task.begin_s))
    for i, j in combinations(range(100), 2):
        if max(ordered.low_km[i], ordered.low_km[j]) - 10.0 <= min(ordered.high_km[i], ordered.high_km[j]):
            assert {(i, j, 0.0), (i, j, DAY_S / 2)} <= searched


def test_the_plan_says_what_it_is() -> None:
    assert str(cut(DAY_S, 1, 6)) == "6 tasks: 1 block(s), 6 window(s) of 4.00 h"
