"""An encounter after its objects have been displaced: the new closest approach, and its probability."""

import math
from typing import NamedTuple

import numpy as np

from screening.kernels import kernel
from screening.orbits.flight import flown
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.probability.exact_2d import exact_2d

M_PER_KM = 1000.0

_CONVERGED_S = 1e-7
_ROUNDS = 60
# In radians of a circular orbit of that radius: one round of the search for the closest approach.
_LONGEST_STEP_RAD = 0.05
# As far as the closest approach may move; beyond that it is another encounter.
_FARTHEST_RAD = 0.5


class Shifted(NamedTuple):
    """Encounters (n,) at their new closest approach."""

    later_s: FloatArray  # than the old TCA
    moved: FloatArray  # (n, 6) of the object that burns, km and km/s, TEME
    other: FloatArray  # (n, 6)
    miss_km: FloatArray
    relative_speed_km_s: FloatArray


def shifted(moved: FloatArray, other: FloatArray) -> Shifted:
    """Return the closest approaches of states (n, 6), km and km/s at the old TCA.

    Both are flown by gravity with J2 to where they are closest; NaN where that is not near the old TCA.
    """
    moved, other = np.ascontiguousarray(moved).copy(), np.ascontiguousarray(other).copy()
    later_s = np.empty(len(moved))
    _closest(moved, other, later_s)
    difference = other - moved
    return Shifted(
        later_s,
        moved,
        other,
        np.linalg.norm(difference[:, :3], axis=1),
        np.linalg.norm(difference[:, 3:], axis=1),
    )


def probabilities(
    found: Shifted, moved_rtn_m2: FloatArray, other_rtn_m2: FloatArray, radius_m: float
) -> FloatArray:
    """Return the exact 2-D collision probability (n,) of encounters; NaN where there is none.

    Covariances of positions, m2, each in its object's own RTN: (n, 3, 3) or (3, 3) for all.
    """
    count = len(found.later_s)
    states, covariances = [], []
    for state, covariance in ((found.moved, moved_rtn_m2), (found.other, other_rtn_m2)):
        r_m, v_m_s = state[:, :3] * M_PER_KM, state[:, 3:] * M_PER_KM
        states += [r_m, v_m_s]
        each = np.broadcast_to(covariance, (count, 3, 3))
        covariances.append(rtn_covariance_to_inertial(each, r_m, v_m_s))
    out = np.full(count, np.nan)
    known = np.flatnonzero(np.isfinite(found.later_s))
    plane = encounter_plane(*(x[known] for x in states), *(x[known] for x in covariances))
    radius = np.full(len(known), radius_m)
    out[known] = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius
    )[0]
    return out


@kernel
def _closest(moved: FloatArray, other: FloatArray, later_s: FloatArray) -> None:
    """Fly pairs of states (n, 6) to their closest approach in place, and fill how much later that is."""
    for n in range(len(moved)):
        a, b = moved[n], other[n]
        radius = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
        second_per_rad = radius * math.sqrt(radius / MU_KM3_S2)
        now, found = 0.0, False
        for _ in range(_ROUNDS):
            along, speed2 = 0.0, 0.0
            for axis in range(3):
                velocity = b[3 + axis] - a[3 + axis]
                along += (b[axis] - a[axis]) * velocity
                speed2 += velocity * velocity
            step = -along / speed2
            longest = _LONGEST_STEP_RAD * second_per_rad
            step = min(max(step, -longest), longest)
            a[0], a[1], a[2], a[3], a[4], a[5] = flown(a[0], a[1], a[2], a[3], a[4], a[5], step)
            b[0], b[1], b[2], b[3], b[4], b[5] = flown(b[0], b[1], b[2], b[3], b[4], b[5], step)
            now += step
            if not abs(now) <= _FARTHEST_RAD * second_per_rad:
                break
            if abs(step) < _CONVERGED_S:
                found = True
                break
        if not found:
            now = np.nan
            a[:] = np.nan
            b[:] = np.nan
        later_s[n] = now
