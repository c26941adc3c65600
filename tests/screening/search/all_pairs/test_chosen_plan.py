"""Plans fit the memory there is, keep all workers busy, and leave none waiting for a slow one."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.search.all_pairs.chosen_plan import (
    MOST_EVENTS_IN_TASK,
    Planned,
    Workers,
    _intervals,
    at_full_speed,
    chosen_plan,
    makespan_s,
)
from screening.search.all_pairs.population import Population
from screening.search.all_pairs.screen import chunks_of_knots, intervals_at_a_time
from tests.screening.search.all_pairs.test_population import crowd_of

DAY_S = 86400.0


@pytest.fixture(scope="module")
def today(real_elements: ElementArray) -> Population:
    return crowd_of(real_elements)


def as_many(crowd: Population, objects: int) -> Population:
    """Return a larger catalogue with the same orbits."""
    return crowd._replace(objects=objects, curves=crowd.curves._replace(objects=objects))


@pytest.mark.slow
@pytest.mark.parametrize("objects", [500, 26_834, pytest.param(107_000, marks=pytest.mark.slow), 1_000_000])
@pytest.mark.parametrize("hours", [0.1, 24.0, 720.0])
@pytest.mark.parametrize("threshold_km", [1.0, 10.0])
@pytest.mark.parametrize("workers", [1, 64])
def test_windows_are_equal_and_cover_the_span(
    today: Population, objects: int, hours: float, threshold_km: float, workers: int
) -> None:
    made = chosen_plan(as_many(today, objects), hours * 3600.0, threshold_km, at_full_speed(workers))
    tasks = made.plan.tasks
    borders = sorted({task.begin_s for task in tasks} | {task.end_s for task in tasks})
    assert borders[0] == 0.0
    assert borders[-1] == pytest.approx(hours * 3600.0)
    assert np.ptp(np.diff(borders)) < 1e-6
    assert len(made.seconds) == len(tasks)


def test_an_empty_catalogue_has_an_empty_plan(real_elements: ElementArray) -> None:
    made = chosen_plan(crowd_of(real_elements[:0]), DAY_S, 10.0, at_full_speed(2))
    assert (made.plan.tasks, made.events, made.fits) == ([], 0.0, True)


def test_a_catalogue_of_today_stays_in_one_block(today: Population) -> None:
    assert chosen_plan(today, DAY_S, 10.0, at_full_speed(2)).plan.blocks == 1


@pytest.mark.slow
def test_a_million_objects_are_split_so_that_tasks_fit_the_memory(today: Population) -> None:
    crowd = as_many(today, 1_000_000)
    for gigabytes in (0.3, 0.6, 1.0):
        made = chosen_plan(crowd, DAY_S, 1.0, Workers((1.0, 1.0), gigabytes * 1e9))
        assert made.fits
        assert made.task_bytes <= gigabytes * 1e9
        assert made.plan.blocks > 1


@pytest.mark.slow
def test_without_memory_there_is_no_plan_that_fits(today: Population) -> None:
    assert not chosen_plan(as_many(today, 1_000_000), DAY_S, 1.0, Workers((1.0,), 1e6)).fits


def test_a_task_finds_no_more_events_than_memory_holds(today: Population) -> None:
    made = chosen_plan(as_many(today, 100_000), DAY_S, 20.0, at_full_speed(2))
    assert made.fits
    assert made.events / made.plan.windows / made.plan.blocks < 2 * MOST_EVENTS_IN_TASK


def test_more_workers_are_done_sooner(today: Population) -> None:
    crowd = as_many(today, 300_000)
    made = [chosen_plan(crowd, DAY_S, 10.0, at_full_speed(workers)) for workers in (1, 2, 8, 32, 128)]
    times_s = [one.search_s for one in made]
    assert times_s == sorted(times_s, reverse=True)
    for workers, one in zip((1, 2, 8, 32), made, strict=False):
        assert one.search_s < 1.3 * sum(one.seconds) / workers, "none is idle for long"


def test_a_slow_worker_leads_to_shorter_tasks_and_keeps_nobody_waiting(today: Population) -> None:
    crowd = as_many(today, 107_336)
    like, slow = Workers((1.0,) * 8), Workers((*(1.0,) * 7, 0.1))
    alike, uneven = (chosen_plan(crowd, DAY_S, 10.0, workers) for workers in (like, slow))
    assert max(uneven.seconds) < max(alike.seconds)
    with_its_plan, with_theirs = (makespan_s(made.seconds, slow.speeds) for made in (uneven, alike))
    assert with_its_plan < with_theirs
    assert with_its_plan < 1.5 * sum(uneven.seconds) / sum(slow.speeds)


def test_workers_take_the_next_task_when_they_are_free() -> None:
    dispatch_s = 0.01
    assert makespan_s([1.0, 1.0, 1.0], (1.0, 1.0)) == pytest.approx(2.0, abs=dispatch_s)
    assert makespan_s([3.0, 1.0, 1.0, 1.0], (1.0, 1.0)) == pytest.approx(3.0, abs=dispatch_s)
    assert makespan_s([1.0, 1.0], (1.0, 0.25)) == pytest.approx(4.0, abs=dispatch_s)
    assert makespan_s([], (1.0,)) == 0.0


@pytest.mark.parametrize(
    ("begin_s", "end_s"), [(0.0, 600.0), (0.0, 86400.0), (1234.5, 9876.5), (600.0, 4200.0)]
)
@pytest.mark.parametrize("objects", [100, 27_000, 107_000, 300_000, 1_000_000])
def test_knots_are_counted_as_the_search_has_them(begin_s: float, end_s: float, objects: int) -> None:
    at_a_time = intervals_at_a_time(objects)
    chunks = chunks_of_knots(begin_s, end_s, at_a_time)
    assert sum(len(chunk) - 1 for chunk in chunks) == _intervals(begin_s, end_s)
    assert max(len(chunk) - 1 for chunk in chunks) < 1.5 * at_a_time
    assert at_a_time in {6, 12, 18, 24}
    assert objects * at_a_time <= 2_700_000 or at_a_time == 6  # 130 MB


def test_the_plan_says_what_it_expects(today: Population) -> None:
    made: Planned = chosen_plan(today, DAY_S, 10.0, at_full_speed(2))
    assert str(made).startswith(f"{len(made.plan.tasks)} tasks: 1 block(s), ")
    assert f"about {made.events:,.0f} events" in str(made)
