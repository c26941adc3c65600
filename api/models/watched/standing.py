"""Models of how fleets stand, for OpenAPI."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.responses import STRICT
from screening.vocabulary import ProbabilityLevel


class Coming(BaseModel):
    """The events inside the volumes of a fleet, each once, whose TCA has not passed."""

    model_config = STRICT

    events: int = Field(description="How many.", examples=[3])
    worst: ProbabilityLevel | None = Field(
        description="Their most dangerous level by the probability; null: none.", examples=["high"]
    )
    next_tca: datetime | None = Field(
        description="UTC, the soonest of their TCAs; null: none.", examples=["2024-11-01T13:05:41.266855Z"]
    )
    new: int | None = Field(
        description="How many of them are new, as `GET /fleets/{id}/changes` has it; null: no run before has "
        "looked at the fleet.",
        examples=[1],
    )


class OutsideInShort(BaseModel):
    """What the run has of the fleet's objects outside its volumes."""

    model_config = STRICT

    events: int = Field(description="How many; those of a complex count once.", examples=[140])
    worst: ProbabilityLevel | None = Field(
        description="Their most dangerous level by the probability; null: none.", examples=["medium"]
    )


class Standing(BaseModel):
    """How a fleet stands at the newest run."""

    model_config = STRICT

    id: int = Field(description="Id of the fleet.", examples=[1])
    coming: Coming | None = Field(description="Null: the newest run has not looked at the fleet.")
    outside: OutsideInShort = Field(
        description="What the run has of its objects besides; all it has, if it has not looked at the fleet."
    )
    alerts_on: int = Field(description="Alerts of it that are on.", examples=[2])
    alerts_off: int = Field(description="Alerts of it that are off.", examples=[0])


class StandingList(BaseModel):
    """How fleets stand."""

    model_config = STRICT

    run_id: str = Field(description="The newest run.", examples=["20241101T000000Z"])
    fleets: list[Standing] = Field(description="In the order of `GET /fleets`.")
    total: int = Field(description="Number of all fleets, regardless of `limit`.", examples=[2])
