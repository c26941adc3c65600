"""Settings of Dask itself, for each process of ours that has a part of a cluster."""

QUIET = {
    "distributed.worker.memory.terminate": False,
    "distributed.logging.distributed": "error",
    # Looks at every thread a hundred times a second, and each time takes the interpreter from them.
    "distributed.worker.profile.enabled": False,
    # The objects go with the graph: 10 MB of a hundred thousand.
    "distributed.admin.large-graph-warning-threshold": "1 GB",
}
