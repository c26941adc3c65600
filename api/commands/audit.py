"""The command `audit`."""

from typing import Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, instant_of, store_folder

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer()
_COLUMNS = ("at", "organisation", "who", "credential_id", "operation", "object", "address", "result")


@app.command()
def audit(
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Only from then on; ISO 8601.", show_default=False)
    ] = None,
    organisation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this one.  [default: all]", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, the newest first.")] = 100,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    store: StoreOption = None,
) -> None:
    """List who has changed what, when, from where, and what was refused.

    Of each organisation the newest 10,000 entries stay.

    Example: skysieve audit --since 2026-11-21T06:00:00Z --csv
    """
    from storage.shell import output
    from storage.state.whose.audit import entries
    from storage.state.whose.organisations import organisation as whose
    from storage.state.whose.organisations import organisation_names

    folder = store_folder(store)
    names = organisation_names(folder)
    found = entries(
        folder,
        since=None if since is None else instant_of(since, "--since"),
        organisation_id=None if organisation is None else whose(folder, organisation).id,
        limit=limit,
    )
    shown = [one._asdict() | {"organisation": names.get(one.organisation_id, "")} for one in found]
    rows = [tuple(one[column] for column in _COLUMNS) for one in shown]
    if as_json:
        output.print_json_rows(_COLUMNS, rows)
    elif as_csv:
        output.print_separated(_COLUMNS, rows, ",")
    else:
        output.print_table(_COLUMNS, rows)
