"""Commands for organisations: whose credentials, fleets, messages and hypothetical paths are seen by whom."""

from typing import Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer(no_args_is_help=True)
_Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Its name, shown with what it adds for everybody.")
]


@app.command(name="list")
def list_organisations(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """List the organisations, with the number of their credentials and fleets."""
    from storage.shell import output
    from storage.state.credentials import list_credentials
    from storage.state.fleets import fleets
    from storage.state.whose.organisations import organisations

    folder = store_folder(store)
    credentials = [one.organisation_id for one in list_credentials(folder)]
    of_fleets = [one.organisation_id for one in fleets(folder)]
    columns = ["id", "name", "credentials", "fleets"]
    rows = [
        (one.id, one.name, credentials.count(one.id), of_fleets.count(one.id))
        for one in organisations(folder)
    ]
    if as_json:
        output.print_json_rows(columns, rows)
    else:
        output.print_table(columns, rows)


@app.command()
def add(name: _Name, store: StoreOption = None) -> None:
    """Add an organisation; `skysieve tokens create --organisation` makes its first credential."""
    from storage.state.whose.organisations import add_organisation

    made = add_organisation(store_folder(store), name)
    typer.echo(f"Organisation {made.id} ({made.name}) is added.")


@app.command()
def rename(
    organisation: Annotated[str, typer.Argument(metavar="NAME", help="Its name now, or its id.")],
    name: Annotated[str, typer.Argument(metavar="NEW_NAME", help="Its new name.")],
    store: StoreOption = None,
) -> None:
    """Give an organisation another name; `default` is what a store's first one is called."""
    from storage.state.whose.organisations import rename_organisation

    made = rename_organisation(store_folder(store), organisation, name)
    typer.echo(f"Organisation {made.id} is now called {made.name}.")
