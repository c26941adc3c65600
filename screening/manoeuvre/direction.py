"""The direction in which a small burn of given size helps most."""

import numpy as np

from screening.orbits.timegrid import FloatArray

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
