"""The default position error of element sets, by regime and age.

    sigma(age) = sigma_at_epoch + growth x age,    each axis of the object's own RTN

Element sets carry no covariance. The numbers are published comparisons of public element sets with better
orbits:

    LEO   Aida & Kirschner (2013), Accuracy assessment of SGP4 orbit information conversion into osculating
          elements, 6th European Conference on Space Debris: at the epoch, and the growth of radial and
          in-track error.
    rest  at the epoch: Flohrer, Krag & Klinkrad (2008), Assessment and categorization of TLE orbit errors
          for the US SSN catalogue, AMOS Conference, table 1, means of the whole catalogue. They compare SGP4
          with an orbit fitted to SGP4's own positions, so they are lower bounds.
          In-track growth: Levit & Marshall (2011), Improved orbit predictions using two-line elements,
          Advances in Space Research 47, typically 1.5 km a day against laser ranging of four satellites from
          800 to 19,100 km. No study gives a growth for HEO, GTO and GEO, nor a radial one outside LEO: these
          take the nearest published ones, 1.5 km per day in-track and LEO's radial one.

No cross-track growth is published for any regime: that error is a tilt of the orbital plane, which hardly
changes with time.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray

RegimeArray = npt.NDArray[np.int8]


class ErrorLaw(NamedTuple):
    """1-sigma position error at the epoch, m, and its growth, m/day: radial, in-track, cross-track."""

    at_epoch_m: tuple[float, float, float]
    growth_m_day: tuple[float, float, float]


_RADIAL_GROWTH_M_DAY = 125.0  # Aida & Kirschner (2013)
_BEYOND_LEO_GROWTH_M_DAY = (_RADIAL_GROWTH_M_DAY, 1500.0, 0.0)  # in-track: Levit & Marshall (2011)

# Regimes are stored as codes: the position in this table.
ERROR_LAWS = {
    "leo": ErrorLaw((176.0, 695.0, 168.0), (_RADIAL_GROWTH_M_DAY, 392.0, 0.0)),
    "meo": ErrorLaw((73.0, 131.0, 54.0), _BEYOND_LEO_GROWTH_M_DAY),
    "geo": ErrorLaw((359.0, 432.0, 86.0), _BEYOND_LEO_GROWTH_M_DAY),
    "gto": ErrorLaw((1960.0, 3897.0, 1808.0), _BEYOND_LEO_GROWTH_M_DAY),
    "heo": ErrorLaw((824.0, 1367.0, 1059.0), _BEYOND_LEO_GROWTH_M_DAY),
}
REGIMES = tuple(ERROR_LAWS)

LEO_LARGEST_APOGEE_KM = 2000.0  # altitudes
# The geostationary altitude, 35,786 km, and 2,000 km on either side, as in Flohrer et al.
GEO_LOWEST_KM, GEO_HIGHEST_KM = 33786.0, 37786.0

_AT_EPOCH_M = np.array([law.at_epoch_m for law in ERROR_LAWS.values()])
_GROWTH_M_DAY = np.array([law.growth_m_day for law in ERROR_LAWS.values()])


def regime(elements: ElementArray) -> RegimeArray:
    """Return the regimes (n,) of element sets as codes into REGIMES.

    leo: apogee below 2,000 km; geo: wholly within 2,000 km of the geostationary altitude; meo: wholly between
    the two; gto: perigee in leo, apogee in geo; heo: everything else, including disposal orbits above geo.
    """
    turns_s = elements["mean_motion_rev_day"] / SECONDS_PER_DAY * 2.0 * np.pi
    semi_major_km = np.cbrt(MU_KM3_S2 / turns_s**2)
    perigee_km = semi_major_km * (1.0 - elements["eccentricity"]) - EARTH_RADIUS_KM
    apogee_km = semi_major_km * (1.0 + elements["eccentricity"]) - EARTH_RADIUS_KM
    perigee_low = perigee_km < LEO_LARGEST_APOGEE_KM
    apogee_in_geo = (apogee_km >= GEO_LOWEST_KM) & (apogee_km <= GEO_HIGHEST_KM)
    names = np.select(
        [
            apogee_km < LEO_LARGEST_APOGEE_KM,
            apogee_in_geo & (perigee_km >= GEO_LOWEST_KM),
            ~perigee_low & (apogee_km < GEO_LOWEST_KM),
            apogee_in_geo & perigee_low,
        ],
        [REGIMES.index(name) for name in ("leo", "geo", "meo", "gto")],
        default=REGIMES.index("heo"),
    )
    return names.astype(np.int8)


def default_sigma_rtn_m(regimes: RegimeArray, age_days: FloatArray) -> FloatArray:
    """Return 1-sigma position errors (n, 3) in m, in the object's own RTN, of element sets of an age.

    regimes (n,) are codes into REGIMES, age_days (n,) the time from the epoch, before or after it.
    """
    sigma: FloatArray = _AT_EPOCH_M[regimes] + _GROWTH_M_DAY[regimes] * np.abs(age_days)[:, None]
    return sigma


def difference_sigma_rtn_m(regimes: RegimeArray, age_days: FloatArray) -> FloatArray:
    """Return 1-sigma differences (n, 3) in m between a set at its epoch and one older by `age_days`.

    Both have the error at the epoch, and the older one also its growth.
    """
    sigma: FloatArray = np.hypot(
        np.sqrt(2.0) * _AT_EPOCH_M[regimes], _GROWTH_M_DAY[regimes] * age_days[:, None]
    )
    return sigma
