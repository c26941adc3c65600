"""The plan covers every pair of objects at every time exactly once, whatever the size."""

from itertools import combinations

import numpy as np
import pytest

from screening.search.all_pairs.plan import (
    Plan,
    cut,
    order_by_radius,
    plan,
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


def _borders(made: Plan) -> list[float]:
    return sorted({task.begin_s for task in made.tasks} | {task.end_s for task in made.tasks})


@pytest.mark.parametrize("objects", [1, 500, 26_834, 107_000, 1_000_000])
@pytest.mark.parametrize("hours", [0.1, 24.0, 168.0, 720.0])
@pytest.mark.parametrize("threshold_km", [10.0, 100.0])
@pytest.mark.parametrize("workers", [1, 2, 64])
def test_windows_are_equal_and_cover_the_span(
    objects: int, hours: float, threshold_km: float, workers: int
) -> None:
    made = plan(objects, hours * 3600.0, threshold_km, workers)
    borders = _borders(made)
    assert borders[0] == 0.0
    assert borders[-1] == pytest.approx(hours * 3600.0)
    assert np.ptp(np.diff(borders)) < 1e-6
    assert len(made.tasks) == made.windows * made.blocks * (made.blocks + 1) // 2


def test_a_catalogue_of_today_stays_in_one_block() -> None:
    assert plan(30_000, DAY_S, 10.0, 2).blocks == 1


def test_a_million_objects_are_split_so_that_a_task_stays_under_a_gigabyte() -> None:
    made = plan(1_000_000, DAY_S, 10.0, 64)
    assert made.blocks > 1
    members, _ = task_members(1_000_000, made, made.tasks[1])
    measured_bytes_per_object = 4500.0
    assert len(members) * measured_bytes_per_object < 1.3e9


def test_a_task_finds_no_more_events_than_memory_holds() -> None:
    made = plan(100_000, DAY_S, 100.0, 2)
    members, _ = task_members(100_000, made, made.tasks[0])
    hours = (made.tasks[0].end_s - made.tasks[0].begin_s) / 3600.0
    # 132,441 events of 26,834 objects in 24 h at 10 km, as the square of objects and threshold.
    events = 132_441 / 24.0 * hours * (len(members) / 26_834) ** 2 * (100.0 / 10.0) ** 2
    assert events * 160 < 0.3e9
    assert len(made.tasks) < 500


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


def test_every_worker_gets_work() -> None:
    for workers in (1, 2, 8):
        assert len(plan(26_834, DAY_S, 10.0, workers).tasks) >= workers


def test_the_plan_says_what_it_is() -> None:
    assert str(cut(DAY_S, 1, 6)) == "6 tasks: 1 block(s), 6 window(s) of 4.00 h"
