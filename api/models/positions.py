"""Answers of `GET /positions` and `GET /objects/{id}/orbit`."""

from datetime import UTC, datetime
from typing import Literal

from screening.answers import Numbers, NumbersOrNull, Points, answer
from screening.vocabulary import RiskLevel


@answer(
    norad_id=25544, name="ISS (ZARYA)", x=-1033.479383, y=7901.2952754, z=6380.3565958, lat=38.801004532,
    lon=97.451910797, alt=3838.4371069, epoch="2026-11-21T04:31:07.123456Z", risk="low",
)  # fmt: skip
class Position:
    """Where one object is, and the risk it faces."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name in the catalogue."""
    x: float
    """km, Earth-fixed (ITRF)."""
    y: float
    """km, Earth-fixed (ITRF)."""
    z: float
    """km, Earth-fixed (ITRF)."""
    lat: float
    """Geodetic latitude, degrees."""
    lon: float
    """Geodetic longitude, degrees, -180 to 180."""
    alt: float
    """Height above the WGS-84 ellipsoid, km."""
    epoch: datetime
    """Epoch of the element set, UTC."""
    risk: Literal[RiskLevel, "none", "unknown"]
    """The highest risk level among the object's coming events; `none`: screened and clear; `unknown`: the
    instant lies outside the screened window."""


@answer(
    timestamp=datetime(2026, 11, 21, 6, tzinfo=UTC), run_id="20261121T060000Z", historic=False,
    synthetic=False, earth_orientation_extrapolated=False, omitted=4,
)  # fmt: skip
class PositionList:
    """Where objects are at one instant."""

    timestamp: datetime
    """The instant for which all positions hold, UTC."""
    run_id: str
    """Run whose element sets and events these are."""
    historic: bool
    """The catalogue is old: without `at` the timestamp is the start of the run's window."""
    synthetic: bool
    """The catalogue is generated, not observed."""
    earth_orientation_extrapolated: bool
    """The instant lies outside the tables of the Earth's orientation, from 1973 to a year ahead: the nearest
    day's values were used, and the Earth's rotation drifts by up to 230 m per year at the ground."""
    omitted: int
    """Objects passed over because SGP4 cannot propagate their element sets to this instant."""
    satellites: list[Position]
    """In the order of their catalogue numbers."""


@answer(
    norad_id=25544, name="ISS (ZARYA)", run_id="20261121T060000Z", at="2026-11-21T06:00:00Z", period_min=92.9,
    perigee_km=413, apogee_km=421, inclination_deg=51.64, epoch="2026-11-21T04:31:07.123456Z", age_hours=1.48,
    trajectory="gp",
)  # fmt: skip
class ObjectOrbit:
    """One revolution of an object around an instant, as points; null where there is no path."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name in the catalogue."""
    run_id: str
    """Run whose data these are."""
    at: datetime
    """UTC, the instant in the middle."""
    seconds_from_at: Numbers
    """s, ascending; the middle one is 0."""
    r_itrf_at_instant_km: Points
    """km, the whole orbit in ITRF as oriented at the instant: for a globe at rest."""
    latitude_deg: NumbersOrNull
    """Degrees, geodetic, each at its own time."""
    longitude_deg: NumbersOrNull
    """Degrees, -180 to 180, each at its own time."""
    altitude_km: NumbersOrNull
    """km above the WGS-84 ellipsoid."""
    period_min: float
    """min, from the element set; on an ephemeris, of the osculating orbit at the instant, as perigee, apogee
    and inclination."""
    perigee_km: float
    """km, altitude of the perigee above the equatorial radius."""
    apogee_km: float
    """km, as perigee_km, of the apogee."""
    inclination_deg: float
    """Degrees."""
    epoch: datetime
    """UTC, epoch of the element set; of an ephemeris, its first state."""
    age_hours: float
    """h, from the epoch to the instant: the age of an element set; says nothing of a path."""
    trajectory: str
    """What the path is from: gp (element set), supgp (supplemental element set), ephemeris (its
    operator's)."""
