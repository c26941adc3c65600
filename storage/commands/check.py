"""The command `check`."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder

# pyarrow and duckdb are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from storage.reading.check import Found, Part

DAMAGED = 1  # exit code

app = typer.Typer()


@app.command()
def check(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """Check every file of the store from beginning to end, and list what is damaged.

    Files written by release 0.1.0 have no checksums: they are read, and counted as not verifiable. The exit
    code is 1 if a file is damaged. Runs and the service may continue meanwhile.

    Example: skysieve check --json
    """
    from storage.reading.check import parts

    folder = store_folder(store)
    found = _look_at_all(parts(folder))
    damaged = [one for one in found if one.damage]
    _print(found, damaged, as_json=as_json)
    if damaged:
        typer.echo(
            f"{len(damaged):,} of {len(found):,} files are damaged: restore them from a backup.", err=True
        )
        raise typer.Exit(DAMAGED)
    if not as_json:
        typer.echo(f"{folder}: nothing is damaged.")


def _look_at_all(parts: Sequence["Part"]) -> list["Found"]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from storage.reading.check import check as look_at

    found = []
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("Checking", total=sum(part.size for part in parts))
        for part in parts:
            bar.update(task, description=part.kind)
            seen = look_at(part)
            bar.advance(task, part.size)
            if seen is not None:
                found.append(seen)
    return found


def _print(found: Sequence["Found"], damaged: Sequence["Found"], *, as_json: bool) -> None:
    from storage.shell import output

    columns = ("kind", "files", "size_mb", "verified", "cannot_be_verified", "damaged")
    rows = [
        (kind, *_counts([one for one in found if one.part.kind == kind]))
        for kind in dict.fromkeys(one.part.kind for one in found)
    ]
    if as_json:
        output.print_json(
            {
                "checked": [dict(zip(columns, row, strict=True)) for row in rows],
                "damaged": [{"path": str(one.part.path), "what": one.damage} for one in damaged],
            }
        )
        return
    output.print_table([name.replace("_", " ") for name in columns], rows)
    for one in damaged:
        typer.echo(f"{one.part.path} is damaged ({one.damage}).")


def _counts(found: Sequence["Found"]) -> tuple[int, float, int, int, int]:
    whole = [one for one in found if not one.damage]
    verified = sum(one.verified for one in whole)
    size_mb = round(sum(one.part.size for one in found) / 1e6, 1)
    return len(found), size_mb, verified, len(whole) - verified, len(found) - len(whole)
