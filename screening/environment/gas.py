"""How often objects should meet if they were a gas: by where they spend their time, at random phases.

Kessler's method (Kessler 1981, Icarus 48; Kessler & Cour-Palais 1978): in each shell and band of latitude the
density of the orbits of each inclination, and the speed between two orbits there, averaged over both going
north, both south, or one of each. Nodes, perigees and phases are taken as random.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from screening.environment.residence import LATITUDE_EDGES_DEG, Stays, shares_by_latitude
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray

_STEP_DEG = 2.0
_INCLINATION_EDGES_DEG = np.arange(0.0, 180.1, _STEP_DEG)
_MIDDLES_DEG = _INCLINATION_EDGES_DEG[:-1] + _STEP_DEG / 2.0


class Gas(NamedTuple):
    """Objects and their meetings in each shell (shells,)."""

    objects: FloatArray  # mean number
    within_1km_day: FloatArray  # closer than 1 km; closer than d km: d^2 times as many
    collisions_day: FloatArray  # of the spheres of the objects' radii


def gas(stays: Stays, inclination_deg: FloatArray, radius_m: FloatArray, edges_km: FloatArray) -> Gas:
    """Return how often objects (n,) should meet between altitudes.

    `radius_m` is NaN where it is unknown: the object is taken for a point.
    """
    radius_km = np.nan_to_num(radius_m) * 1e-3
    count, length, area = (
        stays.by_inclination(
            len(edges_km) - 1, inclination_deg, _INCLINATION_EDGES_DEG, np.asarray(radius_km**power)
        )
        for power in range(3)
    )
    radii_km = edges_km + EARTH_RADIUS_KM
    middles_km = (radii_km[1:] + radii_km[:-1]) / 2.0
    volume_km3 = 4.0 / 3.0 * np.pi * np.diff(radii_km**3)
    # Each pair once, and a target with a radius of 1 km.
    rate = np.pi / 2.0 * SECONDS_PER_DAY * np.sqrt(MU_KM3_S2 / middles_km) / volume_km3
    of_radii = 2.0 * (_meetings(count, area) + _meetings(length, length))  # of (r1 + r2)^2
    return Gas(count.sum(axis=1), rate * _meetings(count, count), rate * of_radii)


def _meetings(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return sums (shells,) of products of numbers (shells, inclinations) over pairs of inclinations.

    Weighted by how often the orbits are at the same latitude, times their relative over their own speed.
    """
    sums: FloatArray = ((one @ _weights()) * other).sum(axis=1)
    return sums


@lru_cache(maxsize=1)
def _weights() -> FloatArray:
    """Return for two inclinations (i, j) how they share bands of latitude, times relative over own speed."""
    edges = np.radians(LATITUDE_EDGES_DEG)
    middles, volume = (edges[1:] + edges[:-1]) / 2.0, np.diff(np.sin(edges))  # volume: share of the shell's
    heading = np.arccos(np.clip(np.cos(np.radians(_MIDDLES_DEG)) / np.cos(middles)[:, np.newaxis], -1.0, 1.0))
    share = shares_by_latitude(_MIDDLES_DEG).T
    weights = np.zeros((len(_MIDDLES_DEG), len(_MIDDLES_DEG)))
    for angle, part, of_shell in zip(heading, share, volume, strict=True):
        # Chords of the circle of headings: of two that go the same way, and of one that is mirrored.
        chords = sum(np.abs(np.sin((angle[:, np.newaxis] + turn * angle) / 2.0)) for turn in (-1.0, 1.0))
        weights += np.outer(part, part) / of_shell * chords
    return weights
