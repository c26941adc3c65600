"""The processes of `skysieve up`: their commands, and what each needs to know of the others."""

import sys

from flows.cluster.ports import free_port, in_address, loopback
from flows.group.supervisor import Part
from flows.settings import FlowSettings, child_environment, prefect_environment, prefect_server

# Without -P Python looks for modules in the current folder first, and `api` is a common name.
_PYTHON = (sys.executable, "-P", "-m")
_SKYSIEVE = (*_PYTHON, "skysieve")


def parts_of(settings: FlowSettings) -> list[Part]:
    """Return the processes: the HTTP service, the deliveries, a Dask cluster, Prefect and the schedule.

    A Prefect server or a Dask scheduler that the settings name is used instead of starting one.
    """
    parts = [
        Part("the HTTP service", (*_SKYSIEVE, "serve"), child_environment(settings)),
        Part("the deliveries", (*_SKYSIEVE, "alerts", "deliver"), child_environment(settings)),
    ]
    if not settings.scheduler:
        parts.append(_dask(settings, free_port()))
    return [*parts, _schedule(settings, parts[-1].port)]


def _dask(settings: FlowSettings, port: int) -> Part:
    command = (*_PYTHON, "flows.group.local_dask", str(port), str(settings.workers))
    return Part("Dask", command, child_environment(settings), port)


def _schedule(settings: FlowSettings, dask: int | None) -> Part:
    """Return the schedule, in one process with Prefect's server: apart, both would load most of Prefect."""
    command, environment = (*_SKYSIEVE, "schedule"), dict(prefect_environment(settings))
    if dask is not None:
        environment["SKYSIEVE_SCHEDULER"] = f"tcp://{in_address(loopback())}:{dask}"
    if prefect_server() is not None:
        return Part("the schedule", command, child_environment(settings, **environment))
    port = free_port()
    environment["PREFECT_API_URL"] = f"http://{in_address(loopback())}:{port}/api"
    served = (*command, f"--server-port={port}")
    return Part("Prefect and the schedule", served, child_environment(settings, **environment), port)
