"""Models of the answers, for documentation and clients that validate, made from the tables of the store.

Names, types, units and meanings of the fields are declared once, in `storage.schema`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field, create_model

from api.models import examples
from storage import schema
from storage.in_memory.object_fields import OBJECT_COLUMNS
from storage.reading.catalogue_age import State

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
    columns: Sequence[schema.Column],
    example: Mapping[str, object],
    called: Mapping[str, str] = _OF_EVENTS,
) -> type[BaseModel]:
    """Return a model with a field for each column, in the order of the example.

    `called` has the names of fields that are not those of their columns.
    """
    by_name = {called.get(column.name, column.name): column for column in columns}
    fields: dict[str, Any] = {}
    for field, value in example.items():
        column = by_name.pop(field)
        kind = _type(column.type) | None if column.nullable else _type(column.type)
        fields[field] = Annotated[kind, Field(description=_sentence(column.comment), examples=[value])]
    assert not by_name, f"examples.py lacks {', '.join(by_name)}"
    return create_model(name, __config__=STRICT, __doc__=comment, **fields)


def _sentence(comment: str) -> str:
    """Return a column's comment with `null` for NULL, as in JSON."""
    return comment.replace("NULL", "null")


Conjunction: Any = model_of(
    "Conjunction",
    "A close approach below the run's threshold, rated. Times are UTC, states TEME at TCA.",
    schema.CONJUNCTIONS.columns,
    examples.EVENT,
)
Proximity: Any = model_of(
    "Proximity",
    "A pair of co-orbiting objects (docked, in formation, or one element set under two numbers): no alarm.",
    schema.PROXIMITIES.columns,
    examples.PROXIMITY,
)
KnownObject: Any = model_of(
    "KnownObject", "Facts about an object of the newest run.", OBJECT_COLUMNS, examples.OBJECT
)
# A client may select some of them.
KnownObject.model_config["json_schema_extra"] = lambda document: document.pop("required")
KnownObject.model_rebuild(force=True)
Rejection: Any = model_of(
    "Rejection",
    "A record of the catalogue that was left out.",
    [column for column in schema.REJECTIONS.columns if column.name != "run_id"],
    examples.REJECTION,
)
Run: Any = model_of("Run", "The record of a run. Times are UTC.", schema.RUNS.columns, examples.RUN)


class AnalysisResult(BaseModel):
    """The approaches to an object."""

    model_config = STRICT

    primary_norad_id: int = Field(description="Catalogue number of the requested object.", examples=[25544])
    trajectory_id: str | None = Field(
        description="The trajectory that the object is on; null: its path as the run had it.",
        examples=[None],
    )
    analyzed_at: datetime = Field(
        description="UTC, when the answer was computed.", examples=["2024-11-01T00:00:09.358491Z"]
    )
    total_candidates: int = Field(
        description="Coarse minima of distance that were examined closely.", examples=[57]
    )
    total_events: int = Field(
        description="Approaches found; if more than the service keeps of an analysis, `events` has the "
        "nearest.",
        examples=[31],
    )
    truncated: bool = Field(
        description="Whether `events` is incomplete; `skysieve analyze` on the server's machine returns all.",
        examples=[False],
    )
    events: list[Conjunction] = Field(description="The approaches, nearest first; the object is primary.")
    proximities: list[Proximity] = Field(
        description="Objects that stay within 10 km of the object for a day."
    )
    covered_until: datetime = Field(
        description="UTC; later approaches are unknown.", examples=["2024-11-02T00:00:00Z"]
    )
    searched: Literal["all", "payloads"] = Field(
        description="Objects among which it was searched: all, or only payloads, where the ephemeris has no "
        "others.",
        examples=["all"],
    )


class ConjunctionPage(BaseModel):
    """A page of the events that match."""

    model_config = STRICT

    conjunctions: list[Conjunction] = Field(description="The events, in the requested order.")
    total: int = Field(description="Number of events that match, on all pages together.", examples=[132466])
    next: str | None = Field(
        description="Pass it as `cursor` to get the next page; null: this is the last.",
        examples=["eyJydW4iOiIyMDI0MTEwMVQwMDAwMDBaIn0"],
    )


class ProximityList(BaseModel):
    """The co-orbiting pairs of the newest run."""

    model_config = STRICT

    proximities: list[Proximity] = Field(description="The pairs, nearest first.")
    total: int = Field(description="Number of pairs, regardless of `limit`.", examples=[49])


class ObjectList(BaseModel):
    """Objects of the newest run, with all fields or those selected."""

    model_config = STRICT

    run_id: str = Field(description="Run that screened them.", examples=["20241101T000000Z"])
    total: int = Field(description="Number of objects returned.", examples=[26834])
    objects: list[KnownObject] = Field(description="In the order of their catalogue numbers.")


class RejectionList(BaseModel):
    """Records of the newest run's catalogue that were left out."""

    model_config = STRICT

    rejections: list[Rejection] = Field(description="In the order of the catalogue, at most 1,000.")
    total: int = Field(description="Number of rejected records.", examples=[1])


class Health(BaseModel):
    """The service is alive."""

    model_config = STRICT

    status: Literal["ok"] = Field(description="Always ok.", examples=["ok"])
    element_sets: State = Field(
        description="Of the newest sets: `old` beyond 12 h and two intervals between runs, `historic` "
        "if the run is of an old catalogue, `unknown` without a run or after one of an earlier release.",
        examples=["current"],
    )
    newest_epoch: datetime | None = Field(
        description="UTC, epoch that dates them (99 % are no newer); null: not known.",
        examples=["2024-10-31T21:14:05.123456Z"],
    )
    newest_epoch_age_s: float | None = Field(description="Their age, s; null: not known.", examples=[9954.9])


class Readiness(BaseModel):
    """The service answers from a run that is recent enough."""

    model_config = STRICT

    status: Literal["ready"] = Field(description="Always ready.", examples=["ready"])
    run_id: str = Field(description="The run it answers from.", examples=["20241101T000000Z"])
    finished: datetime = Field(
        description="UTC, when that run was finished.", examples=["2024-11-01T00:00:09.358491Z"]
    )
    age_s: float = Field(description="s, time since then.", examples=[3600.5])


class SessionState(BaseModel):
    """Whether a browser is signed in."""

    model_config = STRICT

    signed_in: bool = Field(description="The cookie permits reading.", examples=[True])
    name: str | None = Field(
        description="Name of the token from which the session was made.", examples=["operations desk"]
    )
    read_only: bool = Field(description="That token may only read.", examples=[False])
    expires: datetime | None = Field(description="UTC, when it ends.", examples=["2026-11-21T18:00:00Z"])
    now: datetime = Field(description="UTC, the clock of the service.", examples=["2026-11-21T06:00:00Z"])


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
