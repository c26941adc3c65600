"""The received messages by encounter: ours beside theirs, the newest first."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from api.answers.event_messages import messages_about, messages_of
from api.answers.inbox.compared import compared
from api.answers.stored_events import StoredEvent, stored_event
from api.errors import NotFound
from storage.in_memory.snapshot import Snapshot
from storage.messages.lists import Wanted, places
from storage.rows.words.event import name_of
from storage.rows.words.numbers import distance

NOBODY = "UNKNOWN"  # as messages call objects without a name
_TOLD_BY = ("primary_norad_id", "secondary_norad_id", "miss_distance_m")


def encounters(
    snapshot: Snapshot, received: pa.Table, wanted: Wanted, limit: int, offset: int
) -> dict[str, Any]:
    """Return a page of the encounters of the messages that are wanted, as an InboxPage: what came last first.

    `received`: all of the store, oldest first, as `storage.messages.kept.received` returns them.
    """
    rows = (
        received if wanted.restricted else received.take(pa.array(places(received, Wanted(restricted=False))))
    )
    found = received["encounter_id"].take(pa.array(places(received, wanted)))
    ids = list(dict.fromkeys(found.to_pylist()))
    page = [_encounter(snapshot, received, one, wanted) for one in ids[offset : offset + limit]]
    senders = sorted(filter(None, rows["originator"].unique().to_pylist()))
    return {"encounters": page, "total": len(ids), "senders": senders}


def _encounter(snapshot: Snapshot, received: pa.Table, encounter_id: int, wanted: Wanted) -> dict[str, Any]:
    found = messages_of(received, encounter_id, restricted=wanted.restricted)
    newest = found.told[-1]
    event = None if newest["event_id"] is None else _ours(snapshot, encounter_id)
    if event is not None:
        found = messages_about(received, event, restricted=wanted.restricted)
    first = event.primary.norad_id if event else newest["primary_norad_id"]
    told = compared(snapshot.store, found.told, event, first)[::-1]
    return {
        "id": encounter_id,
        "opens": event is not None or any(None not in [one[name] for name in _TOLD_BY] for one in told),
        "tca": newest["tca"],
        **{f"{who}_name": called(event.row if event else newest, who) for who in ("primary", "secondary")},
        "words": _words(snapshot, told[0], event),
        "event": event and event.row,
        "messages": told,
        "restricted_messages": found.left_out,
    }


def _ours(snapshot: Snapshot, event_id: int) -> StoredEvent | None:
    try:
        event = stored_event(snapshot, event_id)
    except NotFound:  # of a run that has expired since
        return None
    return None if event.told else event


def called(row: Mapping[str, Any], who: str) -> str:
    """Return an object's name, else its catalogue number, else what a message calls it."""
    unnamed = {**row, f"{who}_name": ""} if row[f"{who}_name"] == NOBODY else row
    return name_of(unnamed, who) if row[f"{who}_norad_id"] else str(row[f"{who}_designator"])


def _words(snapshot: Snapshot, newest: dict[str, Any], event: StoredEvent | None) -> str:
    """Return the newest message beside our event, in a sentence."""
    sender = newest["originator"] or "The message"
    theirs = "no miss" if newest["miss_distance_m"] is None else f"miss {distance(newest['miss_distance_m'])}"
    if event is not None:
        return f"{sender}: {theirs}, ours {distance(event.miss_distance_m)}; {newest['apart']}."
    run = snapshot.run
    if newest["tca"] < run.window_start:
        why = "its TCA is before the newest run's window"
    elif newest["tca"] >= run.window_end:
        why = "its TCA is after the newest run's window"
    else:
        why = f"the newest run finds no approach of the two below {run.threshold_km:g} km then"
    return f"{sender}: {theirs}; no run has it: {why}."
