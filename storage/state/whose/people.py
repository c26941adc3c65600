"""People whom an OpenID Connect provider has identified: each has a credential, without a secret.

In place of a secret's hash its row has that of issuer and subject, by which the person is found again. No
secret has that hash, since every secret begins otherwise.
"""

import hashlib
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from storage.state.credentials import LONGEST_NAME, still_valid
from storage.state.database import service_state
from storage.state.records import CREDENTIALS, Credential
from storage.state.sealed_rows import sealed
from storage.vocabulary import Role

_LONGEST_SUBJECT = 60  # in the name of a credential


class Person(NamedTuple):
    """Who somebody is at a provider, and what that person may do here."""

    issuer: str
    subject: str  # unique at the issuer, for ever
    name: str
    role: Role
    organisation_id: int

    @property
    def shown(self) -> str:
        """Return name and subject, as lists and the audit log show them."""
        subject = _cut(_printable(self.subject), _LONGEST_SUBJECT)
        name = _cut(_printable(self.name), LONGEST_NAME - len(subject) - 3)
        return f"{name} ({subject})" if name else subject


def credential_of_person(store: Path, person: Person, now: datetime) -> Credential:
    """Return the credential of a person, made or brought up to date; it may state no object's path.

    Raises:
        RefusedCredential: the person's credential was revoked here.
    """
    digest = hashlib.sha256(f"{person.issuer}\n{person.subject}".encode()).digest()
    present = {"name": person.shown, "role": person.role, "organisation_id": person.organisation_id}
    with service_state(store) as state, sealed(state, CREDENTIALS.name):
        wanted = f"{CREDENTIALS.select} WHERE secret_sha256 = ?"
        row = state.execute(wanted, (digest,)).fetchone()
        if row is None:
            new = {"kind": "bearer", "created": now, "secret_sha256": digest, "objects": ()}
            CREDENTIALS.insert(state, present | new)
        else:
            before = still_valid(CREDENTIALS.read(row), now)
            if any(getattr(before, name) != value for name, value in present.items()):
                CREDENTIALS.update(state, before.id, present)
        return CREDENTIALS.read(state.execute(wanted, (digest,)).fetchone())


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
