"""Models of an organisation's credentials, and of its audit log."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.requests import ListedNoradId, StatedDays, StatedRate
from api.models.responses import STRICT
from screening.answers import answer
from storage.state.credentials import LONGEST_NAME, MOST_OBJECTS
from storage.state.database import Outcome
from storage.vocabulary import CredentialKind, Role


class CredentialRequest(BaseModel):
    """A credential to make for the organisation of the one that asks."""

    model_config = STRICT

    kind: CredentialKind = Field(
        default="bearer",
        description="`bearer`: all but positions; `api-key`: positions.",
        examples=["bearer"],
    )
    name: str = Field(
        min_length=1, max_length=LONGEST_NAME, description="Who uses it.", examples=["operations desk"]
    )
    role: Role = Field(
        description="`viewer` reads; `operator` also changes what is the organisation's, and asks what burns "
        "would do; `flight` also adds definitive trajectories of its objects; `admin` does all.",
        examples=["operator"],
    )
    objects: list[ListedNoradId] | None = Field(
        default=None,
        max_length=MOST_OBJECTS,
        description="For `flight` and `admin`: numbers of the objects whose definitive trajectories "
        "it may add, of those of the credential that asks. Null: for `admin` the same as that.",
        examples=[[25544, 48274]],
    )
    days: StatedDays | None = Field(
        default=None, description="Days after which it expires; null: never.", examples=[90]
    )
    per_minute: StatedRate | None = Field(
        default=None,
        description="Requests allowed per minute; null: the service's limit.",
        examples=[None],
    )


@answer(
    id=4, kind="bearer", name="operations desk", role="operator", objects=[], created="2026-11-21T06:00:00Z",
    expires="2027-02-19T06:00:00Z", revoked=None, last_used=None, per_minute=None,
)  # fmt: skip
class ListedCredential:
    """A credential of the organisation, without its secret."""

    id: int
    """Its id."""
    kind: CredentialKind
    """`bearer`: all but positions; `api-key`: positions."""
    name: str
    """Who uses it."""
    role: Role
    """What it permits."""
    objects: list[str]
    """Catalogue numbers of the objects whose definitive trajectories it may add, or `all`."""
    created: datetime
    """UTC."""
    expires: datetime | None
    """UTC; null: never."""
    revoked: datetime | None
    """UTC; null: it is not."""
    last_used: datetime | None
    """UTC, to about a minute; null: never."""
    per_minute: int | None
    """Requests allowed per minute; null: the service's limit."""


@answer()
class CredentialList:
    """The credentials of an organisation."""

    credentials: list[ListedCredential]
    """Oldest first, with those that are revoked or have expired."""
    organisation: str
    """Name of the organisation."""


@answer(
    id=4, kind="bearer", name="operations desk", expires="2027-02-19T06:00:00Z",
    secret="skysieve_bearer_4_" + "x" * 43,
)  # fmt: skip
class MadeCredential:
    """A new credential; its secret is shown only here."""

    id: int
    """Its id."""
    kind: CredentialKind
    """`bearer`: all but positions; `api-key`: positions."""
    name: str
    """Who uses it."""
    secret: str
    """The secret; the store keeps only its hash."""
    expires: datetime | None
    """UTC; null: never."""


@answer(
    id=31, at="2026-11-21T06:30:00Z", credential_id=4, who="operations desk", operation="POST /fleets",
    object="3", address="192.0.2.7", result="201",
)  # fmt: skip
class AuditedChange:
    """One attempt to change something."""

    id: int
    """Its id."""
    at: datetime
    """UTC."""
    credential_id: int | None
    """Id of the credential; null: the command line."""
    who: str
    """Name of the credential, or `command line` and the user of the machine."""
    operation: str
    """What was asked for: `POST /fleets`, or the command `fleets create`."""
    object: str
    """What it was about: ids of the address, and of what was made."""
    address: str
    """Address of the client, IPv6 to 64 bits; empty: the command line."""
    result: str
    """Status of the answer, 403 where the role does not permit it; `done` or `refused` of commands."""


@answer(total=1)
class AuditLog:
    """What an organisation's credentials have changed, and what was refused to them."""

    entries: list[AuditedChange]
    """Newest first."""
    total: int
    """Number of those since then, regardless of `limit`; the newest 10,000 of an organisation are kept."""


@answer(
    started="2026-11-21T06:00:00Z", finished=None, stage="fetch", outcome=None, reason=None, run_id=None,
)  # fmt: skip
class RunAttempt:
    """One attempt to make a run."""

    started: datetime
    """UTC."""
    finished: datetime | None
    """UTC; null: it is under way, or its process was killed."""
    stage: str
    """The stage it began with, or ended in."""
    outcome: Outcome | None
    """`published`, `skipped` or `failed`; null: it has not ended."""
    reason: str | None
    """Why it was skipped or failed, or why the catalogue is what it is."""
    run_id: str | None
    """The run it has published."""


@answer(asked_at="2026-11-21T06:30:00Z", begun_at=None)
class RunProgress:
    """The run that was last asked for, and the newest attempts."""

    asked_at: datetime | None
    """UTC, when a run was last asked for; null: none was."""
    begun_at: datetime | None
    """UTC, when the schedule (`skysieve up`, `skysieve schedule`) has begun it; null: it waits."""
    attempts: list[RunAttempt]
    """The newest five, newest first."""
