"""Commands of the service: serve, analyze and tokens."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from screening.vocabulary import (
    DEFAULT_LOOK_AHEAD_HOURS,
    DEFAULT_THRESHOLD_KM,
    LOOK_AHEAD_RANGE_HOURS,
    MAX_NORAD_ID,
    THRESHOLD_RANGE_KM,
    range_text,
)
from storage.shell.options import JsonOption, StoreOption, store_folder, use_kernels
from storage.vocabulary import (
    CREDENTIAL_KINDS,
    LARGEST_PER_MINUTE,
    LONGEST_DAYS,
    AnalysisMode,
    CredentialKind,
)

# FastAPI, uvicorn and the application take longer to import than `--help` may.

app = typer.Typer()
tokens = typer.Typer(no_args_is_help=True)
app.add_typer(tokens, name="tokens", help="Create, list and revoke credentials of the HTTP service.")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.  [default: SKYSIEVE_HOST]")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on.  [default: SKYSIEVE_PORT]")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Serve the web page and the stored events over HTTP, until stopped."""
    from api.server.listening import listening_socket
    from api.server.process import run_server
    from api.settings import ApiSettings
    from storage.machine.allocator import keep_little
    from storage.settings import load_settings

    keep_little()
    settings = load_settings(ApiSettings, host=host, port=port, store=store)
    use_kernels(settings.kernel_cache)
    with listening_socket(settings.host, settings.port) as listening:
        _say_how_to_enter(settings.store)
        run_server(settings, listening)


@app.command()
def analyze(
    norad_id: Annotated[
        int,
        typer.Argument(metavar="NORAD_ID", min=1, max=MAX_NORAD_ID, help="Catalogue number of the object."),
    ],
    mode: Annotated[
        AnalysisMode,
        typer.Option(help="quick: from the ephemeris of the newest run; full: by SGP4, with probabilities."),
    ] = "full",
    hours: Annotated[
        float, typer.Option(help=f"Length of the window, {range_text(LOOK_AHEAD_RANGE_HOURS)}.")
    ] = DEFAULT_LOOK_AHEAD_HOURS,
    threshold_km: Annotated[
        float, typer.Option(help=f"Only events closer than this, {range_text(THRESHOLD_RANGE_KM)}.")
    ] = DEFAULT_THRESHOLD_KM,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Find what comes near one object of the newest run from now on, and store the events.

    Example: skysieve analyze 25544 --hours 72
    """
    from api.settings import ApiSettings
    from screening.search.request import check_request
    from storage.settings import load_settings

    check_request(hours, threshold_km)
    settings = load_settings(ApiSettings, store=store)
    use_kernels(settings.kernel_cache)
    from api.answers.analyses import Question, analyse, basis_of
    from api.answers.analysis_json import analysis_json
    from storage.in_memory.snapshot import newest_snapshot
    from storage.reading.newest_run import most_dangerous
    from storage.shell import output
    from storage.shell.listing import print_events_for_a_reader
    from storage.times import time_text

    question = Question(mode, norad_id, hours, threshold_km)
    basis = basis_of(newest_snapshot(settings.store))
    answer = analyse(basis, question, settings, datetime.now(UTC))
    if as_json:
        output.print_json(analysis_json(answer))
        return
    print_events_for_a_reader(most_dangerous(answer.events, len(answer.events)), settings.store)
    for pair in answer.proximities.to_pylist():
        typer.echo(f"stays near: {pair['secondary_norad_id']} {pair['secondary_name']}", err=True)
    asked = f"searched for {hours:g} h within {threshold_km:g} km"
    typer.echo(f"{asked}; covered until {time_text(answer.covered_until)}", err=True)


@tokens.command()
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
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Create a credential and show its secret once."""
    from storage.shell import output
    from storage.state.credentials import create_credential
    from storage.times import time_text

    made = create_credential(
        store_folder(store), kind, name, datetime.now(UTC), days=days, per_minute=per_minute
    )
    if as_json:
        output.print_json(made._asdict())
        return
    until = "never expires" if made.expires is None else f"expires {time_text(made.expires)}"
    typer.echo(
        f"Credential {made.id} ({made.kind}, {made.name}), {until}. The secret is not shown again:", err=True
    )
    typer.echo(made.secret)


@tokens.command(name="list")
def list_tokens(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """List all credentials, without their secrets."""
    from storage.shell import output
    from storage.state.credentials import Credential, list_credentials

    columns = [name for name in Credential._fields if name != "secret_sha256"]
    rows = [credential[: len(columns)] for credential in list_credentials(store_folder(store))]
    if as_json:
        output.print_json_rows(columns, rows)
    else:
        output.print_table(columns, rows)


@tokens.command()
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


def _say_how_to_enter(store: Path) -> None:
    """If the store has no credentials, create some for the user at the terminal, or say how to."""
    from storage.state.credentials import create_credential, list_credentials

    if list_credentials(store):
        return
    if not sys.stdout.isatty():
        typer.echo(
            f"There is no credential in {store} yet, so nobody can read events: `skysieve tokens create "
            "--kind bearer --name NAME` creates one.",
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
