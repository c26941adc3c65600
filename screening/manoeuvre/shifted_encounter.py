"""An encounter after its objects have been displaced: the new closest approach, and its probability."""

import math
from typing import NamedTuple

import numpy as np

from screening.kernels import kernel
from screening.orbits.flight import flown
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import encounter_plane, radial_and_normal
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.objects.state_errors import roots_rtn
from screening.risk.probability.choice import needs_three_dimensions
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.mixture import weighted_sum
from screening.risk.probability.tails import Tails
from screening.risk.probability.three_dimensional import probability_3d
from screening.risk.probability.validity import validity_flags

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


def in_plane_m(found: Shifted) -> FloatArray:
    """Return the misses (n, 2), m, in the plane normal to the relative velocity: across, and up.

    The axes are those of `plane_view`, with the object that burns at the origin.
    """
    difference = found.other - found.moved
    along = difference[:, 3:] / found.relative_speed_km_s[:, None]
    radial, normal = radial_and_normal(found.moved[:, :3], along)
    miss_km = np.stack([-normal, radial], axis=1) @ difference[:, :3, None]
    flat: FloatArray = miss_km[:, :, 0] * M_PER_KM
    return flat


def probabilities(
    found: Shifted,
    covariances_rtn_m2: tuple[FloatArray, FloatArray],
    tails: tuple[Tails, Tails],
    radius_m: float,
) -> FloatArray:
    """Return the collision probability (n,) of encounters; NaN where there is none.

    That of the plane, and where it takes three dimensions (`needs_three_dimensions`) that of the likeliest
    meeting, if there is one; with both errors' tails. Covariances of the positions of the object that burns
    and of the other, m2, each in its own RTN: (n, 3, 3) or (3, 3) for all; tails (1,) for all.
    """
    out = np.full(len(found.later_s), np.nan)
    near = np.flatnonzero(np.isfinite(found.later_s))
    states, covariances, covariances_rtn = [], [], []
    for state, covariance in zip((found.moved, found.other), covariances_rtn_m2, strict=True):
        r_m, v_m_s = state[near, :3] * M_PER_KM, state[near, 3:] * M_PER_KM
        states += [r_m, v_m_s]
        each = np.broadcast_to(covariance, (len(out), 3, 3))[near]
        covariances_rtn.append(each)
        covariances.append(rtn_covariance_to_inertial(each, r_m, v_m_s))
    plane = encounter_plane(*states, *covariances)
    radii_m = np.full(len(near), radius_m)
    in_plane, _ = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radii_m
    )
    flags = validity_flags(plane, *states, *covariances)
    speed_ratio = plane.relative_speed_m_s / np.linalg.norm(states[1], axis=1)
    by_law = np.zeros(len(near), np.bool_)  # after a burn no covariance is a measured one
    rows = np.flatnonzero(needs_three_dimensions(flags, in_plane, by_law, speed_ratio))
    if len(rows):
        roots = roots_rtn([each[rows] for each in states], [each[rows] for each in covariances_rtn])
        r_moved_m, v_moved_m_s, r_other_m, v_other_m_s = (each[rows] for each in states)
        meetings = probability_3d(r_moved_m, v_moved_m_s, r_other_m, v_other_m_s, roots, radii_m[rows])
        in_plane[rows] = np.where(np.isfinite(meetings.probability), meetings.probability, in_plane[rows])
    of_each = [Tails(*(np.repeat(values, len(near), axis=0) for values in one)) for one in tails]
    out[near] = weighted_sum(in_plane, plane, states, covariances_rtn, of_each, radii_m)
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
