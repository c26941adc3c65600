"""The command `manoeuvres`."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID
from storage.shell.options import JsonOption, StoreOption, instant_of, store_folder

# numpy and pyarrow are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from storage.manoeuvres.whole_history import Found

app = typer.Typer()


@app.command()
def manoeuvres(
    norad_id: Annotated[
        list[int] | None,
        typer.Option(
            "--object", min=1, max=MAX_NORAD_ID, help="Only of this object; repeatable.", show_default=False
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="ISO", help="Only burns at this time or later.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most manoeuvres to list.")] = 100,
    offset: Annotated[int, typer.Option(min=0, help="Manoeuvres to skip.")] = 0,
    scan: Annotated[
        bool,
        typer.Option(
            "--scan", help="First search the whole history of element sets, also what was imported."
        ),
    ] = False,
    store: StoreOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the manoeuvres that element sets show, the newest first.

    Each run finds those of its new sets; after an import, --scan finds the others.

    Example: skysieve manoeuvres --object 41335 --since 2026-11-01
    """
    from screening.errors import UsageError
    from storage.manoeuvres.lists import COLUMNS, Wanted, listed
    from storage.shell.output import print_json_rows, print_separated, print_table

    if as_csv and as_json:
        raise UsageError("--csv and --json cannot be combined.")
    folder = store_folder(store)
    wanted = Wanted(norad_id, None if since is None else instant_of(since, "--since"))
    if scan:
        found = _with_progress(folder)
        typer.echo(f"{found.new:,} new, from {found.sets:,} sets of {found.objects:,} objects", err=True)
    rows, total = listed(folder, wanted, limit, offset)
    if as_json:
        print_json_rows(COLUMNS, rows)
    elif as_csv:
        print_separated(COLUMNS, rows, ",")
    else:
        print_table(COLUMNS, rows)
        if len(rows) < total:
            typer.echo(f"{len(rows):,} of {total:,} manoeuvres", err=True)


def _with_progress(folder: Path) -> "Found":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from storage.manoeuvres.whole_history import find_in_history
    from storage.settings import StoreSettings, load_settings
    from storage.shell.options import use_kernels

    use_kernels(load_settings(StoreSettings, store=folder).kernel_cache)
    columns = (SpinnerColumn(), BarColumn(), TextColumn("{task.completed:,} sets"), TimeElapsedColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("", total=None)
        return find_in_history(
            folder,
            datetime.now(UTC),
            on_sets=lambda done, total: bar.update(task, completed=done, total=total),
        )
