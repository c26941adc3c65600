"""The commands `history import` and `history show`."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID
from storage.shell.options import JsonOption, StoreOption, store_folder

# numpy and pyarrow are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from storage.histories.incoming import Imported

UNREADABLE = 1  # exit code
_TOLD = 20  # files; --json has more

app = typer.Typer(
    no_args_is_help=True,
    help="Manage element sets of the past: those of runs are kept for SKYSIEVE_ELEMENT_RETENTION_DAYS, "
    "imported ones for ever.",
)


@app.command("import")
def import_(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Files, folders or archives (zip, tar, gzip) of catalogues and histories: TLE, OMM, tables "
            "with a column `seen`, Space-Track's GP history.",
            show_default=False,
        ),
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add published element sets to the store's history, each once; no run is made.

    What cannot be used is counted by reason; the exit code is 1 if a file cannot be read.

    Example: skysieve history import catalogues/ 2020.zip
    """
    from storage.machine.found_files import files_below

    imported = _with_progress(store_folder(store), list(files_below(path.expanduser() for path in paths)))
    _tell(imported, as_json=as_json)
    if imported.unreadable_files:
        raise typer.Exit(UNREADABLE)


def _with_progress(folder: Path, paths: list[Path]) -> "Imported":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from storage.histories.incoming import import_histories

    columns = (
        SpinnerColumn(),
        BarColumn(),
        TextColumn("{task.fields[sets]:,} sets"),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("", total=sum(path.stat().st_size for path in paths), sets=0)
        return import_histories(
            folder,
            paths,
            datetime.now(UTC),
            on_bytes=lambda read: bar.advance(task, read),
            on_sets=lambda count: bar.update(task, sets=count),
        )


def _tell(imported: "Imported", *, as_json: bool) -> None:
    from storage.shell.output import counted, print_json

    if as_json:
        print_json(imported._asdict() | {"skipped": [one._asdict() for one in imported.skipped]})
        return
    skipped = sum(one.sets for one in imported.skipped)
    typer.echo(
        f"{imported.new:,} new, {imported.known:,} known ({imported.earlier:,} of them now since an earlier "
        f"time), {skipped:,} skipped, from {counted(imported.files, 'file')}"
    )
    for one in imported.skipped:
        typer.echo(f"skipped, {one.sets:,}: {one.reason}, first: {one.example}", err=True)
    if imported.backwards:
        told = f"{counted(imported.backwards, 'set')} older than what was known of the object before; kept"
        typer.echo(told, err=True)
    for problem in imported.unreadable[:_TOLD]:
        typer.echo(f"not read: {problem}", err=True)
    if imported.unreadable_files > _TOLD:
        typer.echo(f"and {imported.unreadable_files - _TOLD:,} more files; --json has them", err=True)


@app.command()
def show(
    norad_id: Annotated[
        int,
        typer.Argument(metavar="ID", min=1, max=MAX_NORAD_ID, help="Catalogue number.", show_default=False),
    ],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the element sets of an object, oldest first, with when each became known.

    Example: skysieve history show 25544 --csv
    """
    from screening.errors import UsageError
    from storage.histories.as_of import COLUMNS, sets_of_object
    from storage.shell.output import print_json_rows, print_separated, print_table

    if as_csv and as_json:
        raise UsageError("--csv and --json cannot be combined.")
    rows = [tuple(one.values()) for one in sets_of_object(store_folder(store), norad_id)]
    if as_json:
        print_json_rows(COLUMNS, rows)
    elif as_csv:
        print_separated(COLUMNS, rows, ",")
    else:
        print_table(COLUMNS, rows)
