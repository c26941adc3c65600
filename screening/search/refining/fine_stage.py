"""A second, independent way to an encounter: samples around a coarse minimum, and roots between them.

It uses neither the interpolated curves nor Newton's method: distances between SGP4 positions each minute
for half an hour on either side, and in every bracket of a minimum the root of r . v, found by Chandrupatla's
method (1997), with v the derivative of the relative position.
"""

import numpy as np
from scipy.optimize import elementwise

from screening.encounters import EncounterArray
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.refining.final_tca import encounters_at

AROUND_S = 1800.0
SAMPLE_S = 60.0
# r . v is taken from the distances at two instants this far on either side.
DIFFERENCE_S = 0.5
TCA_TOLERANCE_S = 1e-6
_CANDIDATES_AT_A_TIME = 2000  # 61 samples of both objects: 12 MB


def fine_stage(
    trajectories: Trajectories, pairs: IndexArray, coarse_s: FloatArray, threshold_km: float
) -> EncounterArray:
    """Return every minimum of distance below the threshold near the coarse ones, some of them twice.

    `pairs` (2, k) index the objects, `coarse_s` (k,) are the times of coarse minima.
    """
    found = []
    for first in range(0, len(coarse_s), _CANDIDATES_AT_A_TIME):
        here = slice(first, first + _CANDIDATES_AT_A_TIME)
        bracketed, low_s, high_s = _brackets(trajectories, pairs[:, here], coarse_s[here])
        tca_s = _roots_s(trajectories, bracketed, low_s, high_s)
        encounters = encounters_at(trajectories, bracketed, tca_s)
        found.append(encounters[encounters["miss_distance_km"] < threshold_km])
    return np.concatenate(found) if found else encounters_at(trajectories, pairs, coarse_s)


def _brackets(
    trajectories: Trajectories, pairs: IndexArray, coarse_s: FloatArray
) -> tuple[IndexArray, FloatArray, FloatArray]:
    """Return pairs (2, b) and the times on either side of each minimum of the sampled distance."""
    offsets_s = np.arange(-AROUND_S, AROUND_S + 0.5 * SAMPLE_S, SAMPLE_S)
    times_s = coarse_s[:, None] + offsets_s
    squared = _squared_distance_km2(
        trajectories, np.repeat(pairs, len(offsets_s), axis=1), times_s.ravel()
    ).reshape(times_s.shape)
    dip = (squared[:, 1:-1] <= squared[:, :-2]) & (squared[:, 1:-1] < squared[:, 2:])
    candidate, sample = np.nonzero(dip)  # NaN, where SGP4 failed, is no dip
    return pairs[:, candidate], times_s[candidate, sample], times_s[candidate, sample + 2]


def _roots_s(
    trajectories: Trajectories, pairs: IndexArray, low_s: FloatArray, high_s: FloatArray
) -> FloatArray:
    """Return the times (b,) at which r . v vanishes; NaN if a bracket has no minimum."""
    if len(low_s) == 0:
        return low_s

    def rate(times_s: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
        chosen = np.stack([first, second]).astype(np.int32)
        before, after = (
            _squared_distance_km2(trajectories, chosen, times_s + side * DIFFERENCE_S) for side in (-1, 1)
        )
        difference: FloatArray = (after - before) / (4.0 * DIFFERENCE_S)
        return difference

    found = elementwise.find_root(
        rate, (low_s, high_s), args=(pairs[0], pairs[1]), tolerances={"xatol": TCA_TOLERANCE_S, "xrtol": 0.0}
    )
    return np.where(found.success, found.x, np.nan)


def _squared_distance_km2(trajectories: Trajectories, pairs: IndexArray, times_s: FloatArray) -> FloatArray:
    index = np.concatenate([pairs[0], pairs[1]]).astype(np.int32)
    _, r, _ = trajectories.at(index, np.tile(times_s, 2))
    relative = r[len(times_s) :] - r[: len(times_s)]
    squared: FloatArray = np.einsum("kc,kc->k", relative, relative)
    return squared
