"""The commands `plans list`, `keep` and `drop`: burns chosen for events, followed over later runs."""

import math
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from screening.vocabulary import (
    DEFAULT_DAYS_AFTER,
    DEFAULT_DIRECTION_ERROR_DEG,
    DEFAULT_GOAL,
    DEFAULT_SIZE_ERROR,
    DEFAULT_THRESHOLD_KM,
    LONGEST_DAYS_AFTER,
    SMALLEST_GOAL,
)
from storage.commands.fleets import MADE_BY
from storage.shell.options import (
    JsonOption,
    OrganisationOption,
    StoreOption,
    check_burns,
    store_folder,
    use_kernels,
)

# The search and the store are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from api.models.watched.plans import FollowedPlan

app = typer.Typer(help="Burns chosen for events, followed over later runs.", no_args_is_help=True)

_COLUMNS = ("Id", "Event", "Burn", "Chosen", "By")
_POINT_COLUMNS = ("Run or message", "To TCA, h", "Miss, m", "P", "Miss with it, m", "P with it")
_MOST_LISTED = 1000

EventArgument = Annotated[
    int, typer.Argument(metavar="EVENT_ID", help="An event, as `skysieve events` shows it.")
]


@app.command("list")
def list_plans(
    event_id: Annotated[
        int | None,
        typer.Argument(metavar="EVENT_ID", help="Only of this event, and how they fare.", show_default=False),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the plans, or say how those of one event fare with the runs and messages since.

    Example: skysieve plans list 3605035061618925
    """
    from api.answers.plans.listed import listed
    from storage.shell.output import print_json, print_table
    from storage.state.alerts.plans import newest_plans

    if event_id is not None:
        _follow(event_id, store, as_json=as_json)
        return
    plans = [listed(one) for one in newest_plans(store_folder(store), _MOST_LISTED)]
    if as_json:
        print_json([asdict(one) for one in plans])
    else:
        print_table(_COLUMNS, [(one.id, one.event_id, one.words, one.at, one.made_by) for one in plans])


def _follow(event_id: int, store: StoreOption, *, as_json: bool) -> None:
    from api.settings import ApiSettings
    from storage.settings import load_settings
    from storage.shell.output import print_json

    settings = load_settings(ApiSettings, store=store)
    use_kernels(settings.kernel_cache)
    from api.answers.basis import basis_of
    from api.answers.plans.following import plans_followed
    from api.answers.plans.screened import screened
    from storage.in_memory.snapshot import newest_snapshot
    from storage.messages.kept import received

    snapshot = newest_snapshot(settings.store)
    found = plans_followed(
        snapshot,
        event_id,
        lambda: received(settings.store),
        lambda plan, _event: screened(snapshot, basis_of(snapshot), plan),
        datetime.now(UTC),
    )
    if as_json:
        print_json(asdict(found))
        return
    if not found.plans:
        typer.echo(f"The event {event_id} has no plan.", err=True)
    for one in found.plans:
        _print(one)


def _print(one: "FollowedPlan") -> None:
    from storage.rows.words.numbers import NOT_KNOWN, metres, number, probability
    from storage.shell.output import print_table

    typer.echo(f"Plan {one.plan.id}, by {one.plan.made_by}: {one.plan.words}")
    typer.echo(one.words)
    rows = [
        (
            point.run_id or point.received_id or NOT_KNOWN,
            number(point.hours_to_tca),
            metres(point.miss_distance_m),
            probability(point.probability),
            metres(point.miss_after_m),
            probability(point.probability_after),
        )
        for point in one.points
    ]
    print_table(_POINT_COLUMNS, rows)


@app.command()
def keep(
    event_id: EventArgument,
    burn: Annotated[
        list[str],
        typer.Option(
            metavar="WHEN,R,T,N",
            help="When (UTC, or hours before TCA), and its parts in m/s; up to ten times.",
        ),
    ],
    who: Annotated[
        Literal["primary", "secondary"] | None,
        typer.Option(
            "--object", help="Which object burns.  [default: as in `skysieve manoeuvre`]", show_default=False
        ),
    ] = None,
    goal: Annotated[
        float, typer.Option(min=SMALLEST_GOAL, max=1.0, help="Probability that no encounter may reach.")
    ] = DEFAULT_GOAL,
    days: Annotated[
        float, typer.Option(min=0.0, max=LONGEST_DAYS_AFTER, help="Days screened after TCA.")
    ] = DEFAULT_DAYS_AFTER,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep burns as a plan, to be followed over later runs.

    Example: skysieve plans keep 3605035061618925 --burn 12,0,0.05,0
    """
    from api.settings import ApiSettings
    from storage.settings import load_settings
    from storage.shell.output import print_json

    check_burns(len(burn))
    settings = load_settings(ApiSettings, store=store)
    use_kernels(settings.kernel_cache)
    from api.answers.basis import basis_of
    from api.answers.manoeuvres import Asked
    from api.answers.plans.listed import By, choose
    from api.commands.manoeuvre import written
    from screening.manoeuvre.execution import Execution
    from storage.in_memory.snapshot import newest_snapshot
    from storage.state.whose.organisations import organisation as whose

    of = whose(settings.store, organisation).id
    snapshot = newest_snapshot(settings.store)
    execution = Execution(DEFAULT_SIZE_ERROR, math.radians(DEFAULT_DIRECTION_ERROR_DEG))
    burns = [written(one) for one in burn]
    asked = Asked(event_id, who, burns, goal, days, DEFAULT_THRESHOLD_KM, execution)
    made = choose(snapshot, basis_of(snapshot), asked, By(MADE_BY, None, of), datetime.now(UTC))
    if as_json:
        print_json(asdict(made))
    else:
        typer.echo(f"Plan {made.id}: {made.words}")


@app.command()
def drop(
    plan_id: Annotated[int, typer.Argument(metavar="ID", min=1, help="Id of the plan, as `list` shows it.")],
    store: StoreOption = None,
) -> None:
    """Remove a plan.

    Example: skysieve plans drop 4
    """
    from storage.state.alerts.plans import drop_plan

    drop_plan(store_folder(store), plan_id)
    typer.echo(f"Plan {plan_id} is dropped.")
