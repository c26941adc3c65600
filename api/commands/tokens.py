"""Commands for the credentials of the HTTP service."""

from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from screening.errors import UsageError
from storage.shell.options import JsonOption, OrganisationOption, StoreOption, store_folder
from storage.vocabulary import ALL_OBJECTS, LARGEST_PER_MINUTE, LONGEST_DAYS, CredentialKind, Role

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer(no_args_is_help=True)
_WHEN = ("created", "expires", "revoked", "last_used", "per_minute")


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
    role: Annotated[
        Role | None,
        typer.Option(
            help="What it may do: read; also fleets, alerts, messages; also say where its objects are; all.  "
            "[default: admin]",
            show_choices=True,
        ),
    ] = None,
    objects: Annotated[
        str | None,
        typer.Option(
            metavar="NORAD_IDS",
            help="For flight and admin: the objects whose definitive trajectories it may add, with commas; "
            "or `all`.",
        ),
    ] = None,
    organisation: OrganisationOption = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="The same as --role viewer.")] = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Create a credential and show its secret once."""
    from storage.shell import output
    from storage.state.credentials import create_credential
    from storage.state.whose.organisations import organisation as whose
    from storage.times import time_text

    if read_only and role not in (None, "viewer"):
        raise UsageError(f"--read-only is the role viewer, and not {role}: give one of the two.")
    made = create_credential(
        store_folder(store),
        kind,
        name,
        datetime.now(UTC),
        days=days,
        per_minute=per_minute,
        role="viewer" if read_only else role,
        objects=None if objects is None else _numbers(objects),
        organisation_id=whose(store_folder(store), organisation).id,
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
    from storage.state.whose.organisations import organisation_names

    folder = store_folder(store)
    names = organisation_names(folder)
    columns = ["id", "kind", "name", "organisation", "role", "objects", *_WHEN]
    rows = [
        (
            *(one.id, one.kind, one.name, names.get(one.organisation_id), one.role, ",".join(one.objects)),
            *(getattr(one, column) for column in _WHEN),
        )
        for one in list_credentials(folder)
    ]
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


def _numbers(text: str) -> list[int] | Literal["all"]:
    if text.strip().lower() == ALL_OBJECTS:
        return "all"
    try:
        return [int(number) for number in text.split(",")]
    except ValueError as error:
        raise UsageError(f"--objects {text!r}: expected catalogue numbers with commas, or `all`.") from error
