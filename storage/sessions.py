"""Sessions of the web page: made from a bearer token, for some hours; only hashes are stored.

A session is worth no more than its token: it ends with it, and when it is signed out.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from storage.credentials import Credential
from storage.records import naive_utc
from storage.service_state import query_state, service_state

LIFETIME = timedelta(hours=12)  # a shift, with what is before and after it

_RANDOM_BYTES = 32


class Session(NamedTuple):
    """A session that is kept. Times are UTC with their zone."""

    credential_id: int
    expires: datetime


class NewSession(NamedTuple):
    """A session just made; nobody can show its secret again."""

    secret: str
    expires: datetime


def create_session(store: Path, credential: Credential, now: datetime) -> NewSession:
    """Make a session of a credential and return it with its secret; sessions that are over are forgotten.

    Raises:
        ServiceStateError: the store's state cannot be written.
    """
    ends = [now + LIFETIME] if credential.expires is None else [now + LIFETIME, credential.expires]
    expires = min(ends).replace(microsecond=0)
    secret = secrets.token_urlsafe(_RANDOM_BYTES)
    with service_state(store) as state:
        state.execute("DELETE FROM sessions WHERE expires <= ?", (_text(now),))
        state.execute(
            "INSERT INTO sessions (secret_sha256, credential_id, expires) VALUES (?, ?, ?)",
            (_hash(secret), credential.id, _text(expires)),
        )
    return NewSession(secret, expires)


def list_sessions(store: Path) -> dict[bytes, Session]:
    """Return all sessions that are kept, by the hash of their secret; some may be over."""
    rows = query_state(store, "SELECT secret_sha256, credential_id, expires FROM sessions")
    return {digest: Session(number, datetime.fromisoformat(expires)) for digest, number, expires in rows}


def end_session(store: Path, secret: str) -> None:
    """Forget a session; one that is not there has ended already."""
    with service_state(store) as state:
        state.execute("DELETE FROM sessions WHERE secret_sha256 = ?", (_hash(secret),))


def find_session(secret: str, known: Mapping[bytes, Session], now: datetime) -> Session | None:
    """Return the session, of those `known`, that a secret belongs to; None if there is none or it is over.

    The hash finds it: how long that takes tells nothing about the secret.
    """
    session = known.get(_hash(secret))
    return session if session is not None and session.expires > now else None


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _text(time: datetime) -> str:
    """Return a time in whole seconds, so that texts sort like times."""
    return naive_utc(time).isoformat(timespec="seconds") + "Z"
