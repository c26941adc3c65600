"""What operators intend at an event: will move, will not move, waiting. Every organisation sees it.

Of what an organisation says of an object, the newest counts; none is changed.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import UsageError
from storage.rows.words.numbers import minute
from storage.state.database import State, read_records, service_state
from storage.state.fleet_rules import one_line
from storage.state.records import INTENTS, StatedIntent
from storage.state.sealed_rows import sealed, verify_rows
from storage.state.tables import ServiceStateError
from storage.state.whose.organisations import organisation_names
from storage.vocabulary import FIRST_ORGANISATION, Intent

log = logging.getLogger("skysieve")

LONGEST_NOTE = 500
MOST_OF_AN_EVENT = 100  # and organisation; the oldest beyond go
_OF_EVENT = "WHERE event_id = ? ORDER BY id DESC"
_SAYS: Mapping[Intent, str] = {
    "will_move": "will move",
    "will_not_move": "will not move",
    "waiting": "is waiting before it decides",
}


class NewIntent(NamedTuple):
    """An intent to be stored. See `StatedIntent`."""

    event_id: int
    norad_id: int
    name: str
    intent: Intent
    move_at: datetime | None = None
    note: str = ""
    made_by: str = ""
    credential_id: int | None = None
    organisation_id: int = FIRST_ORGANISATION


def state_intent(store: Path, new: NewIntent, now: datetime) -> StatedIntent:
    """Store an intent and return it; that the object is the organisation's own, the caller has checked.

    Raises:
        UsageError: the note is not allowed, or there is a time at which nothing moves.
    """
    note = one_line(new.note, "the note of an intent", 0, LONGEST_NOTE)
    if new.move_at is not None and new.intent != "will_move":
        raise UsageError("Only who will move says when: leave the time away, or say that it will move.")
    with service_state(store) as state, sealed(state, INTENTS.name):
        number = INTENTS.insert(state, new._asdict() | {"note": note, "at": now})
        state.execute(
            "DELETE FROM intents WHERE event_id = ?1 AND organisation_id = ?2 AND id NOT IN (SELECT id FROM "
            "intents WHERE event_id = ?1 AND organisation_id = ?2 ORDER BY id DESC LIMIT ?3)",
            (new.event_id, new.organisation_id, MOST_OF_AN_EVENT),
        )
        (row,) = state.execute(f"{INTENTS.select} WHERE id = ?", (number,))
    return INTENTS.read(row)


def intents_of(store: Path, event_id: int) -> list[StatedIntent]:
    """Return what everybody has said of an event, newest first."""
    return read_records(store, INTENTS, _OF_EVENT, (event_id,))


def intents_since(store: Path, number: int) -> list[StatedIntent]:
    """Return the intents after the one with an id, oldest first."""
    return read_records(store, INTENTS, "WHERE id > ? ORDER BY id", (number,))


def intents_within(state: State, event_ids: Iterable[int]) -> dict[int, list[StatedIntent]]:
    """Return those that count of some events, newest first, in the caller's transaction."""
    verify_rows(state, INTENTS.name)
    sql = f"{INTENTS.select} {_OF_EVENT}"
    found = {one: [INTENTS.read(row) for row in state.execute(sql, (one,))] for one in event_ids}
    return {one: counting(said) for one, said in found.items() if said}


def intended(store: Path, event_ids: Sequence[int]) -> dict[int, list[str]]:
    """Return in sentences what operators intend at some events; what does not count any more is left out.

    If the state cannot be read, which is logged, nothing is said: what is handed on does not depend on it.
    """
    try:
        marks = ", ".join("?" * len(event_ids))
        found = read_records(store, INTENTS, f"WHERE event_id IN ({marks}) ORDER BY id DESC", event_ids)
        names = organisation_names(store) if found else {}
    except ServiceStateError as error:
        log.warning("Messages and reports are without intents: %s", error)
        return {}
    said: dict[int, list[str]] = {}
    for one in counting(found):
        said.setdefault(one.event_id, []).append(intent_words(one, names.get(one.organisation_id, "")))
    return said


def counting(newest_first: Iterable[StatedIntent]) -> list[StatedIntent]:
    """Return those that count: of each object of an event the newest of each organisation."""
    found: dict[tuple[int, int, int], StatedIntent] = {}
    for one in newest_first:
        found.setdefault((one.event_id, one.norad_id, one.organisation_id), one)
    return list(found.values())


def intent_words(one: StatedIntent, organisation: str) -> str:
    """Return an intent as a sentence: "ISS: its operator will move, 2026-11-21 14:05 UTC (Example, ...)"."""
    name = one.name.strip() or str(one.norad_id)
    when = f", {minute(one.move_at)} UTC" if one.move_at else ""
    said = f"{name}: its operator {_SAYS[one.intent]}{when}"
    note = f": {one.note}" if one.note else ""
    return f"{said} ({organisation}, {minute(one.at)} UTC{note})."
