"""Who has taken on which event: a name, a note, and when. The newest counts, none is changed."""

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import NotPossible
from storage.rows.words.numbers import minute
from storage.state.database import read_records, service_state
from storage.state.fleet_rules import one_line
from storage.state.records import ACKNOWLEDGEMENTS, Acknowledgement
from storage.state.sealed_rows import sealed, verify_rows
from storage.vocabulary import FIRST_ORGANISATION

LONGEST_NAME = 60
LONGEST_NOTE = 500
MOST_OF_AN_EVENT = 100  # the oldest beyond go
_OF_EVENT = "WHERE event_id = ? AND organisation_id = coalesce(?, organisation_id) ORDER BY id DESC"
_STANDING = (
    "WHERE id IN (SELECT max(id) FROM acknowledgements GROUP BY event_id, organisation_id) AND NOT withdrawn "
    "AND organisation_id = coalesce(?, organisation_id) ORDER BY id DESC"
)


class NewAcknowledgement(NamedTuple):
    """An acknowledgement to be stored. See `Acknowledgement`."""

    event_id: int
    name: str
    note: str
    made_by: str
    credential_id: int | None = None
    withdrawn: bool = False
    organisation_id: int = FIRST_ORGANISATION


class OtherHasIt(NotPossible):
    """Who has the event is not who the request says: somebody was quicker."""


def acknowledge(
    store: Path, new: NewAcknowledgement, level: str, replaces: int | None, now: datetime
) -> Acknowledgement:
    """Store an acknowledgement and return it.

    `level`: of the event now, by the probability. `replaces`: the id of the acknowledgement that stands, as
    the writer knows it; None: none does.

    Raises:
        UsageError: the name or the note is not allowed.
        OtherHasIt: another one stands.
    """
    name = one_line(new.name, "the name of who has an event", 1, LONGEST_NAME)
    note = one_line(new.note, "the note of an acknowledgement", 0, LONGEST_NOTE)
    with service_state(store) as state, sealed(state, "acknowledgements"):
        sql = f"{ACKNOWLEDGEMENTS.select} {_OF_EVENT}"
        kept = [ACKNOWLEDGEMENTS.read(row) for row in state.execute(sql, (new.event_id, new.organisation_id))]
        stands = kept[0] if kept and not kept[0].withdrawn else None
        if (stands and stands.id) != replaces or (new.withdrawn and stands is None):
            who = "No one has this event now." if stands is None else words(stands, stands=True)
            raise OtherHasIt(who)
        state.executemany(
            "DELETE FROM acknowledgements WHERE id = ?", [(one.id,) for one in kept[MOST_OF_AN_EVENT - 1 :]]
        )
        values = new._asdict() | {"name": name, "note": note, "level": level, "at": now}
        number = ACKNOWLEDGEMENTS.insert(state, values)
        (row,) = state.execute(f"{ACKNOWLEDGEMENTS.select} WHERE id = ?", (number,))
    return ACKNOWLEDGEMENTS.read(row)


def acknowledgements_of(
    store: Path, event_id: int, organisation_id: int | None = None
) -> list[Acknowledgement]:
    """Return all acknowledgements of an event, newest first; with `organisation_id` only its own."""
    return read_records(store, ACKNOWLEDGEMENTS, _OF_EVENT, (event_id, organisation_id))


def since(store: Path, number: int) -> list[Acknowledgement]:
    """Return the acknowledgements after the one with an id, oldest first."""
    return read_records(store, ACKNOWLEDGEMENTS, "WHERE id > ? ORDER BY id", (number,))


def standing(store: Path, limit: int = -1, organisation_id: int | None = None) -> list[Acknowledgement]:
    """Return the acknowledgements that stand, one an event at most, newest first; so many of them.

    Those of an organisation; None: of all, each with its own.
    """
    return read_records(store, ACKNOWLEDGEMENTS, f"{_STANDING} LIMIT ?", (organisation_id, limit))


def standing_within(state: sqlite3.Connection, fleet_id: int) -> dict[int, Acknowledgement]:
    """Return those of a fleet's organisation that stand, by their events, in the caller's transaction."""
    verify_rows(state, "acknowledgements", "fleets")
    whose = state.execute("SELECT organisation_id FROM fleets WHERE id = ?", (fleet_id,)).fetchone()
    rows = state.execute(f"{ACKNOWLEDGEMENTS.select} {_STANDING}", whose) if whose else ()
    return {one.event_id: one for one in map(ACKNOWLEDGEMENTS.read, rows)}


def words(one: Acknowledgement, *, stands: bool, historic: bool = False) -> str:
    """Return an acknowledgement as a sentence: "Ana has had this since 2026-11-21 06:00 Z: burn planned.".

    `historic`: the newest run is of a past day, so this time is told apart from those of its events.
    """
    did = "let go of this at" if one.withdrawn else "has had this since" if stands else "took this on at"
    real = " (real time; the run is of the past)" if historic else ""
    said = f"{one.name} {did} {minute(one.at)} Z{real}" + (f": {one.note}" if one.note else "")
    return said if said.endswith((".", "!", "?")) else f"{said}."
