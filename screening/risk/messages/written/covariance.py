"""The covariance (6, 6) that a message must state, from what the row of an event keeps of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.state_errors import with_velocities

# Receivers know sigmas of the Earth's radius as "no covariance"; the speed is that of a circular orbit there.
_EARTH_RADIUS_M = 6_378_137.0
_CIRCULAR_SPEED_M_S = 7_905.36
_M_PER_KM = 1e3


class StatedCovariance(NamedTuple):
    """A covariance, in m and s, in the object's own RTN."""

    matrix: FloatArray  # (6, 6)
    known: bool  # false: it stands for none


def stated_covariance(
    event: Mapping[str, Any], who: str, state: tuple[FloatArray, FloatArray]
) -> StatedCovariance:
    """Return the covariance of the primary or the secondary of an event at TCA.

    The row keeps sigmas and correlations of the position; the standard requires the velocity too, and zeros
    would be taken for certainty: see `with_velocities`. `state`: position and velocity (3,), TEME, km, km/s.
    """
    sigma_m = np.array([event[f"{who}_sigma_{axis}_m"] for axis in "rtn"], float)  # None becomes NaN
    if np.isnan(sigma_m).any():
        sigmas = [_EARTH_RADIUS_M] * 3 + [_CIRCULAR_SPEED_M_S] * 3
        return StatedCovariance(np.diag(np.square(sigmas)), known=False)
    correlations = np.eye(3)
    for (row, column), axes in (((0, 1), "rt"), ((0, 2), "rn"), ((1, 2), "tn")):
        given = np.array(event[f"{who}_correlation_{axes}"], float)
        correlations[row, column] = correlations[column, row] = np.nan_to_num(given)
    positions = correlations * np.outer(sigma_m, sigma_m)
    r_m, v_m_s = (vector[None] * _M_PER_KM for vector in state)
    return StatedCovariance(with_velocities(positions[None], r_m, v_m_s)[0], known=True)
