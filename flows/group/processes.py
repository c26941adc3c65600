"""The processes of `skysieve up`: their commands, and what each needs to know of the others."""

import sys

from flows.cluster.ports import free_port, in_address, loopback
from flows.group.supervisor import Part
from flows.settings import FlowSettings, child_environment, prefect_environment, prefect_server

# Without -P Python looks for modules in the current folder first, and `api` is a common name.
_PYTHON = (sys.executable, "-P", "-m")
_SKYSIEVE = (*_PYTHON, "skysieve")


def parts_of(settings: FlowSettings) -> list[Part]:
    """Return the processes: the HTTP service, the deliveries, Prefect's server, a Dask cluster, the schedule.

    A Prefect server or a Dask scheduler that the settings name is used instead of starting one.
    """
    parts = [
        Part("the HTTP service", (*_SKYSIEVE, "serve"), child_environment(settings)),
        Part("the deliveries", (*_SKYSIEVE, "alerts", "deliver"), child_environment(settings)),
    ]
    for_schedule = dict(prefect_environment(settings))
    if prefect_server() is None:
        port = free_port()
        parts.append(_prefect(settings, port))
        for_schedule["PREFECT_API_URL"] = f"http://{in_address(loopback())}:{port}/api"
    if not settings.scheduler:
        port = free_port()
        parts.append(_dask(settings, port))
        for_schedule["SKYSIEVE_SCHEDULER"] = f"tcp://{in_address(loopback())}:{port}"
    schedule = (*_SKYSIEVE, "schedule")
    return [
        *parts,
        Part("the schedule", schedule, child_environment(settings, **for_schedule)),
    ]


def _prefect(settings: FlowSettings, port: int) -> Part:
    command = (*_PYTHON, "flows.scheduled.prefect_server", f"--host={loopback()}", f"--port={port}")
    environment = child_environment(settings, **prefect_environment(settings))
    return Part("Prefect", command, environment, port, quiet=True)


def _dask(settings: FlowSettings, port: int) -> Part:
    command = (*_PYTHON, "flows.group.local_dask", str(port), str(settings.workers))
    return Part("Dask", command, child_environment(settings), port)
