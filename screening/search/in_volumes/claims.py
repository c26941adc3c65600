"""Volumes that are claimed around objects, and which points are inside them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.volumes.inside import VolumeArray, inside, reach_km, relative_rtn_km

RowArray = npt.NDArray[np.intp]


class Claims(NamedTuple):
    """Volumes (c,) around objects; an object may have several."""

    objects: IndexArray  # (c,)
    volumes: VolumeArray  # (c,)
    until_s: FloatArray  # (c,) what is later does not count


class Around(NamedTuple):
    """The objects (p,) with claims, and what encloses all their claims."""

    objects: IndexArray  # (p,) ascending
    half_km: FloatArray  # (p, 3) of the box, along RTN
    reach_km: FloatArray  # (p,) of the sphere
    until_s: FloatArray  # (p,)

    @property
    def above_km(self) -> FloatArray:
        """How much farther (p,) from the Earth's centre than the object others inside may be.

        sqrt((r + R)^2 + T^2 + N^2) - r is at most R + (T^2 + N^2) / (2 r), with r above 6,000 km.
        """
        across2 = np.minimum(
            np.einsum("pi,pi->p", self.half_km[:, 1:], self.half_km[:, 1:]), self.reach_km**2
        )
        farther_km: FloatArray = self.half_km[:, 0] + across2 / (2.0 * 6000.0)
        return farther_km


class Inside(NamedTuple):
    """Which points are inside which claims: k of them."""

    claims: RowArray  # (k,)
    points: RowArray  # (k,) rows of encounters
    relative_km: FloatArray  # (k, 3) the other object in the RTN of the claim's


def around(claims: Claims) -> Around:
    """Return the objects with claims."""
    objects, place = np.unique(claims.objects, return_inverse=True)
    half_km, reach = np.zeros((len(objects), 3)), np.zeros(len(objects))
    until_s = np.zeros(len(objects))
    np.maximum.at(half_km, place, claims.volumes["half_km"])
    np.maximum.at(reach, place, reach_km(claims.volumes))
    np.maximum.at(until_s, place, claims.until_s)
    return Around(objects.astype(np.int32), half_km, reach, until_s)


def inside_any_box(known: Around, encounters: EncounterArray) -> npt.NDArray[np.bool_]:
    """Return which encounters (k,) have one object inside what encloses the other's claims."""
    kept = np.zeros(len(encounters), np.bool_)
    for who, other in (("primary", "secondary"), ("secondary", "primary")):
        index = encounters[f"{who}_index"]
        place = np.minimum(np.searchsorted(known.objects, index), len(known.objects) - 1)
        rows = np.flatnonzero(known.objects[place] == index)
        relative_km = _relative_km(encounters, rows, who, other)
        kept[rows] |= (np.abs(relative_km) <= known.half_km[place[rows]]).all(axis=1)
    return kept


def inside_claims(claims: Claims, encounters: EncounterArray, at_ends: npt.NDArray[np.bool_]) -> Inside:
    """Return which encounters (k,) are inside which claims at their TCAs, before these end.

    Pairs as they are `at_ends` (k,) count for claims that end then, and at the start of the window.
    """
    order = np.argsort(claims.objects, kind="stable")
    parts = []
    for who, other in (("primary", "secondary"), ("secondary", "primary")):
        first, behind = (
            np.searchsorted(claims.objects, encounters[f"{who}_index"], side, sorter=order)
            for side in ("left", "right")
        )
        count = behind - first
        points = np.repeat(np.arange(len(encounters)), count)
        place = np.arange(len(points)) - np.repeat(np.cumsum(count) - count, count) + first[points]
        chosen = order[place]
        relative_km = _relative_km(encounters, points, who, other)
        tca_s, until_s = encounters["tca_s"][points], claims.until_s[chosen]
        there = inside(claims.volumes[chosen], relative_km)
        there &= np.where(at_ends[points], (tca_s == until_s) | (tca_s == 0.0), tca_s < until_s)
        parts.append(Inside(chosen[there], points[there], relative_km[there]))
    return Inside(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _relative_km(encounters: EncounterArray, rows: RowArray, who: str, other: str) -> FloatArray:
    return relative_rtn_km(
        encounters[f"{who}_r_teme_km"][rows],
        encounters[f"{who}_v_teme_km_s"][rows],
        encounters[f"{other}_r_teme_km"][rows],
    )
