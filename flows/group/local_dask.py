"""A Dask cluster on this machine, there while it is used: `python -P -m flows.group.local_dask PORT THREADS`.

Scheduler and worker share one process, and the worker has several threads, like the cluster of a single run.

Between runs the process only listens: Dask, and what its worker has loaded for a run, take 0.2 GB. What the
first client says turns it into the cluster, which that client reaches with its next attempt; some time after
the last one it replaces itself by what it was. It stays the same process to the group.
"""

import os
import signal
import socket
import sys
import time
from typing import TYPE_CHECKING

from flows.cluster.ports import loopback

# Dask is imported where it is used, as the process does without it most of the time.
if TYPE_CHECKING:
    from distributed import LocalCluster

UNUSED_S = 20.0  # without a client, after which the cluster ends
_LOOK_EVERY_S = 1.0
_CLIENT_SPEAKS_WITHIN_S = 1.0
_STOPPING = {signal.SIGTERM, signal.SIGINT}
_NO_CLIENT = "fire-and-forget"  # the scheduler has it among its clients


def main(port: int, threads: int) -> None:
    """Serve a cluster on a port of this machine until the process is asked to stop."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)  # blocked by the cluster that this process was
    with _first_client(port):
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)  # before threads start, so that all inherit it
        import flows.group.local_cluster as clusters  # while clients wait, instead of being refused
    with clusters.local_cluster(port, threads) as cluster:
        asked_to_stop = _used_until_asked_to_stop(cluster)
    if not asked_to_stop:
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - this very command


def _first_client(port: int) -> socket.socket:
    """Listen until a client speaks, and return the listening socket.

    One that says nothing only looks whether there is something, as the group does.
    """
    host = loopback()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    while True:
        client, _ = listening.accept()
        with client:
            client.settimeout(_CLIENT_SPEAKS_WITHIN_S)
            try:
                if client.recv(1):
                    return listening
            except OSError:
                continue


def _used_until_asked_to_stop(cluster: "LocalCluster") -> bool:
    """Wait until there has been no client for a while, or until a signal; return whether that came."""
    used = time.monotonic()
    while time.monotonic() - used < UNUSED_S:
        if signal.sigtimedwait(_STOPPING, _LOOK_EVERY_S):
            return True
        if cluster.scheduler and cluster.scheduler.clients.keys() - {_NO_CLIENT}:
            used = time.monotonic()
    return False


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
