"""Commands for the credentials of the HTTP service."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder
from storage.vocabulary import LARGEST_PER_MINUTE, LONGEST_DAYS, CredentialKind

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer(no_args_is_help=True)


@app.command()
def create(
    kind: Annotated[
        CredentialKind,
        typer.Option(help="bearer: events and analyses. api-key: positions.", show_choices=True),
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="Who uses it, for the list.")],
    days: Annotated[
        int | None,
        typer.Option(min=1, max=LONGEST_DAYS, help="Days after which it expires.  [default: never]"),
    ] = None,
    per_minute: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=LARGEST_PER_MINUTE,
            help="Requests allowed per minute.  [default: the service's limit]",
        ),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Allow it no changes in the store.")] = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Create a credential and show its secret once."""
    from storage.shell import output
    from storage.state.credentials import create_credential
    from storage.times import time_text

    made = create_credential(
        store_folder(store),
        kind,
        name,
        datetime.now(UTC),
        days=days,
        per_minute=per_minute,
        read_only=read_only,
    )
    if as_json:
        output.print_json(made._asdict())
        return
    until = "never expires" if made.expires is None else f"expires {time_text(made.expires)}"
    typer.echo(
        f"Credential {made.id} ({made.kind}, {made.name}), {until}. The secret is not shown again:", err=True
    )
    typer.echo(made.secret)


@app.command(name="list")
def list_tokens(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """List all credentials, without their secrets."""
    from storage.shell import output
    from storage.state.credentials import list_credentials
    from storage.state.records import Credential

    columns = [name for name in Credential._fields if name != "secret_sha256"]
    rows = [credential[: len(columns)] for credential in list_credentials(store_folder(store))]
    if as_json:
        output.print_json_rows(columns, rows)
    else:
        output.print_table(columns, rows)


@app.command()
def revoke(
    number: Annotated[
        int, typer.Argument(metavar="ID", min=1, help="Id of the credential, as `tokens list` shows it.")
    ],
    store: StoreOption = None,
) -> None:
    """Revoke a credential for good; a running service refuses it within a second."""
    from storage.state.credentials import revoke_credential

    revoke_credential(store_folder(store), number, datetime.now(UTC))
    typer.echo(f"Credential {number} is revoked.")
