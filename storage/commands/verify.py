"""The command `verify`."""

from datetime import datetime
from typing import Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder

app = typer.Typer()

TABLES = {
    "Fate of warnings": "warnings",
    "Regions of the error of the miss": "regions",
    "Errors of objects, over their law": "errors",
    "Probabilities": "probabilities",
}


@app.command()
def verify(
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Only encounters from this day on, UTC.", show_default=False),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how well earlier predictions did, against what came.

    Each run compares the predictions of encounters that have passed with the element sets that came since.

    Example: skysieve verify --since 2026-11-01
    """
    from dataclasses import asdict

    from storage.shell.output import print_json, print_table
    from storage.verification.record import verification

    found = asdict(verification(store_folder(store), None if since is None else since.date()))
    if as_json:
        print_json(found)
        return
    if found["since"] is not None:
        typer.echo(f"{found['encounters']:,.0f} encounters from {found['since']} to {found['until']}, UTC")
    for sentence in (*found["words"], *(one["words"] for one in found["suspects"])):
        typer.echo(f"- {sentence}")
    for title, name in TABLES.items():
        rows = found[name]
        if rows:
            typer.echo(f"\n{title}")
            print_table(tuple(rows[0]), [tuple(map(_short, row.values())) for row in rows])


def _short(value: object) -> object:
    return float(f"{value:.3g}") if isinstance(value, float) and abs(value) < 1000.0 else value
