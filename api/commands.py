"""Commands of the HTTP service: serve, and tokens."""

import sys
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from api.report.command import report
from storage.options import JsonOption, StoreOption, store_folder

# FastAPI, uvicorn and what they serve take longer to import than `--help` may.

app = typer.Typer()
tokens = typer.Typer(no_args_is_help=True)
app.command()(report)
app.add_typer(tokens, name="tokens", help="Make, list and revoke credentials of the HTTP service.")

LONGEST_DAYS = 36_500
LARGEST_PER_MINUTE = 1_000_000


class TokenKind(StrEnum):
    """Kinds of credentials."""

    BEARER = "bearer"
    API_KEY = "api-key"


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.  [default: SKYSIEVE_HOST]")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on.  [default: SKYSIEVE_PORT]")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Serve the stored events over HTTP, until it is stopped."""
    from api.server import listening_socket, run_server
    from api.settings import ApiSettings
    from storage.settings import load_settings

    settings = load_settings(ApiSettings, host=host, port=port, store=store)
    with listening_socket(settings.host, settings.port) as listening:
        _say_how_to_enter(settings.store)
        run_server(settings, listening)


@tokens.command()
def create(
    kind: Annotated[
        TokenKind, typer.Option(help="bearer: events and analyses. api-key: positions.", show_choices=True)
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="Whose it is, for the list.")],
    days: Annotated[
        int | None,
        typer.Option(min=1, max=LONGEST_DAYS, help="It expires after so many days.  [default: never]"),
    ] = None,
    per_minute: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=LARGEST_PER_MINUTE,
            help="Requests allowed a minute.  [default: as many as the service allows]",
        ),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Make a credential and show its secret, once."""
    from storage import output
    from storage.credentials import create_credential

    made = create_credential(
        store_folder(store), kind.value, name, datetime.now(UTC), days=days, per_minute=per_minute
    )
    if as_json:
        output.print_json(made._asdict())
        return
    until = "never expires" if made.expires is None else f"expires {output.time_text(made.expires)}"
    typer.echo(f"Credential {made.id} ({made.kind}, {made.name}), {until}. It is not shown again:", err=True)
    typer.echo(made.secret)


@tokens.command(name="list")
def list_tokens(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """List all credentials, without their secrets."""
    from storage import output
    from storage.credentials import Credential, list_credentials

    columns = [name for name in Credential._fields if name != "secret_sha256"]
    rows = [credential[: len(columns)] for credential in list_credentials(store_folder(store))]
    if as_json:
        output.print_json_rows(columns, rows)
    else:
        output.print_table(columns, rows)


@tokens.command()
def revoke(
    number: Annotated[int, typer.Argument(metavar="ID", min=1, help="Its id, as `tokens list` shows it.")],
    store: StoreOption = None,
) -> None:
    """Make a credential worthless, for good; a running service refuses it within a second."""
    from storage.credentials import revoke_credential

    revoke_credential(store_folder(store), number, datetime.now(UTC))
    typer.echo(f"Credential {number} is revoked.")


def _say_how_to_enter(store: Path) -> None:
    """Where nobody could enter, make credentials for the person at the terminal, or say how to."""
    from storage.credentials import KINDS, create_credential, list_credentials

    if list_credentials(store):
        return
    if not sys.stdout.isatty():
        typer.echo(
            f"There is no credential in {store} yet, so nobody can ask for events: "
            "`skysieve tokens create --kind bearer --name NAME` makes one.",
            err=True,
        )
        return
    made = [create_credential(store, kind, "made at first start", datetime.now(UTC)) for kind in KINDS]
    headers = {"bearer": "Authorization: Bearer ", "api-key": "X-API-Key: "}
    typer.echo("The first credentials of this store. They are not shown again:")
    for credential in made:
        typer.echo(f"  {headers[credential.kind]}{credential.secret}")
