"""Constants of deep-space SGP4 for many objects at once: periods of 225 minutes and more.

Hoots & Roehrich, Spacetrack Report 3 (1980), whose names the coefficients bear, as corrected by Vallado,
Crawford, Hujsak & Kelso (2006): the same equations, constants (WGS-72) and improved mode as python-sgp4.

Mean motion and mean longitude are parabolas in the time since the integrator's last step: of a resonance that
step is at most 720 minutes back, and the compiled kernel moves it; without resonance it stays at epoch, and
the parabolas are straight lines. So one formula serves all objects.
"""

from math import pi

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4 import near_earth
from screening.orbits.sgp4.lunar_solar import Orbits, bodies, perturbation
from screening.orbits.sgp4.near_earth import secular_coefficients
from screening.orbits.sgp4.resonance import (
    DAILY,
    EARTH_RATE_RAD_MIN,
    HALF_DAILY,
    TERMS,
    Shape,
    daily_terms,
    half_daily_terms,
    kinds,
    sidereal_angle_rad,
)
from screening.orbits.timegrid import FloatArray, TimeWindow, seconds_since

# Constants of an object: rows of a block.
(
    MINUTES_AT_START, AO, CC1, DRAG_LONGITUDE, ECCO, ECCENTRICITY_RATE, INCLO, INCLINATION_RATE, ARGPO,
    PERIGEE_RATE, NODEO, NODE_RATE, NODECF, GSTO,
    NO_UNKOZAI, ATIME, XLI, XNI, XLDOT, XNDT, XNDDT,  # the integrator's last step, and the rates there
    EARTH_TURNS, PERIGEES,  # how often the longitude XLI contains the Earth's rotation and the perigee
) = range(23)  # fmt: skip
PERIODICS = 12
# Mean anomaly of Sun and Moon at epoch, each followed by the amplitudes of its periodics.
ZMOS, ZMOL = 23, 24 + PERIODICS
# Values for the integrator only.
KIND, XLAMO, XFACT, ARGPDOT, FIRST_TERM = range(25 + 2 * PERIODICS, 30 + 2 * PERIODICS)
CONSTANTS = FIRST_TERM + TERMS

_EPOCH_ZERO_JD = 2433281.5  # 1949-12-31T00:00Z
_RADIANS = pi / 180.0


def deep_space_constants(elements: ElementArray, span: TimeWindow) -> FloatArray:
    """Return the kernel's constants of deep-space element sets (n,): (CONSTANTS, n), integrators at epoch.

    The kernel's times are minutes from the start of `span`.
    """
    secular = secular_coefficients(elements)
    motion, eccentricity = secular[near_earth.NO_UNKOZAI], elements["eccentricity"]
    inclination = elements["inclination_deg"] * _RADIANS
    perigee, node = secular[near_earth.ARGPO], secular[near_earth.NODEO]
    days = elements["epoch_jd"] - _EPOCH_ZERO_JD + elements["epoch_day_fraction"]
    orbits = Orbits(eccentricity, inclination, perigee, node, motion)
    sun, moon = bodies(days)
    by_sun, by_moon = perturbation(orbits, sun), perturbation(orbits, moon)
    drag = secular[near_earth.BSTAR] * secular[near_earth.CC4]

    out = np.zeros((CONSTANTS, len(elements)))
    epoch_s = seconds_since(span, elements["epoch_jd"], elements["epoch_day_fraction"])
    out[MINUTES_AT_START] = -epoch_s / 60.0
    out[AO], out[CC1], out[NODECF] = (secular[k] for k in (near_earth.AO, near_earth.CC1, near_earth.NODECF))
    out[DRAG_LONGITUDE] = motion * secular[near_earth.T2COF]
    out[ECCO], out[INCLO], out[ARGPO], out[NODEO] = eccentricity, inclination, perigee, node
    out[ECCENTRICITY_RATE] = by_sun.eccentricity + by_moon.eccentricity - drag
    out[INCLINATION_RATE] = by_sun.inclination + by_moon.inclination
    out[ARGPDOT] = secular[near_earth.ARGPDOT]
    out[PERIGEE_RATE] = out[ARGPDOT] + (by_sun.argument_of_perigee + by_moon.argument_of_perigee)
    out[NODE_RATE] = secular[near_earth.NODEDOT] + (by_sun.node + by_moon.node)
    out[GSTO] = sidereal_angle_rad(days + _EPOCH_ZERO_JD)
    for first, body, by in ((ZMOS, sun, by_sun), (ZMOL, moon, by_moon)):
        out[first], out[first + 1 : first + 1 + PERIODICS] = body.mean_anomaly, by.periodics
    out[NO_UNKOZAI] = out[XNI] = motion
    out[XLAMO] = out[XLI] = secular[near_earth.MO]
    out[XLDOT] = secular[near_earth.MDOT] + (by_sun.mean_anomaly + by_moon.mean_anomaly)
    _add_resonance(out)
    return out


def _add_resonance(out: FloatArray) -> None:
    """Make the longitude XLI the slow angle of the resonance, relative to the turning Earth."""
    kind = kinds(out[NO_UNKOZAI], out[ECCO])
    out[KIND] = kind
    daily, half_daily = np.flatnonzero(kind == DAILY), np.flatnonzero(kind == HALF_DAILY)
    for here, turns, perigees, terms in (
        (daily, 1.0, 1.0, daily_terms),
        (half_daily, 2.0, 0.0, half_daily_terms),
    ):
        out[EARTH_TURNS, here], out[PERIGEES, here] = turns, perigees
        node_less_earth = turns * (out[NODEO, here] - out[GSTO, here])
        longitude = out[XLAMO, here] + node_less_earth + perigees * out[ARGPO, here]
        out[XLAMO, here] = out[XLI, here] = longitude % (2.0 * pi)
        motion = out[NO_UNKOZAI, here]
        out[XFACT, here] = (
            out[XLDOT, here]
            + turns * (out[NODE_RATE, here] - EARTH_RATE_RAD_MIN)
            + perigees * out[PERIGEE_RATE, here]
            - motion
        )
        shape = Shape(out[ECCO, here], out[INCLO, here], motion, 1.0 / out[AO, here])
        strength = terms(shape)
        out[FIRST_TERM : FIRST_TERM + len(strength), here] = strength
