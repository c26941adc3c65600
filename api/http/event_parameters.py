"""Parameters of requests about stored events: which of them, and from which side."""

from typing import Annotated, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from api.http.parameters import MAX_OFFSET, NoradIds, OwnerText, UtcTime
from screening.vocabulary import (
    MAX_NORAD_ID,
    PROBABILITY_LEVELS,
    RISK_LEVELS,
    ClaimMethod,
    MessageForm,
    MessageFrame,
    ProbabilityLevel,
    RiskLevel,
)
from storage.vocabulary import EventOrder

EventId = Annotated[int, Path(alias="id", description="Id of an event.", examples=[3896461733156320])]


class EventConditions(BaseModel):
    """Which events, and in which order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    risk_level: list[RiskLevel] | None = Field(
        default=None,
        max_length=len(RISK_LEVELS),
        description="Only events of this level; repeatable.",
        examples=[["critical"]],
    )
    probability_level: list[ProbabilityLevel] | None = Field(
        default=None,
        max_length=len(PROBABILITY_LEVELS),
        description="Only events of this level by their probability alone; repeatable. `unknown`: none could "
        "be computed.",
        examples=[["critical"]],
    )
    norad_id: NoradIds | None = Field(
        default=None,
        description="Only events of these objects, on either side: catalogue numbers, separated by commas.",
        examples=[[25544, 20580]],
    )
    owner: OwnerText | None = Field(
        default=None,
        description="Only events of an owner's objects, on either side: an abbreviation of GCAT (`owner` of "
        "`GET /objects`), in any case; one is enough if an object has several.",
        examples=["SES"],
    )
    tca_from: UtcTime | None = Field(
        default=None,
        description="Only events with their TCA at this time or later. ISO 8601; without a zone: UTC.",
        examples=["2026-11-21T06:00:00Z"],
    )
    tca_to: UtcTime | None = Field(
        default=None,
        description="Only events with their TCA before this time. ISO 8601; without a zone: UTC.",
        examples=["2026-11-22T06:00:00Z"],
    )
    max_miss_m: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Only events with at most this miss distance, m.",
        examples=[500.0],
    )
    min_probability: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Only events whose `probability_best` is at least this; events without one are left out.",
        examples=[1e-6],
    )
    complexes: Literal["collapse"] | None = Field(
        default=None,
        description="`collapse`: of the events of docked objects (`primary_complex_id`, "
        "`secondary_complex_id`) that are one encounter, only the most dangerous.",
        examples=["collapse"],
    )
    restricted: bool | None = Field(
        default=None,
        description="`true`: also events known only from messages that must not be shared, such "
        "as Space-Track's; their `origin` is restricted_message.",
        examples=[True],
    )
    order: EventOrder | None = Field(
        default=None,
        description="`risk` (default): by level, then by probability, events without one last, then by miss "
        "distance; `tca`: soonest first; `miss_distance`: nearest first; `probability`: largest first, "
        "events without one last; `fragments`: the largest `probability_best` x `fragments_10cm` first, "
        "events without either last.",
    )


class FleetEventParameters(EventConditions):
    """Parameters of `GET /fleets/{id}/conjunctions`."""

    limit: int = Field(
        default=100,
        ge=1,
        le=10_000,
        description="Maximum number of events to return. Without it, CSV contains all.",
    )
    offset: int = Field(
        default=0,
        ge=0,
        le=MAX_OFFSET,
        description="Events to skip, from the beginning of the list or after the cursor.",
    )
    cursor: str | None = Field(
        default=None,
        max_length=16_384,
        description="`next` of the previous page. It contains the conditions and the order; if repeated, "
        "they must be the same.",
    )


class EventParameters(FleetEventParameters):
    """Parameters of `GET /conjunctions`."""

    fleet: int | None = Field(
        default=None,
        ge=1,
        le=2**53,
        description="Only events inside the volumes of the fleet with this id, whatever the run's threshold "
        "and window. Without it and `norad_id`, those found only by a search around fleets are left out.",
        examples=[1],
    )


class SeenFromParameters(BaseModel):
    """From which of its two objects one event is seen."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seen_from: int | None = Field(
        default=None,
        alias="from",
        ge=1,
        le=MAX_NORAD_ID,
        description="Catalogue number of the object from which the event is seen, the answer's primary.",
        examples=[25544],
    )


class OneEventParameters(SeenFromParameters):
    """Parameters of answers about one event."""

    restricted: bool = Field(
        default=False,
        description="Also messages that must not be shared, such as Space-Track's.",
    )


class MessageParameters(SeenFromParameters):
    """Parameters of `GET /conjunctions/{id}/cdm`."""

    format: MessageForm | None = Field(
        default=None, description="Form of the message. Default: by `Accept`, otherwise `kvn`."
    )
    frame: MessageFrame = Field(default="EME2000", description="Frame of the states.")
    method: ClaimMethod = Field(
        default="best",
        description="Which probability to state: `best`, `probability_best`; `foster`, `probability_2d`; "
        "`formula`, `probability`; "
        "`maximum`, `probability_max`; `monte_carlo`, `probability_mc`.",
    )


class MessagesParameters(EventConditions):
    """Parameters of `GET /conjunctions/cdm`."""

    format: MessageForm = Field(default="kvn", description="Form of the messages.")
    frame: MessageFrame = Field(default="EME2000", description="Frame of the states.")
    method: ClaimMethod = Field(
        default="best",
        description="Which probability to state, as for one message; omitted for an event without it.",
    )
    limit: int = Field(default=100, ge=1, le=10_000, description="Most messages.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Events to skip.")
