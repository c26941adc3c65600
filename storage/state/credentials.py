"""Create, list, revoke and recognise credentials of the HTTP service; only hashes are stored.

A secret is `skysieve_KIND_ID_RANDOM` with 256 random bits. The id in it finds the row, so that recognising it
takes one comparison in constant time; the prefix shows secret scanners and people what it is.
"""

import hashlib
import hmac
import re
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

from screening.errors import NoSuch, SkysieveError, UsageError
from screening.vocabulary import MAX_NORAD_ID
from storage.state.database import query_state, read_records, service_state
from storage.state.records import CREDENTIALS, Credential
from storage.state.sealed_rows import sealed
from storage.times import time_text
from storage.vocabulary import ALL_OBJECTS, FIRST_ORGANISATION, CredentialKind, Role

LONGEST_NAME = 100
MOST_OBJECTS = 1_000

_RANDOM_BYTES = 32
Objects = Sequence[int] | Literal["all"]

_FORM = re.compile(r"skysieve_(bearer|apikey)_([1-9][0-9]{0,17})_[A-Za-z0-9_-]{43}")


class NewCredential(NamedTuple):
    """A new credential; its secret cannot be shown again."""

    id: int
    kind: CredentialKind
    name: str
    secret: str
    expires: datetime | None


class NoSuchCredential(NoSuch):
    """There is no credential of that id."""


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
    role: Role | None = None,
    objects: Objects | None = None,
    organisation_id: int = FIRST_ORGANISATION,
    by: Credential | None = None,
) -> NewCredential:
    """Create a credential and return it with its secret.

    Args:
        store: folder of the store; created if it does not exist.
        kind: what it permits: `bearer` events and analyses, `api-key` positions.
        name: who uses it, for the list.
        now: the time of creation.
        days: days after which it expires; None: never.
        per_minute: requests allowed per minute; None: the service's setting.
        role: what a token permits; None: `admin`. An API key only reads.
        objects: catalogue numbers of those whose paths it may state, with the role `flight` or `admin`; None:
            all for an admin while there is one organisation, else none.
        organisation_id: whose it is.
        by: the credential that makes it; None: the command line.

    Raises:
        UsageError: the name is empty, long or has control characters; a role of `flight` has no objects, or
            another has some; `by` may not state the paths of these objects itself.
    """
    role = _checked_role(kind, role, objects)
    if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"{name!r} is not allowed as the name of a credential: expected 1 to {LONGEST_NAME} printable "
            "characters."
        )
    expires = None if days is None else now.replace(microsecond=0) + timedelta(days=days)
    with service_state(store) as state, sealed(state, "credentials"):
        values = {"kind": kind, "name": name, "created": now, "expires": expires, "per_minute": per_minute}
        values |= {"organisation_id": organisation_id, "role": role}
        values["objects"] = _named(state, role, objects, by)
        number = CREDENTIALS.insert(state, values | {"secret_sha256": b""})
        secret = f"skysieve_{kind.replace('-', '')}_{number}_{secrets.token_urlsafe(_RANDOM_BYTES)}"
        CREDENTIALS.update(state, number, {"secret_sha256": _hash(secret)})
    return NewCredential(number, kind, name, secret, expires)


def _checked_role(kind: CredentialKind, role: Role | None, objects: Objects | None) -> Role:
    if kind == "api-key" and role not in (None, "viewer"):
        raise UsageError(f"An API key only reads positions: the role {role} needs the kind bearer.")
    role = "viewer" if kind == "api-key" else role or "admin"
    if role == "flight" and not objects:
        raise UsageError("The role flight needs the objects whose paths it may state: catalogue numbers.")
    if objects and role not in ("flight", "admin"):
        raise UsageError(f"The role {role} states no paths: only flight and admin have objects.")
    if isinstance(objects, str):
        return role
    wrong = [number for number in objects or () if not 1 <= number <= MAX_NORAD_ID]
    if wrong:
        raise UsageError(f"{wrong[0]} is not a catalogue number: expected 1 to {MAX_NORAD_ID}.")
    if len(objects or ()) > MOST_OBJECTS:
        raise UsageError(f"A credential names at most {MOST_OBJECTS:,} objects.")
    return role


def _named(
    state: sqlite3.Connection, role: Role, objects: Objects | None, by: Credential | None
) -> tuple[str, ...]:
    """Return the objects of a new credential; nobody gives others more than is his own."""
    if isinstance(objects, str):
        return (ALL_OBJECTS,)
    if objects:
        if by is not None and not all(map(by.may_state_path_of, objects)):
            raise UsageError(
                f"Credential {by.id} ({by.name}) may not state the paths of all of these objects, and so "
                "cannot let others do so: `skysieve tokens create` on the machine can."
            )
        return tuple(str(number) for number in sorted(set(objects)))
    if role != "admin" or objects is not None:
        return ()
    if by is not None:
        return by.objects
    (others,) = state.execute(
        "SELECT count(*) FROM organisations WHERE id <> ?", (FIRST_ORGANISATION,)
    ).fetchone()
    return () if others else (ALL_OBJECTS,)


def list_credentials(store: Path, organisation_id: int | None = None) -> list[Credential]:
    """Return the credentials of an organisation, None: all, also revoked and expired ones, oldest first."""
    found = read_records(store, CREDENTIALS, "ORDER BY id")
    return [one for one in found if organisation_id in (None, one.organisation_id)]


def revoke_credential(store: Path, number: int, now: datetime, organisation_id: int | None = None) -> None:
    """Revoke a credential for good; with `organisation_id` only one of that organisation.

    Raises:
        NoSuchCredential: there is none with that id. A revoked one stays revoked.
    """
    with service_state(store) as state, sealed(state, "credentials"):
        changed = state.execute(
            "UPDATE credentials SET revoked = coalesce(revoked, ?), crc32 = NULL WHERE id = ? "
            "AND organisation_id = coalesce(?, organisation_id)",
            (time_text(now, "seconds"), number, organisation_id),
        ).rowcount
    if not changed:
        raise NoSuchCredential(f"There is no credential {number}: `skysieve tokens list` shows them.")


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
