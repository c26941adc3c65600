"""Whom to ask about an object, in one sentence."""

from typing import Literal

from screening.answers import answer

WhomSource = Literal["fleet", "directory", "catalogue", "nobody", "unknown"]
NOBODY = {"debris": "debris", "rocket_body": "a spent stage"}


@answer(
    source="directory",
    operator="Example Space",
    contact="Example Space, flight@example.org, +49 30 123456",
    email="flight@example.org",
    telephone="+49 30 123456",
    hours="Mon-Fri 08:00-18:00",
    time_zone="Europe/Berlin",
    note="At night the duty officer",
    fleet_id=None,
    words="Ask Example Space: flight@example.org, +49 30 123456, Mon-Fri 08:00-18:00 (Europe/Berlin). "
    "At night the duty officer.",
)
class Whom:
    """Whom to ask about an object, and where that is from."""

    source: WhomSource
    """fleet (the contact of one of your fleets), directory (an entry of yours), catalogue (its owner, without
    a contact), nobody (debris and stages, which no one steers), unknown."""
    operator: str
    """Name of who operates it, or its owner as GCAT abbreviates it; empty: not known, or in the contact."""
    contact: str
    """How to reach its operator, in one line; empty: not known."""
    email: str = ""
    """E-mail address in the directory; empty: none."""
    telephone: str = ""
    """Telephone number in the directory; empty: none."""
    hours: str = ""
    """When someone answers; empty: not said."""
    time_zone: str = ""
    """Time zone of the hours, a name of the IANA data base."""
    note: str = ""
    """What else the directory says."""
    fleet_id: int | None = None
    """Id of the fleet whose contact it is."""
    words: str = ""
    """The same in a sentence."""


@answer()
class WhomOfBoth:
    """Whom to ask about both objects of an event."""

    primary: Whom
    """About the primary."""
    secondary: Whom
    """About the secondary."""


_UNKNOWN = Whom("unknown", "", "", words="Owner not known.")
UNKNOWN_BOTH = WhomOfBoth(_UNKNOWN, _UNKNOWN)


def of_fleet(fleet_id: int, fleet: str, contact: str) -> Whom:
    """Return the contact of a fleet."""
    return Whom("fleet", "", contact, fleet_id=fleet_id, words=f"Ask {contact} (fleet {fleet}).")


def of_directory(operator: str, email: str, telephone: str, hours: str, time_zone: str, note: str) -> Whom:
    """Return an entry of the directory."""
    reached = [one for one in (email, telephone) if one]
    when = f", {hours} ({time_zone})" if hours else ""
    more = f" {note}{'' if note.endswith(('.', '!', '?')) else '.'}" if note else ""
    words = f"Ask {operator}: {', '.join(reached)}{when}.{more}"
    contact = ", ".join([operator, *reached])
    return Whom("directory", operator, contact, email, telephone, hours, time_zone, note, words=words)


def whom_briefly(whom: Whom) -> str:
    """Return the same for a table, in some words; empty: not known."""
    when = f", {whom.hours} ({whom.time_zone})" if whom.hours else ""
    if whom.source == "catalogue":
        return f"owner {whom.operator}, no contact"
    return "no one steers it" if whom.source == "nobody" else f"{whom.contact}{when}"


def of_catalogue(object_type: str, status: str, owner: str, state: str) -> Whom:
    """Return what the catalogues say: GCAT of owner and state, SATCAT of the kind of object and its use."""
    if object_type in NOBODY:
        return Whom("nobody", owner, "", words=f"No one steers {NOBODY[object_type]}.")
    if not (owner or state):
        return _UNKNOWN
    of_state = f"{owner}, {state}" if owner and state else owner or state
    out_of_use = " It is out of use." if status == "inactive" else ""
    words = f"Owner in GCAT: {of_state}; no contact.{out_of_use}"
    return Whom("catalogue", owner or state, "", words=words)
