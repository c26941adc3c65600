"""Perturbations of deep-space orbits by the Sun and the Moon: secular rates and periodics of the elements.

Hoots & Roehrich, Spacetrack Report 3 (1980), whose names the terms bear, as corrected by Vallado, Crawford,
Hujsak & Kelso (2006). Both bodies move on fixed ellipses about the Earth; the same equations serve for both.
"""

from math import pi
from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray

SOLAR_RATE_RAD_MIN = 1.19459e-5  # ZNS, mean motion of the Sun
LUNAR_RATE_RAD_MIN = 1.5835218e-4  # ZNL, mean motion of the Moon
SOLAR_ECCENTRICITY = 0.01675  # ZES
LUNAR_ECCENTRICITY = 0.05490  # ZEL

_TWO_PI = 2.0 * pi
# Days from 1899-12-31T12:00 to the epoch zero of SGP4, 1949-12-31T00:00.
_DAYS_1900_TO_1950 = 18261.5
# Within 3 degrees of the equator the rates of node and perigee are left out: they are divided by sin i.
_EQUATORIAL_RAD = 5.2359877e-2


class Orbits(NamedTuple):
    """The satellites' orbits at epoch, each (n,): angles in radians, mean motion in rad/min."""

    eccentricity: FloatArray
    inclination: FloatArray
    argument_of_perigee: FloatArray
    node: FloatArray
    mean_motion: FloatArray


class Body(NamedTuple):
    """The Sun or the Moon as seen from the Earth at the epochs, floats or (n,)."""

    strength: float  # C1, its perturbation coefficient, rad/min
    rate: float  # mean motion, rad/min
    eccentricity: float
    sin_perigee: FloatArray | float
    cos_perigee: FloatArray | float
    sin_inclination: FloatArray | float
    cos_inclination: FloatArray | float
    node: FloatArray | float  # on the equator, rad
    mean_anomaly: FloatArray  # rad, in [0, 2 pi)


class Perturbation(NamedTuple):
    """Perturbations by one body: secular rates (n,) per minute, amplitudes of periodics (12, n)."""

    eccentricity: FloatArray
    inclination: FloatArray
    mean_anomaly: FloatArray
    argument_of_perigee: FloatArray
    node: FloatArray
    # e 2 3, i 2 3, l 2 3 4, gh 2 3 4, h 2 3: factors of f2, f3 and sin f, as the report numbers them
    periodics: FloatArray


def bodies(days_since_1950: FloatArray) -> tuple[Body, Body]:
    """Return Sun and Moon at epochs (n,), days since 1949-12-31T00:00 UTC."""
    day = days_since_1950 + _DAYS_1900_TO_1950
    return _sun(day), _moon(day)


def _sun(day: FloatArray) -> Body:
    return Body(
        strength=2.9864797e-6,
        rate=SOLAR_RATE_RAD_MIN,
        eccentricity=SOLAR_ECCENTRICITY,
        sin_perigee=-0.98088458,
        cos_perigee=0.1945905,
        sin_inclination=0.39785416,
        cos_inclination=0.91744867,
        node=0.0,
        mean_anomaly=(6.2565837 + 0.017201977 * day) % _TWO_PI,
    )


def _moon(day: FloatArray) -> Body:
    """Turn the Moon's orbit, inclined by 5.15 degrees to the ecliptic, into equatorial elements."""
    ecliptic_node = (4.5236020 - 9.2422029e-4 * day) % _TWO_PI
    sine, cosine = np.sin(ecliptic_node), np.cos(ecliptic_node)
    cos_inclination = 0.91375164 - 0.03568096 * cosine
    sin_inclination = np.sqrt(1.0 - cos_inclination**2)
    sin_node = 0.089683511 * sine / sin_inclination
    cos_node = np.sqrt(1.0 - sin_node**2)
    longitude_of_perigee = 5.8351514 + 0.0019443680 * day
    from_node = np.arctan2(
        0.39785416 * sine / sin_inclination, cos_node * cosine + 0.91744867 * sin_node * sine
    )
    perigee = longitude_of_perigee + from_node - ecliptic_node
    return Body(
        strength=4.7968065e-7,
        rate=LUNAR_RATE_RAD_MIN,
        eccentricity=LUNAR_ECCENTRICITY,
        sin_perigee=np.sin(perigee),
        cos_perigee=np.cos(perigee),
        sin_inclination=sin_inclination,
        cos_inclination=cos_inclination,
        node=np.arcsin(sin_node),
        mean_anomaly=(4.7199672 + 0.22997150 * day - longitude_of_perigee) % _TWO_PI,
    )


def perturbation(orbits: Orbits, body: Body) -> Perturbation:
    """Return the secular rates and the amplitudes of the periodics that `body` causes (the report's DEEP).

    The body's orbit is described by two unit vectors, towards its perigee and 90 degrees ahead, in a frame
    along the satellite's node: X is their part towards perigee and ahead of it in the satellite's orbital
    plane, A5 and A6 their part across it.
    """
    sinim, cosim = np.sin(orbits.inclination), np.cos(orbits.inclination)
    sinom, cosom = np.sin(orbits.argument_of_perigee), np.cos(orbits.argument_of_perigee)
    sinh, cosh = np.sin(orbits.node - body.node), np.cos(orbits.node - body.node)
    sing, cosg = body.sin_perigee, body.cos_perigee
    sini, cosi = body.sin_inclination, body.cos_inclination
    e2 = orbits.eccentricity**2

    a1, a3 = cosg * cosh + sing * cosi * sinh, -sing * cosh + cosg * cosi * sinh
    a7, a9 = -cosg * sinh + sing * cosi * cosh, sing * sinh + cosg * cosi * cosh
    a8, a10 = sing * sini, cosg * sini
    a2, a4 = cosim * a7 + sinim * a8, cosim * a9 + sinim * a10
    a5, a6 = -sinim * a7 + cosim * a8, -sinim * a9 + cosim * a10
    x1, x3 = a1 * cosom + a2 * sinom, -a1 * sinom + a2 * cosom
    x2, x4 = a3 * cosom + a4 * sinom, -a3 * sinom + a4 * cosom
    x5, x7 = a5 * sinom, a5 * cosom
    x6, x8 = a6 * sinom, a6 * cosom

    z31, z32, z33 = 12.0 * x1**2 - 3.0 * x3**2, 24.0 * x1 * x2 - 6.0 * x3 * x4, 12.0 * x2**2 - 3.0 * x4**2
    z1 = 6.0 * (a1**2 + a2**2) + (1.0 + e2) * z31
    z2 = 12.0 * (a1 * a3 + a2 * a4) + (1.0 + e2) * z32
    z3 = 6.0 * (a3**2 + a4**2) + (1.0 + e2) * z33
    z11 = -6.0 * a1 * a5 - e2 * (24.0 * x1 * x7 + 6.0 * x3 * x5)
    z12 = -6.0 * (a1 * a6 + a3 * a5) - e2 * (24.0 * (x2 * x7 + x1 * x8) + 6.0 * (x3 * x6 + x4 * x5))
    z13 = -6.0 * a3 * a6 - e2 * (24.0 * x2 * x8 + 6.0 * x4 * x6)
    z21 = 6.0 * a2 * a5 + e2 * (24.0 * x1 * x5 - 6.0 * x3 * x7)
    z22 = 6.0 * (a4 * a5 + a2 * a6) + e2 * (24.0 * (x2 * x5 + x1 * x6) - 6.0 * (x4 * x7 + x3 * x8))
    z23 = 6.0 * a4 * a6 + e2 * (24.0 * x2 * x6 - 6.0 * x4 * x8)

    eta = np.sqrt(1.0 - e2)
    s3 = body.strength / orbits.mean_motion
    s2, s4 = -0.5 * s3 / eta, s3 * eta
    s1 = -15.0 * orbits.eccentricity * s4
    s5, s6, s7 = x1 * x3 + x2 * x4, x2 * x3 + x1 * x4, x2 * x4 - x1 * x3

    equatorial = (orbits.inclination < _EQUATORIAL_RAD) | (orbits.inclination > pi - _EQUATORIAL_RAD)
    node_rate = np.where(equatorial, 0.0, -body.rate * s2 * (z21 + z23) / np.where(equatorial, 1.0, sinim))
    steady = 14.0 + 6.0 * e2
    wobble = 42.0 + 18.0 * e2
    return Perturbation(
        eccentricity=body.rate * s1 * s5,
        inclination=body.rate * s2 * (z11 + z13),
        mean_anomaly=-body.rate * s3 * (z1 + z3 - steady),
        argument_of_perigee=body.rate * s4 * (z31 + z33 - 6.0) - cosim * node_rate,
        node=node_rate,
        periodics=np.stack([
            2.0 * s1 * s6, 2.0 * s1 * s7,
            2.0 * s2 * z12, 2.0 * s2 * (z13 - z11),
            -2.0 * s3 * z2, -2.0 * s3 * (z3 - z1), wobble * s3 * body.eccentricity,
            2.0 * s4 * z32, 2.0 * s4 * (z33 - z31), -18.0 * s4 * body.eccentricity,
            -2.0 * s2 * z22, -2.0 * s2 * (z23 - z21),
        ]),
    )  # fmt: skip
