"""The commands `links list`, `make` and `revoke`: addresses that open one event without a credential."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from storage.commands.fleets import MADE_BY
from storage.shell.options import JsonOption, OrganisationOption, StoreOption, store_folder

# The store is imported where it is used, so that `--help` is quick.

app = typer.Typer(no_args_is_help=True)
EventArgument = Annotated[
    int, typer.Argument(metavar="EVENT_ID", help="An event, as `skysieve events` shows it.")
]
_FIELDS = ("id", "event_id", "created", "expires", "made_by", "ended")


@app.command(name="list")
def list_links(
    event_id: Annotated[int | None, typer.Option(help="Only those to this event.")] = None,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the links of an organisation, also those that have ended. What opens them is not stored.

    Example: skysieve links list --event-id 3896461733156320
    """
    from storage.shell.output import print_json_rows, print_table
    from storage.state.operators.links import link_ended, links
    from storage.state.whose.organisations import organisation as whose

    folder, now = store_folder(store), datetime.now(UTC)
    found = links(folder, whose(folder, organisation).id, event_id)
    rows = [
        (one.id, one.event_id, one.created, one.expires, one.made_by, link_ended(folder, one, now))
        for one in found
    ]
    if as_json:
        print_json_rows(_FIELDS, rows)
        return
    print_table(
        ("Id", "Event", "Made", "Ends", "By", "State"),
        [(*row[:-1], "ended" if row[-1] else "open") for row in rows],
    )


@app.command()
def make(
    event_id: EventArgument,
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="When it ends, within 30 days, UTC. Default: 7 days after TCA.",
        ),
    ] = None,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make an address that opens the report on one event for anyone who has it; it is shown once.

    It shows what everybody sees and what operators intend. An event that only one organisation sees, or that
    rests on an ephemeris that must not be shared, is refused.

    Example: skysieve links make 3896461733156320
    """
    from dataclasses import asdict

    from api.answers.watched.links import made_link
    from api.live.newest_snapshot import LiveSnapshot
    from api.settings import ApiSettings
    from screening.errors import UsageError
    from screening.kernel_files import keep_kernels_in
    from storage.settings import load_settings
    from storage.shell.output import print_json
    from storage.state.whose.organisations import organisation as whose
    from storage.times import parse_time

    try:
        ends = None if expires is None else parse_time(expires)
    except ValueError as error:
        raise UsageError(f"{expires!a} is not a time: expected one such as 2026-11-21T14:05Z.") from error
    settings = load_settings(ApiSettings, store=store)
    keep_kernels_in(settings.kernel_cache)
    events = LiveSnapshot(settings.store)
    events.refresh()
    made = made_link(
        settings.store,
        events.current,
        event_id,
        ends,
        datetime.now(UTC),
        base_url=settings.public_url or f"http://{settings.host}:{settings.port}",
        made_by=MADE_BY,
        organisation_id=whose(settings.store, organisation).id,
    )
    if as_json:
        print_json(asdict(made))
        return
    typer.echo(made.url)
    typer.echo(f"Link {made.id} ends at {made.expires:%Y-%m-%d %H:%M} UTC; it is not shown again.", err=True)
    if not settings.public_url:
        typer.echo(
            "note: the address uses SKYSIEVE_HOST and SKYSIEVE_PORT; for others set SKYSIEVE_PUBLIC_URL",
            err=True,
        )


@app.command()
def revoke(
    event_id: EventArgument,
    link_id: Annotated[int, typer.Argument(metavar="ID", min=1, help="Its id, as `list` shows it.")],
    organisation: OrganisationOption = None,
    store: StoreOption = None,
) -> None:
    """Let a link end for good.

    Example: skysieve links revoke 3896461733156320 2
    """
    from storage.state.operators.links import revoke_link
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    revoke_link(folder, event_id, link_id, whose(folder, organisation).id, datetime.now(UTC))
    typer.echo(f"Link {link_id} is revoked.")
