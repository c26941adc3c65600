"""The tables of `service.sqlite` as they are: records, the columns they have, and which of these are sealed.

A table has the columns of its record, and the record's types say how values are stored: times as text with Z,
words as a text with spaces between them, an object as JSON. The migrations in `tables` create them.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import UnionType
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_origin

from screening.vocabulary import ProbabilityLevel
from storage.state.fleet_rules import Fleet, FleetObject
from storage.times import parse_time, time_text
from storage.vocabulary import ALL_OBJECTS, FIRST_ORGANISATION, Channel, CredentialKind, Intent, Role

Record = TypeVar("Record", bound=tuple[Any, ...])


@dataclass(frozen=True)
class Table(Generic[Record]):
    """A table, and the record that its rows are read into."""

    name: str
    record: type[Record]
    columns: tuple[str, ...]
    unsealed: tuple[str, ...] = ()  # columns that the checksum of a row leaves out
    timespec: str = "seconds"  # of times, as `time_text` takes it

    @property
    def sealing(self) -> str:
        """Return the columns that the checksum of a row covers, in its order."""
        return ", ".join(name for name in self.columns if name not in self.unsealed)

    @cached_property
    def select(self) -> str:
        """Return the query for all rows, to which conditions and an order may be added."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"  # noqa: S608

    def read(self, row: Sequence[Any]) -> Record:
        """Return the record of a row that `select` returned."""
        values = list(row)
        for place, reader in self._readers:
            if values[place] is not None:
                values[place] = reader(values[place])
        return self.record(*values)

    def insert(self, state: sqlite3.Connection, values: Mapping[str, object]) -> int:
        """Insert a row with values by column, the others NULL or by default; return its number."""
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        sql = f"INSERT INTO {self.name} ({names}) VALUES ({marks})"  # noqa: S608
        number = state.execute(sql, [self._stored(value) for value in values.values()]).lastrowid
        assert number is not None, "an INSERT has a row id"
        return number

    def update(self, state: sqlite3.Connection, number: int, values: Mapping[str, object]) -> None:
        """Set values by column of the row with an id, whose checksum is then to be written anew."""
        assignments = ", ".join(f"{name} = ?" for name in values)
        state.execute(
            f"UPDATE {self.name} SET {assignments}, crc32 = NULL WHERE id = ?",  # noqa: S608
            (*map(self._stored, values.values()), number),
        )

    def _stored(self, value: object) -> object:
        if isinstance(value, datetime):
            return time_text(value, self.timespec)
        return " ".join(value) if isinstance(value, tuple) else value

    @cached_property
    def _readers(self) -> list[tuple[int, Any]]:
        kinds = [_plain(self.record.__annotations__.get(name)) for name in self.columns]
        return [(place, _READERS[kind]) for place, kind in enumerate(kinds) if kind in _READERS]


def json_object(text: str) -> dict[str, Any]:
    """Return the object in a text, empty if the disk has damaged it."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _plain(kind: Any) -> Any:
    """Return a type without None and without what it holds."""
    if isinstance(kind, UnionType):
        (kind,) = (one for one in get_args(kind) if one is not type(None))
    return get_origin(kind) or kind


_READERS: dict[Any, Any] = {
    datetime: parse_time,
    bool: bool,
    tuple: lambda text: tuple(text.split()),
    dict: json_object,
}


class Credential(NamedTuple):
    """The record of a credential. Times are UTC with their zone."""

    id: int
    kind: CredentialKind
    name: str
    created: datetime
    expires: datetime | None  # None: never
    revoked: datetime | None
    per_minute: int | None  # requests allowed; None: the service's setting
    secret_sha256: bytes
    organisation_id: int
    role: Role
    objects: tuple[str, ...]  # catalogue numbers of those whose paths it may state, or ALL_OBJECTS
    last_used: datetime | None  # to about a minute

    def may_state_path_of(self, norad_id: int) -> bool:
        """Return whether it may say where an object is, for everybody's runs."""
        named = {ALL_OBJECTS, str(norad_id)} & set(self.objects)
        return self.role in ("flight", "admin") and bool(named)


class Organisation(NamedTuple):
    """Whose credentials, fleets and messages are whose."""

    id: int
    name: str


class Session(NamedTuple):
    """A stored session. Times are UTC with their zone."""

    secret_sha256: bytes
    credential_id: int
    expires: datetime


class Feed(NamedTuple):
    """The record of a key. Times are UTC with their zone."""

    id: int
    fleet_id: int
    created: datetime
    made_by: str
    credential_id: int | None  # None: by the command line
    revoked: datetime | None
    secret_sha256: bytes


class Alert(NamedTuple):
    """An alert of a fleet: to whom, and about what. Times are UTC with their zone."""

    id: int
    fleet_id: int
    channel: Channel
    address: str
    level: ProbabilityLevel  # with near_m and min_probability, which encounters: see Limits
    near_m: float | None
    min_probability: float | None
    digest_hours: float | None  # None: after each run
    daily: bool
    created: datetime
    made_by: str
    credential_id: int | None  # None: made at the command line
    secrets: tuple[str, ...]  # whsec_..., newest first; of webhooks only
    off_since: datetime | None
    off_reason: str
    manoeuvres: bool  # whether it tells of those of its objects, and of the others of its encounters
    acknowledgements: bool  # whether it tells who has taken on an event that it has told


class Acknowledgement(NamedTuple):
    """That somebody has taken on an event, or has let it go. Times are UTC with their zone."""

    id: int
    event_id: int
    at: datetime
    withdrawn: bool  # let go
    name: str
    note: str
    level: ProbabilityLevel  # of the event then, by the probability
    made_by: str
    credential_id: int | None  # None: made at the command line
    organisation_id: int = FIRST_ORGANISATION  # which alone sees it


class AuditEntry(NamedTuple):
    """One attempt to change something. Times are UTC with their zone."""

    id: int
    at: datetime
    organisation_id: int
    credential_id: int | None  # None: by the command line
    who: str  # name of the credential, or `command line` and the user of the machine
    operation: str  # POST /fleets, fleets add
    object: str  # what it was about, as far as the address or the arguments say
    address: str  # of the client; "": at the command line
    result: str  # the status of the answer, or ok and refused


class Plan(NamedTuple):
    """Burns that were chosen for an event, and what the event was then. Times are UTC with their zone."""

    id: int
    event_id: int
    norad_id: int  # that burns
    name: str
    other_norad_id: int
    other_name: str
    burns: tuple[str, ...]  # each WHEN,R,T,N: UTC, and m/s along the axes of the path
    goal: float  # probability under which the event, and all others, are to be
    days: float  # after TCA that are screened too
    threshold_km: float
    size_error: float  # 1 sigma of a burn's size, a share of it
    direction_error_deg: float
    run_id: str  # the newest when it was chosen
    tca: datetime
    miss_distance_m: float
    probability: float | None
    miss_after_m: float | None  # with the burns; None: they no longer meet
    probability_after: float | None
    at: datetime
    made_by: str
    credential_id: int | None  # None: made at the command line
    organisation_id: int = FIRST_ORGANISATION  # which alone sees it


class DirectoryEntry(NamedTuple):
    """Whom to call about some objects. Times are UTC with their zone."""

    id: int
    operator: str  # its name
    owners: tuple[str, ...]  # abbreviations of owners or states, as `objects` has them
    norad_ids: tuple[str, ...]  # catalogue numbers
    name_pattern: str  # a shell pattern of names; "": none
    email: str
    telephone: str
    hours: str  # when somebody answers, as given; "": not said
    time_zone: str  # of `hours`, a name of the IANA data base
    note: str
    at: datetime
    made_by: str
    credential_id: int | None  # None: made at the command line
    organisation_id: int  # which alone sees it


class StatedIntent(NamedTuple):
    """What the operator of an object intends at an event. Times are UTC with their zone."""

    id: int
    event_id: int
    norad_id: int  # the operator's object
    name: str  # the object's
    intent: Intent
    move_at: datetime | None  # when it will move; None: not said
    note: str
    at: datetime
    made_by: str
    credential_id: int | None  # None: made at the command line
    organisation_id: int  # which says it


class Link(NamedTuple):
    """The record of a link that opens one event without a credential. Times are UTC with their zone."""

    id: int
    event_id: int
    created: datetime
    expires: datetime
    revoked: datetime | None
    made_by: str
    credential_id: int | None  # None: made at the command line
    organisation_id: int
    secret_sha256: bytes


class FactImport(NamedTuple):
    """A file of facts about objects that was imported."""

    id: int
    kind: str
    source: str
    sha256: str
    at: datetime


class SatcatFact(NamedTuple):
    """Type, operational status and size of an object, and what it is docked to; None: unknown, or nothing."""

    norad_id: int
    object_type: str | None
    status: str | None
    rcs_m2: float | None = None  # radar cross-section
    docked_to: int | None = None  # catalogue number


class RadiusFact(NamedTuple):
    """The hard-body radius of an object."""

    norad_id: int
    radius_m: float
    estimate: str  # how it was estimated, as published


_IMPORT = "import_id"  # of facts: the id of their FactImport

ACKNOWLEDGEMENTS = Table("acknowledgements", Acknowledgement, Acknowledgement._fields)
AUDIT = Table("audit", AuditEntry, AuditEntry._fields)
ALERTS = Table("alerts", Alert, Alert._fields)
CREDENTIALS = Table("credentials", Credential, Credential._fields, unsealed=("last_used",))  # written often
DIRECTORY = Table("directory", DirectoryEntry, DirectoryEntry._fields)
FACT_IMPORTS = Table("fact_imports", FactImport, FactImport._fields, timespec="auto")
FEEDS = Table("feeds", Feed, Feed._fields)
FLEETS = Table("fleets", Fleet, tuple(name for name in Fleet._fields if name != "objects"))
FLEET_OBJECTS = Table("fleet_objects", FleetObject, ("fleet_id", *FleetObject._fields))
INTENTS = Table("intents", StatedIntent, StatedIntent._fields)
LINKS = Table("links", Link, Link._fields)
PLANS = Table("plans", Plan, Plan._fields, timespec="auto")
SESSIONS = Table("sessions", Session, Session._fields)  # sealed row by row: a lost one only ends a session
SATCAT = Table("satcat", SatcatFact, (*SatcatFact._fields, _IMPORT))
RADII = Table("hard_body_radii", RadiusFact, (*RadiusFact._fields, _IMPORT))
BODIES = Table(
    "bodies",
    tuple,  # a row of storage.bodies.table.BODY_DTYPE
    (
        *("norad_id", "radius_m", "bounding_radius_m", "mass_kg", "name", "owner", "state"),
        *("body_source", "sure", _IMPORT),
    ),
)
ORGANISATIONS = Table("organisations", Organisation, Organisation._fields)
OVERRIDES = Table("hard_body_overrides", tuple, ("norad_id", "radius_m", "at"), timespec="auto")

# The tables whose rows and number of rows have checksums; the columns are in their order.
SEALED = {
    table.name: table.sealing
    for table in (
        CREDENTIALS,
        FACT_IMPORTS,
        SATCAT,
        RADII,
        BODIES,
        OVERRIDES,
        FLEETS,
        FLEET_OBJECTS,
        FEEDS,
        ALERTS,
        ACKNOWLEDGEMENTS,
        PLANS,
        ORGANISATIONS,
        AUDIT,
        DIRECTORY,
        INTENTS,
        LINKS,
    )
}
