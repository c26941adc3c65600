"""What a scheduler forgets is sent again, and nothing else; one that keeps forgetting fails the run."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import Client, Future, LocalCluster, wait

from flows.cluster.errors import ClusterError
from flows.cluster.remote import Cluster, remote
from flows.cluster.retry import results, results_with
from tests.flows.dask_processes import DaskProcesses


def square(number: int) -> int:
    return number * number


@contextmanager
def one_worker() -> Iterator[Cluster]:
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as local,
        Cluster(lambda timeout_s: Client(local, timeout=timeout_s)) as here,
    ):
        yield here


def test_every_task_gets_what_all_need() -> None:
    with one_worker() as here:
        assert here.threads == 1
        assert sorted(results_with(here, pow, [1, 2, 3], 2)) == [1, 4, 9]


def test_only_what_was_lost_is_done_again() -> None:
    sent: list[list[int]] = []
    futures: list[Future[int]] = []

    def begin(client: Client, numbers: Sequence[int]) -> "list[Future[int]]":
        sent.append(list(numbers))
        futures[:] = client.map(square, numbers, pure=False)
        return list(futures)

    with one_worker() as here:
        first = here.client
        coming = results(here, [1, 2, 3, 4], begin)
        known = {next(coming), next(coming)}
        first.cancel(futures)
        others = set(coming)
        assert here.client is not first
    assert known | others == {1, 4, 9, 16}
    assert sent[0] == [1, 2, 3, 4]
    assert {square(number) for number in sent[1]} == others


def test_a_scheduler_that_forgets_again_and_again_fails_the_run() -> None:
    def begin(client: Client, numbers: Sequence[int]) -> "list[Future[int]]":
        futures = client.map(square, numbers, pure=False)
        client.cancel(futures)
        return futures

    with (
        one_worker() as here,
        pytest.raises(ClusterError, match=r"The Dask scheduler lost its tasks 4 times in a row \("),
    ):
        list(results(here, [1, 2], begin))


def test_an_error_of_a_task_itself_is_raised_unchanged() -> None:
    def begin(client: Client, names: Sequence[str]) -> "list[Future[object]]":
        return client.map(open, names, pure=False)

    with one_worker() as here, pytest.raises(FileNotFoundError, match="/nonexistent"):
        list(results(here, ["/nonexistent"], begin))


@pytest.mark.processes
def test_a_task_that_no_worker_survives_is_said_to_need_memory(tmp_path: Path) -> None:
    """As the system ends a process that takes too much."""
    with DaskProcesses(tmp_path, config={"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}) as processes:
        processes.keep_worker()

        def begin(client: Client, codes: Sequence[int]) -> "list[Future[int]]":
            return client.map(os._exit, codes, pure=False)

        with (
            remote(processes.address, None) as there,
            pytest.raises(ClusterError, match=r"with every worker that tried it .*logs and memory"),
        ):
            list(results(there, [1], begin))


@pytest.mark.slow
def test_the_only_worker_is_lost_with_results_that_nobody_has_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run waited for ever."""
    with DaskProcesses(tmp_path) as processes:
        worker = processes.add_worker()
        with Client(processes.address) as client:
            client.wait_for_workers(1)
        monkeypatch.setattr("flows.cluster.remote.WORKER_TIMEOUT_S", 0.5)

        def begin(client: Client, numbers: Sequence[int]) -> "list[Future[int]]":
            futures = client.map(abs, numbers, pure=False)
            wait(futures)
            worker.kill()
            return futures

        with (
            remote(processes.address, None) as there,
            pytest.raises(
                ClusterError, match=r"The last Dask worker was lost, and none joined within 0\.5 s"
            ),
        ):
            list(results(there, [1, 2], begin))
