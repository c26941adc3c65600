"""The types of the tables of populations."""

from typing import Literal, NamedTuple

# Quantiles at evenly spaced probabilities from 0 to 1, straight lines between.
Knots = tuple[float, ...]

Kind = Literal["", " DEB", " R/B"]  # suffix of a name, from which the type of an object follows
PAYLOAD: Kind = ""
DEBRIS: Kind = " DEB"
ROCKET_BODY: Kind = " R/B"


class Walker(NamedTuple):
    """Evenly spaced planes with evenly spaced objects (Walker 1984)."""

    planes: int
    nodes_span_deg: float = 360.0  # 180: neighbouring planes ascend side by side ("star")
    altitude_step_km: float = 0.0  # from plane to plane


class Population(NamedTuple):
    """Objects of one kind in similar orbits."""

    name: str
    kind: Kind
    objects: int
    altitude_km: Knots  # of the semi-major axis above the equator; of the apogee if `perigee_km` is given
    eccentricity: Knots
    inclination_deg: Knots  # offset from the sun-synchronous one if `sun_synchronous`; unused with `laplace`
    perigee_km: Knots = ()  # if given, it decides the eccentricity
    walker: Walker | None = None
    sun_synchronous: bool = False
    laplace: bool = False  # node and inclination of objects that drift around the geostationary ring


# Eccentricities, from station-kept to scattered by an explosion.
KEPT: Knots = (5e-5, 1e-4, 1.5e-4, 2e-4, 3e-4)
ROUND: Knots = (1e-4, 5e-4, 9e-4, 1.4e-3, 8e-3)
NEARLY_ROUND: Knots = (2e-4, 1.5e-3, 3e-3, 6e-3, 0.03)
CLOUD: Knots = (3e-4, 3e-3, 6e-3, 0.012, 0.04)
WIDE: Knots = (5e-4, 4e-3, 0.012, 0.03, 0.09)

_NO_ECCENTRICITY: Knots = (0.0, 0.0)


def shell(
    name: str, count: int, altitude_km: float, inclination_deg: float, walker: Walker, spread_km: float = 0.02
) -> Population:
    """Return a constellation in controlled circular orbits."""
    altitudes_km = (altitude_km - spread_km, altitude_km + spread_km)
    inclinations_deg = (inclination_deg - 0.002, inclination_deg + 0.002)
    return Population(name, PAYLOAD, count, altitudes_km, KEPT, inclinations_deg, walker=walker)


def sun_synchronous(
    name: str, kind: Kind, count: int, altitude_km: Knots, eccentricity: Knots, off_deg: Knots = (-0.2, 0.3)
) -> Population:
    """Return objects in and, by `off_deg`, around sun-synchronous orbits."""
    return Population(name, kind, count, altitude_km, eccentricity, off_deg, sun_synchronous=True)


def elongated(
    name: str, kind: Kind, count: int, apogee_km: Knots, perigee_km: Knots, inclination_deg: Knots
) -> Population:
    """Return objects in eccentric orbits, given by the altitudes of apogee and perigee."""
    return Population(name, kind, count, apogee_km, _NO_ECCENTRICITY, inclination_deg, perigee_km)


def geosynchronous(name: str, kind: Kind, count: int, altitude_km: Knots, eccentricity: Knots) -> Population:
    """Return objects that have drifted off the equator."""
    return Population(name, kind, count, altitude_km, eccentricity, (), laplace=True)
