"""Settings of Dask itself, for each of our processes with a part of a cluster."""

QUIET = {
    "distributed.worker.memory.terminate": False,
    "distributed.logging.distributed": "error",
    # Samples every thread a hundred times a second, and takes the interpreter from them each time.
    "distributed.worker.profile.enabled": False,
    # The objects are sent with the graph: 10 MB for a hundred thousand.
    "distributed.admin.large-graph-warning-threshold": "1 GB",
}
