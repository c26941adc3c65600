"""A run as Prefect tasks: thin ones over the plain functions of `flows.runs.run`."""

from datetime import UTC, datetime
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from flows.runs.catalogue import Attempt, remembered, take_catalogue, take_satcat
from flows.runs.display import Display, summary
from flows.runs.ephemeris import staged_ephemeris
from flows.runs.run import (
    Outcome,
    Request,
    Stages,
    known_objects,
    prepare,
    publish,
    rate,
    remove_expired,
    search,
)
from flows.scheduled.deadlines import ended_after
from flows.settings import FlowSettings

# What tasks hand on is large and good for one run only.
ONE_RUN_ONLY: dict[str, Any] = {
    "cache_policy": NO_CACHE,
    "persist_result": False,
    "cache_result_in_memory": False,
}
fetch_task = task(name="fetch", **ONE_RUN_ONLY)(take_catalogue)
prepare_task = task(name="prepare", **ONE_RUN_ONLY)(prepare)
search_task = task(name="screen", **ONE_RUN_ONLY)(search)
rate_task = task(name="rate", **ONE_RUN_ONLY)(rate)
publish_task = task(name="publish", **ONE_RUN_ONLY)(publish)


def run(settings: FlowSettings, *, or_synthetic: bool) -> str:
    """Fetch, screen, rate and publish, inside a flow; return the run's id.

    Raises:
        RunTooLong: it took longer than the settings allow.
        SkysieveError: what its stages raise.
    """
    with Display() as display:
        stages = Stages(display.reporter.stage)
        attempt = Attempt(settings.source, stages)
        with remembered(settings.store, attempt), ended_after(settings.run_timeout_minutes):
            with stages("fetch"):
                taken = fetch_task(settings.source, settings, datetime.now(UTC), or_synthetic=or_synthetic)
                take_satcat(taken, settings.source, settings, datetime.now(UTC))
            attempt.decision, attempt.reason = taken.decision, taken.reason
            display.say(f"catalogue {taken.source.name}: {taken.decision}. {taken.reason}".strip())
            request = Request(None, settings.look_ahead_hours, settings.threshold_km)
            prepared = prepare_task(taken.source, request, datetime.now(UTC))
            screening = search_task(prepared, settings, stages, display.reporter)
            with staged_ephemeris(taken.source.catalogue.elements, prepared.span, settings) as ephemeris:
                with stages("rate"):
                    objects = known_objects(settings.store, taken.source.catalogue.elements)
                    conjunctions = rate_task(prepared, screening, objects, settings.workers)
                with stages("publish"):
                    attempt.run_id = publish_task(
                        prepared,
                        screening,
                        conjunctions,
                        objects,
                        settings.store,
                        stages.seconds,
                        ephemeris,
                    )
            with stages("compact"):
                problem = remove_expired(settings, datetime.now(UTC))
                attempt.reason = f"{attempt.reason or ''} {problem}".strip()
        display.say(summary(Outcome(attempt.run_id, prepared, screening, stages.seconds)))
    return attempt.run_id
