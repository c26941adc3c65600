"""Parts of a cluster are lost late in a run: the result is that of a run that nothing disturbs."""

import signal
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from distributed import Client

from flows.cluster.errors import ClusterError
from flows.cluster.fan_out import cluster
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import cut
from tests.flows.dask_processes import DaskProcesses
from tests.flows.hosts import hosts
from tests.flows.small_screening import Rated, assert_identical, screened_on_cluster

TASKS = 24
# What Dask does every 2 s, and what it waits 30 s for, as quick as it goes.
QUICK_TO_DROP = {"DASK_DISTRIBUTED__SCHEDULER__ACTIVE_MEMORY_MANAGER__INTERVAL": "100ms"}
QUICK_TO_SEE = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "11s"}
CUT_S = 60.0

Screen = Callable[[str, Callable[[], object]], Rated]


@pytest.fixture(scope="module")
def screen(elements: ElementArray, span: TimeWindow) -> Screen:
    """Return what screens on a cluster and, from the second task on, does something beside it."""

    def screened(scheduler: str, beside: Callable[[], object]) -> Rated:
        begun: list[Future[object]] = []
        told: list[tuple[int, int]] = []
        with ThreadPoolExecutor(1) as thread, cluster(scheduler, 1) as workers:

            def on_progress(done: int, of: int) -> None:
                told.append((done, of))
                if done == 2:
                    begun.append(thread.submit(beside))

            plan = cut(span.seconds, 1, TASKS)
            found = screened_on_cluster(workers, elements, span, plan, on_progress)
        begun[0].result()
        assert told == [(done, TASKS) for done in range(TASKS + 1)]
        return found

    return screened


@pytest.fixture(scope="module")
def undisturbed(screen: Screen) -> Rated:
    return screen("", lambda: None)


def wait_for_workers(scheduler: str, number: int) -> None:
    with Client(scheduler, set_as_default=False) as client:
        client.wait_for_workers(number)


def wait_until_both_have_what_they_need(scheduler: str) -> None:
    """Wait until Dask has copied to one worker what the other got first, or one has nothing to do any more.

    A worker that is stopped while the other still waits for its copy keeps that one waiting, too.
    """
    pause = Event()
    with Client(scheduler, set_as_default=False) as client:
        while all(client.processing().values()) and all(
            len(holders) < 2 for holders in client.who_has().values()
        ):
            pause.wait(0.05)


def wait_until_the_rest_lies_with_one(scheduler: str) -> None:
    """Wait until a worker has nothing to do, and Dask has dropped its copies of what the other has."""
    pause = Event()
    with Client(scheduler, set_as_default=False) as client:
        while all(client.processing().values()) or any(
            len(holders) > 1 for holders in client.who_has().values()
        ):
            pause.wait(0.05)


@pytest.mark.slow
def test_the_last_copy_of_the_objects_dies_with_a_worker_that_was_stopped(
    tmp_path: Path, screen: Screen, undisturbed: Rated
) -> None:
    with DaskProcesses(tmp_path, config=QUICK_TO_DROP) as processes:
        stopped = processes.add_worker()
        processes.add_worker()
        wait_for_workers(processes.address, 2)

        def stop_and_kill() -> None:
            wait_until_both_have_what_they_need(processes.address)
            stopped.send_signal(signal.SIGSTOP)
            wait_until_the_rest_lies_with_one(processes.address)
            stopped.kill()

        found = screen(processes.address, stop_and_kill)
    assert_identical(found, undisturbed)


@pytest.mark.slow
def test_the_link_of_a_worker_is_cut(
    tmp_path: Path, screen: Screen, undisturbed: Rated, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        hosts(3) as (middle, near, far),
        DaskProcesses(tmp_path, host=middle, config=QUICK_TO_DROP | QUICK_TO_SEE) as processes,
    ):
        processes.add_worker(near)
        processes.add_worker(far)
        wait_for_workers(processes.address, 2)
        found = screen(processes.address, far.cut)
    assert_identical(found, undisturbed)
    assert f"The Dask worker at tcp://{far.address}:" in caplog.text
    assert near.address not in caplog.text


@pytest.mark.slow
def test_the_scheduler_is_killed_and_started_again(
    tmp_path: Path,
    screen: Screen,
    undisturbed: Rated,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with DaskProcesses(tmp_path) as processes:
        processes.keep_worker()
        wait_for_workers(processes.address, 1)

        def kill_and_start() -> None:
            processes.scheduler.kill()
            processes.scheduler.wait()
            processes.start_scheduler()

        found = screen(processes.address, kill_and_start)
    assert_identical(found, undisturbed)
    assert "The tasks of the Dask scheduler are lost (" in caplog.text
    assert "Traceback" not in capfd.readouterr().err + caplog.text


@pytest.mark.slow
def test_the_only_worker_is_lost_and_none_comes(
    tmp_path: Path, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DaskProcesses(tmp_path) as processes:
        worker = processes.add_worker()
        wait_for_workers(processes.address, 1)
        monkeypatch.setattr("flows.cluster.remote.WORKER_TIMEOUT_S", 0.5)
        with pytest.raises(
            ClusterError, match=r"The last Dask worker was lost, and none joined within 0\.5 s"
        ):
            screen(processes.address, worker.kill)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_link_of_the_scheduler_is_cut_for_a_minute(
    tmp_path: Path, screen: Screen, undisturbed: Rated
) -> None:
    with hosts(3) as (middle, *others), DaskProcesses(tmp_path, host=middle) as processes:
        for host in others:
            processes.keep_worker(host)
        wait_for_workers(processes.address, 2)

        def cut_and_mend() -> None:
            middle.cut()
            Event().wait(CUT_S)
            middle.mend()

        found = screen(processes.address, cut_and_mend)
    assert_identical(found, undisturbed)
