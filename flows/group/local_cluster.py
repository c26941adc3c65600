"""The Dask cluster of `skysieve up`: scheduler and worker in this process."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from dask import config
from distributed import LocalCluster

from flows.cluster.dask_settings import QUIET
from flows.cluster.ports import loopback


@contextmanager
def local_cluster(port: int, threads: int) -> Iterator[LocalCluster]:
    """Serve a cluster on a port of this machine."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with (
        config.set(QUIET),
        LocalCluster(
            n_workers=1,
            threads_per_worker=threads,
            processes=False,
            memory_limit=0,  # a limit would apply to the whole process
            protocol="tcp://",
            host=loopback(),
            scheduler_port=port,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        yield cluster
