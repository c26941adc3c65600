"""All events of a run at a glance: counted by place, by hour, and by miss and probability.

The first and the last interval of each scale also hold what lies beyond it, but for the least probabilities.
"""

import numpy as np
import numpy.typing as npt

from screening.answers import CountArray, CountTable, Numbers, answer
from screening.orbits.frames import geodetic_from_itrf
from screening.orbits.timegrid import FloatArray
from screening.vocabulary import PROBABILITY_LEVELS

Counts = npt.NDArray[np.int64]

# 50 km where most fly, then around the navigation satellites and the geostationary ring.
ALTITUDE_EDGES_KM = np.r_[
    np.arange(0.0, 2001.0, 50.0), 3000, 5000, 10_000, 15_000, 19_000, 21_000, 25_000, 30_000, 35_500, 36_100,
    50_000,
]  # fmt: skip
INCLINATION_EDGES_DEG = np.arange(0.0, 181.0, 5.0)
LOG10_MISS_EDGES = np.arange(-1.0, 4.76, 0.25)  # 0.1 m to 56 km
LOG10_PROBABILITY_EDGES = np.arange(-20.0, 0.1, 0.5)
HOUR_US = 3_600_000_000


@answer(without_state=0)
class AltitudeInclination:
    """Events by altitude and inclination; the first and the last interval hold what lies beyond, too."""

    altitude_edges_km: Numbers
    """km above the WGS-84 ellipsoid, of the primary at TCA: n + 1 edges, ascending."""
    inclination_edges_deg: Numbers
    """Degrees, of the primary's osculating orbit at TCA: m + 1 edges, ascending."""
    counts: CountTable
    """Events: n lists, one an altitude, of m numbers."""
    without_state: int
    """Events known only from messages without states."""


@answer(without_probability=412)
class MissProbability:
    """Events by miss and probability.

    The first and the last interval hold what lies beyond, too, but for probabilities below the first edge.
    """

    log10_miss_edges: Numbers
    """log10 of the miss in m: n + 1 edges, ascending."""
    log10_probability_edges: Numbers
    """log10 of the probability that decides the level: m + 1 edges, ascending."""
    counts: CountTable
    """Events: n lists, one a miss, of m numbers."""
    below: CountArray
    """Events with a probability below the first edge, many of them 0: n numbers, one a miss."""
    without_probability: int
    """Events without a probability."""


def by_altitude_and_inclination(r_teme_km: FloatArray, v_teme_km_s: FloatArray) -> AltitudeInclination:
    """Count events by where their primaries (n, 3) are and how their orbits are inclined at TCA.

    The state is NaN where it is not known. The altitude is above WGS-84;
    the rotation of the Earth about its axis does not change it.
    """
    known = np.flatnonzero(np.isfinite(np.hstack([r_teme_km, v_teme_km_s])).all(axis=1))
    r_km, v_km_s = r_teme_km[known], v_teme_km_s[known]
    _, _, altitude_km = geodetic_from_itrf(r_km)
    momentum = np.cross(r_km, v_km_s)
    across = np.hypot(momentum[:, 0], momentum[:, 1])
    inclination_deg = np.degrees(np.arctan2(across, momentum[:, 2]))  # also where the orbit is equatorial
    counts = _counted(altitude_km, ALTITUDE_EDGES_KM, inclination_deg, INCLINATION_EDGES_DEG)
    return AltitudeInclination(ALTITUDE_EDGES_KM, INCLINATION_EDGES_DEG, counts, len(r_teme_km) - len(known))


def by_hour(
    tca: npt.NDArray[np.datetime64], levels: npt.NDArray[np.int8], first: np.datetime64, end: np.datetime64
) -> Counts:
    """Count events (n,) by hours (h,) from `first` to `end` and by PROBABILITY_LEVELS, without those outside.

    The TCA of a visit that goes on may be `end` itself: the last hour has it.
    """
    hours = max(0, int(-((first - end) // np.timedelta64(HOUR_US, "us"))))
    place = (tca.astype("M8[us]") - first.astype("M8[us]")) // np.timedelta64(HOUR_US, "us")
    place[tca == end] = hours - 1
    inside = (tca >= first) & (tca <= end)
    counts = np.zeros((hours, len(PROBABILITY_LEVELS)), np.int64)
    np.add.at(counts, (place[inside].astype(np.int64), levels[inside]), 1)
    return counts


def by_miss_and_probability(miss_m: FloatArray, probability: FloatArray) -> MissProbability:
    """Count events (n,) by the logarithms of miss and probability; NaN: none is known."""
    known = np.isfinite(probability)
    with np.errstate(divide="ignore"):
        miss, chance = np.log10(miss_m[known]), np.log10(probability[known])
    below = chance < LOG10_PROBABILITY_EDGES[0]
    counts = _counted(miss[~below], LOG10_MISS_EDGES, chance[~below], LOG10_PROBABILITY_EDGES)
    least = np.bincount(_places(miss[below], LOG10_MISS_EDGES), minlength=len(counts)).astype(np.int64)
    without = int(len(known) - known.sum())
    return MissProbability(LOG10_MISS_EDGES, LOG10_PROBABILITY_EDGES, counts, least, without)


def _counted(x: FloatArray, x_edges: FloatArray, y: FloatArray, y_edges: FloatArray) -> Counts:
    """Count points (n,) by intervals that include their lower edge; beyond the ends, in the outermost."""
    shape = len(x_edges) - 1, len(y_edges) - 1
    places = _places(x, x_edges) * shape[1] + _places(y, y_edges)
    flat = np.bincount(places, minlength=shape[0] * shape[1])
    counts: Counts = flat.reshape(shape).astype(np.int64)
    return counts


def _places(values: FloatArray, edges: FloatArray) -> npt.NDArray[np.int64]:
    found: npt.NDArray[np.int64] = np.clip(np.searchsorted(edges, values, "right") - 1, 0, len(edges) - 2)
    return found
