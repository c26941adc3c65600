"""The flow: one run, as Prefect starts it. The schedule holds it too, so it imports its work when it runs."""

import logging
from datetime import UTC, datetime, timedelta

from prefect import State, flow, runtime
from prefect.states import Completed

from flows.scheduled.deadlines import end_with_parent
from flows.scheduled.due_times import why_skipped
from flows.settings import FlowSettings
from screening.errors import SkysieveError, UsageError
from storage.addresses import without_secrets
from storage.settings import load_settings

log = logging.getLogger("skysieve")


@flow(name="refresh", persist_result=False)
def refresh(
    source: str | None = None, store: str | None = None, or_synthetic: bool = False
) -> "str | State[str]":
    """Fetch the newest catalogue of a source, screen, rate and publish it; return the run's id.

    A scheduled run that comes too late to be of use is skipped, and its state says why.

    Args:
        source: goes before SKYSIEVE_SOURCE. Prefect keeps and shows it, so an address with a password or a
            key in it is refused here: it belongs into the settings.
        store: goes before SKYSIEVE_STORE.
        or_synthetic: without a network, give a store that holds no real run a synthetic catalogue.
    """
    from flows.scheduled.tasks import run

    if source is not None and without_secrets(source) != source:
        raise UsageError(
            f"The source {without_secrets(source)!r} has a secret in it, and Prefect keeps and shows "
            "parameters: set SKYSIEVE_SOURCE, and SKYSIEVE_SOURCE_PASSWORD or SKYSIEVE_SOURCE_KEY, instead."
        )
    settings = load_settings(FlowSettings, source=source, store=store)
    if runtime.deployment.id is None:
        return run(settings, or_synthetic=or_synthetic)
    end_with_parent()
    reason = _why_skipped(settings)
    if reason is not None:
        return _skipped(settings, reason)
    try:
        return run(settings, or_synthetic=or_synthetic)
    except SkysieveError as error:
        log.error("the run failed: %s", error)  # noqa: TRY400 - it is no bug
        raise
    except Exception:
        log.exception("the run failed, by a fault of the program")  # Prefect's own lines are not shown
        raise


def _why_skipped(settings: FlowSettings) -> str | None:
    from storage.disk.current import newest_start

    interval = timedelta(hours=settings.refresh_hours)
    due = runtime.flow_run.scheduled_start_time
    return why_skipped(due, datetime.now(UTC), interval, newest_start(settings.store))


def _skipped(settings: FlowSettings, reason: str) -> "State[str]":
    from flows.runs.catalogue import remember_skipped

    log.info("skipped: %s", reason)
    remember_skipped(settings, reason, datetime.now(UTC))
    return Completed(name="Skipped", message=reason)
