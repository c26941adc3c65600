"""Covariances of whole states, position and velocity, for those to whom a path is shared."""

from collections.abc import Sequence

import numpy as np

from screening.orbits.reference.local_axes import cross
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray
from screening.risk.geometry.rtn import speed_rt_km_s
from screening.risk.objects.error_law import METRES_PER_KM, ErrorLaws

# Of the standard deviation that follows from the position: the matrix stays positive definite.
_BESIDE = 0.01


def covariances_by_law(
    laws: ErrorLaws, age_days: FloatArray, r_km: FloatArray, v_km_s: FloatArray
) -> FloatArray:
    """Return covariances (n, 6, 6) of the states (n, 3) of one object at ages (n,), by its error law.

    km2, km2/s and km2/s2, in the object's own RTN. The law is about positions; velocities are those of
    `with_velocities`, and to each the growth of the law is added.
    """
    index = np.zeros(len(age_days), np.int64)
    sigma_km = laws.sigma_rtn_m(index, age_days, speed_rt_km_s(r_km, v_km_s)) / METRES_PER_KM
    growth_km_s = laws.growth_m_day[0] * laws.factors_rtn[0] / METRES_PER_KM / SECONDS_PER_DAY
    out = with_velocities(np.einsum("ni,ij->nij", sigma_km**2, np.eye(3)), r_km, v_km_s)
    axes = np.arange(3)
    out[:, axes + 3, axes + 3] += growth_km_s**2
    return out


def with_velocities(positions: FloatArray, r: FloatArray, v: FloatArray) -> FloatArray:
    """Return covariances (n, 6, 6) of states (n, 3) of which those of the positions (n, 3, 3) are known.

    In the object's own RTN; one unit of length throughout, seconds. The velocity is that of a neighbour on an
    orbit of the same period: one ahead by T turns towards the centre, v_R = -w T; one higher by R is slower,
    v_T = -w R; across, both phases are equally likely, sigma of w N, where w is the rate at which the object
    turns about the Earth. To each an independent hundredth is added.
    """
    rate = np.linalg.norm(cross(r, v), axis=1) / np.einsum("ni,ni->n", r, r)
    follows = np.zeros((len(rate), 3, 3))
    follows[:, 0, 1] = follows[:, 1, 0] = -rate
    variances = np.einsum("nii->ni", positions)
    out = np.empty((len(rate), 6, 6))
    out[:, :3, :3] = positions
    out[:, 3:, :3] = follows @ positions
    out[:, :3, 3:] = out[:, 3:, :3].transpose(0, 2, 1)
    out[:, 3:, 3:] = follows @ positions @ follows.transpose(0, 2, 1)
    beside = rate[:, None] ** 2 * variances[:, [1, 0, 2]]
    beside[:, :2] *= _BESIDE**2
    beside[:, 2] *= 1.0 + _BESIDE**2
    axes = np.arange(3)
    out[:, axes + 3, axes + 3] += beside
    return out


def roots_rtn(states: Sequence[FloatArray], covariances_rtn: Sequence[FloatArray]) -> FloatArray:
    """Return the roots (n, 12, 12) of both states' covariances, with velocities that follow the positions.

    States are positions and velocities (n, 3) of the primary, then of the secondary, m and m/s;
    covariances_rtn their positions' errors in their own RTN, as standard deviations (n, 3), m, or matrices
    (n, 3, 3), m2.
    """
    roots = np.zeros((len(states[0]), 12, 12))
    for which, given in enumerate(covariances_rtn):
        position = np.einsum("ni,ij->nij", given**2, np.eye(3)) if given.ndim == 2 else given
        here = slice(6 * which, 6 * which + 6)
        roots[:, here, here] = _cholesky(with_velocities(position, *states[2 * which : 2 * which + 2]))
    return roots


def _cholesky(covariances: FloatArray) -> FloatArray:
    """Return lower triangular roots (n, 6, 6); variances of 0 are allowed."""
    sigma = np.sqrt(np.einsum("nii->ni", covariances))
    scale = np.where(sigma > 0.0, sigma, 1.0)
    scaled = covariances / (scale[:, :, np.newaxis] * scale[:, np.newaxis, :])
    index = np.arange(6)
    scaled[:, index, index] = 1.0 + 1e-12
    root: FloatArray = scale[:, :, np.newaxis] * np.linalg.cholesky(scaled)
    root[sigma == 0.0] = 0.0
    return root
