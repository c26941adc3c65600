"""An attempt to make a run, as the store remembers it, and the facts that come with its catalogue."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from flows.runs.fact_update import update_facts
from flows.runs.message_update import Updated, update_announced, update_messages, update_tracss
from flows.runs.run import Stages
from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.files import Source
from flows.sources.messages.space_track import wants_messages
from flows.sources.messages.tracss_login import wants_tracss
from flows.sources.names import find_origin
from screening.errors import SkysieveError
from storage.addresses import without_secrets
from storage.state.database import Outcome as AttemptOutcome
from storage.state.database import begin_attempt, end_attempt
from storage.state.tables import ServiceStateError

log = logging.getLogger("skysieve")


class Attempt:
    """One attempt to make a run, as it will be recorded; filled in step by step."""

    def __init__(self, source: str, stages: Stages) -> None:
        self.source = without_secrets(source)
        self.stages = stages
        self.decision: str | None = None
        self.reason: str | None = None
        self.run_id: str | None = None

    def published(self, run_id: str) -> None:
        """Note the resulting run."""
        self.run_id = run_id


def take_facts(
    taken: Source, source: str, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB
) -> None:
    """Bring the facts about objects up to date, if the catalogue was taken from CelesTrak or Space-Track.

    A failure is logged and raises nothing: the run continues with the facts it has.
    """
    services = ("celestrak", "spacetrack")
    if taken.decision != "generated" and find_origin(source, settings).kind in services:
        update_facts(settings, now, web)


def take_messages(taken: Source, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> list[str]:
    """Take messages of services where there is a login, beside any catalogue that is of real objects.

    Returns what was taken; a failure is logged and raises nothing.
    """
    if taken.decision == "generated":
        return []
    updated: list[Updated] = []
    if wants_messages(settings):
        updated.append(update_messages(settings, now, web))
        updated.append(update_announced(settings, now, web))
    if wants_tracss(settings):
        updated.append(update_tracss(settings, now, web))
    return [one.said for one in updated if not one.failed]


@contextmanager
def remembered(store: Path, attempt: Attempt) -> Iterator[None]:
    """Record an attempt, and how it ends, in the store's service state.

    A state that cannot be written is logged, but never stops a run.
    """
    number: int | None = None
    with _without_state_stopping_a_run():
        number = begin_attempt(store, datetime.now(UTC), attempt.source, "fetch")
    try:
        yield
    except BaseException as error:
        attempt.reason = (
            str(error) if isinstance(error, SkysieveError) else f"{type(error).__name__}: {error}"
        )
        _remember_end(store, number, attempt, "failed")
        raise
    _remember_end(store, number, attempt, "published")


def remember_skipped(settings: FlowSettings, reason: str, now: datetime) -> None:
    """Record that a due run is skipped, and why."""
    with _without_state_stopping_a_run():
        number = begin_attempt(settings.store, now, settings.source, "schedule")
        end_attempt(settings.store, number, now, "skipped", reason=reason)


def _remember_end(store: Path, number: int | None, attempt: Attempt, outcome: AttemptOutcome) -> None:
    if number is None:
        return
    with _without_state_stopping_a_run():
        end_attempt(
            store,
            number,
            datetime.now(UTC),
            outcome,
            stage=attempt.stages.current or None,
            decision=attempt.decision,
            reason=attempt.reason,
            run_id=attempt.run_id,
        )


@contextmanager
def _without_state_stopping_a_run() -> Iterator[None]:
    try:
        yield
    except ServiceStateError as error:
        log.warning("This attempt is not recorded: %s", error)
