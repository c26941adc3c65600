"""Whom to ask about an object: a fleet's contact, the directory, else its owner in the catalogues."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from storage.fleets.members import name_filter, of_first
from storage.rows.words.whom import NOBODY, Whom, of_catalogue, of_directory, of_fleet
from storage.state.fleets import fleets
from storage.state.operators.directory import directory
from storage.state.records import DirectoryEntry
from storage.state.tables import ServiceStateError

log = logging.getLogger("skysieve")


class About(NamedTuple):
    """An object as the newest run has it; empty: not known."""

    norad_id: int
    name: str
    object_type: str = ""
    status: str = ""
    owner: str = ""
    state: str = ""


WhomToAsk = Callable[[About], Whom]


def whom_to_ask(store: Path, organisation_id: int | None) -> WhomToAsk:
    """Return a function that says whom to ask about an object, by what an organisation keeps; None: all.

    First the contact of a fleet: of several that have the object by its number the first made, else the first
    whose pattern fits its name. Nobody steers debris and stages. Then an entry of the directory that has its
    number, else one whose pattern fits, else one of its owner, else one of its state; each time the oldest.
    Then what the catalogues say.

    If fleets or directory cannot be read, which is logged, only the catalogues count: what is handed on of a
    run does not depend on them.
    """
    try:
        with_contact = [one for one in fleets(store, organisation_id) if one.contact]
        entries = directory(store, organisation_id)
    except ServiceStateError as error:
        log.warning("Messages and reports are without contacts: %s", error)
        with_contact, entries = [], []
    in_fleets = of_first((one, of_fleet(one.id, one.name, one.contact)) for one in with_contact)
    in_directory = _directory(entries)

    def whom_of(one: About) -> Whom:
        fleet = in_fleets(one.norad_id, one.name)
        entry = None if fleet or one.object_type in NOBODY else in_directory(one)
        return fleet or entry or of_catalogue(one.object_type, one.status, one.owner, one.state)

    return whom_of


def _directory(entries: list[DirectoryEntry]) -> Callable[[About], Whom | None]:
    known = [
        (one, of_directory(one.operator, one.email, one.telephone, one.hours, one.time_zone, one.note))
        for one in entries
    ]
    by_number = _first((int(number), whom) for one, whom in known for number in one.norad_ids)
    by_name = [(name_filter(one.name_pattern), whom) for one, whom in known if one.name_pattern]
    by_owner = _first((owner, whom) for one, whom in known for owner in one.owners)

    def entry_of(one: About) -> Whom | None:
        found = by_number.get(one.norad_id) or next((whom for fits, whom in by_name if fits(one.name)), None)
        owners = (*owner_parts(one.owner), *owner_parts(one.state))
        return found or next((by_owner[owner] for owner in owners if owner in by_owner), None)

    return entry_of


def owner_parts(owner: str) -> list[str]:
    """Return an owner, then of several (NRO/NRL) each, without the `?` that marks what GCAT doubts."""
    word = owner.strip().rstrip("?").upper()
    parts = [part.rstrip("?") for part in word.split("/")]
    return [one for one in dict.fromkeys([word, *parts]) if one]


def _first(pairs: Iterable[tuple[int | str, Whom]]) -> dict[int | str, Whom]:
    found: dict[int | str, Whom] = {}
    for key, whom in pairs:
        found.setdefault(key, whom)
    return found
