"""The screening volumes of the Spaceflight Safety Handbook: which one an object gets.

Source of the numbers: 18th and 19th Space Defense Squadrons, Spaceflight Safety Handbook for Satellite
Operators, version 1.7 (2023), screening volumes of the catalogue and of operators' ephemerides. A volume
whose shape the handbook calls "covariance" is a box here, the largest it can be. Its volumes for early
orbits are left out: no element set shows that an object has just been launched. Of an object that fits no
row, of all GNSS satellites for instance, OTHERS is used.

A perigee is its altitude over 6,378.135 km, the Earth's radius of the constants with which element sets are
made (WGS-72), and the one over which Space-Track states perigees. With 6,378.137 km (WGS-84) an object would
be 2 m lower; of 26,834 real objects none would change its row.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray
from screening.volumes.shapes import Volume

RowArray = npt.NDArray[np.intp]


class Row(NamedTuple):
    """A row of the handbook's tables."""

    regime: str
    volume: Volume


class Orbits(NamedTuple):
    """What the rows' conditions are about, of objects (n,)."""

    perigee_km: FloatArray
    eccentricity: FloatArray
    period_min: FloatArray
    inclination_deg: FloatArray


def _box(radial_km: float, in_track_km: float, cross_track_km: float) -> Volume:
    return Volume("box", radial_km, in_track_km, cross_track_km)


# Of the catalogue, for objects on element sets; then of operators' ephemerides; half-lengths and semi-axes.
ROWS = (
    Row("LEO 1", _box(0.4, 44.0, 51.0)),  # perigee <= 500 km, e < 0.25
    Row("LEO 2", _box(0.4, 25.0, 25.0)),  # 500 < perigee <= 750 km, e < 0.25
    Row("LEO 3", _box(0.4, 12.0, 12.0)),  # 750 < perigee <= 1200 km, e < 0.25
    Row("LEO 4", _box(0.4, 2.0, 2.0)),  # 1200 < perigee <= 2000 km, e < 0.25
    # 1300 < period < 1800 min, e < 0.25, i < 35 deg
    Row("deep space", Volume("ellipsoid", 10.0, 10.0, 10.0)),
    Row("ephemeris near Earth", _box(2.0, 25.0, 25.0)),  # period < 225 min
    Row("ephemeris deep space", Volume("ellipsoid", 20.0, 20.0, 20.0)),  # period > 225 min
    Row("others", Volume("ellipsoid", 10.0, 10.0, 10.0)),
)
_LEO_PERIGEES_KM = (500.0, 750.0, 1200.0, 2000.0)  # the highest of each, included
_OF_EPHEMERIDES, _OTHERS = 5, 7
_LARGEST_ECCENTRICITY = 0.25  # excluded, as the next ones
_SYNCHRONOUS_MIN, _LOW_INCLINATION_DEG = (1300.0, 1800.0), 35.0
_NEAR_EARTH_MIN = 225.0


def handbook_rows(elements: ElementArray, on_ephemerides: npt.NDArray[np.bool_]) -> RowArray:
    """Return the rows of ROWS that objects (n,) get; some fly on operators' ephemerides (n,)."""
    return rows_of(orbits_of(elements), on_ephemerides)


def orbits_of(elements: ElementArray) -> Orbits:
    """Return perigees, eccentricities, periods and inclinations of element sets (n,)."""
    turns_rad_s = elements["mean_motion_rev_day"] / SECONDS_PER_DAY * 2.0 * np.pi
    semi_major_km = np.cbrt(MU_KM3_S2 / turns_rad_s**2)
    eccentricity = elements["eccentricity"]
    return Orbits(
        perigee_km=semi_major_km * (1.0 - eccentricity) - EARTH_RADIUS_KM,
        eccentricity=eccentricity,
        period_min=SECONDS_PER_DAY / 60.0 / elements["mean_motion_rev_day"],
        inclination_deg=elements["inclination_deg"],
    )


def rows_of(orbits: Orbits, on_ephemerides: npt.NDArray[np.bool_]) -> RowArray:
    """Return the rows of ROWS that fit orbits (n,): at each limit as the tables' words, < and <=, say."""
    by_perigee = np.searchsorted(_LEO_PERIGEES_KM, orbits.perigee_km)  # the first that is not lower
    round_enough = orbits.eccentricity < _LARGEST_ECCENTRICITY
    low = round_enough & (by_perigee < len(_LEO_PERIGEES_KM))
    shortest_min, longest_min = _SYNCHRONOUS_MIN
    synchronous = (
        round_enough
        & (orbits.period_min > shortest_min)
        & (orbits.period_min < longest_min)
        & (orbits.inclination_deg < _LOW_INCLINATION_DEG)
    )
    near_earth, far = orbits.period_min < _NEAR_EARTH_MIN, orbits.period_min > _NEAR_EARTH_MIN
    rows: RowArray = np.select(
        [
            on_ephemerides & near_earth,
            on_ephemerides & far,
            ~on_ephemerides & low,
            ~on_ephemerides & synchronous,
        ],
        [_OF_EPHEMERIDES, _OF_EPHEMERIDES + 1, by_perigee, len(_LEO_PERIGEES_KM)],
        default=_OTHERS,
    )
    return rows
