"""Models of `GET /conjunctions/{id}/trend`: fields, units and meanings."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from api.models.responses import STRICT
from screening.risk.tiers import Limits
from screening.vocabulary import NearLevel, ProbabilityLevel, ProbabilityMethod


class TrendPoint(BaseModel):
    """What one run or one received message says of the event."""

    model_config = STRICT

    kind: Literal["run", "second_look", "fleet", "quick", "full", "message"] = Field(
        description="What found it, as an event's `origin`; message: a received message.", examples=["run"]
    )
    run_id: str | None = Field(description="The run; null for a message.", examples=["20241101T000000Z"])
    received_id: str | None = Field(
        description="The message's `id` in `GET /messages`; null for a run.", examples=[None]
    )
    message_id: str | None = Field(description="The message's name as its sender writes it.", examples=[None])
    originator: str | None = Field(
        description="Who sent the message; null: a run, or not said.", examples=[None]
    )
    made: datetime = Field(
        description="UTC, when it was computed, or the message made (not said: received); of a historic run, "
        "when its window begins.",
        examples=["2024-11-01T00:00:09.358491Z"],
    )
    hours_to_tca: float = Field(
        description="h, from `made` to the TCA that it says; negative after TCA.", examples=[13.09]
    )
    tca: datetime = Field(description="UTC, its TCA.", examples=["2024-11-01T13:05:41.266Z"])
    tca_shift_s: float = Field(description="s, its TCA minus the event's.", examples=[0.0])
    miss_distance_m: float | None = Field(description="m, its miss distance.", examples=[62.16])
    miss_radial_m: float | None = Field(
        description="m, secondary minus primary at its TCA, radial in the primary's RTN; null: "
        "without states.",
        examples=[-12.43],
    )
    miss_in_track_m: float | None = Field(description="m, as miss_radial_m, in-track.", examples=[-4.78])
    miss_cross_track_m: float | None = Field(
        description="m, as miss_radial_m, cross-track.", examples=[-60.71]
    )
    sigma_radial_m: float | None = Field(
        description="m, 1-sigma of the relative position, both errors together, radial in the primary's RTN; "
        "null: not known of both.",
        examples=[463.2],
    )
    sigma_in_track_m: float | None = Field(description="m, as sigma_radial_m, in-track.", examples=[1680.0])
    sigma_cross_track_m: float | None = Field(
        description="m, as sigma_radial_m, cross-track.", examples=[241.0]
    )
    miss_sigmas: float | None = Field(
        description="Mahalanobis distance: the miss in sigmas of the combined covariance, in the encounter "
        "plane.",
        examples=[0.215],
    )
    probability: float | None = Field(
        description="The probability that the level goes by; null: none could be computed.",
        examples=[1.26e-4],
    )
    probability_method: ProbabilityMethod | None = Field(
        description="How it was found: 2d, 3d, trajectory_mc, bound (at most this); null: none, or by an "
        "earlier release.",
        examples=["2d"],
    )
    probability_level: ProbabilityLevel = Field(
        description="By the probability alone: critical, high, medium, unknown, low.", examples=["critical"]
    )
    near_level: NearLevel | None = Field(
        description="By the miss alone: critical, high, medium; null: 1000 m or more.", examples=["critical"]
    )
    probability_low: float | None = Field(description="Lower end of its band.", examples=[3.3e-5])
    probability_high: float | None = Field(description="Upper end of its band.", examples=[4.7e-4])
    band: Literal["sigmas_half_to_double"] | None = Field(
        description="sigmas_half_to_double: the least and the largest exact 2-D probability with all sigmas "
        "of both objects times 1/2 to 2. null: none, as where the probability is not that of the plane.",
        examples=["sigmas_half_to_double"],
    )
    probability_mc: float | None = Field(
        description="By Monte Carlo in the plane, which checks the integral; null: not run.",
        examples=[1.27e-4],
    )
    probability_mc_low: float | None = Field(
        description="Lower end of its 95 % interval.", examples=[1.21e-4]
    )
    probability_mc_high: float | None = Field(description="Upper end of it.", examples=[1.32e-4])
    claimed_probability: float | None = Field(
        description="The probability that a message claims; null for a run.", examples=[None]
    )
    primary_age_hours: float | None = Field(
        description="h, age of the primary's element set at its TCA; null: on an ephemeris, or of a message.",
        examples=[28.49],
    )
    secondary_age_hours: float | None = Field(description="h, as primary_age_hours.", examples=[16.2])
    risk_level: str = Field(
        description="The worse of both: critical, high, medium, low.", examples=["critical"]
    )
    risk_basis: str = Field(
        description="What decided the level: distance, probability, monte_carlo; of messages also claimed "
        "(the sender's probability), maximum (the largest that fits, for want of a covariance).",
        examples=["probability"],
    )
    probability_flag: str | None = Field(
        description="Why the 2-D probability is doubtful or missing, with blanks between: slow, long, "
        "curved, non_positive_definite.",
        examples=[None],
    )


class Trend(BaseModel):
    """How one event developed."""

    model_config = STRICT

    id: int = Field(description="Id of the event.", examples=[3896461733156320])
    tca: datetime = Field(description="UTC, its TCA as known now.", examples=["2024-11-01T13:05:41.266Z"])
    primary_norad_id: int = Field(description="Catalogue number of the primary.", examples=[17842])
    secondary_norad_id: int = Field(description="Catalogue number of the secondary.", examples=[270293])
    limits: Limits = Field(description="The limits of the levels by probability.")
    points: list[TrendPoint] = Field(description="What runs and messages say, the oldest first.")
    restricted_messages: int = Field(
        description="How many messages about it are left out, because they must not be handed on.",
        examples=[0],
    )
