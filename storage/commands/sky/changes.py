"""The commands `catalogue` and `fragmentations`."""

from typing import Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder

# numpy and pyarrow are imported where they are used, so that `--help` is quick.

app = typer.Typer()


@app.command()
def catalogue(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Say how the catalogue of the newest run differs from the last complete one before.

    New, gone, renumbered and doubled objects, launches, and whether the source was cut.

    Example: skysieve catalogue
    """
    from dataclasses import asdict

    from storage.shell.output import print_json, print_table
    from storage.sky.catalogue import catalogue_changes

    found = catalogue_changes(store_folder(store))
    if as_json:
        print_json(asdict(found))
        return
    for sentence in found.words:
        typer.echo(f"- {sentence}")
    for title, rows in (
        ("New, of launches", found.launches),
        ("New, others", found.new),
        ("Back", found.back),
        ("Gone", found.gone),
        ("Renumbered", found.renumbered),
        ("Runs", found.runs),
    ):
        if rows:
            typer.echo(f"\n{title}")
            listed = [asdict(row) for row in rows]
            print_table(tuple(listed[0]), [tuple(row.values()) for row in listed])


@app.command()
def fragmentations(
    number: Annotated[
        int | None, typer.Argument(metavar="ID", help="Show the pieces of this break-up.", show_default=False)
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the break-ups that new objects show, the newest first, or the pieces of one.

    Each run looks for new objects whose orbits all passed through one point of an older object's path.

    Examples: skysieve fragmentations; skysieve fragmentations 1355220211115
    """
    from dataclasses import asdict

    from screening.errors import UsageError
    from storage.shell.output import print_json, print_table
    from storage.sky.fragmentations import list_fragmentations, one_fragmentation
    from storage.state.fleets import fleets

    folder = store_folder(store)
    if number is None:
        found = list_fragmentations(folder)
        if as_json:
            print_json(asdict(found))
            return
        for event in found.fragmentations:
            typer.echo(f"{event.id}  {event.words}")
        if not found.total:
            typer.echo("No run has found a break-up.", err=True)
        return
    one = one_fragmentation(folder, number, {fleet.id: fleet.name for fleet in fleets(folder)})
    if one is None:
        raise UsageError(
            f"No run has found a break-up {number}: `skysieve fragmentations` lists those found."
        )
    if as_json:
        print_json(asdict(one))
        return
    typer.echo(one.words)
    typer.echo(f"{one.approaches_per_day:,.1f} approaches a day involve its pieces.")
    for fleet in one.fleets:
        typer.echo(f"{fleet.approaches_per_day:,.1f} a day inside the volumes of {fleet.fleet}.")
    listed = [asdict(orbit) for orbit in one.orbits]
    if listed:
        print_table(tuple(listed[0]), [tuple(row.values()) for row in listed])
