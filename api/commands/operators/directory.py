"""The commands `directory list`, `add`, `remove`, `import` and `export`: whom to call about which objects."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from storage.commands.fleets import MADE_BY
from storage.shell.options import JsonOption, OrganisationOption, StoreOption, store_folder

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer(no_args_is_help=True)
_COLUMNS = ("Id", "Operator", "Owners", "Numbers", "Names", "E-mail", "Telephone", "Hours", "Note")


@app.command(name="list")
def list_directory(
    organisation: OrganisationOption = None, store: StoreOption = None, as_json: JsonOption = False
) -> None:
    """List whom to call about which objects."""
    from storage.shell.output import print_json_rows, print_table
    from storage.state.operators.directory import directory
    from storage.state.records import DirectoryEntry
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    found = directory(folder, whose(folder, organisation).id)
    if as_json:
        print_json_rows(list(DirectoryEntry._fields), found)
        return
    rows = [
        (
            one.id,
            one.operator,
            " ".join(one.owners),
            " ".join(one.norad_ids),
            one.name_pattern,
            one.email,
            one.telephone,
            f"{one.hours} {one.time_zone}".strip(),
            one.note,
        )
        for one in found
    ]
    print_table(_COLUMNS, rows)


@app.command()
def add(
    operator: Annotated[str, typer.Argument(metavar="NAME", help="Name of the operator.")],
    owner: Annotated[
        list[str] | None,
        typer.Option(metavar="ABBREVIATION", help="An owner or a state, as GCAT abbreviates it; repeatable."),
    ] = None,
    norad_id: Annotated[list[int] | None, typer.Option(help="A catalogue number; repeatable.")] = None,
    name_pattern: Annotated[str, typer.Option(metavar="PATTERN", help="Names, such as EXSAT-*.")] = "",
    email: Annotated[str, typer.Option(help="E-mail address.")] = "",
    telephone: Annotated[str, typer.Option(help="Telephone number.")] = "",
    hours: Annotated[str, typer.Option(help="When someone answers.")] = "",
    time_zone: Annotated[str, typer.Option(help="Time zone of the hours, such as Europe/Berlin.")] = "",
    note: Annotated[str, typer.Option(help="Whatever else helps.")] = "",
    organisation: OrganisationOption = None,
    store: StoreOption = None,
) -> None:
    """Add whom to call about objects: of owners, with catalogue numbers, or whose names fit a pattern.

    Example: skysieve directory add "Example Space" --owner EXSP --telephone "+49 30 123456"
    """
    from storage.state.operators.directory import NewEntry, add_entries
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    new = NewEntry(
        operator,
        tuple(owner or ()),
        tuple(norad_id or ()),
        name_pattern,
        email,
        telephone,
        hours,
        time_zone,
        note,
        made_by=MADE_BY,
        organisation_id=whose(folder, organisation).id,
    )
    (made,) = add_entries(folder, [new], datetime.now(UTC))
    typer.echo(f"Entry {made.id} ({made.operator}) is added.")


@app.command()
def remove(
    entry_id: Annotated[int, typer.Argument(metavar="ID", min=1, help="Its id, as `list` shows it.")],
    organisation: OrganisationOption = None,
    store: StoreOption = None,
) -> None:
    """Remove an entry."""
    from storage.state.operators.directory import remove_entry
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    remove_entry(folder, entry_id, whose(folder, organisation).id)
    typer.echo(f"Entry {entry_id} is removed.")


@app.command(name="import")
def import_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, with the columns that `export` writes.")],
    organisation: OrganisationOption = None,
    store: StoreOption = None,
) -> None:
    """Add the entries of a CSV file: all of them, or none if a line is wrong.

    Example: skysieve directory import operators.csv
    """
    from screening.errors import UsageError
    from storage.state.operators.directory_csv import MOST_BYTES, import_directory
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        text = content.decode()
    except OSError as error:
        raise UsageError(f"{file.absolute()} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file.absolute()} is not UTF-8 (byte {error.start:,}).") from error
    if len(content) > MOST_BYTES:
        raise UsageError(f"{file.absolute()} is larger than {MOST_BYTES:,} bytes, the most allowed.")
    done = import_directory(folder, text, whose(folder, organisation).id, MADE_BY, datetime.now(UTC))
    typer.echo(f"{len(done.added)} entries are added; {done.known} were there.")


@app.command()
def export(organisation: OrganisationOption = None, store: StoreOption = None) -> None:
    """Write the directory as CSV to standard output.

    Example: skysieve directory export > operators.csv
    """
    from storage.state.operators.directory import directory
    from storage.state.operators.directory_csv import directory_csv
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    typer.echo(directory_csv(directory(folder, whose(folder, organisation).id)), nl=False)
