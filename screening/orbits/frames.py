"""Convert from TEME, the frame of SGP4, to the Earth-fixed ITRF and to geodetic coordinates on WGS-84.

Vallado, Crawford, Hujsak & Kelso, Revisiting Spacetrack Report 3, AIAA 2006-6753, appendix C: TEME is turned
by Greenwich mean sidereal time (IAU 1982, UT1) into the pseudo Earth-fixed frame PEF, and that by polar
motion into ITRF.
"""

import erfa
import numpy as np
import numpy.typing as npt

from screening.orbits.earth_orientation import EarthOrientation
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray

# Rate of GMST against the stars' frame (Vallado 2006); the length of the day varies it by 2e-8 of itself.
EARTH_ROTATION_RAD_S = 7.292115146706979e-5
_WGS84 = 1  # erfa's number of the ellipsoid


def itrf_from_teme(
    r_teme_km: FloatArray, jd: npt.ArrayLike, day_fraction: npt.ArrayLike, orientation: EarthOrientation
) -> FloatArray:
    """Turn positions (n, 3) in km from TEME into ITRF.

    The instants are UTC, as Julian dates of midnights and day fractions: one for all positions, or one each
    (n,); `orientation` is the Earth's at the same instants. NaN stays NaN.
    """
    turned: FloatArray = erfa.rxp(
        _polar_motion(orientation), erfa.rxp(_sidereal(jd, day_fraction, orientation), r_teme_km)
    )
    return turned


def itrf_state_from_teme(
    r_teme_km: FloatArray,
    v_teme_km_s: FloatArray,
    jd: npt.ArrayLike,
    day_fraction: npt.ArrayLike,
    orientation: EarthOrientation,
) -> tuple[FloatArray, FloatArray]:
    """Turn states (n, 3) in km and km/s from TEME into ITRF; velocities are relative to the rotating Earth.

    Arguments as for `itrf_from_teme`.
    """
    sidereal, polar_motion = _sidereal(jd, day_fraction, orientation), _polar_motion(orientation)
    r_pef_km = erfa.rxp(sidereal, r_teme_km)
    v_pef_km_s = erfa.rxp(sidereal, v_teme_km_s)
    v_pef_km_s[..., 0] += EARTH_ROTATION_RAD_S * r_pef_km[..., 1]
    v_pef_km_s[..., 1] -= EARTH_ROTATION_RAD_S * r_pef_km[..., 0]
    return erfa.rxp(polar_motion, r_pef_km), erfa.rxp(polar_motion, v_pef_km_s)


def itrf_rotation(
    jd: npt.ArrayLike, day_fraction: npt.ArrayLike, orientation: EarthOrientation
) -> FloatArray:
    """Return the rotations (..., 3, 3) from TEME to ITRF. Arguments as for `itrf_from_teme`."""
    rotation: FloatArray = erfa.rxr(_polar_motion(orientation), _sidereal(jd, day_fraction, orientation))
    return rotation


def geodetic_from_itrf(r_itrf_km: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return geodetic latitude and longitude (degrees, -180 to 180) and height in km above WGS-84, (n,) each.

    Positions (n, 3) in km; where one is not finite, all three are NaN.
    """
    known = np.isfinite(r_itrf_km).all(axis=-1)
    longitude, latitude, height = (np.full(known.shape, np.nan) for _ in range(3))
    # erfa turns NaN into latitude 90.
    longitude[known], latitude[known], height[known] = erfa.gc2gd(_WGS84, r_itrf_km[known] * 1e3)
    return np.degrees(latitude), np.degrees(longitude), height / 1e3


def _sidereal(jd: npt.ArrayLike, day_fraction: npt.ArrayLike, orientation: EarthOrientation) -> FloatArray:
    """Return the rotations (..., 3, 3) from TEME to PEF."""
    gmst_rad = erfa.gmst82(jd, np.asarray(day_fraction) + orientation.ut1_minus_utc_s / SECONDS_PER_DAY)
    rotation: FloatArray = erfa.rz(gmst_rad, np.eye(3))
    return rotation


def _polar_motion(orientation: EarthOrientation) -> FloatArray:
    """Return the rotations (..., 3, 3) from PEF to ITRF."""
    no_tio_locator = 0.0  # s' belongs to the IAU 2000 theory; the sidereal time of 1982 has none
    rotation: FloatArray = erfa.pom00(orientation.pole_x_rad, orientation.pole_y_rad, no_tio_locator)
    return rotation
