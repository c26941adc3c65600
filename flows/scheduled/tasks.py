"""A run inside a flow: its steps are tasks of Prefect, and the store remembers the attempt."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from prefect import task
from prefect.cache_policies import NO_CACHE

from flows.alerts.outbox import note_published
from flows.runs.attempt import Attempt, remembered, take_facts, take_messages
from flows.runs.display import Display, summary
from flows.runs.fleet_look import fleet_look
from flows.runs.law_refit import refit_when_due
from flows.runs.run import Function, Outcome, Request, Stages, run_catalogue
from flows.runs.second_look import second_look
from flows.scheduled.deadlines import ended_after
from flows.settings import FlowSettings
from flows.sources.catalogues import fetch_catalogue
from flows.sources.files import Source
from flows.sources.supplemental import with_supplemental_sets
from flows.sources.trajectories.definitive import take_trajectories
from storage.analyses.around_fleets.look import FleetLook
from storage.disk.current import read_current
from storage.reading.run_events import run_window

LEAST_MINUTES = 1.0  # for what follows a run, each, however long the run itself took

# Results of tasks are large and useful to one run only.
ONE_RUN_ONLY: dict[str, Any] = {
    "cache_policy": NO_CACHE,
    "persist_result": False,
    "cache_result_in_memory": False,
}


def as_task(name: str, function: Function) -> Function:
    """Return a function as a Prefect task."""
    return cast("Function", task(name=name, **ONE_RUN_ONLY)(function))


def run(settings: FlowSettings, *, or_synthetic: bool) -> str:
    """Make a whole run, inside a flow; return its id.

    In order: fetch the catalogue, facts about objects, messages, supplemental sets and trajectories; screen,
    rate and publish (`run_catalogue`); the second look; searches around fleets; alerts; once a week a refit
    of the error laws, which hold from the next run on.

    Raises:
        RunTooLong: it took longer than the settings allow.
        SkysieveError: what its stages raise.
    """
    began_s = time.monotonic()
    with Display() as display:
        stages = Stages(display.reporter.stage)
        attempt = Attempt(settings.source, stages)
        with remembered(settings.store, attempt), ended_after(settings.run_timeout_minutes):
            with stages("fetch"):
                fetch = as_task("fetch", fetch_catalogue)
                source = fetch(settings.source, settings, datetime.now(UTC), or_synthetic=or_synthetic)
                take_facts(source, settings.source, settings, datetime.now(UTC))
                for said in take_messages(source, settings, datetime.now(UTC)):
                    display.say(f"messages: {said}")
                source, problems = _with_operators_data(source, settings, display)
            attempt.decision, attempt.reason = source.decision, source.reason
            display.say(f"catalogue {source.name}: {source.decision}. {source.reason}".strip())
            request = Request(
                None,
                settings.look_ahead_hours,
                settings.threshold_km,
                may_be_historic=not shows_the_present(settings.store),
            )
            report = display.reporter._replace(published=attempt.published)
            outcome = run_catalogue(source, request, settings, stages, report, as_task)
            attempt.reason = " ".join(filter(None, (source.reason, *problems, outcome.problem)))
        display.say(summary(outcome))
        with stages("second look"):
            looked = second_look(outcome, settings, datetime.now(UTC))
        if looked is not None:
            display.say(looked.text)
        with stages("fleets"):
            around = look_in_time(outcome, settings, began_s)
        if around is not None:
            display.say(around.text)
        note_published(settings, outcome.run_id, datetime.now(UTC))
        if refitted := refit_in_time(outcome, settings, began_s):
            display.say(f"error laws: {refitted}")
    return outcome.run_id


def look_in_time(outcome: Outcome, settings: FlowSettings, began_s: float) -> FleetLook | None:
    """Search around fleets in what is left of a run's time; the run stands when that is over.

    `began_s`: when the run began, by the monotonic clock.
    """
    with ended_after(_left_minutes(settings, began_s), "The search around fleets"):
        return fleet_look(outcome, settings)


def refit_in_time(outcome: Outcome, settings: FlowSettings, began_s: float) -> str | None:
    """Refit the error laws, if that is due, in what is left of a run's time; return what was done.

    `began_s`: when the run began, by the monotonic clock.
    """
    if outcome.prepared.synthetic:
        return None
    with ended_after(_left_minutes(settings, began_s), "The refit of the error laws"):
        return refit_when_due(settings, datetime.now(UTC))


def _left_minutes(settings: FlowSettings, began_s: float) -> float:
    return max(settings.run_timeout_minutes - (time.monotonic() - began_s) / 60.0, LEAST_MINUTES)


def shows_the_present(store: Path) -> bool:
    """Return whether the newest run is of real objects and of its own time: those after it are so, too."""
    current = read_current(store)
    return current is not None and not current.synthetic and not run_window(store, current.run_id).historic


def _with_operators_data(
    source: Source, settings: FlowSettings, display: Display
) -> tuple[Source, list[str]]:
    """Fetch what operators say of their objects; return the catalogue with it, and what could not be had."""
    problems: list[str] = []
    if settings.supgp and source.decision != "generated":
        supplemented = with_supplemental_sets(source, settings, datetime.now(UTC))
        source = supplemented.source
        problems += supplemented.problems
        display.say(supplemented.said)
    for one in take_trajectories(settings, source.content.elements, datetime.now(UTC)):
        said = f"trajectories, {one.source}: {one.said}"
        if one.failed:
            problems.append(said)
        else:
            display.say(said)
    return source, problems
