"""The commands `objects import`, `objects set` and `objects errors`; others are in flows and api."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from screening.vocabulary import LARGEST_RADIUS_M, SMALLEST_RADIUS_M
from storage.shell.options import JsonOption, ObjectArgument, StoreOption, store_folder

# numpy is imported where it is used, so that `--help` is quick.

app = typer.Typer(
    no_args_is_help=True,
    help="Manage facts about objects: type, operational status, hard-body radius. They take effect in the "
    "next run.",
)

SHOWN_REJECTIONS = 5
_WHAT = {
    "radii": "hard-body radii",
    "satcat": "types and status (SATCAT)",
    "bodies": "bodies and owners (GCAT)",
}


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Hard-body radii of CARA, the SATCAT of CelesTrak, or satcat.tsv of GCAT.",
            show_default=False,
        ),
    ],
    store: StoreOption = None,
) -> None:
    """Import hard-body radii, types and status, or bodies; the file's columns decide which.

    Example: skysieve objects import satcat.csv
    """
    from screening.orbits.texts.unreadable import rejection_text
    from storage.state.object_facts import import_file

    folder = store_folder(store)
    found = import_file(folder, file.expanduser(), datetime.now(UTC))
    content = found.file
    typer.echo(f"{_WHAT[content.kind]}: {found.words}")
    for change in found.changes.shown:
        typer.echo(f"  {change}")
    for rejection in content.rejected[:SHOWN_REJECTIONS]:
        typer.echo(f"  {rejection_text(rejection)}")
    rejected = len(content.rejected) + content.more_rejected
    if rejected > SHOWN_REJECTIONS:
        typer.echo(f"  and {rejected - SHOWN_REJECTIONS:,} more")
    _say_when(folder)


@app.command("set")
def set_(
    norad_id: ObjectArgument,
    radius_m: Annotated[
        float | None,
        typer.Option(
            help=f"Hard-body radius, m, {SMALLEST_RADIUS_M:g} to {LARGEST_RADIUS_M:g}; overrides all files.",
            show_default=False,
        ),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the radius set by hand.")] = False,
    store: StoreOption = None,
) -> None:
    """Set the hard-body radius of an object.

    Example: skysieve objects set 25544 --radius-m 66
    """
    from screening.errors import UsageError
    from storage.state.object_facts import clear_override, override_radius

    if clear == (radius_m is not None):
        raise UsageError("Give either --radius-m or --clear.")
    folder = store_folder(store)
    if radius_m is not None:
        override_radius(folder, norad_id, radius_m, datetime.now(UTC))
        typer.echo(f"object {norad_id}: hard-body radius {radius_m:g} m")
    elif clear_override(folder, norad_id):
        typer.echo(f"object {norad_id}: the radius set by hand is removed")
    else:
        typer.echo(f"object {norad_id}: no radius was set by hand")
        return
    _say_when(folder)


@app.command("errors")
def errors_(
    refit: Annotated[
        bool, typer.Option("--refit", help="First refit them, as runs of the schedule do once a week.")
    ] = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show the error laws that the store's own element sets have refitted: factors on the shipped ones.

    Example: skysieve objects errors --refit
    """
    from storage.histories.fitted_laws import fitted_laws
    from storage.shell.fitted_laws import print_fitted_laws

    folder = store_folder(store)
    if refit:
        from storage.analyses.law_refit import refit_laws

        refit_laws(folder, datetime.now(UTC))
    print_fitted_laws(fitted_laws(folder), as_json=as_json)
    if refit and not as_json:
        _say_when(folder)


def _say_when(folder: Path) -> None:
    typer.echo(f"Stored in {folder}; takes effect in the next run.")
