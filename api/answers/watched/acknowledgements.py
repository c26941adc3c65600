"""Acknowledge an event, and answer who has which one."""

from datetime import datetime

from api.answers.stored_events import stored_event
from api.models.watched.acknowledgements import ListedAcknowledgement
from screening.answers import same_fields
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.acknowledgements import (
    NewAcknowledgement,
    acknowledge,
    acknowledgements_of,
    words,
)
from storage.state.records import Acknowledgement


def acknowledged(
    snapshot: Snapshot, new: NewAcknowledgement, replaces: int | None, now: datetime
) -> ListedAcknowledgement:
    """Store that somebody takes on an event, or lets it go.

    Raises NotFound if the store has no such event; otherwise as `acknowledge`.
    """
    level, _ = stored_event(snapshot, new.event_id, restricted=True).levels
    made = acknowledge(snapshot.store, new, level, replaces, now)
    return listed(made, stands=True, historic=snapshot.run.historic)


def listed(one: Acknowledgement, *, stands: bool, historic: bool) -> ListedAcknowledgement:
    """Return an acknowledgement as it is listed beside events of a run, which may be historic."""
    said = words(one, stands=stands, historic=historic)
    return ListedAcknowledgement(**same_fields(ListedAcknowledgement, one), words=said)


def history(snapshot: Snapshot, event_id: int) -> list[ListedAcknowledgement]:
    """Return the acknowledgements of an event, newest first, as they are listed."""
    found = acknowledgements_of(snapshot.store, event_id, snapshot.organisation_id)
    historic = snapshot.run.historic
    return [listed(one, stands=place == 0, historic=historic) for place, one in enumerate(found)]
