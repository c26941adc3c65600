"""Regimes of orbits, as the error laws tell them apart."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray

RegimeArray = npt.NDArray[np.int8]

# Regimes are kept as codes: the position in this tuple.
REGIMES = ("leo", "meo", "geo", "gto", "heo")

LEO_LARGEST_APOGEE_KM = 2000.0  # altitudes
# The geostationary altitude, 35,786 km, and 2,000 km on either side (Flohrer, Krag & Klinkrad 2008).
GEO_LOWEST_KM, GEO_HIGHEST_KM = 33786.0, 37786.0


def semi_major_axis_km(elements: ElementArray) -> FloatArray:
    """Return the semi-major axes (n,) that the mean motions stand for, km."""
    turns_s = elements["mean_motion_rev_day"] / SECONDS_PER_DAY * 2.0 * np.pi
    semi_major_km: FloatArray = np.cbrt(MU_KM3_S2 / turns_s**2)
    return semi_major_km


def regime(elements: ElementArray) -> RegimeArray:
    """Return the regimes (n,) of element sets as codes into REGIMES.

    leo: apogee below 2,000 km; geo: wholly within 2,000 km of the geostationary altitude; meo: wholly between
    the two; gto: perigee in leo, apogee in geo; heo: everything else, disposal orbits above geo too.
    """
    semi_major_km = semi_major_axis_km(elements)
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
