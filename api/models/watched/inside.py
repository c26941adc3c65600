"""Models of what is inside the volumes of a fleet, for OpenAPI."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.responses import STRICT, Conjunction
from screening.vocabulary import ProbabilityLevel

_AXES = "from the fleet's object to the other one at TCA, in the RTN of the fleet's object"


class FleetEvent(Conjunction):  # type: ignore[misc]
    """An event, as it is seen from an object of the fleet."""

    fleet_norad_id: int = Field(description="The fleet's object, on either side.", examples=[17842])
    volume: str = Field(description="The volume around it.", examples=["box:2x25x25"])
    fleet_miss_radial_km: float = Field(description=f"km, radial, {_AXES}.", examples=[-0.012])
    fleet_miss_in_track_km: float = Field(description=f"km, in-track, {_AXES}.", examples=[-0.005])
    fleet_miss_cross_track_km: float = Field(description=f"km, cross-track, {_AXES}.", examples=[-0.061])
    fleet_hard_body_radius_m: float | None = Field(
        description="m, combined hard-body radius by which the fleet goes; null: the run's. "
        "`probability_best`, its method and the levels are at `hard_body_radius_m`: this one, but of an "
        "analysis on demand since.",
        examples=[None],
    )


class FleetEventPage(BaseModel):
    """A page of the events inside the volumes of a fleet."""

    model_config = STRICT

    conjunctions: list[FleetEvent] = Field(
        description="In the requested order; an event of two objects of the fleet once for each."
    )
    total: int = Field(description="Number of events that match, on all pages together.", examples=[12])
    next: str | None = Field(
        description="Pass it as `cursor` to get the next page; null: this is the last.",
        examples=["eyJydW4iOiIyMDI0MTEwMVQwMDAwMDBaIn0"],
    )


class OutsideEvents(BaseModel):
    """What the newest run has of a fleet's objects outside the fleet's volumes."""

    model_config = STRICT

    run_id: str = Field(description="The newest run.", examples=["20241101T000000Z"])
    total: int = Field(description="How many; those of a complex count once.", examples=[140])
    by_level: dict[ProbabilityLevel, int] = Field(
        description="How many at each level by the probability.",
        examples=[{"critical": 0, "high": 0, "medium": 2, "unknown": 0, "low": 138}],
    )
    conjunctions: list[Conjunction] = Field(description="The most dangerous first.")


class Satellite(BaseModel):
    """An object of a fleet when the newest run looked at it."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number.", examples=[17842])
    name: str = Field(description="Name in the catalogue; empty: not in it.", examples=["SL-8 DEB"])
    found: bool = Field(description="Whether it is in the catalogue of the run.", examples=[True])
    volume: str = Field(
        description="The volume around it; empty: not in the catalogue.", examples=["box:2x25x25"]
    )
    hours: float = Field(description="h, look-ahead from the start of the run's window.", examples=[72.0])
    events: int = Field(description="Events inside its volume whose TCA has not passed.", examples=[3])
    worst: ProbabilityLevel | None = Field(
        description="Their most dangerous level by the probability; null: none.", examples=["high"]
    )
    next_tca: datetime | None = Field(
        description="UTC, the soonest of their TCAs; null: none.", examples=["2024-11-01T13:05:41.266855Z"]
    )


class SatelliteList(BaseModel):
    """The objects of a fleet."""

    model_config = STRICT

    run_id: str = Field(description="The newest run.", examples=["20241101T000000Z"])
    satellites: list[Satellite] = Field(description="By number.")
    total: int = Field(description="How many there are.", examples=[12])
