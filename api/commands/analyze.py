"""The command that finds what comes near one object."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from screening.vocabulary import (
    DEFAULT_LOOK_AHEAD_HOURS,
    DEFAULT_THRESHOLD_KM,
    LOOK_AHEAD_RANGE_HOURS,
    MAX_NORAD_ID,
    THRESHOLD_RANGE_KM,
    range_text,
)
from storage.shell.options import JsonOption, StoreOption, use_kernels
from storage.vocabulary import AnalysisMode

# The search and the store are imported where they are used, so that `--help` is quick.

app = typer.Typer()


@app.command()
def analyze(
    norad_id: Annotated[
        int | None,
        typer.Argument(
            metavar="[NORAD_ID]",
            min=1,
            max=MAX_NORAD_ID,
            help="Catalogue number of the object.",
            show_default=False,
        ),
    ] = None,
    trajectory: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Instead of an object of the run: a stored trajectory, definitive or hypothetical.",
            show_default=False,
        ),
    ] = None,
    mode: Annotated[
        AnalysisMode,
        typer.Option(help="quick: from the ephemeris of the newest run; full: by SGP4, with probabilities."),
    ] = "full",
    hours: Annotated[
        float, typer.Option(help=f"Length of the window, {range_text(LOOK_AHEAD_RANGE_HOURS)}.")
    ] = DEFAULT_LOOK_AHEAD_HOURS,
    threshold_km: Annotated[
        float, typer.Option(help=f"Only events closer than this, {range_text(THRESHOLD_RANGE_KM)}.")
    ] = DEFAULT_THRESHOLD_KM,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Find what comes near one object of the newest run from now on, and store the events.

    What comes near a hypothetical trajectory is not stored.

    Example: skysieve analyze 25544 --hours 72
    """
    from api.settings import ApiSettings
    from screening.errors import UsageError
    from screening.search.request import check_request
    from storage.settings import load_settings

    if (norad_id is None) == (trajectory is None):
        raise UsageError("Expected either a NORAD_ID or --trajectory ID.")
    if trajectory is not None and mode == "quick":
        raise UsageError("The ephemeris of a run does not include the trajectory: use --mode full.")
    check_request(hours, threshold_km)
    settings = load_settings(ApiSettings, store=store)
    use_kernels(settings.kernel_cache)
    from api.answers.analyses import Question, analyse, analysis_result, question_on
    from api.answers.basis import basis_of
    from api.answers.on_trajectory import trajectory_of
    from storage.in_memory.snapshot import newest_snapshot
    from storage.reading.newest_run import most_dangerous
    from storage.shell import output
    from storage.shell.listing import print_events_for_a_reader
    from storage.times import time_text

    if trajectory is None:
        assert norad_id is not None
        question = Question(mode, norad_id, hours, threshold_km)
    else:
        question = question_on(trajectory_of(settings.store, trajectory), hours, threshold_km)
    basis = basis_of(newest_snapshot(settings.store))
    answer = analyse(basis, question, settings.store, datetime.now(UTC))
    if as_json:
        output.print_json(analysis_result(answer))
        return
    print_events_for_a_reader(most_dangerous(answer.events, len(answer.events)), settings.store)
    for pair in answer.proximities.to_pylist():
        typer.echo(f"stays near: {pair['secondary_norad_id']} {pair['secondary_name']}", err=True)
    if answer.searched == "payloads":
        typer.echo(
            "searched among payloads only: the ephemeris has no other objects; --mode full searches all",
            err=True,
        )
    asked = f"searched for {hours:g} h within {threshold_km:g} km"
    typer.echo(f"{asked}; covered until {time_text(answer.covered_until)}", err=True)
