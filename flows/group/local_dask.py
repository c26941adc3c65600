"""A Dask cluster on this machine that outlives runs: `python -P -m flows.group.local_dask PORT THREADS`.

Scheduler and worker share one process, and the worker has several threads, like the cluster of a single run.
"""

import logging
import signal
import sys

from dask import config
from distributed import LocalCluster

from flows.cluster.dask_settings import QUIET
from flows.cluster.ports import loopback


def main(port: int, threads: int) -> None:
    """Serve a cluster on a port of this machine until the process is asked to stop."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # before threads start, so that all inherit it
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
        ),
    ):
        signal.sigwait(signals)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
