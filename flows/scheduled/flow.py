"""The flow: one run, as Prefect starts it. The schedule loads it too, so it imports what a run needs late."""

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

    A scheduled run that starts too late to be useful is skipped, and its state says why.

    Args:
        source: overrides SKYSIEVE_SOURCE. Prefect keeps and shows it, so an address with a password or a key
            in it is refused: it belongs in the settings.
        store: overrides SKYSIEVE_STORE.
        or_synthetic: without a network, use a synthetic catalogue if the store holds no real run.
    """
    from flows.scheduled.tasks import run

    if source is not None and without_secrets(source) != source:
        raise UsageError(
            f"The source {without_secrets(source)!r} contains a secret, and Prefect stores and shows "
            "parameters: set SKYSIEVE_SOURCE, and SKYSIEVE_SOURCE_LOGIN or SKYSIEVE_SOURCE_KEY, instead."
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
        log.error("the run failed: %s", error)  # noqa: TRY400 - not a bug
        raise
    except Exception:
        log.exception("the run failed because of a bug")  # Prefect's own lines are not shown
        raise


def _why_skipped(settings: FlowSettings) -> str | None:
    from storage.disk.current import newest_start

    interval = timedelta(hours=settings.refresh_hours)
    due = runtime.flow_run.scheduled_start_time
    return why_skipped(due, datetime.now(UTC), interval, newest_start(settings.store))


def _skipped(settings: FlowSettings, reason: str) -> "State[str]":
    from flows.runs.attempt import remember_skipped

    log.info("skipped: %s", reason)
    remember_skipped(settings, reason, datetime.now(UTC))
    return Completed(name="Skipped", message=reason)
