"""Find one event in a snapshot: as it is known now, and as each run found it."""

from api.answers.rows import EVENT_FIELDS, records
from api.errors import NotFound
from storage.in_memory.snapshot import Snapshot
from storage.rows.event_ids import MAX_EVENT_ID

EventRecord = dict[str, object]  # the fields of EVENT_FIELDS


def stored_event(snapshot: Snapshot, event_id: int) -> EventRecord:
    """Return one event as it is known now; if the newest run no longer has it, as the last one that had it.

    Raises:
        NotFound: there is no such event in the store.
    """
    return _newest(snapshot, event_id) or event_with_history(snapshot, event_id)[0]


def event_with_history(snapshot: Snapshot, event_id: int) -> tuple[EventRecord, list[EventRecord]]:
    """Return one event, and what each run found of it, the oldest first. Raises as `stored_event`."""
    known = 0 <= event_id <= MAX_EVENT_ID
    history = records(EVENT_FIELDS, snapshot.history(event_id)) if known else []
    event = _newest(snapshot, event_id) or (history[-1] if history else None)
    if event is None:
        raise NotFound(f"There is no event {event_id} in the store.")
    return event, history


def _newest(snapshot: Snapshot, event_id: int) -> EventRecord | None:
    newest = snapshot.event(event_id) if 0 <= event_id <= MAX_EVENT_ID else None
    return None if newest is None else records(EVENT_FIELDS, [newest])[0]
