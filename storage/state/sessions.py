"""Sessions of the web page, made from a credential for some hours; only hashes are stored.

A session permits no more than its token: it ends with the token, or on signing out. That of a person whom a
provider has identified ends soon, unless the provider confirms it and it is renewed.
"""

import hashlib
import logging
import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from storage.state.database import SERVICE_STATE, query_state, service_state
from storage.state.records import SESSIONS, Credential, Session
from storage.times import time_text

LIFETIME = timedelta(hours=12)  # a working shift with some time before and after
MOST_OF_A_CREDENTIAL = 50  # browsers signed in with one token at a time

_RANDOM_BYTES = 32
_INSERT = f"INSERT INTO sessions ({SESSIONS.sealing}, crc32) VALUES (?1, ?2, ?3, row_crc32(?1, ?2, ?3))"  # noqa: S608
_RENEWED = "credential_id = excluded.credential_id, expires = excluded.expires, crc32 = excluded.crc32"

log = logging.getLogger("skysieve")


class NewSession(NamedTuple):
    """A new session; its secret cannot be shown again."""

    secret: str
    expires: datetime


def create_session(
    store: Path, credential: Credential, now: datetime, lifetime: timedelta = LIFETIME
) -> NewSession:
    """Create a session of a credential and return it with its secret.

    Expired sessions are removed, and the oldest of the credential if there would be too many.

    Raises:
        ServiceStateError: the store's state cannot be written.
    """
    ends = [now + lifetime] if credential.expires is None else [now + lifetime, credential.expires]
    expires = min(ends).replace(microsecond=0)
    secret = secrets.token_urlsafe(_RANDOM_BYTES)
    with service_state(store) as state:
        state.execute("DELETE FROM sessions WHERE expires <= ?", (time_text(now, "seconds"),))
        state.execute(_INSERT, (digest_of(secret), credential.id, time_text(expires, "seconds")))
        # In the order of creation, which the rows keep.
        state.execute(
            "DELETE FROM sessions WHERE credential_id = ? AND rowid NOT IN "
            "(SELECT rowid FROM sessions WHERE credential_id = ? ORDER BY rowid DESC LIMIT ?)",
            (credential.id, credential.id, MOST_OF_A_CREDENTIAL),
        )
    return NewSession(secret, expires)


def renew_session(store: Path, secret: str, credential: Credential, expires: datetime) -> None:
    """Give a session another end, even one that is over and was removed."""
    row = (digest_of(secret), credential.id, time_text(expires, "seconds"))
    with service_state(store) as state:
        state.execute(f"{_INSERT} ON CONFLICT DO UPDATE SET {_RENEWED}", row)


def end_session(store: Path, secret: str) -> None:
    """Remove a session; a missing one has already ended."""
    with service_state(store) as state:
        state.execute("DELETE FROM sessions WHERE secret_sha256 = ?", (digest_of(secret),))


def find_session(store: Path, digest: bytes) -> Session | None:
    """Return the session with this digest of its secret, even if expired; None if there is none.

    An index finds it: the time that takes reveals nothing about the secret, and does not grow with the number
    of sessions.
    """
    columns = SESSIONS.sealing
    sql = f"SELECT {columns}, crc32 IS row_crc32({columns}) FROM sessions WHERE secret_sha256 = ?"  # noqa: S608
    for *row, whole in query_state(store, sql, (digest,)):
        if not whole:
            log.warning(
                "%s is damaged: a session ends, and its user must sign in again.", store / SERVICE_STATE
            )
            return None
        return SESSIONS.read(row)
    return None


def digest_of(secret: str) -> bytes:
    """Return the hash that is stored for a secret."""
    return hashlib.sha256(secret.encode()).digest()
