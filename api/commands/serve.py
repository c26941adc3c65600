"""The command that serves the store over HTTP."""

import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from storage.shell.options import StoreOption, use_kernels
from storage.vocabulary import CREDENTIAL_KINDS

# FastAPI, uvicorn and the application take longer to import than `--help` may.

app = typer.Typer()


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.  [default: SKYSIEVE_HOST]")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on.  [default: SKYSIEVE_PORT]")
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="Let anyone read without a credential, and no one change anything."),
    ] = False,
    store: StoreOption = None,
) -> None:
    """Serve the web page and the stored events over HTTP, until stopped."""
    from storage.machine.allocator import keep_little

    keep_little()  # before pyarrow is imported
    from api.server.listening import listening_socket
    from api.server.process import run_server
    from api.settings import ApiSettings
    from storage.settings import load_settings

    settings = load_settings(ApiSettings, host=host, port=port, store=store)
    use_kernels(settings.kernel_cache)
    with listening_socket(settings.host, settings.port) as listening:
        if demo:
            typer.echo(
                "A demonstration: anyone who reaches this address may read, no one may change anything."
            )
        else:
            _say_how_to_enter(settings.store)
        run_server(settings, listening, demo=demo)


def _say_how_to_enter(store: Path) -> None:
    """If the store has no credentials, create some for the user at the terminal, or say how to."""
    from storage.state.credentials import create_credential, list_credentials

    if list_credentials(store):
        return
    if not sys.stdout.isatty():
        where = store.absolute()
        typer.echo(
            f"There is no credential in {where} yet, so no one can read events. In a terminal on "
            "this machine, as the user of this process, "
            f"`skysieve tokens create --kind bearer --name NAME --store {shlex.quote(str(where))}` "
            "creates one.",
            err=True,
        )
        return
    made = [
        create_credential(store, kind, "made at first start", datetime.now(UTC)) for kind in CREDENTIAL_KINDS
    ]
    headers = {"bearer": "Authorization: Bearer ", "api-key": "X-API-Key: "}
    typer.echo("The first credentials of this store. The secrets are not shown again:")
    for credential in made:
        typer.echo(f"  {headers[credential.kind]}{credential.secret}")
