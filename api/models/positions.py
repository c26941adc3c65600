"""Models of `GET /positions` and `GET /objects/{id}/orbit`."""

from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, Field

from api.models.responses import STRICT
from screening.answers import Points
from screening.vocabulary import RiskLevel


class Position(BaseModel):
    """Where one object is, and the risk it faces."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number.", examples=[25544])
    name: str = Field(description="Name in the catalogue.", examples=["ISS (ZARYA)"])
    x: float = Field(description="km, Earth-fixed (ITRF).", examples=[-1033.479383])
    y: float = Field(description="km, Earth-fixed (ITRF).", examples=[7901.2952754])
    z: float = Field(description="km, Earth-fixed (ITRF).", examples=[6380.3565958])
    lat: float = Field(description="Geodetic latitude, degrees.", examples=[38.801004532])
    lon: float = Field(description="Geodetic longitude, degrees, -180 to 180.", examples=[97.451910797])
    alt: float = Field(description="Height above the WGS-84 ellipsoid, km.", examples=[3838.4371069])
    epoch: datetime = Field(
        description="Epoch of the element set, UTC.", examples=["2026-11-21T04:31:07.123456Z"]
    )
    risk: Literal[RiskLevel, "none", "unknown"] = Field(
        description="The highest risk level among the object's coming events; `none`: screened and clear; "
        "`unknown`: the instant lies outside the screened window.",
        examples=["low"],
    )


class PositionList(BaseModel):
    """Where objects are at one instant."""

    model_config = STRICT

    timestamp: datetime = Field(
        description="The instant for which all positions hold, UTC.",
        examples=[datetime(2026, 11, 21, 6, tzinfo=UTC)],
    )
    run_id: str = Field(
        description="Run whose element sets and events these are.", examples=["20261121T060000Z"]
    )
    historic: bool = Field(
        description="The catalogue is old: without `at` the timestamp is the start of the run's window.",
        examples=[False],
    )
    synthetic: bool = Field(description="The catalogue is generated, not observed.", examples=[False])
    earth_orientation_extrapolated: bool = Field(
        description="The instant lies outside the tables of the Earth's orientation, from 1973 to a year "
        "ahead: the nearest day's values were used, and the Earth's rotation drifts by up to 230 m per year "
        "at the ground.",
        examples=[False],
    )
    omitted: int = Field(
        description="Objects passed over because SGP4 cannot propagate their element sets to this instant.",
        examples=[4],
    )
    satellites: list[Position] = Field(description="In the order of their catalogue numbers.")


class ObjectOrbit(BaseModel):
    """One revolution of an object around an instant, as points; null where there is no path."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number.", examples=[25544])
    name: str = Field(description="Name in the catalogue.", examples=["ISS (ZARYA)"])
    run_id: str = Field(description="Run whose data these are.", examples=["20261121T060000Z"])
    at: datetime = Field(description="UTC, the instant in the middle.", examples=["2026-11-21T06:00:00Z"])
    seconds_from_at: list[float] = Field(description="s, ascending; the middle one is 0.")
    r_itrf_at_instant_km: Points = Field(
        description="km, the whole orbit in ITRF as oriented at the instant: for a globe at rest."
    )
    latitude_deg: list[float | None] = Field(description="Degrees, geodetic, each at its own time.")
    longitude_deg: list[float | None] = Field(description="Degrees, -180 to 180, each at its own time.")
    altitude_km: list[float | None] = Field(description="km above the WGS-84 ellipsoid.")
    period_min: float = Field(
        description="min, from the element set; on an ephemeris, of the osculating orbit at the instant, as "
        "perigee, apogee and inclination.",
        examples=[92.9],
    )
    perigee_km: float = Field(
        description="km, altitude of the perigee above the equatorial radius.", examples=[413]
    )
    apogee_km: float = Field(description="km, as perigee_km, of the apogee.", examples=[421])
    inclination_deg: float = Field(description="Degrees.", examples=[51.64])
    epoch: datetime = Field(
        description="UTC, epoch of the element set; of an ephemeris, its first state.",
        examples=["2026-11-21T04:31:07.123456Z"],
    )
    age_hours: float = Field(
        description="h, from the epoch to the instant: the age of an element set; says nothing of a path.",
        examples=[1.48],
    )
    trajectory: str = Field(
        description="What the path is from: gp (element set), supgp (supplemental element set), ephemeris "
        "(its operator's).",
        examples=["gp"],
    )
