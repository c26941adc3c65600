"""The command `skysieve manoeuvre`: what a burn makes of an event, and the cheapest that avoids it."""

from datetime import UTC, datetime
from pathlib import Path
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
    THRESHOLD_RANGE_KM,
    range_text,
)
from storage.shell.options import JsonOption, StoreOption, check_burns, instant_of, use_kernels
from storage.times import datetime64_us

# The search and the store are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from api.answers.manoeuvres import Before, WhatIf
    from screening.manoeuvre.impulse import Impulse

app = typer.Typer()

_SHOWN_CHANGES = 10


@app.command()
def manoeuvre(
    event_id: Annotated[
        int, typer.Argument(metavar="EVENT_ID", help="An event, as `skysieve events` shows it.")
    ],
    who: Annotated[
        Literal["primary", "secondary"] | None,
        typer.Option(
            "--object",
            help="Which object burns.  [default: the one that can manoeuvre; if both can, the one launched "
            "later]",
            show_default=False,
        ),
    ] = None,
    trajectory: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="A stored trajectory of that object, in place of its path in the run.",
            show_default=False,
        ),
    ] = None,
    burn_at: Annotated[
        str | None, typer.Option(metavar="ISO", help="Time of the burn, UTC.", show_default=False)
    ] = None,
    before: Annotated[
        float | None,
        typer.Option(metavar="HOURS", help="Instead: this many hours before TCA.", show_default=False),
    ] = None,
    dv_t: Annotated[float, typer.Option(metavar="M_S", help="Delta-v along the track, m/s.")] = 0.0,
    dv_r: Annotated[float, typer.Option(metavar="M_S", help="Delta-v radially outwards, m/s.")] = 0.0,
    dv_n: Annotated[float, typer.Option(metavar="M_S", help="Delta-v across the orbit, m/s.")] = 0.0,
    burn: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHEN,R,T,N",
            help="Instead, and up to ten times: when (UTC, or hours before TCA), and its parts in m/s.",
            show_default=False,
        ),
    ] = None,
    not_before: Annotated[
        str | None,
        typer.Option(metavar="ISO", help="No burn, and no screening, before this, UTC.", show_default=False),
    ] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Search for the cheapest sufficient burn along the track.")
    ] = False,
    goal: Annotated[
        float, typer.Option(min=SMALLEST_GOAL, max=1.0, help="Probability that no encounter may reach.")
    ] = DEFAULT_GOAL,
    days: Annotated[
        float, typer.Option(min=0.0, max=LONGEST_DAYS_AFTER, help="Days screened after TCA.")
    ] = DEFAULT_DAYS_AFTER,
    threshold_km: Annotated[
        float, typer.Option(help=f"Encounters closer than this count, {range_text(THRESHOLD_RANGE_KM)}.")
    ] = DEFAULT_THRESHOLD_KM,
    size_error: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="1-sigma error of the burn's size, as a share of it.")
    ] = DEFAULT_SIZE_ERROR,
    direction_error_deg: Annotated[
        float, typer.Option(min=0.0, max=90.0, help="1-sigma error of its direction, in each plane.")
    ] = DEFAULT_DIRECTION_ERROR_DEG,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file to write, replacing it: .html, .json; the picture of a search: .png.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show how a burn changes an event and the days after it, or search for the cheapest sufficient one.

    The object's whole changed path is screened against the catalogue. Nothing is stored.

    Example: skysieve manoeuvre 3605035061618925 --before 12 --dv-t 0.05

    Two burns: skysieve manoeuvre 3605035061618925 --burn 12,0,0.05,0 --burn 2,0,-0.05,0
    """
    import math

    from rich.console import Console

    from api.settings import ApiSettings
    from screening.errors import UsageError
    from screening.search.request import check_request
    from storage.settings import load_settings

    one = burn_at is not None or before is not None
    if search + one + bool(burn) != 1:
        raise UsageError(
            "Expected either --search, or a burn: --burn-at or --before, and --dv-t, --dv-r or --dv-n; or "
            "several: --burn WHEN,R,T,N for each."
        )
    if burn_at is not None and before is not None:
        raise UsageError("--burn-at and --before both set the time: give one.")
    if burn and any((dv_r, dv_t, dv_n)):
        raise UsageError(
            "--burn has its own delta-v: --dv-r, --dv-t and --dv-n go with --burn-at or --before."
        )
    check_request(1.0, threshold_km)
    target = _checked(output, search=search)
    settings = load_settings(ApiSettings, store=store)
    use_kernels(settings.kernel_cache)
    from api.answers.basis import basis_of
    from api.answers.manoeuvre_answer import what_if_answer
    from api.answers.manoeuvres import Asked, what_if
    from api.answers.on_trajectory import trajectory_of
    from screening.manoeuvre.execution import Execution
    from storage.in_memory.snapshot import newest_snapshot
    from storage.shell.output import print_json

    burns = [_burn(burn_at, before, (dv_r, dv_t, dv_n))] if one else _several(burn or [])
    asked = Asked(
        event_id,
        who,
        burns,
        goal,
        days,
        threshold_km,
        Execution(size_error, math.radians(direction_error_deg)),
        None if trajectory is None else trajectory_of(settings.store, trajectory),
        not_before=None if not_before is None else instant_of(not_before, "--not-before"),
    )
    snapshot = newest_snapshot(settings.store)
    with Console(stderr=True).status("finding the event again ...") as told:
        made = what_if(
            snapshot,
            basis_of(snapshot),
            asked,
            datetime.now(UTC),
            lambda step: told.update(f"{step.words} (step {step.done + 1} of {step.of}) ..."),
        )
    if target is not None:
        from api.report.write import write_what_if_report  # which needs matplotlib

        write_what_if_report(made, target)
    if as_json:
        print_json(what_if_answer(made))
    else:
        _print(made)


app.command("maneuver", hidden=True)(manoeuvre)


def _checked(output: Path | None, *, search: bool) -> Path | None:
    from screening.errors import UsageError
    from storage.shell.written_text import checked_output

    target = checked_output(output)
    suffixes = (".html", ".json", ".png") if search else (".html", ".json")
    if target is not None and target.suffix not in suffixes:
        of_search = "" if search else " (.png is the picture of a --search)"
        raise UsageError(
            f"{target} ends in {target.suffix!r}; expected one of {', '.join(suffixes)}{of_search}."
        )
    return target


def _burn(
    burn_at: str | None,
    before: float | None,
    dv_rtn_m_s: tuple[float, float, float],
    option: str = "--burn-at",
) -> "Impulse | Before":

    from api.answers.manoeuvres import Before
    from screening.manoeuvre.impulse import Impulse

    if before is not None:
        return Before(before, dv_rtn_m_s)
    assert burn_at is not None
    return Impulse(datetime64_us(instant_of(burn_at, option)), dv_rtn_m_s)


def _several(texts: list[str]) -> "list[Impulse | Before]":
    check_burns(len(texts))
    return [written(text) for text in texts]


def written(text: str) -> "Impulse | Before":
    """Return a burn as `--burn` takes it. Raises UsageError."""
    from screening.manoeuvre.impulse import when_and_parts

    when, dv_rtn_m_s = when_and_parts(text)
    try:
        hours = float(when)
    except ValueError:
        return _burn(when, None, dv_rtn_m_s, "--burn")
    return _burn(None, hours, dv_rtn_m_s)


def _print(made: "WhatIf") -> None:
    from api.report.what_if_tables import (
        BURN_COLUMNS,
        CHANGE_COLUMNS,
        burn_rows,
        change_rows,
        compared,
        none_found,
        offered,
        told_of,
    )
    from storage.shell.output import print_table
    from storage.times import time_text

    typer.echo(
        f"{made.side.norad_id} {made.side.name} burns; screened from "
        f"{time_text(made.window_start, 'minutes')} to {time_text(made.window_end, 'minutes')}"
    )
    print_table(BURN_COLUMNS, burn_rows(made))
    for sentence in (none_found(made), *offered(made), *compared(made)):
        if sentence:
            typer.echo(sentence, err=True)
    one = told_of(made)
    if one is not None:
        rows, in_all = change_rows(made, one, _SHOWN_CHANGES)
        typer.echo("")
        print_table(CHANGE_COLUMNS, rows)
        if in_all > len(rows):
            typer.echo(f"and {in_all - len(rows):,} more; --json has all", err=True)
    if made.rests_on:
        typer.echo(made.rests_on, err=True)
