"""How well a burn is carried out, and what that means for where the object will be."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray

# Small burns along R, T and N (3, 3): where they carry an object tells what an error of a burn does.
PROBES_KM_S = 1e-6 * np.eye(3)
_PROBE_M_S = 1e-3


class Execution(NamedTuple):
    """The accuracy of a burn, 1-sigma: of its size, and of its direction in each of two planes."""

    size: float = 0.0  # share of the burn
    direction_rad: float = 0.0


def execution_covariances(
    dv_rtn_m_s: FloatArray, shift_rtn_m: FloatArray, of_probes_rtn_m: FloatArray, execution: Execution
) -> FloatArray:
    """Return the covariances (..., 3, 3), m2, of where burns (..., 3) of some accuracy carry an object.

    Args:
        dv_rtn_m_s: the burns.
        shift_rtn_m: (..., 3) where they carry it.
        of_probes_rtn_m: (..., 3, 3) where PROBES_KM_S at the same time would, a row each.
        execution: the accuracy.

    An error of size lies along the shift. One of direction is alike in both planes: its covariance as a
    delta-v is (dv.dv I - dv dv') times the variance of the angle (Gates 1963, JPL TR 32-504).
    """
    by_size = execution.size**2 * shift_rtn_m[..., :, None] * shift_rtn_m[..., None, :]
    square = (dv_rtn_m_s**2).sum(axis=-1)[..., None, None] * np.eye(3)
    across = execution.direction_rad**2 * (square - dv_rtn_m_s[..., :, None] * dv_rtn_m_s[..., None, :])
    per_m_s = of_probes_rtn_m / _PROBE_M_S
    covariance: FloatArray = by_size + np.swapaxes(per_m_s, -1, -2) @ across @ per_m_s
    return covariance
