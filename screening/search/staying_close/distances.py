"""Compute distances of pairs over time, and when they cross a limit, for many pairs at once.

Propagating thousands of objects costs hardly more than propagating two.
"""

import numpy as np
import numpy.typing as npt

from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories

CROSSING_S = 1e-3
_SAMPLES_OF_A_CROSSING = 60
# States held at once: some 100 bytes each.
STATES_AT_A_TIME = 200_000


def distances_km(propagator: Trajectories, pairs: IndexArray, times_s: FloatArray) -> FloatArray:
    """Return the distance (k, m) of each pair (2, k) at its times (k, m), NaN where SGP4 fails."""
    index = np.repeat(pairs.astype(np.int32).ravel(), times_s.shape[1])
    _, r, _ = propagator.at(index, np.tile(times_s.ravel(), 2))
    distance: FloatArray = np.linalg.norm(r[times_s.size :] - r[: times_s.size], axis=1)
    return distance.reshape(times_s.shape)


def crossings_s(
    propagator: Trajectories, pairs: IndexArray, from_s: FloatArray, to_s: FloatArray, limit_km: float
) -> FloatArray:
    """Return when each pair's distance first crosses `limit_km` from one time towards another, to 1 ms.

    `pairs` (2, k), times (k,). Uses ever closer samples.
    """
    out = np.empty(pairs.shape[1])
    for some in batches(len(out), 2 * (_SAMPLES_OF_A_CROSSING + 1)):
        out[some] = _crossings_s(propagator, pairs[:, some], from_s[some].copy(), to_s[some].copy(), limit_km)
    return out


def _crossings_s(
    propagator: Trajectories, pairs: IndexArray, from_s: FloatArray, to_s: FloatArray, limit_km: float
) -> FloatArray:
    sample = np.arange(_SAMPLES_OF_A_CROSSING + 1)
    while len(wide := np.flatnonzero(np.abs(to_s - from_s) > CROSSING_S)):
        times_s = evenly(from_s[wide], to_s[wide], np.full(len(wide), _SAMPLES_OF_A_CROSSING), sample)
        within = distances_km(propagator, pairs[:, wide], times_s) < limit_km
        # None before it: the pair begins at the limit.
        behind = np.maximum((within != within[:, :1]).argmax(axis=1), 1)
        row = np.arange(len(wide))
        from_s[wide], to_s[wide] = times_s[row, behind - 1], times_s[row, behind]
    return 0.5 * (from_s + to_s)


def highest_s(
    propagator: Trajectories, pairs: IndexArray, from_s: FloatArray, to_s: FloatArray
) -> FloatArray:
    """Return when the distance of each pair (2, k), with one maximum between two times (k,), is largest."""
    from_s, to_s = from_s.copy(), to_s.copy()
    numbers = np.arange(_SAMPLES_OF_A_CROSSING + 1)
    for some in batches(len(from_s), 2 * len(numbers)):
        low_s, high_s = from_s[some], to_s[some]
        while len(low_s) and np.abs(high_s - low_s).max() > CROSSING_S:
            times_s = evenly(low_s, high_s, np.full(len(low_s), _SAMPLES_OF_A_CROSSING), numbers)
            row, at = np.arange(len(low_s)), distances_km(propagator, pairs[:, some], times_s).argmax(axis=1)
            low_s[:] = times_s[row, np.maximum(at - 1, 0)]
            high_s[:] = times_s[row, np.minimum(at + 1, _SAMPLES_OF_A_CROSSING)]
    return 0.5 * (from_s + to_s)


def evenly(
    from_s: FloatArray, to_s: FloatArray, steps: npt.NDArray[np.integer], numbers: npt.NDArray[np.integer]
) -> FloatArray:
    """Return the times (k, m) of step numbers (m,) in even steps from one time (k,) to another (k,).

    There are `steps` (k,) steps; beyond the last one the last time is repeated.
    """
    times_s = numbers * ((to_s - from_s) / steps)[:, None] + from_s[:, None]
    return np.where(numbers >= steps[:, None], to_s[:, None], times_s)


def batches(count: int, states: int) -> list[slice]:
    """Return slices of `count` pairs, each pair with `states` states, that fit in memory."""
    length = max(1, STATES_AT_A_TIME // states)
    return [slice(first, first + length) for first in range(0, count, length)]
