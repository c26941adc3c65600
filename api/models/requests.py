"""Models of the bodies of requests, checked strictly."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from api.models.responses import STRICT
from screening.vocabulary import DEFAULT_THRESHOLD_KM, MAX_NORAD_ID
from storage.settings import ThresholdKm
from storage.times import parse_time
from storage.vocabulary import LARGEST_PER_MINUTE, LONGEST_DAYS


def _without_fraction(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _utc(given: object) -> object:
    return parse_time(given) if isinstance(given, str) else given


# JSON has one kind of number: to JSON Schema, and so to generated clients, 1.0 is an integer.
WholeNumber = Annotated[int, BeforeValidator(_without_fraction)]
BodyTime = Annotated[datetime, BeforeValidator(_utc)]
# In a list, and beside null, the bounds must come first to be in the document.
ListedNoradId = Annotated[int, Field(ge=1, le=MAX_NORAD_ID), BeforeValidator(_without_fraction)]
StatedId = Annotated[int, Field(ge=1, le=2**53), BeforeValidator(_without_fraction)]
StatedDays = Annotated[int, Field(ge=1, le=LONGEST_DAYS), BeforeValidator(_without_fraction)]
StatedRate = Annotated[int, Field(ge=1, le=LARGEST_PER_MINUTE), BeforeValidator(_without_fraction)]


class _Search(BaseModel):
    """How far ahead, and how close."""

    model_config = STRICT

    look_ahead_hours: WholeNumber = Field(
        default=24, ge=1, le=168, description="Length of the window from now, hours.", examples=[24]
    )
    threshold_km: ThresholdKm = Field(
        default=DEFAULT_THRESHOLD_KM,
        description="Events closer than this are returned, km.",
        examples=[10.0],
    )


class AnalysisRequest(_Search):
    """Which object to analyse, how far ahead, and how close."""

    primary_norad_id: WholeNumber = Field(
        ge=1, le=MAX_NORAD_ID, description="Catalogue number of the object.", examples=[25544]
    )


class FullAnalysisRequest(_Search):
    """Which object or trajectory to analyse, how far ahead, and how close."""

    model_config = ConfigDict(
        **STRICT,
        json_schema_extra={
            "oneOf": [{"required": ["primary_norad_id"]}, {"required": ["trajectory_id"]}],
        },
    )

    # Neither may be null; 0 and empty stand for what is not given.
    primary_norad_id: WholeNumber = Field(
        default_factory=int,
        ge=1,
        le=MAX_NORAD_ID,
        description="Catalogue number of the object in the run.",
        examples=[25544],
    )
    trajectory_id: str = Field(
        default_factory=str,
        pattern="^[0-9a-f]{16}$",
        description="Instead: id of a stored trajectory, possibly a hypothetical one.",
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.primary_norad_id) == bool(self.trajectory_id):
            raise ValueError("expected either primary_norad_id or trajectory_id")
        return self
