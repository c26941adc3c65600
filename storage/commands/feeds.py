"""The commands `fleets feed`, `feeds` and `revoke`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from storage.commands.fleets import MADE_BY, FleetArgument
from storage.shell.options import JsonOption, StoreOption, store_folder

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer()

_COLUMNS = ("Id", "Created", "Made by", "Ended", "Revoked")


@app.command()
def feed(fleet: FleetArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Make addresses of the fleet's calendar and Atom feed, and show them once.

    They begin with SKYSIEVE_PUBLIC_URL; without it, with SKYSIEVE_HOST and SKYSIEVE_PORT.

    Example: skysieve fleets feed mine
    """
    from storage.settings import ListenSettings, load_settings
    from storage.shell.output import print_json
    from storage.state.feeds import addresses, create_feed
    from storage.state.fleets import fleet as fleet_of

    settings = load_settings(ListenSettings, store=None if store is None else store_folder(store))
    one = fleet_of(settings.store, fleet)
    made = create_feed(settings.store, one.id, MADE_BY, None, datetime.now(UTC))
    found = addresses(settings.public_url or f"http://{settings.host}:{settings.port}", one.id, made.key)
    if not settings.public_url:
        typer.echo(
            "note: the addresses use SKYSIEVE_HOST and SKYSIEVE_PORT; for programs on other machines set "
            "SKYSIEVE_PUBLIC_URL",
            err=True,
        )
    if as_json:
        print_json({"id": made.id, "fleet_id": one.id, **found})
        return
    typer.echo(
        f"Feed {made.id} of the fleet {one.name}. Anyone with these addresses can read the feeds; they are "
        "not shown again:",
        err=True,
    )
    for address in found.values():
        typer.echo(address)


@app.command()
def feeds(fleet: FleetArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the feeds of a fleet: who made them, and which have ended.

    Example: skysieve fleets feeds mine
    """
    from storage.shell.output import print_json_rows, print_table
    from storage.state.credentials import list_credentials
    from storage.state.feeds import feeds as feeds_of
    from storage.state.feeds import has_ended
    from storage.state.fleets import fleet as fleet_of

    folder, now = store_folder(store), datetime.now(UTC)
    credentials = list_credentials(folder)
    rows = [
        (one.id, one.created, one.made_by, has_ended(one, credentials, now), one.revoked)
        for one in feeds_of(folder, fleet_of(folder, fleet).id)
    ]
    if as_json:
        print_json_rows([name.lower().replace(" ", "_") for name in _COLUMNS], rows)
    else:
        print_table(_COLUMNS, rows)


@app.command()
def revoke(
    feed_id: Annotated[int, typer.Argument(metavar="ID", min=1, help="Id of the feed, as `feeds` shows it.")],
    store: StoreOption = None,
) -> None:
    """Let both addresses of a feed end for good, at once.

    Example: skysieve fleets revoke 4
    """
    from storage.state.feeds import revoke_feed

    revoke_feed(store_folder(store), feed_id, datetime.now(UTC))
    typer.echo(f"Feed {feed_id} is revoked.")
