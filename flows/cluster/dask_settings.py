"""Settings of Dask itself, for each of our processes with a part of a cluster."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from dask import config

QUIET = {
    "distributed.worker.memory.terminate": False,
    "distributed.logging.distributed": "error",
    # Samples every thread a hundred times a second, and takes the interpreter from them each time.
    "distributed.worker.profile.enabled": False,
    # The objects are sent with the graph: 10 MB for a hundred thousand.
    "distributed.admin.large-graph-warning-threshold": "1 GB",
    # Without MALLOC_TRIM_THRESHOLD_: with it glibc maps and unmaps each large array, an eighth of the time.
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
}


@contextmanager
def quiet() -> Iterator[None]:
    """Use these settings, and leave out Dask's log: important errors come back as exceptions."""
    for name in ("distributed", "distributed.client"):  # the second one has its own level
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with config.set(QUIET):
        yield
