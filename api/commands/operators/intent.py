"""The command `intent`: what operators intend at an event, and whom to ask."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from storage.commands.fleets import MADE_BY
from storage.shell.options import JsonOption, OrganisationOption, StoreOption, store_folder
from storage.vocabulary import Intent

# The store is imported where it is used, so that `--help` is quick.

app = typer.Typer()


@app.command()
def intent(
    event_id: Annotated[
        int, typer.Argument(metavar="EVENT_ID", help="An event, as `skysieve events` shows it.")
    ],
    what: Annotated[
        Intent | None,
        typer.Argument(metavar="[INTENT]", help="will_move, will_not_move, waiting; without: only show."),
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it will move, ISO 8601; without a zone: UTC.")
    ] = None,
    note: Annotated[str, typer.Option(help="What else others should know; every organisation sees it.")] = "",
    norad_id: Annotated[int | None, typer.Option(help="Which of the two, if both are yours.")] = None,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what you intend with your object at an event, or show whom to ask and what operators have said.

    The object must be in one of your fleets. Every organisation sees what you say; the newest counts.

    Example: skysieve intent 3896461733156320 will_move --at 2026-11-21T14:05Z
    """
    from api.answers.geometry import event_details
    from api.answers.stored_events import stored_event
    from api.answers.watched.intents import Said, intents, stated
    from api.answers.watched.whom import whom_of_both
    from screening.errors import UsageError
    from storage.in_memory.snapshot import newest_snapshot
    from storage.shell.output import print_json
    from storage.state.whose.organisations import organisation as whose
    from storage.times import parse_time

    folder = store_folder(store)
    snapshot, of = newest_snapshot(folder), whose(folder, organisation).id
    if what is not None:
        try:
            move_at = None if at is None else parse_time(at)
        except ValueError as error:
            raise UsageError(f"{at!a} is not a time: expected one such as 2026-11-21T14:05Z.") from error
        said = Said(what, norad_id, move_at, note, MADE_BY, None, of)
        made = stated(snapshot, event_id, said, datetime.now(UTC))
        if as_json:
            print_json(asdict(made))
        else:
            typer.echo(made.words)
        return
    details = event_details(snapshot, stored_event(snapshot, event_id, restricted=True))
    whom, found = whom_of_both(snapshot, details, of), intents(snapshot, event_id)
    if as_json:
        print_json({"whom_to_ask": asdict(whom), "intents": [asdict(one) for one in found]})
        return
    for side, one in zip(details.event.sides, (whom.primary, whom.secondary), strict=True):
        typer.echo(f"{side.name.strip() or side.norad_id}: {one.words}")
    for said_before in found:
        typer.echo(said_before.words if said_before.counts else f"Before: {said_before.words}")
