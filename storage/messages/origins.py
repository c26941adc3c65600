"""What the store has from the services that messages come from: when they were asked, and whom they cover.

That none of them has a message about an encounter means little without: one may never have been asked, and
one covers the objects of its operators alone.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from screening.errors import InputError
from storage.disk.downloads import SourceHistory, histories, last_good
from storage.rows.words.numbers import minute

# The paths of TraCSS, and that of Space-Track, in the addresses of histories.
MESSAGES, CONTACTS = "/subscriber/messages", "/metadata/contactDirectory/operational/all"
_CDM_PUBLIC = "/class/cdm_public/"


class Origin(NamedTuple):
    """A service, and when it was asked. Times are UTC; None: never."""

    name: str
    source: str  # of its messages in the store
    asked_at: datetime | None = None
    answered_at: datetime | None = None  # when all that it had was taken last
    since: datetime | None = None  # it was read from here on; None: it says all that is still to come


class Registered(NamedTuple):
    """The operator of an object, as TraCSS's directory names it."""

    organization: str
    contacts: str  # names, addresses, telephone numbers, as they stand there


class Origins(NamedTuple):
    """Both services, and the objects that TraCSS's directory has."""

    space_track: Origin
    tracss: Origin
    directory: Mapping[int, Registered] | None  # by catalogue number; None: it was never read


def origins(store: Path) -> Origins:
    """Return what is known. Raises StoreError if the histories cannot be read."""
    public, stream = Origin("Space-Track", "cdm_public"), Origin("TraCSS", "tracss")
    directory = None
    for history in histories(store):
        if _CDM_PUBLIC in history.url:
            public = _asked(public, history)
        elif history.url.endswith(MESSAGES):
            stream = _asked(stream, history)
        elif history.url.endswith(CONTACTS) and (good := last_good(store, history)):
            directory = registered(good[1])
    return Origins(public, stream, directory)


def _asked(origin: Origin, history: SourceHistory) -> Origin:
    return origin._replace(
        asked_at=history.requested_at, answered_at=history.answered_at, since=history.read_since
    )


def asked_words(origin: Origin, found: str = "") -> str:
    """Return when a service was asked, and whether it answered; `found`: what it had."""
    if origin.asked_at is None:
        return f"{origin.name}: not asked, since no run had a login for it"
    if origin.answered_at is None:
        return f"{origin.name}: asked {minute(origin.asked_at)} Z, no usable answer yet"
    said = f"{origin.name}: asked {minute(origin.answered_at)} Z{f', {found}' if found else ''}"
    if origin.asked_at > origin.answered_at:
        said += f"; asked again {minute(origin.asked_at)} Z without a usable answer"
    return said


def registered(text: bytes) -> dict[int, Registered]:
    """Return the objects of a directory by catalogue number. Raises InputError for any other text."""
    try:
        operators = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"its JSON is invalid ({type(error).__name__})") from error
    if not isinstance(operators, list) or not all(isinstance(one, dict) for one in operators):
        raise InputError("it must be a list of operators")
    found: dict[int, Registered] = {}
    for one in operators:
        numbers, who = one.get("noradIdList"), one.get("organization")
        if not isinstance(numbers, list) or not isinstance(who, str):
            raise InputError("noradIdList or organization of an operator is missing, or of another type")
        about = Registered(who.strip(), _contacts(one))
        found |= {int(number): about for number in numbers if str(number).isdecimal()}
    return found


def _contacts(operator: Mapping[str, Any]) -> str:
    keys = (f"operationalContact{what}" for what in ("Names", "Emails", "Phones"))
    return ", ".join(text.strip() for key in keys if isinstance(text := operator.get(key), str) and text)
