"""The command `re-entries`."""

from pathlib import Path
from typing import Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID
from storage.shell.options import JsonOption, StoreOption, store_folder

# numpy and pyarrow are imported where they are used, so that `--help` is quick.

app = typer.Typer()


@app.command("re-entries")
def re_entries(
    days: Annotated[
        float, typer.Option(min=0.0, max=1826.25, help="Only decays expected within so many days.")
    ] = 60.0,
    fleet: Annotated[
        str | None,
        typer.Option(metavar="FLEET", help="Only objects of this fleet: its name or id.", show_default=False),
    ] = None,
    norad_id: Annotated[
        list[int] | None,
        typer.Option(
            "--object", min=1, max=MAX_NORAD_ID, help="Only this object; repeatable.", show_default=False
        ),
    ] = None,
    tip: Annotated[
        Path | None,
        typer.Option(
            "--tip",
            metavar="FILE",
            help="First take the TIP messages of a file, JSON of Space-Track's class tip.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most objects to list.")] = 100,
    offset: Annotated[int, typer.Option(min=0, help="Objects to skip.")] = 0,
    store: StoreOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the objects that decay soon by drag, the first before the others, with a window of 90 %.

    Where they come down, and the risk on the ground, are not forecast.

    Example: skysieve re-entries --days 30
    """
    from screening.errors import UsageError
    from storage.reading.newest_run import current
    from storage.reading.run_events import run_window
    from storage.shell.output import print_json_rows, print_separated, print_table
    from storage.sky.lists import COLUMNS, listed, within

    if as_csv and as_json:
        raise UsageError("--csv and --json cannot be combined.")
    folder = store_folder(store)
    if tip is not None:
        _take(folder, tip)
    run_id = current(folder).run_id
    numbers = norad_id if fleet is None else _of_fleet(folder, fleet, norad_id)
    wanted = within(run_window(folder, run_id).window_start, days, numbers)
    rows, total = listed(folder, run_id, wanted, limit, offset)
    if as_json:
        print_json_rows(COLUMNS, rows)
    elif as_csv:
        print_separated(COLUMNS, rows, ",")
    else:
        print_table(COLUMNS[1:], [row[1:] for row in rows])
        if len(rows) < total:
            typer.echo(f"{len(rows):,} of {total:,} objects", err=True)
        if fleet is not None and numbers is not None:
            typer.echo(
                f"{total:,} of {len(numbers):,} objects of the fleet decay by drag within {days:g} days",
                err=True,
            )


def _take(folder: Path, path: Path) -> None:
    from datetime import UTC, datetime

    from screening.errors import UsageError
    from storage.sky.announced import SPACE_TRACK, take_announced

    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    taken = take_announced(folder, text, SPACE_TRACK, datetime.now(UTC))
    typer.echo(f"{taken.new:,} new messages, {taken.known:,} known", err=True)
    for why in taken.refused:
        typer.echo(f"refused: {why}", err=True)


def _of_fleet(folder: Path, wanted: str, norad_ids: list[int] | None) -> list[int]:
    """Return the objects of a fleet in the newest run, all or those among some."""
    from storage.fleets.members import members_of
    from storage.reading.newest_run import object_names
    from storage.state.fleets import fleet

    found = members_of(fleet(folder, wanted), *(object_names(folder) or ((), ())))
    own = [one.norad_id for one in found.members]
    return own if norad_ids is None else [number for number in own if number in norad_ids]
