"""Make, list, revoke and recognise the addresses of a fleet's feeds; only hashes of their keys are stored.

A key is `skysieve_feed_ID_RANDOM` with 256 random bits. It opens the two feeds of one fleet and nothing else,
for as long as the credential that made it is valid.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

from screening.errors import NoSuch, TooMany
from storage.state.credentials import RefusedCredential, list_credentials, still_valid
from storage.state.database import read_records, service_state
from storage.state.fleets import NoSuchFleet, fleets_within
from storage.state.records import FEEDS, Credential, Feed
from storage.state.sealed_rows import sealed
from storage.times import time_text

MOST_OF_A_FLEET = 50  # valid ones
NO_FEED = "There is no such feed."  # the answer to every wrong key

_RANDOM_BYTES = 32
_ENDED_KEPT = 50  # of a fleet, for the list
_FORM = re.compile(r"skysieve_feed_([1-9][0-9]{0,17})_[A-Za-z0-9_-]{43}")

FeedForm = Literal["calendar", "atom"]


class NewFeed(NamedTuple):
    """A new feed; its key cannot be shown again."""

    id: int
    fleet_id: int
    created: datetime
    made_by: str
    key: str


class NoSuchFeed(NoSuch):
    """A feed that does not exist, or a key that opens none."""


class TooManyFeeds(TooMany):
    """The fleet has as many feeds as are allowed."""


def create_feed(
    store: Path, fleet_id: int, made_by: str, credential_id: int | None, now: datetime
) -> NewFeed:
    """Make a key for the feeds of a fleet and return it.

    Raises:
        NoSuchFleet: there is no fleet with that id.
        TooManyFeeds: it has too many already.
    """
    created, credentials = now.replace(microsecond=0), list_credentials(store)
    with service_state(store) as state, sealed(state, "feeds"):
        if not any(one.id == fleet_id for one in fleets_within(state)):
            raise NoSuchFleet(f"There is no fleet {fleet_id} in {store}: `skysieve fleets list` shows them.")
        rows = state.execute(f"{FEEDS.select} WHERE fleet_id = ? ORDER BY id DESC", (fleet_id,)).fetchall()
        ended = [feed.id for feed in map(FEEDS.read, rows) if has_ended(feed, credentials, now)]
        valid = len(rows) - len(ended)
        if valid >= MOST_OF_A_FLEET:
            raise TooManyFeeds(f"Fleet {fleet_id} has {valid} feeds, the most allowed: revoke one first.")
        state.executemany("DELETE FROM feeds WHERE id = ?", [(one,) for one in ended[_ENDED_KEPT:]])
        values = {
            "fleet_id": fleet_id,
            "created": created,
            "made_by": made_by,
            "credential_id": credential_id,
        }
        number = FEEDS.insert(state, values | {"secret_sha256": b""})
        key = f"skysieve_feed_{number}_{secrets.token_urlsafe(_RANDOM_BYTES)}"
        FEEDS.update(state, number, {"secret_sha256": hash_of(key)})
    return NewFeed(number, fleet_id, created, made_by, key)


def addresses(base_url: str, fleet_id: int, key: str) -> dict[str, str]:
    """Return the addresses of both feeds, by their FeedForm, below that of the service."""
    below = f"{base_url.rstrip('/')}/fleets/{fleet_id}"
    return {"calendar": f"{below}/calendar.ics?key={key}", "atom": f"{below}/feed.atom?key={key}"}


def feeds(store: Path, fleet_id: int) -> list[Feed]:
    """Return the feeds of a fleet, also revoked ones, oldest first."""
    return [feed for feed in read_records(store, FEEDS, "ORDER BY id") if feed.fleet_id == fleet_id]


def has_ended(feed: Feed, credentials: Sequence[Credential], now: datetime) -> bool:
    """Return whether a feed opens nothing any more: it is revoked, or what made it is no longer valid."""
    return feed.revoked is not None or maker_ended(feed.credential_id, credentials, now)


def maker_ended(credential_id: int | None, credentials: Sequence[Credential], now: datetime) -> bool:
    """Return whether the credential that made something is no longer valid; the command line always is."""
    if credential_id is None:
        return False
    for maker in credentials:
        if maker.id == credential_id:
            try:
                still_valid(maker, now)
            except RefusedCredential:
                return True
            return False
    return True


def revoke_feed(store: Path, feed_id: int, now: datetime, fleet_id: int | None = None) -> None:
    """Revoke a feed for good; a revoked one stays revoked.

    Args:
        store: folder of the store.
        feed_id: which.
        now: the time.
        fleet_id: the fleet it must belong to; None: any.

    Raises:
        NoSuchFeed: there is none with that id.
    """
    with service_state(store) as state, sealed(state, "feeds"):
        owner = state.execute(
            "SELECT fleet_id FROM feeds WHERE id = ? AND fleet_id = coalesce(?, fleet_id)",
            (feed_id, fleet_id),
        ).fetchone()
        if owner is None:
            of_fleet = "" if fleet_id is None else f" of fleet {fleet_id}"
            raise NoSuchFeed(
                f"There is no feed {feed_id}{of_fleet}: `skysieve fleets feeds FLEET` lists those of a fleet."
            )
        state.execute(
            "UPDATE feeds SET revoked = coalesce(revoked, ?), crc32 = NULL WHERE id = ?",
            (time_text(now, "seconds"), feed_id),
        )
        state.execute(
            "DELETE FROM feeds WHERE fleet_id = ?1 AND revoked IS NOT NULL AND id NOT IN (SELECT id FROM "
            "feeds WHERE fleet_id = ?1 AND revoked IS NOT NULL ORDER BY revoked DESC, id DESC LIMIT ?2)",
            (*owner, _ENDED_KEPT),
        )


def recognise_feed(store: Path, fleet_id: int, key: str, now: datetime) -> Feed:
    """Return the feed of a fleet that a key opens: the id in it finds the one hash to compare it with.

    Raises:
        NoSuchFeed: it opens none; the message does not say why.
    """
    form = _FORM.fullmatch(key)
    number = 0 if form is None else int(form[1])
    found = next((feed for feed in read_records(store, FEEDS, "WHERE id = ?", (number,))), None)
    right = is_key(key, None if found is None else found.secret_sha256)
    if found is None or not right or found.fleet_id != fleet_id:
        raise NoSuchFeed(NO_FEED)
    if has_ended(found, list_credentials(store), now):
        raise NoSuchFeed(NO_FEED)
    return found


def is_key(key: str, secret_sha256: bytes | None) -> bool:
    """Return whether a key has a hash, in the same time whichever it is; None: of a key that is not there."""
    return hmac.compare_digest(hash_of("") if secret_sha256 is None else secret_sha256, hash_of(key))


def hash_of(key: str) -> bytes:
    """Return what is stored of a key."""
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).digest()
