"""Worker processes of one machine: the same result, on loopback only, and none outlives the run."""

import os
from ipaddress import ip_address
from pathlib import Path

import psutil
import pytest

from flows.cluster.fan_out import capacity, cluster
from flows.cluster.remote import Cluster
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.plan import cut
from tests.flows.processes import running
from tests.flows.small_screening import Rated, assert_identical, screened_on_cluster

pytestmark = pytest.mark.processes

STARTS_TWO = """
import sys
from flows.cluster.fan_out import cluster
if __name__ == "__main__":
    with cluster("", 1, processes=2) as workers:
        workers.client.wait_for_workers(2)
        print("started", flush=True)
        sys.stdin.read()
"""


def test_processes_find_what_one_thread_finds_and_listen_on_loopback_only(
    elements: ElementArray, span: TimeWindow, in_one_thread: Rated
) -> None:
    given = os.getenv("MALLOC_TRIM_THRESHOLD_")
    with cluster("", 1, processes=2) as workers:
        assert isinstance(workers, Cluster)
        workers.client.wait_for_workers(2, timeout=60)
        ours = [psutil.Process(), *psutil.Process().children(recursive=True)]
        listening = {
            connection.laddr.ip
            for process in ours
            for connection in process.net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN
        }
        # Not the one Dask would set, with which glibc maps and unmaps each large array.
        theirs = workers.client.run(os.getenv, "MALLOC_TRIM_THRESHOLD_")
        assert set(theirs.values()) == {given}
        assert listening
        assert all(ip_address(address).is_loopback for address in listening)
        assert len(capacity(workers, elements, span).speeds) == 2
        found = screened_on_cluster(workers, elements, span, cut(span.seconds, 1, 4))
    assert_identical(found, in_one_thread)


def test_processes_end_with_the_run_that_is_killed(tmp_path: Path) -> None:
    with running(STARTS_TWO, tmp_path) as (run, said):
        assert said == "started"
        below = psutil.Process(run.pid).children(recursive=True)
        assert len(below) >= 2
        run.kill()
        run.wait()
        _, left = psutil.wait_procs(below, timeout=30)
    assert left == []
