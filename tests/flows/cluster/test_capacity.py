"""A plan knows how many threads the workers have, how fast they are, and with how much memory."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from distributed import Client, LocalCluster, get_worker

from flows.cluster import capacity as capacity_module
from flows.cluster.capacity import GROWS_TO_THREADS, timed_piece
from flows.cluster.fan_out import capacity, cluster
from flows.cluster.remote import Cluster
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import cut
from screening.search.all_pairs.rates import RATES
from tests.flows.processes import running
from tests.flows.small_screening import Rated, assert_identical, screened_on_cluster

ADAPTIVE = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(
        n_workers=0, threads_per_worker=1, processes=True, host="127.0.0.1", protocol="tcp://",
        dashboard_address=None, worker_dashboard_address="127.0.0.1:0",
    ) as local:
        local.adapt(minimum=0, maximum=2, interval="100ms")
        print(local.scheduler_address, flush=True)
        sys.stdin.read()
"""


RELEASED = Event()


def told_when_released(_piece: ElementArray, _span: TimeWindow) -> float:
    if get_worker().name == 0:
        RELEASED.wait()
    return 0.1


@contextmanager
def workers_of(workers: int, threads: int, memory_limit: int = 0) -> Iterator[Cluster]:
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=threads,
            processes=False,
            memory_limit=memory_limit,
            dashboard_address=None,
            worker_dashboard_address="127.0.0.1:0",
        ) as local,
        Cluster(lambda timeout_s: Client(local, timeout=timeout_s)) as here,
    ):
        yield here


def test_threads_of_this_process_are_alike(elements: ElementArray, span: TimeWindow) -> None:
    with cluster("", 3) as workers:
        assert capacity(workers, elements, span) == ((1.0, 1.0, 1.0), math.inf)


@pytest.mark.slow
def test_the_worker_with_the_least_memory_for_a_thread_decides(
    elements: ElementArray, span: TimeWindow
) -> None:
    with workers_of(2, 2, memory_limit=1_000_000_000) as workers:
        found = capacity(workers, elements, span)
    assert len(found.speeds) == 4
    assert found.bytes_per_thread == pytest.approx((1e9 - RATES.worker_bytes) / 2)


def test_a_slow_worker_is_known_by_the_time_it_takes(
    elements: ElementArray, span: TimeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(_piece: ElementArray, _span: TimeWindow) -> float:
        return 0.4 if get_worker().name == 1 else 0.1

    monkeypatch.setattr(capacity_module, "timed_piece", told)
    with workers_of(3, 1) as workers:
        assert sorted(capacity(workers, elements, span).speeds) == [0.25, 1.0, 1.0]


@pytest.mark.slow
def test_a_worker_that_does_not_answer_is_taken_to_be_like_the_others(
    elements: ElementArray, span: TimeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capacity_module, "timed_piece", told_when_released)
    monkeypatch.setattr(capacity_module, "PATIENCE_S", 0.5)
    with workers_of(2, 1) as workers:
        try:
            assert capacity(workers, elements, span).speeds == (1.0, 1.0)
        finally:
            RELEASED.set()


def test_the_piece_is_a_search(elements: ElementArray, span: TimeWindow) -> None:
    assert timed_piece(elements, span) > 0.0


@pytest.mark.slow
def test_a_cluster_that_starts_workers_only_for_tasks(
    tmp_path: Path, elements: ElementArray, span: TimeWindow, in_one_thread: Rated
) -> None:
    with running(ADAPTIVE, tmp_path) as (_, address), cluster(address, 1) as workers:
        assert workers.starts_workers
        assert len(capacity(workers, elements, span).speeds) == GROWS_TO_THREADS
        found = screened_on_cluster(workers, elements, span, cut(span.seconds, 1, 8))
    assert_identical(found, in_one_thread)
