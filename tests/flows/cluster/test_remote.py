"""A cluster of processes that loses workers or its scheduler: the same result, or a clear failure."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from flows.cluster.certificates import Certificates, certificates_of
from flows.cluster.errors import ClusterError
from flows.cluster.fan_out import cluster
from flows.cluster.task import Basis, run_task
from flows.commands.unattended import schedule
from flows.runs.run import Request, Stages, run_catalogue
from flows.scheduled.at_rest import SCHEDULE_LOCK
from flows.settings import FlowSettings
from flows.sources.catalogues import read_file
from screening.errors import UsageError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import cut
from screening.search.all_pairs.settled import Unsettled
from storage.disk.lock import lock_if_free
from storage.settings import load_settings
from tests.flows.dask_processes import DaskProcesses
from tests.flows.small_screening import (
    ANY_NUMBER,
    THRESHOLD_KM,
    Rated,
    assert_identical,
    known,
    screened_on_cluster,
)
from tests.runs import SILENT, START

WINDOWS = 12


def make_certificates(repository: Path, folder: Path, *names: str) -> dict[str, Certificates]:
    script = repository / "deploy" / "tls" / "make_certificates.sh"
    subprocess.run([str(script), str(folder), *names], check=True, capture_output=True)
    return {
        name: Certificates(folder / "ca.pem", folder / f"{name}.pem", folder / f"{name}-key.pem")
        for name in names
    }


@pytest.fixture(scope="module")
def certificates(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Certificates]:
    return make_certificates(repository, tmp_path_factory.mktemp("tls"), "cluster", "flow")


@pytest.mark.slow
def test_one_of_three_encrypted_workers_is_killed_another_comes_late(
    tmp_path: Path,
    certificates: dict[str, Certificates],
    elements: ElementArray,
    span: TimeWindow,
    in_one_thread: Rated,
) -> None:
    with DaskProcesses(tmp_path, certificates["cluster"]) as processes:
        for _ in range(3):
            processes.add_worker()
        assert processes.address.startswith("tls://")
        with cluster(processes.address, 1, certificates["flow"]) as workers:
            workers.client.wait_for_workers(3)

            def on_progress(done: int, _of: int) -> None:
                if done == 1:
                    processes.workers[0].kill()
                    processes.add_worker()

            found = screened_on_cluster(workers, elements, span, cut(span.seconds, 1, WINDOWS), on_progress)
    assert processes.workers[0].returncode is not None
    assert_identical(found, in_one_thread)


@pytest.mark.processes
def test_a_wrong_certificate_is_refused(
    tmp_path: Path,
    repository: Path,
    certificates: dict[str, Certificates],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("flows.cluster.remote.CONNECT_TIMEOUT_S", 2)
    foreign = make_certificates(repository, tmp_path / "foreign", "flow")["flow"]
    with DaskProcesses(tmp_path, certificates["cluster"]) as processes:
        with (
            pytest.raises(ClusterError, match="for tls:// the certificates"),
            cluster(processes.address, 1, foreign),
        ):
            pytest.fail("it let a stranger in")
        with (
            pytest.raises(ClusterError, match="No Dask scheduler answers"),
            cluster(processes.address.replace("tls://", "tcp://"), 1),
        ):
            pytest.fail("it talks in the clear")


@pytest.mark.processes
def test_a_worker_that_comes_late_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DaskProcesses(tmp_path) as processes:
        with monkeypatch.context() as patch:
            patch.setattr("flows.cluster.remote.WORKER_TIMEOUT_S", 0.2)
            with (
                pytest.raises(ClusterError, match=r"none joined within 0\.2 s"),
                cluster(processes.address, 1),
            ):
                pytest.fail("there is no worker")
        processes.add_worker()
        with cluster(processes.address, 1) as workers:
            assert workers.threads == 1


@pytest.mark.slow
def test_a_scheduler_that_does_not_come_back_fails_the_run_and_nothing_is_published(
    store: Path, tmp_path: Path, small_catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.cluster.remote.AWAY_S", 2)
    with DaskProcesses(tmp_path) as processes:
        processes.add_worker()
        settings = FlowSettings(store=store, scheduler=processes.address)

        def on_progress(done: int, _of: int) -> None:
            if done == 0:
                processes.scheduler.kill()

        with pytest.raises(ClusterError, match=r"The Dask scheduler was lost during the run\. .* after 2 s"):
            run_catalogue(
                read_file(small_catalogue),
                Request(START, 24.0, THRESHOLD_KM),
                settings,
                Stages(SILENT.stage),
                SILENT._replace(progress=on_progress),
            )
    assert not (store / "current.json").exists()


@pytest.mark.processes
def test_workers_of_another_release_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DaskProcesses(tmp_path) as processes:
        processes.add_worker()
        monkeypatch.setattr("screening.kernel_files._hash_of_sources", lambda: "another")
        with (
            pytest.raises(ClusterError, match="another release of skysieve"),
            cluster(processes.address, 1),
        ):
            pytest.fail("its results would depend on who did a task")


@pytest.mark.processes
def test_a_worker_of_a_release_without_the_check_is_refused(tmp_path: Path) -> None:
    """One of 0.1.0 died unpickling it, the run went on without, and the user never learnt why."""
    preload = tmp_path / "as_of_0_1.py"
    preload.write_text("import sys\nsys.modules['flows.cluster.releases'] = None\n")
    config = {"DASK_DISTRIBUTED__WORKER__PRELOAD": repr([str(preload)])}
    with DaskProcesses(tmp_path, config=config) as processes:
        processes.add_worker()
        for when in ("it comes", "it is there"):
            with (
                pytest.raises(ClusterError, match="1 Dask workers have another release of skysieve"),
                cluster(processes.address, 1),
            ):
                pytest.fail(f"when {when}: its results would depend on who did a task")


def test_a_worker_of_another_release_that_comes_late_does_no_task(
    elements: ElementArray, span: TimeWindow
) -> None:
    made = cut(span.seconds, 1, 1)
    everybody = np.arange(len(elements), dtype=np.int32)
    nobody = Unsettled(np.empty(0, np.int64), np.empty(0, np.int32))
    objects = known(elements)
    basis = Basis(
        elements, everybody, objects, everybody, nobody, span, THRESHOLD_KM, made, ANY_NUMBER, "another"
    )
    with pytest.raises(ClusterError, match="has another release of skysieve"):
        run_task(made.tasks[0], basis)


def test_a_second_schedule_of_a_store_is_refused(tmp_path: Path) -> None:
    with lock_if_free(tmp_path, SCHEDULE_LOCK) as free:
        assert free
        with pytest.raises(UsageError, match="is already running for the store"):
            schedule(source="synthetic", store=tmp_path)


@pytest.mark.parametrize(
    "address", ["localhost:8786", "http://localhost:8786", "tcp://localhost", "tls://:8786", "tcp://a b:1"]
)
def test_an_address_of_another_form_is_refused_at_once(address: str) -> None:
    with pytest.raises(UsageError, match=r"SKYSIEVE_SCHEDULER=.*expected tcp://host:8786 or tls://host:8786"):
        load_settings(FlowSettings, scheduler=address)


@pytest.mark.parametrize("address", ["", "tcp://localhost:8786", "tls://[::1]:8786", "tls://10.0.0.7:1"])
def test_addresses_of_that_form_are_taken(address: str) -> None:
    assert load_settings(FlowSettings, scheduler=address).scheduler == address


@pytest.mark.processes
def test_an_encrypted_cluster_needs_all_three_files(
    tmp_path: Path, certificates: dict[str, Certificates]
) -> None:
    given = certificates["flow"]
    files = {"scheduler_ca_file": given.authority, "scheduler_cert_file": given.certificate}
    settings = load_settings(FlowSettings, scheduler="tls://localhost:8786", **files)
    with pytest.raises(UsageError, match="SKYSIEVE_SCHEDULER_KEY_FILE=: a tls:// scheduler needs"):
        certificates_of(settings)
    settings = load_settings(FlowSettings, scheduler="tls://a:1", scheduler_key_file=given.key, **files)
    assert certificates_of(settings) == given
    assert certificates_of(load_settings(FlowSettings, scheduler="tcp://a:1")) is None
