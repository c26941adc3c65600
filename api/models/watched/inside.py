"""Answers: the events of a fleet, as seen from its objects, and those outside its volumes."""

from typing import Any

from pydantic import Field, create_model

from api.models.overview import ByLevel
from api.models.responses import Conjunction
from screening.answers import answer

_AXES = "from the fleet's object to the other one at TCA, in the RTN of the fleet's object"


FleetEvent: Any = create_model(
    "FleetEvent",
    __base__=Conjunction,
    __doc__="An event, as it is seen from an object of the fleet.",
    fleet_norad_id=(int, Field(description="The fleet's object, on either side.", examples=[17842])),
    volume=(str, Field(description="The volume around it.", examples=["box:2x25x25"])),
    fleet_miss_radial_km=(float, Field(description=f"km, radial, {_AXES}.", examples=[-0.012])),
    fleet_miss_in_track_km=(float, Field(description=f"km, in-track, {_AXES}.", examples=[-0.005])),
    fleet_miss_cross_track_km=(float, Field(description=f"km, cross-track, {_AXES}.", examples=[-0.061])),
    fleet_hard_body_radius_m=(
        float | None,
        Field(
            description="m, combined hard-body radius by which the fleet goes; null: the run's. "
            "`probability_best`, its method and the levels are at `hard_body_radius_m`: this one, but of an "
            "analysis on demand since.",
            examples=[None],
        ),
    ),
)


@answer(total=12, next="eyJydW4iOiIyMDI0MTEwMVQwMDAwMDBaIn0")
class FleetEventPage:
    """A page of the events inside the volumes of a fleet."""

    conjunctions: list[FleetEvent]
    """In the requested order; an event of two objects of the fleet once for each."""
    total: int
    """Number of events that match, on all pages together."""
    next: str | None
    """Pass it as `cursor` to get the next page; null: this is the last."""


@answer(run_id="20241101T000000Z", total=140)
class OutsideEvents:
    """What the newest run has of a fleet's objects outside the fleet's volumes."""

    run_id: str
    """The newest run."""
    total: int
    """How many; those of a complex count once."""
    by_level: ByLevel
    """How many at each level by the probability."""
    conjunctions: list[Conjunction]
    """The most dangerous first."""
