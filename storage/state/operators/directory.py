"""The directory: whom to call about which objects. Each organisation keeps its own."""

import re
import zoneinfo
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import NoSuch, NotPossible, UsageError
from screening.vocabulary import MAX_NORAD_ID
from storage.state.database import State, read_records, service_state
from storage.state.fleet_rules import LONGEST_PATTERN, name_key, one_line
from storage.state.records import DIRECTORY, DirectoryEntry
from storage.state.sealed_rows import sealed
from storage.vocabulary import FIRST_ORGANISATION

MOST_ENTRIES = 2_000  # of an organisation
MOST_OBJECTS, MOST_OWNERS = 500, 50  # of an entry
LONGEST_OPERATOR, LONGEST_CONTACT, LONGEST_HOURS, LONGEST_NOTE, LONGEST_OWNER = 100, 100, 100, 300, 20
_E_MAIL = re.compile(r"[^@\s,;]+@[^@\s,;]+")
_WHOSE = "WHERE organisation_id = coalesce(?, organisation_id) ORDER BY id"


class NewEntry(NamedTuple):
    """An entry to be stored. See `DirectoryEntry`."""

    operator: str
    owners: tuple[str, ...] = ()
    norad_ids: tuple[int, ...] = ()
    name_pattern: str = ""
    email: str = ""
    telephone: str = ""
    hours: str = ""
    time_zone: str = ""
    note: str = ""
    made_by: str = ""
    credential_id: int | None = None
    organisation_id: int = FIRST_ORGANISATION


class EntryThere(NotPossible):
    """The directory has an entry of this operator for the same objects."""


def directory(store: Path, organisation_id: int | None = None) -> list[DirectoryEntry]:
    """Return the entries, oldest first; with `organisation_id` only its own."""
    return read_records(store, DIRECTORY, _WHOSE, (organisation_id,))


def add_entries(store: Path, new: Sequence[NewEntry], now: datetime) -> list[DirectoryEntry]:
    """Store entries of one organisation, all of them or none, and return them.

    Raises:
        UsageError: a value is not allowed, or there are too many entries.
        EntryThere: the directory has one of this operator for the same objects.
    """
    with service_state(store) as state, sealed(state, DIRECTORY.name):
        return [_added(state, checked(one), now) for one in new]


def _added(state: State, new: NewEntry, now: datetime) -> DirectoryEntry:
    others = [
        DIRECTORY.read(row) for row in state.execute(f"{DIRECTORY.select} {_WHOSE}", [new.organisation_id])
    ]
    if len(others) >= MOST_ENTRIES:
        raise UsageError(f"The directory has {len(others):,} entries, the most allowed.")
    for one in others:
        if about_of(one) == about_of(new):
            raise EntryThere(
                f"The directory has {one.operator} for these objects: entry {one.id}. Remove that first."
            )
    number = DIRECTORY.insert(state, new._asdict() | {"norad_ids": tuple(map(str, new.norad_ids)), "at": now})
    (row,) = state.execute(f"{DIRECTORY.select} WHERE id = ?", (number,))
    return DIRECTORY.read(row)


def remove_entry(store: Path, entry_id: int, organisation_id: int) -> None:
    """Remove an entry of an organisation. Raises NoSuch."""
    with service_state(store) as state, sealed(state, DIRECTORY.name):
        sql = "DELETE FROM directory WHERE id = ? AND organisation_id = ?"
        if not state.execute(sql, (entry_id, organisation_id)).rowcount:
            raise NoSuch(f"The directory has no entry {entry_id}: `skysieve directory list` shows them.")


def checked(new: NewEntry) -> NewEntry:
    """Return an entry as it is stored: texts trimmed and composed, lists in order, each once.

    Raises:
        UsageError: a value is not allowed, or the entry names no objects or no way to reach anybody.
    """
    email = one_line(new.email, "an e-mail address", 0, LONGEST_CONTACT)
    if email and not _E_MAIL.fullmatch(email):
        raise UsageError(f"{email!a} is not an e-mail address: expected one, such as desk@example.org.")
    made = new._replace(
        operator=one_line(new.operator, "the name of an operator", 1, LONGEST_OPERATOR),
        owners=tuple(sorted({_owner(one) for one in new.owners})),
        norad_ids=tuple(sorted({_number(one) for one in new.norad_ids})),
        name_pattern=one_line(new.name_pattern, "a pattern of names", 0, LONGEST_PATTERN),
        email=email,
        telephone=one_line(new.telephone, "a telephone number", 0, LONGEST_CONTACT),
        hours=one_line(new.hours, "the hours of an operator", 0, LONGEST_HOURS),
        time_zone=_time_zone(new.time_zone.strip()),
        note=one_line(new.note, "the note of an entry", 0, LONGEST_NOTE),
    )
    if len(made.owners) > MOST_OWNERS or len(made.norad_ids) > MOST_OBJECTS:
        raise UsageError(
            f"An entry of the directory has up to {MOST_OWNERS} owners and {MOST_OBJECTS} catalogue numbers."
        )
    if not (made.owners or made.norad_ids or made.name_pattern):
        raise UsageError(
            f"{made.operator!a} has no objects: give owners, catalogue numbers or a pattern of names."
        )
    if not (made.email or made.telephone):
        raise UsageError(
            f"{made.operator!a} cannot be reached: give an e-mail address or a telephone number."
        )
    if bool(made.hours) != bool(made.time_zone):
        raise UsageError(f"{made.operator!a}: give hours and their time zone together, or neither.")
    return made


def about_of(one: DirectoryEntry | NewEntry) -> tuple[object, ...]:
    """Return what no two entries of an organisation have in common: the operator and the objects."""
    return name_key(one.operator), one.owners, tuple(map(str, one.norad_ids)), one.name_pattern


def _owner(text: str) -> str:
    word = one_line(text, "the abbreviation of an owner", 1, LONGEST_OWNER)
    if len(word.split()) > 1:
        raise UsageError(f"{word!a} is not an abbreviation of an owner: it has no spaces.")
    return word.upper()


def _number(number: int) -> int:
    if not 1 <= number <= MAX_NORAD_ID:
        raise UsageError(f"{number} is not a catalogue number: expected 1 to {MAX_NORAD_ID}.")
    return number


def _time_zone(name: str) -> str:
    if name:
        try:
            zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise UsageError(
                f"{name[:60]!a} is not a time zone: expected a name such as Europe/Berlin, or UTC."
            ) from error
    return name
