"""The fan-out over threads or Dask gives what one thread gives, and says clearly when there is no cluster."""

from collections.abc import Iterator

import pytest
from distributed import LocalCluster

from flows.cluster.errors import ClusterError
from flows.cluster.fan_out import TooManyEvents, cluster
from flows.cluster.threads import Threads
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import Plan, cut
from tests.flows.small_screening import (
    Rated,
    assert_identical,
    screened_in_one_thread,
    screened_on_cluster,
)


@pytest.fixture(scope="module")
def workers() -> Iterator[Threads]:
    with cluster("", 2) as workers:
        yield workers


@pytest.mark.parametrize("plan", [cut(10800.0, 1, 1), cut(10800.0, 1, 4), cut(10800.0, 3, 2)], ids=str)
def test_the_cluster_finds_what_one_thread_finds(
    workers: Threads, elements: ElementArray, span: TimeWindow, in_one_thread: Rated, plan: Plan
) -> None:
    calls: list[tuple[int, int]] = []
    found = screened_on_cluster(workers, elements, span, plan, lambda done, of: calls.append((done, of)))
    assert_identical(found, in_one_thread)
    tasks = calls[-1][0]
    assert 0 < tasks <= len(plan.tasks), "blocks that never meet are left out"
    assert calls == [(done, tasks) for done in range(tasks + 1)]


def test_too_many_events_stop_the_run_at_once(
    workers: Threads, elements: ElementArray, span: TimeWindow, in_one_thread: Rated
) -> None:
    made = cut(span.seconds, 1, 9)
    allowed = len(in_one_thread.conjunctions) // 9
    done: list[int] = []
    with pytest.raises(
        TooManyEvents, match=rf"below 50 km after \d of 9 .*SKYSIEVE_MAX_EVENTS={allowed} allows"
    ):
        screened_on_cluster(workers, elements, span, made, lambda k, _of: done.append(k), allowed)
    assert len(done) < 9
    assert workers.threads == 2, "the workers are still there"
    enough = screened_on_cluster(workers, elements, span, made, max_events=20 * allowed)
    assert_identical(enough, in_one_thread)


def test_a_given_scheduler_is_used(elements: ElementArray, span: TimeWindow) -> None:
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as outside,
        cluster(outside.scheduler_address, workers=7) as workers,
    ):
        assert len(workers.client.scheduler_info()["workers"]) == 1
        found = screened_on_cluster(workers, elements[:50], span, cut(span.seconds, 1, 2))
    assert_identical(found, screened_in_one_thread(elements[:50], span))


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.cluster.remote.CONNECT_TIMEOUT_S", 0.5)
    with (
        pytest.raises(ClusterError, match=r"No Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"),
        cluster("tcp://127.0.0.1:9", workers=1),
    ):
        pytest.fail("there is no scheduler")
