"""Acknowledge an event, and answer who has which one."""

from collections.abc import Sequence
from datetime import datetime

from api.answers.stored_events import stored_event
from api.models.watched.acknowledgements import ListedAcknowledgement
from screening.answers import same_fields
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.acknowledgements import NewAcknowledgement, acknowledge, words
from storage.state.records import Acknowledgement


def acknowledged(
    snapshot: Snapshot, new: NewAcknowledgement, replaces: int | None, now: datetime
) -> ListedAcknowledgement:
    """Store that somebody takes on an event, or lets it go.

    Raises NotFound if the store has no such event; otherwise as `acknowledge`.
    """
    level, _ = stored_event(snapshot, new.event_id, restricted=True).levels
    return listed(acknowledge(snapshot.store, new, level, replaces, now), stands=True)


def listed(one: Acknowledgement, *, stands: bool) -> ListedAcknowledgement:
    """Return an acknowledgement as it is listed."""
    return ListedAcknowledgement(**same_fields(ListedAcknowledgement, one), words=words(one, stands=stands))


def history(all_of_them: Sequence[Acknowledgement]) -> list[ListedAcknowledgement]:
    """Return the acknowledgements of an event, newest first, as they are listed."""
    return [listed(one, stands=place == 0) for place, one in enumerate(all_of_them)]
