"""The cluster of `skysieve up` is there when it is used, and takes no memory when it is not."""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import psutil
import pytest

from flows.cluster.fan_out import cluster
from flows.cluster.ports import free_port
from flows.cluster.threads import Threads

pytestmark = [pytest.mark.processes, pytest.mark.slow]

WITHOUT_DASK_MB = 20  # Python itself takes 12, Dask 70
SOON_S = 0.5  # instead of 20
IMPATIENT = f"""
import sys
from flows.group import local_dask
local_dask.UNUSED_S = {SOON_S}
local_dask.main(int(sys.argv[1]), 1)
"""


def memory_mb(process: int) -> float:
    return float(psutil.Process(process).memory_info().rss / 1e6)


def until(reached: Callable[[], bool]) -> None:
    pause = Event()
    for _ in range(300):
        if reached():
            return
        pause.wait(0.1)
    raise AssertionError("it does not come to that")


def listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


@contextmanager
def local_dask(port: int, repository: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process; soon after its last client it ends the cluster."""
    command = [sys.executable, "-P", "-c", IMPATIENT, str(port)]
    with subprocess.Popen(command, env={"PYTHONPATH": str(repository)}) as process:
        try:
            until(lambda: listens(port))
            yield process
        finally:
            process.kill()


def test_the_cluster_comes_with_each_client_and_goes_after_it(repository: Path) -> None:
    port = free_port()
    with local_dask(port, repository) as process:
        assert listens(port)  # whoever only looks does not start it
        assert memory_mb(process.pid) < WITHOUT_DASK_MB
        for _ in range(2):
            with cluster(f"tcp://127.0.0.1:{port}", 1) as used:
                assert not isinstance(used, Threads)
                assert used.client.submit(pow, 3, 2).result() == 9
                assert memory_mb(process.pid) > WITHOUT_DASK_MB
            until(lambda: memory_mb(process.pid) < WITHOUT_DASK_MB)
            assert process.poll() is None  # it is the same process


def test_it_stops_when_it_is_asked_to_with_and_without_a_client(repository: Path) -> None:
    port = free_port()
    with local_dask(port, repository) as process:
        with cluster(f"tcp://127.0.0.1:{port}", 1):
            pass
        until(lambda: memory_mb(process.pid) < WITHOUT_DASK_MB)
        process.terminate()  # the cluster that it was had that signal blocked
        assert process.wait(5) == -signal.SIGTERM
    with local_dask(port, repository) as process, cluster(f"tcp://127.0.0.1:{port}", 1):
        process.terminate()
        assert process.wait(5) == 0
