"""By how much orbits fall below the straight lines of the encounter plane."""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.geometry.rtn_kernel import dot, fill_rtn


@kernel
def fill_shifts(towards, states, covariances, plane_axes, sigmas, out):  # type: ignore[no-untyped-def]
    """Fill H (n,) of `validity_flags`.

    towards (n, 3): P' (P C P')^-1 P m; states, four (n, 3); covariances, two (n, 3, 3); axes of the plane,
    two (n, 3), and their sigmas, two (n,).
    """
    axes, fall = np.empty((3, 3)), np.empty(3)
    for n in range(len(out)):
        fall[:] = 0.0
        for which in range(2):
            r = states[2 * which][n]
            fill_rtn(r, states[2 * which + 1][n], axes)
            in_track = 0.0
            for i in range(3):
                for j in range(3):
                    in_track += axes[1, i] * covariances[which][n, i, j] * towards[n, j]
            depth = in_track * in_track / (2.0 * math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]))
            for i in range(3):
                fall[i] += (depth if which == 0 else -depth) * axes[0, i]
        out[n] = math.hypot(
            dot(fall, plane_axes[0][n]) / sigmas[0][n], dot(fall, plane_axes[1][n]) / sigmas[1][n]
        )
