"""Covariances of whole states, position and velocity, for those to whom a path is handed on."""

import numpy as np

from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray
from screening.risk.geometry.rtn import speed_rt_km_s
from screening.risk.objects.error_law import METRES_PER_KM, ErrorLaws

# Of the standard deviation that follows from the position: the matrix stays positive definite.
_BESIDE = 0.01


def covariances_by_law(
    laws: ErrorLaws, age_days: FloatArray, r_km: FloatArray, v_km_s: FloatArray
) -> FloatArray:
    """Return covariances (n, 6, 6) of the states (n, 3) of one object at ages (n,), by its error law.

    km2, km2/s and km2/s2, in the object's own RTN. The law is about positions. The velocity is that of a
    neighbour on an orbit of the same period: one ahead by T turns towards the centre, v_R = -w T; one higher
    by R is slower, v_T = -w R; across, both phases are equally likely, sigma of w N, where w is the rate at
    which the object turns about the Earth. To each an independent hundredth is added, and the growth of the
    law.
    """
    index = np.zeros(len(age_days), np.int64)
    sigma_km = laws.sigma_rtn_m(index, age_days, speed_rt_km_s(r_km, v_km_s)) / METRES_PER_KM
    rate = np.linalg.norm(np.cross(r_km, v_km_s), axis=1) / np.einsum("ni,ni->n", r_km, r_km)
    variance = sigma_km**2
    following = rate[:, None] * sigma_km[:, [1, 0, 2]]  # of v_R from T, of v_T from R, of v_N from N
    growth_km_s = laws.growth_m_day[0] * laws.factors_rtn[0] / METRES_PER_KM / SECONDS_PER_DAY
    out = np.zeros((len(age_days), 6, 6))
    axes = np.arange(3)
    out[:, axes, axes] = variance
    out[:, axes + 3, axes + 3] = following**2 * (1.0 + _BESIDE**2) + growth_km_s**2
    for position, velocity in ((1, 3), (0, 4)):
        out[:, position, velocity] = out[:, velocity, position] = -rate * variance[:, position]
    return out
