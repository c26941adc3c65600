"""State and answer what operators intend at an event."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from api.answers.stored_events import StoredEvent, stored_event
from api.errors import BadParameter, NotAllowed
from api.models.operators import ListedIntent
from screening.answers import same_fields
from screening.errors import UsageError
from storage.fleets.members import name_filter
from storage.in_memory.snapshot import Snapshot
from storage.state.fleets import fleets
from storage.state.operators.intents import NewIntent, counting, intent_words, intents_of, state_intent
from storage.state.records import StatedIntent
from storage.state.whose.organisations import organisation_names
from storage.vocabulary import Intent


class Said(NamedTuple):
    """What is said, and by whom."""

    intent: Intent
    norad_id: int | None  # None: the one object that is the organisation's
    move_at: datetime | None
    note: str
    made_by: str
    credential_id: int | None
    organisation_id: int


def stated(snapshot: Snapshot, event_id: int, said: Said, now: datetime) -> ListedIntent:
    """Store what an operator intends at an event, and return it.

    Raises NotFound if the store has no such event, NotAllowed if no fleet of the organisation has the object,
    BadParameter if it is neither of the event's, is not clear, or a text is not allowed.
    """
    event = stored_event(snapshot, event_id, restricted=True)
    side = _own(snapshot.store, event, said.norad_id, said.organisation_id)
    new = NewIntent(
        event_id,
        side[0],
        side[1],
        said.intent,
        said.move_at,
        said.note,
        said.made_by,
        said.credential_id,
        said.organisation_id,
    )
    try:
        made = state_intent(snapshot.store, new, now)
    except UsageError as error:
        raise BadParameter("body", str(error)) from error
    return _listed([made], snapshot.store)[0]


def intents(snapshot: Snapshot, event_id: int) -> list[ListedIntent]:
    """Return what everybody has said of an event, newest first."""
    return _listed(intents_of(snapshot.store, event_id), snapshot.store)


def _listed(found: Sequence[StatedIntent], store: Path) -> list[ListedIntent]:
    names = organisation_names(store) if found else {}
    count = {one.id for one in counting(found)}
    return [
        ListedIntent(
            **same_fields(ListedIntent, one),
            organisation=names.get(one.organisation_id, ""),
            counts=one.id in count,
            words=intent_words(one, names.get(one.organisation_id, "")),
        )
        for one in found
    ]


def _own(store: Path, event: StoredEvent, norad_id: int | None, organisation_id: int) -> tuple[int, str]:
    """Return number and name of the object of an event that an intent is about."""
    sides = [(side.norad_id, side.name.strip()) for side in event.sides]
    if norad_id is not None and norad_id not in [number for number, _ in sides]:
        raise BadParameter("norad_id", f"Object {norad_id} is not one of the event {event.id}.")
    kept = fleets(store, organisation_id)
    numbers = {given.norad_id for fleet in kept for given in fleet.objects}
    patterns = [name_filter(fleet.name_pattern) for fleet in kept if fleet.name_pattern]
    own = [
        (number, name)
        for number, name in sides
        if norad_id in (None, number) and (number in numbers or any(fits(name) for fits in patterns))
    ]
    if not own:
        which = f"object {norad_id}" if norad_id else "either object"
        raise NotAllowed(
            f"No fleet of your organisation has {which} of the event {event.id}: what is intended says the "
            "operator of an object alone."
        )
    if len(own) > 1:
        raise BadParameter("norad_id", f"Both objects of the event {event.id} are yours: say which.")
    return own[0]
