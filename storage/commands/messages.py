"""The commands `messages import`, `list`, `show`, `export` and `remove`."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID, MessageForm
from storage.shell.options import (
    JsonOption,
    OrganisationOption,
    RestrictedOption,
    StoreOption,
    instant_of,
    store_folder,
)

# numpy and pyarrow are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from storage.messages.incoming import Taken

REFUSED = 1  # exit code
_TOLD = 20  # refusals; --json has all

app = typer.Typer(
    no_args_is_help=True,
    help="Manage received conjunction data messages, matched to events and scored by skysieve's own engine.",
)

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of the message, or its first digits.")]


@app.command("import")
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Files, folders or zip archives of messages: KVN, XML, JSON; optionally compressed with "
            "gzip.",
            show_default=False,
        ),
    ],
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read messages, score them, and keep them; each is kept once.

    What cannot be read is listed beside what is taken, and the exit code is 1.

    Example: skysieve messages import inbox/ 2026-11.zip
    """
    from storage.machine.found_files import files_below
    from storage.state.whose.organisations import organisation as whose

    given = [path.expanduser() for path in files]
    folder = store_folder(store)
    taken = _with_progress(folder, list(files_below(given)), whose(folder, organisation).id)
    _tell(taken, as_json=as_json)
    if taken.refused:
        raise typer.Exit(REFUSED)


def _with_progress(folder: Path, paths: list[Path], organisation_id: int) -> "Taken":
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from storage.messages.files import read_files
    from storage.messages.incoming import take_files

    columns = (SpinnerColumn(), TextColumn("{task.completed:,} messages read"), TimeElapsedColumn())
    received = datetime.now(UTC)
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("", total=None)
        return take_files(
            folder, read_files(paths), received, organisation_id, on_message=lambda: bar.advance(task)
        )


def _tell(taken: "Taken", *, as_json: bool) -> None:
    from storage.shell.output import print_json

    if as_json:
        print_json(taken._asdict() | {"refused": [one._asdict() for one in taken.refused]})
        return
    typer.echo(
        f"{taken.new:,} new, {taken.known:,} known, {len(taken.refused):,} refused; of the new, "
        f"{taken.joined:,} about events of skysieve's runs, {taken.conflicting:,} with the id of another"
    )
    for one in taken.refused[:_TOLD]:
        typer.echo(f"refused, message {one.number}: {one.text}", err=True)
    if len(taken.refused) > _TOLD:
        typer.echo(f"and {len(taken.refused) - _TOLD:,} more; --json has all of them", err=True)


@app.command("list")
def list_(
    norad_id: Annotated[
        list[int] | None,
        typer.Option(min=1, max=MAX_NORAD_ID, help="Only about this object; repeatable.", show_default=False),
    ] = None,
    event_id: Annotated[
        int | None, typer.Option(help="Only about this event or encounter.", show_default=False)
    ] = None,
    originator: Annotated[str | None, typer.Option(help="Only from this sender.", show_default=False)] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="ISO", help="Only messages received at this time or later.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most messages to list.")] = 100,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List received messages, the newest first; `restricted` ones must not be shared.

    Example: skysieve messages list --norad-id 25544 --since 2026-11-20
    """
    from storage.messages.kept import received
    from storage.messages.lists import Wanted, places, records
    from storage.shell.message_lists import beside_ours, print_messages

    folder = store_folder(store)
    wanted = Wanted(norad_id, event_id, originator, None if since is None else instant_of(since, "--since"))
    rows = received(folder)
    found = places(rows, wanted)
    print_messages(beside_ours(folder, records(rows, found[:limit])), len(found), as_json=as_json)


@app.command()
def show(
    wanted: IdArgument,
    text: Annotated[bool, typer.Option("--text", help="Print the message as it was received.")] = False,
    form: Annotated[
        MessageForm | None,
        typer.Option("--format", help="Print it in this form, with all its values.", show_default=False),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was read from a message, what is doubtful about it, and our own numbers.

    Example: skysieve messages show 3f2a
    """
    from storage.message_schema import TEXT
    from storage.messages.export import in_form
    from storage.messages.kept import message
    from storage.messages.lists import record
    from storage.shell.message_lists import beside_ours
    from storage.shell.output import print_json, print_table

    folder = store_folder(store)
    row = message(folder, wanted)
    if text:
        sys.stdout.write(str(row[TEXT]))
    elif form:
        sys.stdout.write(in_form(str(row[TEXT]), form))
    else:
        (known,) = beside_ours(folder, [record(row)])
        if as_json:
            print_json(known)
        else:
            print_table(("Fact", "Value"), known.items())


@app.command()
def export(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The file to write: .zip, the messages as received; .parquet, a table."
        ),
    ],
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Write the messages to a file; those whose sources forbid sharing them stay out.

    Example: skysieve messages export messages.zip
    """
    from storage.messages.export import export_messages

    count = export_messages(store_folder(store), file, allow_restricted=allow_restricted)
    typer.echo(f"{file}: {count:,} messages")


@app.command()
def remove(wanted: IdArgument, store: StoreOption = None) -> None:
    """Remove a message.

    Example: skysieve messages remove 3f2a
    """
    from storage.messages.kept import remove_message

    typer.echo(f"{remove_message(store_folder(store), wanted)} is removed")
