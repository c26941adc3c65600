"""The command that holds this program against what others have published."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from storage.shell.options import use_kernels

if TYPE_CHECKING:
    from flows.validation.comparison import Outcome

app = typer.Typer()


@app.command()
def validate(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="The folder with the published values.", show_default=False),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The page to write, Markdown, with its pictures beside it.  [default: print a table]",
        ),
    ] = None,
) -> None:
    """Compare this program with what others have published, and print or document every difference.

    It takes about a minute. A comparison whose files are missing is not run. The exit code is 1 if a value is
    beyond its limit or a file is damaged.

    Example: skysieve validate ../shared/data --output docs/validation.md
    """
    from flows.settings import prepare_numpy

    prepare_numpy()
    from storage.settings import StoreSettings, load_settings

    settings = load_settings(StoreSettings)
    use_kernels(settings.kernel_cache)
    from screening.kernel_files import keep_kernels_in

    keep_kernels_in(settings.kernel_cache)
    from flows.validation.page import check_page, write_page

    target = None if output is None else check_page(output)
    made = _made(folder)
    if target is None:
        _print(made)
    else:
        write_page(made, target)
        typer.echo(f"{target}", err=True)
    from flows.validation.words import summary

    typer.echo(summary(made), err=True)
    if any(outcome.failed for outcome in made):
        raise typer.Exit(1)


def _made(folder: Path) -> "list[Outcome]":
    from rich.console import Console
    from rich.progress import track

    from flows.validation.in_order import SUBJECTS
    from flows.validation.run import outcomes
    from flows.validation.words import said

    console = Console(stderr=True)
    shown = track(
        outcomes(folder, SUBJECTS), "comparing", len(SUBJECTS), console=console, transient=True,
        disable=not console.is_terminal,
    )  # fmt: skip
    made = []
    for outcome in shown:
        console.print(
            f"{outcome.about.title}: {said(outcome)}", markup=False, highlight=False, soft_wrap=True
        )
        made.append(outcome)
    return made


def _print(made: "list[Outcome]") -> None:
    from flows.validation.words import COLUMNS, FOLDED, rows
    from storage.shell.output import print_table

    print_table(COLUMNS, [row for outcome in made for row in rows(outcome)], folded=FOLDED)
