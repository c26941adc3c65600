"""Make, list, revoke and recognise links that open one event without a credential; only hashes are stored.

A key is `skysieve_link_ID_RANDOM` with 256 random bits. It opens the report on one event and nothing else,
until it expires or is revoked, or the credential that made it is no longer valid.
"""

import re
import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from screening.errors import NoSuch, TooMany, UsageError
from storage.state.credentials import list_credentials
from storage.state.database import bound_id, read_records, service_state
from storage.state.feeds import hash_of, is_key, maker_ended
from storage.state.records import LINKS, Link
from storage.state.sealed_rows import sealed
from storage.times import time_text

MOST_OF_AN_EVENT = 50  # and organisation
AFTER_TCA, LONGEST = timedelta(days=7), timedelta(days=30)
NO_LINK = "There is no such link."  # the answer to every wrong key
_RANDOM_BYTES = 32
_FORM = re.compile(r"skysieve_link_([1-9][0-9]{0,17})_[A-Za-z0-9_-]{43}")
_OF_EVENT = "WHERE event_id = ? AND organisation_id = ? ORDER BY id"


class NewLink(NamedTuple):
    """A new link; its key cannot be shown again."""

    id: int
    event_id: int
    created: datetime
    expires: datetime
    made_by: str
    key: str


class NoSuchLink(NoSuch):
    """A link that does not exist, or a key that opens none."""


class LinkEnded(NoSuchLink):
    """The right key of a link that has expired, or was revoked."""


class TooManyLinks(TooMany):
    """The event has as many links as are allowed."""


def expiry(tca: datetime, wanted: datetime | None, now: datetime) -> datetime:
    """Return when a new link ends: as wanted, else a week after TCA, or after now where that has passed.

    Raises:
        UsageError: it is wanted in the past, or for too long.
    """
    latest = now + LONGEST
    ends = min(max(tca, now) + AFTER_TCA, latest) if wanted is None else wanted
    if not now < ends <= latest:
        raise UsageError(
            f"A link cannot end at {time_text(ends, 'seconds')}: expected a time within the next "
            f"{LONGEST.days} days."
        )
    return ends.replace(microsecond=0)


def create_link(
    store: Path,
    event_id: int,
    expires: datetime,
    made_by: str,
    now: datetime,
    *,
    organisation_id: int,
    credential_id: int | None = None,
) -> NewLink:
    """Make a key for an event and return it. Raises TooManyLinks."""
    created = now.replace(microsecond=0)
    with service_state(store) as state, sealed(state, LINKS.name):
        of_it = (event_id, organisation_id)
        kept = [LINKS.read(row) for row in state.execute(f"{LINKS.select} {_OF_EVENT}", of_it)]
        valid = [one for one in kept if one.revoked is None and one.expires > now]
        if len(valid) >= MOST_OF_AN_EVENT:
            raise TooManyLinks(f"The event has {len(valid)} links, the most allowed: revoke one first.")
        state.execute("DELETE FROM links WHERE expires < ?", (time_text(now - LONGEST, "seconds"),))
        values = {
            "event_id": event_id,
            "created": created,
            "expires": expires,
            "made_by": made_by,
            "credential_id": credential_id,
            "organisation_id": organisation_id,
        }
        number = LINKS.insert(state, values | {"secret_sha256": b""})
        key = f"skysieve_link_{number}_{secrets.token_urlsafe(_RANDOM_BYTES)}"
        LINKS.update(state, number, {"secret_sha256": hash_of(key)})
    return NewLink(number, event_id, created, expires, made_by, key)


def link_address(base_url: str, event_id: int, key: str) -> str:
    """Return the address that opens an event, below that of the service."""
    return f"{base_url.rstrip('/')}/conjunctions/{event_id}/shared?key={key}"


def links(store: Path, organisation_id: int, event_id: int | None = None) -> list[Link]:
    """Return the links of an organisation to an event, None: to all, also ended ones, oldest first."""
    where = "WHERE organisation_id = ? AND event_id = coalesce(?, event_id) ORDER BY id"
    return read_records(store, LINKS, where, (organisation_id, bound_id(event_id)))


def link_ended(store: Path, link: Link, now: datetime) -> bool:
    """Return whether a link opens nothing any more."""
    over = link.revoked is not None or link.expires <= now
    return over or maker_ended(link.credential_id, list_credentials(store), now)


def revoke_link(store: Path, event_id: int, link_id: int, organisation_id: int, now: datetime) -> None:
    """Revoke a link for good; a revoked one stays revoked. Raises NoSuchLink."""
    with service_state(store) as state, sealed(state, LINKS.name):
        sql = (
            "UPDATE links SET revoked = coalesce(revoked, ?), crc32 = NULL "
            "WHERE id = ? AND event_id = ? AND organisation_id = ?"
        )
        values = (time_text(now, "seconds"), link_id, bound_id(event_id), organisation_id)
        if not state.execute(sql, values).rowcount:
            raise NoSuchLink(f"The event {event_id} has no link {link_id}.")


def recognise_link(store: Path, event_id: int, key: str, now: datetime) -> Link:
    """Return the link to an event that a key opens.

    Raises:
        LinkEnded: it did, and no longer does.
        NoSuchLink: it opens none; the message does not say why.
    """
    form = _FORM.fullmatch(key)
    number = 0 if form is None else int(form[1])
    found = next(iter(read_records(store, LINKS, "WHERE id = ?", (number,))), None)
    right = is_key(key, None if found is None else found.secret_sha256)
    if found is None or not right or found.event_id != event_id:
        raise NoSuchLink(NO_LINK)
    if link_ended(store, found, now):
        raise LinkEnded("This link has ended. Ask who sent it for another one.")
    return found
