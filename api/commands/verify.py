"""The command `verify`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder

# matplotlib and the store are imported where they are used, so that `--help` is quick.

app = typer.Typer()

SUFFIXES = (".html", ".csv")


@app.command()
def verify(
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Only encounters from this day on, UTC.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write it to this file, replacing it: .html (with pictures) or .csv (rows of all tables).",
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how well earlier predictions did, against what came.

    Each run compares the predictions of encounters that have passed with the element sets that came since.

    Examples: skysieve verify --since 2026-11-01; skysieve verify --output verified.html
    """
    from api.commands.report import checked_target
    from screening.errors import UsageError
    from storage.shell.verification import print_verification
    from storage.verification.record import verification

    if output is not None and as_json:
        raise UsageError("--json prints, --output writes a file: give one of both.")
    target = None if output is None else checked_target(output, SUFFIXES)
    found = verification(store_folder(store), None if since is None else since.date())
    if target is None:
        print_verification(found, as_json=as_json)
        return
    from api.report.write import write_verification

    write_verification(found, target)
    typer.echo(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")
