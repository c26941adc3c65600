"""The command `acknowledge`."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from storage.commands.fleets import MADE_BY
from storage.shell.options import JsonOption, OrganisationOption, StoreOption, store_folder

# The store is imported where it is used, so that `--help` is quick.

app = typer.Typer()


@app.command()
def acknowledge(
    event_id: Annotated[
        int, typer.Argument(metavar="EVENT_ID", help="An event, as `skysieve events` shows it.")
    ],
    name: Annotated[str, typer.Option(help="Name of the person who has it.")],
    note: Annotated[str, typer.Option(help="What is being done about it.")] = "",
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Also if another person has it.", show_default=False)
    ] = False,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Let it go: the event is free again.", show_default=False)
    ] = False,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say who has an event, for all others who look at it.

    Alerts then report it again only if its level rises, or when it is over.

    Example: skysieve acknowledge 3896461733156320 --name Ana --note "Asked the operator"
    """
    from api.answers.watched.acknowledgements import acknowledged
    from storage.in_memory.snapshot import newest_snapshot
    from storage.shell.output import print_json
    from storage.state.alerts.acknowledgements import NewAcknowledgement, standing
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    of = whose(folder, organisation).id
    found = standing(folder, organisation_id=of)
    stands = next((one.id for one in found if one.event_id == event_id), None)
    new = NewAcknowledgement(event_id, name, note, MADE_BY, withdrawn=withdraw, organisation_id=of)
    replaces = stands if take_over or withdraw else None
    made = acknowledged(newest_snapshot(folder), new, replaces, datetime.now(UTC))
    if as_json:
        print_json(asdict(made))
    else:
        typer.echo(made.words)
