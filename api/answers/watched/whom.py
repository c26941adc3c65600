"""Whom to ask about the objects of an event."""

from api.answers.geometry import EventDetails
from storage.fleets.whom_to_ask import About, whom_to_ask
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.whom import WhomOfBoth


def whom_of_both(snapshot: Snapshot, details: EventDetails, organisation_id: int | None = None) -> WhomOfBoth:
    """Return whom to ask about both objects, by what an organisation keeps (default: who sees it)."""
    ask = whom_to_ask(snapshot.store, organisation_id or snapshot.organisation_id)
    about = (
        About(
            side.norad_id,
            side.name,
            known.object_type or "",
            known.status or "",
            known.owner or "",
            known.state or "",
        )
        for side, known in zip(details.event.sides, details.objects, strict=True)
    )
    return WhomOfBoth(*map(ask, about))
