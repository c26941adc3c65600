"""One revolution of an object as points: in TEME, fixed to the Earth, and geographic."""

from typing import NamedTuple

import numpy as np

from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.frames import geodetic_from_itrf, itrf_from_teme
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow
from screening.orbits.trajectories import Paths

POINTS = 181  # odd: the middle one is the requested instant


class Revolution(NamedTuple):
    """Points (n,) of an orbit, half a revolution on either side of an instant; NaN where there is no path."""

    seconds: FloatArray  # (n,) from the instant, ascending
    r_teme_km: FloatArray  # (n, 3)
    r_itrf_km: FloatArray  # (n, 3) each at its own time: the path over the rotating Earth
    r_itrf_at_instant_km: FloatArray  # (n, 3) all with the Earth's orientation at the instant: the orbit
    latitude_deg: FloatArray  # (n,) geodetic, each at its own time
    longitude_deg: FloatArray  # (n,)
    altitude_km: FloatArray  # (n,) above WGS-84


def period_s(mean_motion_rev_day: float) -> float:
    """Return the time of one revolution."""
    return SECONDS_PER_DAY / mean_motion_rev_day


def apsides_km(mean_motion_rev_day: float, eccentricity: float) -> tuple[float, float]:
    """Return the altitudes of perigee and apogee above the equatorial radius, from mean elements."""
    turns_rad_s = 2.0 * np.pi / period_s(mean_motion_rev_day)
    semi_major_km = float(np.cbrt(MU_KM3_S2 / turns_rad_s**2))
    return (
        semi_major_km * (1.0 - eccentricity) - EARTH_RADIUS_KM,
        semi_major_km * (1.0 + eccentricity) - EARTH_RADIUS_KM,
    )


def revolution(
    objects: Paths, index: int, r_teme_km: FloatArray, v_teme_km_s: FloatArray, period: float
) -> Revolution:
    """Propagate object `index` through one revolution around the start of the paths' span.

    The state (3,) and (3,) is the object's there, `period` in s. The points lie at even steps of the
    eccentric anomaly, so that an eccentric orbit is as smooth at its perigee as elsewhere.
    """
    seconds = _even_anomalies_s(r_teme_km, v_teme_km_s, period)
    _, r_km, _ = objects.at(np.full(len(seconds), index, np.int32), seconds)
    there = _to_itrf(r_km, objects.span, seconds)
    latitude, longitude, altitude = geodetic_from_itrf(there)
    frozen = _to_itrf(r_km, objects.span, np.zeros_like(seconds))
    return Revolution(seconds, r_km, there, frozen, latitude, longitude, altitude)


def place(r_teme_km: FloatArray, instant: TimeWindow) -> tuple[float, float, float]:
    """Return geodetic latitude, longitude (degrees) and height (km) of a position (3,) at a span's start."""
    coordinates = geodetic_from_itrf(_to_itrf(r_teme_km[np.newaxis], instant, np.zeros(1)))
    latitude, longitude, altitude = (float(values[0]) for values in coordinates)
    return latitude, longitude, altitude


def angle_deg(a: FloatArray, b: FloatArray) -> float:
    """Return the angle between two vectors (3,), 0 to 180 degrees."""
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def _to_itrf(r_teme_km: FloatArray, span: TimeWindow, seconds: FloatArray) -> FloatArray:
    jd = np.full(len(seconds), span.start_jd)
    day_fraction = span.start_day_fraction + seconds / SECONDS_PER_DAY
    return itrf_from_teme(r_teme_km, jd, day_fraction, earth_orientation(jd, day_fraction))


def _even_anomalies_s(r_km: FloatArray, v_km_s: FloatArray, period: float) -> FloatArray:
    """Return the times of a revolution's points by Kepler's equation, M = E - e sin E (Vallado 2013, 2-4)."""
    distance = float(np.linalg.norm(r_km))
    inverse_axis = 2.0 / distance - float(v_km_s @ v_km_s) / MU_KM3_S2
    if not inverse_axis > 0:  # not bound at this instant, as SGP4 has decaying objects
        return np.linspace(-0.5, 0.5, POINTS) * period
    along_cosine = 1.0 - distance * inverse_axis
    along_sine = float(r_km @ v_km_s) * np.sqrt(inverse_axis / MU_KM3_S2)
    eccentricity = np.hypot(along_cosine, along_sine)
    anomaly = np.arctan2(along_sine, along_cosine) + np.linspace(-np.pi, np.pi, POINTS)
    mean = anomaly - eccentricity * np.sin(anomaly)
    seconds: FloatArray = (mean - mean[POINTS // 2]) * period / (2.0 * np.pi)
    return seconds
