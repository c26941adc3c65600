"""Commands that run until they are stopped: schedule and up."""

from socket import socket
from typing import Annotated

import typer

from storage.shell.options import StoreOption

# Prefect and the settings are imported where they are used, so that `--help` is quick.

app = typer.Typer()

SourceOption = Annotated[
    str | None,
    typer.Option(
        help="Source of catalogues: celestrak, celestrak:GROUP, spacetrack, synthetic, a file or a URL. "
        "Default: SKYSIEVE_SOURCE or celestrak.",
        show_default=False,
    ),
]


@app.command()
def schedule(
    source: SourceOption = None,
    store: StoreOption = None,
    server_port: Annotated[
        int | None,
        typer.Option(hidden=True, min=1, max=65535, help="Serve Prefect in this process, on this port."),
    ] = None,
    server_socket: Annotated[
        int | None, typer.Option(hidden=True, help="The open socket of that server, after a rest.")
    ] = None,
    next_due: Annotated[
        float | None, typer.Option(hidden=True, help="When the run was due for which it rested.")
    ] = None,
) -> None:
    """Make a run every SKYSIEVE_REFRESH_HOURS, as a deployment of a Prefect server, until stopped.

    The server is the one at PREFECT_API_URL. `skysieve up` starts one, and everything else.
    """
    from flows.scheduled.at_rest import SCHEDULE_LOCK
    from flows.settings import FlowSettings, prepare_prefect
    from flows.sources.names import find_origin
    from screening.errors import UsageError
    from storage.disk.lock import lock_if_free
    from storage.machine.kernel_folder import check_kernel_folder
    from storage.settings import load_settings

    settings = load_settings(FlowSettings, store=store, source=source)
    find_origin(settings.source, settings)  # refuse a wrong name at once
    check_kernel_folder(settings.kernel_cache)
    prepare_prefect()
    settings.store.mkdir(parents=True, exist_ok=True)
    with lock_if_free(settings.store, SCHEDULE_LOCK) as free:
        if not free:
            raise UsageError(f"`skysieve schedule` is already running for the store {settings.store}.")
        server = None
        if server_port is not None:
            from flows.cluster.ports import loopback
            from flows.scheduled.prefect_server import bound_socket, own_server

            if server_socket is None:
                server = own_server(bound_socket(loopback(), server_port))
            else:
                server = own_server(socket(fileno=server_socket))
        from flows.scheduled.deployment import serve_schedule

        serve_schedule(settings, server, next_due)


@app.command()
def up(source: SourceOption = None, store: StoreOption = None) -> None:
    """Run everything on this machine until stopped: Prefect, the schedule, Dask and the HTTP service.

    A run is made at once if the store has no recent one. A process that ends is restarted; Ctrl-C or SIGTERM
    ends them all. Prefect and Dask listen on free ports of 127.0.0.1; a second `up`, for another store, needs
    a SKYSIEVE_PORT of its own.
    """
    from flows.cluster.ports import refuse_taken
    from flows.group.processes import parts_of
    from flows.group.supervisor import CannotStart, supervise
    from flows.scheduled.due_times import cron_of
    from flows.settings import FlowSettings, prefect_home
    from storage.disk.lock import lock_if_free
    from storage.machine.kernel_folder import check_kernel_folder
    from storage.machine.private import FOLDER_MODE, keep_private, make_private_file
    from storage.settings import ListenSettings, load_settings

    settings = load_settings(FlowSettings, store=store, source=source)
    cron_of(settings.refresh_hours)
    listen = load_settings(ListenSettings)
    check_kernel_folder(settings.kernel_cache)
    home = prefect_home(settings)
    try:
        home.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        keep_private(home)
        make_private_file(home / "prefect.db")  # its journals follow
    except OSError as error:
        raise CannotStart(f"The folder {home} cannot be created ({error.strerror}).") from error
    with lock_if_free(home) as free:
        if not free:
            raise CannotStart(f"`skysieve up` is already running for the store {settings.store}.")
        refuse_taken(listen.host, listen.port, "SKYSIEVE_HOST and SKYSIEVE_PORT")
        parts = parts_of(settings)
        starting = (f"{part.name} (port {part.port})" if part.port else part.name for part in parts)
        typer.echo(f"starting {', '.join(starting)}; the store is {settings.store}", err=True)
        supervise(parts, lambda line: typer.echo(f"skysieve: {line}", err=True))
    typer.echo("all processes have ended", err=True)
