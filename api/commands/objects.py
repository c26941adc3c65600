"""The command `objects show`; the others below `objects` are in storage/commands and flows/commands."""

from pathlib import Path
from typing import Annotated

import typer

from storage.shell.options import JsonOption, ObjectArgument, StoreOption, store_folder

# numpy, matplotlib and the store are imported where they are used, so that `--help` is quick.

app = typer.Typer()

SUFFIXES = (".png", ".pdf", ".svg")


@app.command()
def show(
    norad_id: ObjectArgument,
    errors: Annotated[
        bool,
        typer.Option(
            "--errors",
            help="The expected error of its element set after 0, 1, 3 and 7 days, as rated by the newest "
            "run, and what its own sets differ by.",
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --errors: draw them over the age of the set to this file, replacing it: .png, .pdf, "
            ".svg.",
        ),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show the facts about an object, its size beside a person, or the errors of its element set.

    Examples: skysieve objects show 25544 --errors; skysieve objects show 25544 --errors --output errors.png
    """
    from screening.errors import UsageError

    folder = store_folder(store)
    if errors:
        _show_errors(folder, norad_id, output, as_json=as_json)
        return
    if output is not None:
        raise UsageError("--output draws the errors of an object: give --errors too.")
    from storage.reading.object_body import object_body
    from storage.shell.object_facts import print_object
    from storage.state.object_facts import stored_facts

    print_object(norad_id, stored_facts(folder, norad_id), object_body(folder, norad_id), as_json=as_json)


def _show_errors(folder: Path, norad_id: int, output: Path | None, *, as_json: bool) -> None:
    from api.commands.report import checked_target
    from storage.reading.object_errors import object_errors
    from storage.shell.object_errors import print_errors

    target = None if output is None else checked_target(output, SUFFIXES)
    found = object_errors(folder, norad_id)
    if target is None:
        print_errors(found, as_json=as_json)
        return
    from api.report.write import write_error_picture

    write_error_picture(found, target)
    typer.echo(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")
