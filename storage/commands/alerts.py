"""The commands `alerts add`, `list`, `remove`, `on`, `off` and `rotate`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from screening.vocabulary import ProbabilityLevel, RiskLevel
from storage.shell.options import JsonOption, StoreOption, store_folder
from storage.vocabulary import DIGEST_RANGE_HOURS, NEAR_M, Channel

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer(
    no_args_is_help=True,
    help="Send notifications about a fleet's conjunctions.",
)

AlertArgument = Annotated[
    int, typer.Argument(metavar="ID", min=1, help="Id of the alert, as `alerts list` shows it.")
]
_COLUMNS = (
    *(
        "id",
        "fleet",
        "channel",
        "address",
        "level",
        "near_m",
        "min_probability",
        "digest_hours",
        "daily",
        "manoeuvres",
        "acknowledgements",
    ),
    *("waiting", "last_delivered", "off_since", "off_reason"),
)


@app.command()
def add(
    fleet: Annotated[str, typer.Option(metavar="NAME", help="Name or id of the fleet.")],
    to: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="https://... for a webhook (Standard Webhooks), slack:https://... for a hook that takes "
            "Slack's JSON, name@host for e-mail.",
        ),
    ],
    channel: Annotated[
        Channel | None, typer.Option(help="The channel.  [default: derived from the address]")
    ] = None,
    level: Annotated[
        ProbabilityLevel | None,
        typer.Option(
            help="Report encounters of this level by the probability or a more dangerous one, and unknown "
            "ones; low: everything.  [default: high]",
            show_default=False,
        ),
    ] = None,
    near: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="Also report a miss below this many metres, whatever its probability; none: distance does "
            f"not count.  [default: {NEAR_M:g}]",
            show_default=False,
        ),
    ] = None,
    risk: Annotated[
        RiskLevel | None,
        typer.Option(
            help="Option of earlier releases: a level by probability or distance.",
            show_default=False,
            hidden=True,
        ),
    ] = None,
    min_probability: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            help="Report only encounters with at least this collision probability, none with an unknown one.",
            show_default=False,
        ),
    ] = None,
    digest: Annotated[
        float | None,
        typer.Option(
            metavar="HOURS",
            min=DIGEST_RANGE_HOURS[0],
            max=DIGEST_RANGE_HOURS[1],
            help="Collect changes and send at most one message every HOURS. New or worse critical events "
            "are sent at once, with everything collected.",
            show_default=False,
        ),
    ] = None,
    daily: Annotated[
        bool,
        typer.Option(
            "--daily", help="Send a list of all satellites once a day (UTC), even if no encounter is coming."
        ),
    ] = False,
    manoeuvres: Annotated[
        bool,
        typer.Option(
            "--manoeuvres",
            help="Send a message when an object of the fleet has manoeuvred, or the other object of a "
            "reported encounter.",
        ),
    ] = False,
    acknowledgements: Annotated[
        bool | None,
        typer.Option(
            "--acknowledgements/--no-acknowledgements",
            help="Send a message when a person takes on a reported event.  [default: only webhooks]",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Send notifications about the encounters of a fleet.

    Examples: skysieve alerts add --fleet mine --to ops@example.org --level high --near 500
    skysieve alerts add --fleet mine --to https://example.org/hook --digest 12
    """
    from storage.rows.limits import chosen_limits, near_of
    from storage.settings import StoreSettings, load_settings
    from storage.shell.alert_words import notes_on
    from storage.shell.output import print_json
    from storage.state.alerts.addresses import target
    from storage.state.alerts.alerts import NewAlert, create_alert, record_of
    from storage.state.fleets import fleet as fleet_of

    folder = store_folder(store)
    settings = load_settings(StoreSettings)
    given: dict[str, object] = {} if level is None else {"level": level}
    if near is not None:
        given["near_m"] = near_of(near)
    limits = chosen_limits(risk, given)
    new = NewAlert(
        fleet_of(folder, fleet).id,
        target(to, channel, allow_private=settings.alerts_allow_private),
        "command line",
        level=limits.level,
        near_m=limits.near_m,
        min_probability=min_probability,
        digest_hours=digest,
        daily=daily,
        manoeuvres=manoeuvres,
        acknowledgements=acknowledgements,
    )
    made = create_alert(folder, new, datetime.now(UTC))
    record = record_of(folder, made)
    for note in notes_on(folder, made, mail_server=settings.smtp_host):
        typer.echo(f"note: {note}", err=True)
    if as_json:
        print_json({**record, "secret": made.secrets[0] if made.secrets else None})
        return
    typer.echo(f"Alert {made.id} notifies {record['address']} about the fleet {record['fleet']}.", err=True)
    if made.secrets:
        typer.echo("Its messages are signed with this secret, which is not shown again:", err=True)
        typer.echo(made.secrets[0])


@app.command("list")
def list_(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List all alerts, without their secrets.

    Example: skysieve alerts list --json
    """
    from storage.shell.output import print_json, print_table
    from storage.state.alerts.alerts import listed

    records = listed(store_folder(store))
    if as_json:
        print_json(records)
        return
    print_table(_COLUMNS, [[record[name] for name in _COLUMNS] for record in records])


@app.command()
def remove(number: AlertArgument, store: StoreOption = None) -> None:
    """Remove an alert; what waits to be delivered is cancelled."""
    from storage.state.alerts.alerts import remove_alert

    remove_alert(store_folder(store), number, datetime.now(UTC))
    typer.echo(f"Alert {number} is removed.")


@app.command()
def off(
    number: AlertArgument,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why, for the list.")] = "by hand",
    store: StoreOption = None,
) -> None:
    """Stop the deliveries of an alert; what happens meanwhile is gathered in one message."""
    from storage.state.alerts.alerts import switch_off

    switch_off(store_folder(store), number, reason, datetime.now(UTC))
    typer.echo(f"Alert {number} is off.")


@app.command()
def on(number: AlertArgument, store: StoreOption = None) -> None:
    """Go on with the deliveries of an alert that is off."""
    from storage.state.alerts.alerts import switch_on

    switch_on(store_folder(store), number, datetime.now(UTC))
    typer.echo(f"Alert {number} is on.")


@app.command()
def rotate(number: AlertArgument, store: StoreOption = None) -> None:
    """Give a webhook a new secret; the one before it signs too, until the next rotation."""
    from storage.state.alerts.alerts import rotate_secret

    made = rotate_secret(store_folder(store), number)
    typer.echo(f"The new secret of alert {number}, which is not shown again:", err=True)
    typer.echo(made)
