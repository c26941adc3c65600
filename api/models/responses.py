"""Models of the answers, for documentation and clients that validate, made from the tables of the store.

Names, types, units, meanings and examples of the fields are declared once, in `storage.schema` and below it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field, create_model

from screening.answers import answer
from storage import schema
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.object_fields import OBJECT_COLUMNS
from storage.reading.catalogue_age import State
from storage.trajectories.report import TrajectoryReport
from storage.vocabulary import Role

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)


def _type(kind: pa.DataType) -> Any:
    if pa.types.is_map(kind):
        item: Any = _type(kind.item_type)
        return dict[str, item]
    if pa.types.is_timestamp(kind):
        return datetime
    if pa.types.is_boolean(kind):
        return bool
    if pa.types.is_integer(kind):
        return int
    return float if pa.types.is_floating(kind) else str


_OF_EVENTS = MappingProxyType({"event_id": "id"})


def model_of(
    name: str,
    comment: str,
    columns: Iterable[schema.Column],
    called: Mapping[str, str] = _OF_EVENTS,
    **further: Any,
) -> type[BaseModel]:
    """Return a model with a field for each column, in their order, and `further` ones.

    `called` has the names of fields that are not those of their columns.
    """
    fields: dict[str, Any] = {}
    for column in columns:
        assert column.example is not ..., f"the column {column.name} lacks an example"
        kind = column.one_of or _type(column.type)
        kind = kind | None if column.nullable else kind
        said = Field(description=_sentence(column.comment), examples=[column.example])
        fields[called.get(column.name, column.name)] = Annotated[kind, said]
    return create_model(name, __config__=STRICT, __doc__=comment, **fields, **further)


def _sentence(comment: str) -> str:
    """Return a column's comment with `null` for NULL, as in JSON."""
    return comment.replace("NULL", "null")


_COLUMN = {column.name: column for column in schema.CONJUNCTIONS.columns}
Conjunction: Any = model_of(
    "Conjunction",
    "A close approach below the run's threshold, rated. Times are UTC, states TEME at TCA.",
    [_COLUMN[name] for name in EVENT_COLUMNS],
)
Proximity: Any = model_of(
    "Proximity",
    "A pair of co-orbiting objects (docked, in formation, or one element set under two numbers): no alarm.",
    schema.PROXIMITIES.columns,
)
KnownObject: Any = model_of("KnownObject", "Facts about an object of the newest run.", OBJECT_COLUMNS)
# A client may select some of them.
KnownObject.model_config["json_schema_extra"] = lambda document: document.pop("required")
KnownObject.model_rebuild(force=True)
Rejection: Any = model_of(
    "Rejection",
    "A record of the catalogue that was left out.",
    [column for column in schema.REJECTIONS.columns if column.name != "run_id"],
)
Run: Any = model_of("Run", "The record of a run. Times are UTC.", schema.RUNS.columns)


@answer(
    primary_norad_id=25544, trajectory_id=None, analyzed_at="2024-11-01T00:00:09.358491Z",
    total_candidates=57, total_events=31, truncated=False, covered_until="2024-11-02T00:00:00Z",
    searched="all",
)  # fmt: skip
class AnalysisResult:
    """The approaches to an object."""

    primary_norad_id: int
    """Catalogue number of the requested object."""
    trajectory_id: str | None
    """The trajectory that the object is on; null: its path as the run had it."""
    analyzed_at: datetime
    """UTC, when the answer was computed."""
    total_candidates: int
    """Coarse minima of distance that were examined closely."""
    total_events: int
    """Approaches found; if more than the service keeps of an analysis, `events` has the nearest."""
    truncated: bool
    """Whether `events` is incomplete; `skysieve analyze` on the server's machine returns all."""
    events: list[Conjunction]
    """The approaches, nearest first; the object is primary."""
    proximities: list[Proximity]
    """Objects that stay within 10 km of the object for a day."""
    covered_until: datetime
    """UTC; later approaches are unknown."""
    searched: Literal["all", "payloads"]
    """Objects among which it was searched: all, or only payloads, where the ephemeris has no others."""


@answer(total=132466, next="eyJydW4iOiIyMDI0MTEwMVQwMDAwMDBaIn0")
class ConjunctionPage:
    """A page of the events that match."""

    conjunctions: list[Conjunction]
    """The events, in the requested order."""
    total: int
    """Number of events that match, on all pages together."""
    next: str | None
    """Pass it as `cursor` to get the next page; null: this is the last."""


@answer(total=49)
class ProximityList:
    """The co-orbiting pairs of the newest run."""

    proximities: list[Proximity]
    """The pairs, nearest first."""
    total: int
    """Number of pairs, regardless of `limit`."""


@answer(run_id="20241101T000000Z", total=26834)
class ObjectList:
    """Objects of the newest run, with all fields or those selected."""

    run_id: str
    """Run that screened them."""
    total: int
    """Number of objects returned."""
    objects: list[KnownObject]
    """In the order of their catalogue numbers."""


@answer(total=1)
class RejectionList:
    """Records of the newest run's catalogue that were left out."""

    rejections: list[Rejection]
    """In the order of the catalogue, at most 1,000."""
    total: int
    """Number of rejected records."""


@answer(
    status="ok", element_sets="current", newest_epoch="2024-10-31T21:14:05.123456Z",
    newest_epoch_age_s=9954.9,
)  # fmt: skip
class Health:
    """The service is alive."""

    status: Literal["ok"]
    """Always ok."""
    element_sets: State
    """Of the newest sets: `old` beyond 12 h and two intervals between runs, `historic` if the run is of an
    old catalogue, `unknown` without a run or after one of an earlier release."""
    newest_epoch: datetime | None
    """UTC, epoch that dates them (99 % are no newer); null: not known."""
    newest_epoch_age_s: float | None
    """Their age, s; null: not known."""


@answer(
    status="ready", run_id="20241101T000000Z", finished="2024-11-01T00:00:09.358491Z", age_s=3600.5
)  # fmt: skip
class Readiness:
    """The service answers from a run that is recent enough."""

    status: Literal["ready"]
    """Always ready."""
    run_id: str
    """The run it answers from."""
    finished: datetime
    """UTC, when that run was finished."""
    age_s: float
    """s, time since then."""


@answer(
    signed_in=True, name="operations desk", role="operator", organisation="default", demo=False,
    expires="2026-11-21T18:00:00Z", now="2026-11-21T06:00:00Z",
)  # fmt: skip
class SessionState:
    """Whether a browser is signed in."""

    signed_in: bool
    """The cookie permits reading."""
    name: str | None
    """Name of the token from which the session was made, or of the person."""
    role: Role | None
    """What that token permits: `viewer` reads; `operator` also changes what is its organisation's, and asks
    what burns would do; `flight` also adds definitive trajectories of its objects; `admin` does all."""
    organisation: str | None
    """Name of its organisation."""
    demo: bool
    """A demonstration, which anyone may read: there is nothing to sign in or out."""
    provider: str | None
    """Host of the OpenID Connect provider by which people sign in, at `GET /session/oidc`."""
    expires: datetime | None
    """UTC, when it ends; of a person whom the provider has identified, when that is asked again."""
    now: datetime
    """UTC, the clock of the service."""


class FieldProblem(BaseModel):
    """What is wrong with one field of a request."""

    model_config = STRICT

    field: str = Field(description="Name of the parameter or field.", examples=["limit"])
    message: str = Field(
        description="What is wrong with it.", examples=["Input should be less than or equal to 10000"]
    )
    line: int | None = Field(default=None, description="The line, if it is in a text.", examples=[12])
    keyword: str | None = Field(
        default=None, description="The keyword, if it is about one of a message.", examples=["TCA"]
    )


class Problem(BaseModel):
    """An error, as in RFC 9457."""

    model_config = STRICT

    type: str = Field(
        description="Kind of error, for programs; about:blank: only what the status says.",
        examples=["urn:skysieve:problem:invalid-request"],
    )
    title: str = Field(description="Kind of error, for people.", examples=["The request is not valid"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(
        description="What is wrong with this request.",
        examples=["limit: Input should be less than or equal to 10000"],
    )
    instance: str = Field(description="The path requested.", examples=["/conjunctions"])
    request_id: str = Field(
        description="Id of the request, as in X-Request-ID and the log of the service.",
        examples=["5f0c3e1b7a2d4c6e8f901a2b3c4d5e6f"],
    )
    errors: list[FieldProblem] | None = Field(
        default=None, description="The invalid fields, if the error is about fields."
    )
    report: TrajectoryReport | None = Field(
        default=None, description="The check of an ephemeris, if it is not the path of its object."
    )
