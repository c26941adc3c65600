"""Whom to ask about an object: the contact of the fleet that it belongs to."""

import logging
from collections.abc import Callable
from pathlib import Path

from storage.fleets.members import name_filter
from storage.state.fleets import fleets
from storage.state.tables import ServiceStateError

log = logging.getLogger("skysieve")

Contact = Callable[[int, str], str]  # of the object with a number and a name; "": none is known


def contacts(store: Path, organisation_id: int | None) -> Contact:
    """Return a function that gives the contact of an object, by the fleets of an organisation; None: of all.

    Of several fleets with a contact that have it by its number the first made counts, else the first whose
    pattern fits its name. If the fleets cannot be read, which is logged, no contact is known: what is handed
    on of a run does not depend on them.
    """
    try:
        with_contact = [one for one in fleets(store, organisation_id) if one.contact]
    except ServiceStateError as error:
        log.warning("Messages and reports are without contacts: %s", error)
        with_contact = []
    by_number: dict[int, str] = {}
    for one in with_contact:
        for given in one.objects:
            by_number.setdefault(given.norad_id, one.contact)
    by_name = [(name_filter(one.name_pattern), one.contact) for one in with_contact if one.name_pattern]

    def contact_of(norad_id: int, name: str) -> str:
        known = by_number.get(norad_id)
        if known is None:
            known = next((contact for fits, contact in by_name if fits(name)), "")
        return known

    return contact_of
