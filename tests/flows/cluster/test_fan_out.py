"""The fan-out over Dask gives what one thread gives, and says clearly when there is no cluster."""

from collections.abc import Iterator

import numpy as np
import pytest
from distributed import LocalCluster

from flows.cluster.fan_out import TooManyEvents, cluster, screen_on_cluster
from flows.cluster.remote import Cluster, ClusterError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.assemble import Screening, assemble
from screening.search.all_pairs.plan import Plan, cut
from tests.flows.small_screening import NUMERICAL_NOISE_KM, NUMERICAL_NOISE_S, THRESHOLD_KM

ANY_NUMBER = 1_000_000


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    with cluster("", 2) as workers:
        yield workers


@pytest.mark.parametrize("plan", [cut(10800.0, 1, 1), cut(10800.0, 1, 4), cut(10800.0, 3, 2)], ids=str)
def test_the_cluster_finds_what_one_thread_finds(
    workers: Cluster, elements: ElementArray, span: TimeWindow, in_one_thread: Screening, plan: Plan
) -> None:
    calls: list[tuple[int, int]] = []
    parts = screen_on_cluster(
        workers,
        elements,
        span,
        THRESHOLD_KM,
        plan,
        lambda done, of: calls.append((done, of)),
        max_events=ANY_NUMBER,
    )
    joined = assemble(elements, span, THRESHOLD_KM, parts)
    ours, expected = joined.encounters, in_one_thread.encounters
    for name in ("primary_index", "secondary_index", "slow"):
        np.testing.assert_array_equal(ours[name], expected[name])
    np.testing.assert_allclose(ours["tca_s"], expected["tca_s"], rtol=0, atol=NUMERICAL_NOISE_S)
    np.testing.assert_allclose(
        ours["miss_distance_km"], expected["miss_distance_km"], rtol=0, atol=NUMERICAL_NOISE_KM
    )
    assert joined.failures.keys() == in_one_thread.failures.keys()
    tasks = calls[-1][0]
    assert 0 < tasks <= len(plan.tasks), "blocks that never meet are left out"
    assert calls == [(done, tasks) for done in range(tasks + 1)]


def test_too_many_events_stop_the_run_at_once(
    workers: Cluster, elements: ElementArray, span: TimeWindow, in_one_thread: Screening
) -> None:
    made = cut(span.seconds, 1, 9)
    allowed = len(in_one_thread.encounters) // 9
    done: list[int] = []
    with pytest.raises(
        TooManyEvents, match=rf"below 50 km after \d of 9 .*SKYSIEVE_MAX_EVENTS={allowed} allows"
    ):
        screen_on_cluster(
            workers, elements, span, THRESHOLD_KM, made, lambda k, _of: done.append(k), max_events=allowed
        )
    assert len(done) < 9
    assert sum(workers.client.nthreads().values()) == 2, "the workers are still there"
    enough = screen_on_cluster(workers, elements, span, THRESHOLD_KM, made, max_events=20 * allowed)
    assert len(enough) == 9


def test_a_given_scheduler_is_used(elements: ElementArray, span: TimeWindow) -> None:
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as outside,
        cluster(outside.scheduler_address, workers=7) as workers,
    ):
        assert len(workers.client.scheduler_info()["workers"]) == 1
        parts = screen_on_cluster(
            workers, elements[:50], span, THRESHOLD_KM, cut(span.seconds, 1, 2), max_events=ANY_NUMBER
        )
    assert len(parts) == 2


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.cluster.remote.CONNECT_TIMEOUT_S", 0.5)
    with (
        pytest.raises(ClusterError, match=r"No Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"),
        cluster("tcp://127.0.0.1:9", workers=1),
    ):
        pytest.fail("there is no scheduler")
