"""Create, list, revoke and recognise credentials of the HTTP service; only hashes are stored.

A secret is `skysieve_KIND_ID_RANDOM` with 256 random bits. The id in it finds the row, so that recognising it
takes one comparison in constant time; the prefix shows secret scanners and people what it is.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from screening.errors import SkysieveError, UsageError
from storage.state.database import query_state, read_records, service_state
from storage.state.records import CREDENTIALS, Credential
from storage.state.sealed_rows import sealed
from storage.times import time_text
from storage.vocabulary import CredentialKind

LONGEST_NAME = 100

_RANDOM_BYTES = 32
_FORM = re.compile(r"skysieve_(bearer|apikey)_([1-9][0-9]{0,17})_[A-Za-z0-9_-]{43}")


class NewCredential(NamedTuple):
    """A new credential; its secret cannot be shown again."""

    id: int
    kind: CredentialKind
    name: str
    secret: str
    expires: datetime | None


class RefusedCredential(SkysieveError):
    """An invalid secret; the message says why."""


def create_credential(
    store: Path,
    kind: CredentialKind,
    name: str,
    now: datetime,
    *,
    days: float | None = None,
    per_minute: int | None = None,
    read_only: bool = False,
) -> NewCredential:
    """Create a credential and return it with its secret.

    Args:
        store: folder of the store; created if it does not exist.
        kind: what it permits: `bearer` events and analyses, `api-key` positions.
        name: who uses it, for the list.
        now: the time of creation.
        days: days after which it expires; None: never.
        per_minute: requests allowed per minute; None: the service's setting.
        read_only: refuse it all that changes something.

    Raises:
        UsageError: the name is empty, long or has control characters.
    """
    if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"{name!r} is not allowed as the name of a credential: expected 1 to {LONGEST_NAME} printable "
            "characters."
        )
    expires = None if days is None else now.replace(microsecond=0) + timedelta(days=days)
    with service_state(store) as state, sealed(state, "credentials"):
        values = {"kind": kind, "name": name, "created": now, "expires": expires, "per_minute": per_minute}
        number = CREDENTIALS.insert(state, values | {"read_only": read_only, "secret_sha256": b""})
        secret = f"skysieve_{kind.replace('-', '')}_{number}_{secrets.token_urlsafe(_RANDOM_BYTES)}"
        CREDENTIALS.update(state, number, {"secret_sha256": _hash(secret)})
    return NewCredential(number, kind, name, secret, expires)


def list_credentials(store: Path) -> list[Credential]:
    """Return all credentials, including revoked and expired ones, oldest first."""
    return read_records(store, CREDENTIALS, "ORDER BY id")


def revoke_credential(store: Path, number: int, now: datetime) -> None:
    """Revoke a credential for good.

    Raises:
        UsageError: there is none with that id. A revoked one stays revoked.
    """
    with service_state(store) as state, sealed(state, "credentials"):
        changed = state.execute(
            "UPDATE credentials SET revoked = coalesce(revoked, ?), crc32 = NULL WHERE id = ?",
            (time_text(now, "seconds"), number),
        ).rowcount
    if not changed:
        raise UsageError(f"There is no credential {number} in {store}: `skysieve tokens list` shows them.")


def record_use(store: Path, last_used: Mapping[int, datetime]) -> None:
    """Store when credentials, by id, were last used."""
    with service_state(store) as state:
        state.executemany(
            "UPDATE credentials SET last_used = max(?, coalesce(last_used, '')) WHERE id = ?",
            [(time_text(time, "seconds"), number) for number, time in last_used.items()],
        )


def recognise(secret: str, known: Mapping[int, Credential], now: datetime) -> Credential:
    """Return the credential to which a secret belongs, out of those `known` by id.

    Raises:
        RefusedCredential: the secret is malformed, or the credential unknown, expired or revoked.
    """
    form = _FORM.fullmatch(secret)
    if form is None:
        raise RefusedCredential("The credential is malformed: it is not from this service, or truncated.")
    credential = known.get(int(form[2]))
    if credential is None or not hmac.compare_digest(credential.secret_sha256, _hash(secret)):
        raise RefusedCredential("The credential is unknown.")
    return still_valid(credential, now)  # only the holder of the secret gets this far, and may learn more


def still_valid(credential: Credential, now: datetime) -> Credential:
    """Return a credential if it is still valid.

    Raises:
        RefusedCredential: it is revoked, or has expired.
    """
    if credential.revoked is not None:
        raise RefusedCredential(f"Credential {credential.id} is revoked.")
    if credential.expires is not None and credential.expires <= now:
        raise RefusedCredential(
            f"Credential {credential.id} expired at {time_text(credential.expires, 'seconds')}."
        )
    return credential


def uploaded_bytes(store: Path, credential_id: int, day: date) -> int:
    """Return the bytes that a credential has uploaded on a day (UTC); a restart forgets nothing."""
    sql = "SELECT bytes FROM uploaded WHERE credential_id = ? AND day = ?"
    found = query_state(store, sql, (credential_id, day.isoformat()))
    return int(found[0][0]) if found else 0


def record_upload(store: Path, credential_id: int, day: date, size: int) -> None:
    """Count the bytes of an upload, and forget other days."""
    with service_state(store) as state:
        state.execute("DELETE FROM uploaded WHERE day < ?", (day.isoformat(),))
        state.execute(
            "INSERT INTO uploaded VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes",
            (credential_id, day.isoformat(), size),
        )


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
