"""Element sets through chosen states, so that approaches can be planted where and when a test wants them."""

from math import pi
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from tests.screening.oracle import prepared

FloatArray = npt.NDArray[np.float64]

MU_KM3_S2 = 398600.8  # WGS-72, as SGP4 has it
DAY_S = 86400.0
JD_OF_1970 = 2440587.5

# The search finds the time and distance of what was planted by itself; this only has to come near.
POSITION_REACHED_KM = 1e-6


class NoElementSetError(Exception):
    """SGP4 has no orbit through the state: it would be below ground or unbound."""


class Crossing(NamedTuple):
    """Two states at one time, km and km/s TEME, that make a closest approach."""

    r1_km: FloatArray
    v1_km_s: FloatArray
    r2_km: FloatArray
    v2_km_s: FloatArray

    @property
    def relative_speed_km_s(self) -> float:
        return float(np.linalg.norm(self.v2_km_s - self.v1_km_s))


def crossing(
    r_km: FloatArray, v1_km_s: FloatArray, v2_km_s: FloatArray, miss_km: float, turn_rad: float = 0.0
) -> Crossing:
    """Let the second object pass `miss_km` away from the first, across the relative velocity.

    `turn_rad` turns the miss about the relative velocity, from as radial as it can be.
    """
    along = (v2_km_s - v1_km_s) / np.linalg.norm(v2_km_s - v1_km_s)
    up = r_km / np.linalg.norm(r_km)
    radial = up - (up @ along) * along
    if np.linalg.norm(radial) < 1e-6:  # they fly towards each other along the vertical
        radial = np.cross(along, v1_km_s)
    radial /= np.linalg.norm(radial)
    miss = np.cos(turn_rad) * radial + np.sin(turn_rad) * np.cross(along, radial)
    return Crossing(r_km, v1_km_s, r_km + miss_km * miss, v2_km_s)


def velocity_km_s(
    radius_km: float, perigee_km: float, apogee_km: float, *, outward: bool = True
) -> tuple[float, float]:
    """Return radial and transverse velocity at a radius of the orbit with the given apsides (radii)."""
    a = 0.5 * (perigee_km + apogee_km)
    p = 2.0 * perigee_km * apogee_km / (perigee_km + apogee_km)
    transverse = np.sqrt(MU_KM3_S2 * p) / radius_km
    radial = np.sqrt(max(MU_KM3_S2 * (2.0 / radius_km - 1.0 / a) - transverse**2, 0.0))
    return float(radial if outward else -radial), float(transverse)


def circular_km_s(radius_km: float) -> float:
    return float(np.sqrt(MU_KM3_S2 / radius_km))


def two_objects(at: np.datetime64, states: Crossing, first_norad_id: int = 1) -> ElementArray:
    """Return the element sets of both objects of a crossing at the instant `at`."""
    return np.concatenate(
        [
            element_set(at, states.r1_km, states.v1_km_s, first_norad_id),
            element_set(at, states.r2_km, states.v2_km_s, first_norad_id + 1),
        ]
    )


def element_set(
    at: np.datetime64, r_km: FloatArray, v_km_s: FloatArray, norad_id: int, bstar: float = 0.0
) -> ElementArray:
    """Return the element set (1,) with epoch `at` that SGP4 takes through a TEME state there.

    Fixed-point iteration: the state whose Kepler elements SGP4 is given moves by what SGP4 still lacks.
    Raises NoElementSetError where it leads nowhere.
    """
    wanted = np.concatenate([r_km, v_km_s])
    given = wanted.copy()
    for _ in range(60):
        elements = _kepler_elements(at, given[:3], given[3:], norad_id, bstar)
        error, r, v = prepared(elements)[0].sgp4_tsince(0.0)
        if error:
            raise NoElementSetError(f"SGP4 code {error} on the way to {wanted}")
        lacking = wanted - np.concatenate([r, v])
        if np.linalg.norm(lacking[:3]) < 0.1 * POSITION_REACHED_KM:
            break
        given += lacking
    if np.linalg.norm(lacking[:3]) >= POSITION_REACHED_KM:
        raise NoElementSetError(f"the iteration ends {lacking} away from {wanted}")
    return elements


def _kepler_elements(
    at: np.datetime64, r: FloatArray, v: FloatArray, norad_id: int, bstar: float
) -> ElementArray:
    angular = np.cross(r, v)
    radius = np.linalg.norm(r)
    normal = angular / np.linalg.norm(angular)
    a = 1.0 / (2.0 / radius - v @ v / MU_KM3_S2)
    to_perigee = np.cross(v, angular) / MU_KM3_S2 - r / radius
    eccentricity = float(np.linalg.norm(to_perigee))
    if eccentricity >= 1.0:
        raise NoElementSetError(f"eccentricity {eccentricity} on the way to {r} km, {v} km/s")
    node = np.array([-normal[1], normal[0], 0.0])
    node = node / np.linalg.norm(node) if np.linalg.norm(node) > 1e-12 else np.array([1.0, 0.0, 0.0])
    across = np.cross(normal, node)
    perigee = np.arctan2(to_perigee @ across, to_perigee @ node)
    anomaly = np.arctan2(r @ across, r @ node) - perigee
    eccentric = 2.0 * np.arctan2(
        np.sqrt(1.0 - eccentricity) * np.sin(anomaly / 2.0), np.sqrt(1.0 + eccentricity) * np.cos(anomaly / 2)
    )
    microseconds = at.astype("M8[us]").astype(np.int64)
    days, rest = divmod(int(microseconds), 86_400_000_000)
    out = np.zeros(1, ELEMENT_DTYPE)
    out["norad_id"], out["name"] = norad_id, f"PLANTED {norad_id}"
    out["epoch_jd"], out["epoch_day_fraction"] = days + JD_OF_1970, rest / 86_400_000_000
    out["mean_motion_rev_day"] = np.sqrt(MU_KM3_S2 / a**3) * DAY_S / (2.0 * pi)
    out["eccentricity"] = eccentricity
    out["inclination_deg"] = np.degrees(np.arccos(np.clip(normal[2], -1.0, 1.0)))
    out["raan_deg"] = np.degrees(np.arctan2(node[1], node[0])) % 360.0
    out["argument_of_perigee_deg"] = np.degrees(perigee) % 360.0
    out["mean_anomaly_deg"] = np.degrees(eccentric - eccentricity * np.sin(eccentric)) % 360.0
    out["bstar_per_earth_radius"] = bstar
    return out
