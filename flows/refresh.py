"""The run as a Prefect flow: thin tasks over the plain functions of `flows.run`."""

from datetime import UTC, datetime
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from flows.display import Display, summary
from flows.ephemeris import staged_ephemeris
from flows.run import Outcome, Request, Stages, known_objects, prepare, publish, rate, search
from flows.settings import FlowSettings
from flows.take import Attempt, remembered, take_catalogue, take_satcat
from storage.settings import load_settings

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


@flow(name="refresh", persist_result=False)
def refresh(source: str | None = None, store: str | None = None, or_synthetic: bool = False) -> str:
    """Fetch the newest catalogue of a source, screen, rate and publish it; return the run's id.

    Args:
        source: goes before SKYSIEVE_SOURCE.
        store: goes before SKYSIEVE_STORE.
        or_synthetic: without a network, give a store that holds no real run a synthetic catalogue.
    """
    settings = load_settings(FlowSettings, source=source, store=store)
    with Display() as display:
        stages = Stages(display.reporter.stage)
        attempt = Attempt(settings.source, stages)
        with remembered(settings.store, attempt):
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
        display.say(summary(Outcome(attempt.run_id, prepared, screening, stages.seconds)))
    return attempt.run_id
