"""The direction in which a small burn of given size helps most."""

import numpy as np

from screening.manoeuvre.cheapest import SufficientBurn
from screening.manoeuvre.displacement import displacements
from screening.manoeuvre.execution import PROBES_KM_S, Execution
from screening.manoeuvre.trade_space import Course, outcomes
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial

_M_PER_KM = 1000.0

_ROUNDS = 200


def best_direction(response: FloatArray, miss: FloatArray, covariance: FloatArray, size: float) -> FloatArray:
    """Return the delta-v (3,) of given size that makes a miss in the encounter plane least likely to hit.

    It maximises b' C^-1 b, the squared miss in sigmas, of b = miss (2,) + response (2, 3) dv: a quadratic on
    a sphere, whose maximum is where (s I - A) dv = g with s at or above the largest eigenvalue of A (More &
    Sorensen 1983, "Computing a trust region step"; for collision avoidance Bombardelli & Hernando-Ayuso
    2015). Any units that agree. Of two directions that are equally good the one with a positive in-track
    component is returned.
    """
    inverse = np.linalg.inv(covariance)
    a = response.T @ inverse @ response
    g = response.T @ inverse @ miss
    values, vectors = np.linalg.eigh(a)
    along = vectors.T @ g
    # The length of (s I - A)^-1 g falls from s = the largest eigenvalue on.
    top = float(values[-1])
    scale = max(top, float(np.linalg.norm(g)) / size, np.finfo(float).tiny)
    low, high = np.finfo(float).eps * scale, 2.0 * float(np.linalg.norm(g)) / size + scale  # s - top
    for _ in range(_ROUNDS):
        middle = 0.5 * (low + high)
        longer = np.linalg.norm(along / (top - values + middle)) > size
        low, high = (middle, high) if longer else (low, middle)
    dv: FloatArray = vectors @ (along / (top - values + high))
    short = size**2 - float(dv @ dv)
    if short > 1e-12 * size**2:  # the miss gives no direction along the best axis: either end of it
        axis = vectors[:, -1]
        dv = dv + np.sqrt(short) * (axis if axis[1] >= 0.0 else -axis)
    return dv


def steered(course: Course, one: SufficientBurn, execution: Execution) -> SufficientBurn:
    """Return the burn of the same size at the same time whose direction makes a collision least likely."""
    index = np.full(2, course.moved, np.int32)
    _, r_km, v_km_s = course.paths.at(index, np.array([course.tca_s - one.before_tca_s, course.tca_s]))
    after_s = np.array([[one.before_tca_s]])
    shifts_rtn = displacements(r_km[:1], v_km_s[:1], PROBES_KM_S[None], after_s)[0, :, 0, :3]
    per_m_s = shifts_rtn @ rtn_axes(r_km[1:], v_km_s[1:])[0] / PROBES_KM_S[0, 0]  # m, TEME, a row a burn
    r_m, v_m_s = r_km[1:] * _M_PER_KM, v_km_s[1:] * _M_PER_KM
    other_r_m, other_v_m_s = (part[None] * _M_PER_KM for part in (course.other[:3], course.other[3:]))
    plane = encounter_plane(
        r_m,
        v_m_s,
        other_r_m,
        other_v_m_s,
        rtn_covariance_to_inertial(course.moved_rtn_m2[None], r_m, v_m_s),
        rtn_covariance_to_inertial(course.other_rtn_m2[None], other_r_m, other_v_m_s),
    )
    axes = np.stack([plane.major_axis[0], plane.minor_axis[0]])
    miss_m = np.array([plane.miss_major_m[0], plane.miss_minor_m[0]])
    covariance_m2 = np.diag([plane.sigma_major_m[0] ** 2, plane.sigma_minor_m[0] ** 2])
    dv_rtn_m_s = best_direction(-axes @ per_m_s.T, miss_m, covariance_m2, one.size_m_s)
    made = outcomes(course, np.array([one.before_tca_s]), dv_rtn_m_s[None, None], execution)
    first, second, third = dv_rtn_m_s.tolist()
    return SufficientBurn(
        one.before_tca_s,
        (first, second, third),
        float(made.miss_distance_m[0, 0]),
        float(made.probability[0, 0]),
    )
