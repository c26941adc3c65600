"""Worker processes on this machine, with one thread each."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, LocalCluster

from flows.cluster.ports import loopback
from flows.cluster.remote import Cluster
from flows.settings import start_processes_safely


@contextmanager
def worker_processes(count: int) -> Iterator[Cluster]:
    """Start this many processes, which end with this one, even if it is killed."""
    start_processes_safely()
    with (
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,  # the plan of a run keeps to what there is
            host=loopback(),
            # Any free port, on this machine only: by default it would listen on all addresses.
            dashboard_address=[(loopback(), 0)],
            worker_dashboard_address=[(loopback(), 0)],
            silence_logs=logging.CRITICAL,  # important errors come back as exceptions
        ) as local,
        Cluster(lambda timeout_s: Client(local, timeout=timeout_s), alike=True) as here,
    ):
        yield here
