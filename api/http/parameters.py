"""Parameters of requests, checked before the store is read."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from api.errors import BadParameter
from screening.vocabulary import MAX_NORAD_ID
from storage.in_memory.object_fields import OBJECT_COLUMNS
from storage.sky.lists import WITHIN_DAYS
from storage.times import parse_time

MAX_NUMBERS = 1000  # of nine digits, with commas sent as %2C: 12 kB of the 16 kB allowed in a query
MAX_OFFSET = 100_000_000
MAX_POSITIONS = 1_000_000
REPEATABLE = frozenset({"norad_id", "risk_level", "probability_level", "fields", "burn"})
ObjectField: Any = Literal.__getitem__(tuple(column.name for column in OBJECT_COLUMNS))

_PLUS_SENT_AS_IS = re.compile(r"(T[0-9:.]+) ([0-9]{2}:?[0-9]{2})$")


def _utc(text: object) -> object:
    """Return a time in UTC; a naive time is UTC. A `+` sent unescaped arrives as a space."""
    if not isinstance(text, str):
        return text
    message = f"expected a time in ISO 8601 such as 2026-11-21T06:00:00Z, not {text!r}"
    try:
        return parse_time(_PLUS_SENT_AS_IS.sub(r"\1+\2", text))
    except ValueError as error:
        raise ValueError(message) from error


UtcTime = Annotated[datetime, BeforeValidator(_utc)]
ShortText = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[ -~]+$")]
OwnerText = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[ -~]+$")]
NoradId = Annotated[
    int, Field(ge=1, le=MAX_NORAD_ID, description="Catalogue number of an object.", examples=[25544])
]


def _separated(given: object) -> object:
    """Return the numbers of a parameter that is comma-separated, repeated, or both."""
    if not isinstance(given, list):
        return given
    parts = [part for one in given for part in (one.split(",") if isinstance(one, str) else [one])]
    if len(parts) > MAX_NUMBERS:
        raise ValueError(f"at most {MAX_NUMBERS:,} numbers are allowed, not {len(parts):,}")
    return parts


NoradIds = Annotated[list[NoradId], BeforeValidator(_separated), Field(max_length=MAX_NUMBERS)]


class ObjectParameters(BaseModel):
    """Parameters of `GET /objects`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    norad_id: NoradIds | None = Field(
        default=None, description="Only these objects: catalogue numbers, separated by commas."
    )
    owner: OwnerText | None = Field(
        default=None,
        description="Only objects of this owner, an abbreviation of GCAT, in any case; one is enough if an "
        "object has several.",
        examples=["SES"],
    )
    fields: list[ObjectField] | None = Field(
        default=None,
        min_length=1,
        max_length=len(OBJECT_COLUMNS),
        description="Only these fields of each object; repeatable. Default: all.",
        examples=[["norad_id", "name"]],
    )


class ProximityParameters(BaseModel):
    """Parameters of `GET /proximities`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    norad_id: NoradId | None = Field(
        default=None, description="Only pairs with this object: its catalogue number."
    )
    limit: int = Field(default=1000, ge=1, le=10_000, description="Most pairs to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Pairs to skip.")


class ReEntryParameters(BaseModel):
    """Parameters of `GET /re-entries`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    days: float = Field(
        default=60.0,
        gt=0.0,
        le=WITHIN_DAYS,
        description="Only decays whose median is at most so many days after the start of the run's window.",
    )
    fleet: int | None = Field(default=None, ge=1, le=2**53, description="Only objects of this fleet: its id.")
    norad_id: NoradIds | None = Field(
        default=None, description="Only these objects: catalogue numbers, separated by commas."
    )
    limit: int = Field(default=1000, ge=1, le=10_000, description="Most objects to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Objects to skip.")


class ManoeuvresOfOneParameters(BaseModel):
    """Parameters of `GET /objects/{id}/manoeuvres`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    since: UtcTime | None = Field(
        default=None,
        description="Only burns at this time or later. ISO 8601; without a zone: UTC.",
        examples=["2026-11-01T00:00:00Z"],
    )
    until: UtcTime | None = Field(
        default=None, description="Only burns before this time.", examples=["2026-11-21T06:00:00Z"]
    )
    limit: int = Field(default=100, ge=1, le=10_000, description="Most manoeuvres to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Manoeuvres to skip.")


class ManoeuvresParameters(ManoeuvresOfOneParameters):
    """Parameters of `GET /manoeuvres`."""

    norad_id: NoradIds | None = Field(
        default=None, description="Only of these objects: catalogue numbers, separated by commas."
    )


class AlertParameters(BaseModel):
    """Parameters of `GET /alerts`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fleet_id: int | None = Field(default=None, ge=1, le=2**53, description="Only alerts of this fleet.")
    limit: int = Field(default=100, ge=1, le=1000, description="Most alerts to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Alerts to skip.")


class DeliveryParameters(BaseModel):
    """Parameters of `GET /alerts/{id}/deliveries`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(default=50, ge=1, le=200, description="Most messages to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Messages to skip.")


class FleetParameters(BaseModel):
    """Parameters of `GET /fleets`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(default=100, ge=1, le=1000, description="Most fleets to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Fleets to skip.")


class OutsideParameters(BaseModel):
    """Parameters of `GET /fleets/{id}/outside`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(default=20, ge=1, le=100, description="Most events to return.")


class OverviewParameters(BaseModel):
    """Parameters of `GET /runs/current/overview`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fleet: int | None = Field(
        default=None, ge=1, le=2**53, description="Only what is inside the volumes of this fleet: its id."
    )


class PositionParameters(BaseModel):
    """Parameters of `GET /positions`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int | None = Field(
        default=None,
        ge=1,
        le=MAX_POSITIONS,
        description="Maximum number of objects to return, lowest catalogue numbers first. Default: all.",
        examples=[100],
    )
    norad_id: NoradIds | None = Field(
        default=None,
        description="Only these objects: catalogue numbers, separated by commas.",
        examples=[[25544, 20580]],
    )
    at: UtcTime | None = Field(
        default=None,
        description="The instant, ISO 8601; without a zone: UTC. Default: now, to the whole second, or the "
        "start of the run's window in a historic store. Allowed from 30 days before the run's window to 30 "
        "days after it; SGP4 loses a few kilometres per day away from the epoch.",
        examples=["2026-11-21T06:00:00Z"],
    )


def describe_lists(app: FastAPI) -> None:
    """State in the application's OpenAPI document that numbers are separated by commas."""
    make = app.openapi

    def with_commas() -> dict[str, Any]:
        document = make()  # already built
        for path in document["paths"].values():
            for parameter in path.get("get", {}).get("parameters", []):
                kinds = {kind.get("type") for kind in parameter["schema"].get("anyOf", [])}
                if parameter["name"] == "norad_id" and "array" in kinds:
                    parameter.update(style="form", explode=False)
        return document

    app.openapi = with_commas  # type: ignore[method-assign]


# `async`, so that they run at once: handing them to a thread costs more than they do.


async def each_once(request: Request) -> None:
    """Refuse a parameter given twice: one of the two would be silently ignored."""
    _refuse_repeated(request, frozenset())


async def each_once_but_lists(request: Request) -> None:
    """Refuse a parameter given twice, unless it is repeatable."""
    _refuse_repeated(request, REPEATABLE)


def _refuse_repeated(request: Request, allowed: frozenset[str]) -> None:
    times = Counter(name for name, _ in request.query_params.multi_items())
    for name, given in times.items():
        if given > 1 and name not in allowed:
            raise BadParameter(name, f"{name} is given more than once.")


async def no_parameters(request: Request) -> None:
    """Refuse any query parameter."""
    unknown: Iterable[str] = request.query_params
    for name in unknown:
        raise BadParameter(name, f"{request.url.path} takes no parameter {name}.")
