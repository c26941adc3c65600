"""Find the likeliest errors with which two objects touch at one time.

Orbits are as in `design_point_kernel`: equinoctial elements + spread @ u, u (m,) independent standard
normals. That the bodies touch, and not only their centres, is allowed for by three more normals: the relative
position plus a Gaussian about as wide as the sphere vanishes at the least norm of all m + 3. So errors may be
as small against the sphere as they like.
"""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.probability.design_point_kernel import relative_motion

# Of each coordinate of a point in the sphere, in squared radii. Wider than the sphere's second moment, 0.2:
# weights of points drawn from the Gaussian then vary least.
BALL_VARIANCE = 0.45

_STEPS = 60
_LONGEST_STEP = 2.0  # sigmas
_TOLERANCE = 1e-4  # sigmas: points are drawn about where it leads, and weighted
_INDEPENDENT = 1e-12  # of a row's length: what must be left of it beside the others


@kernel
def likeliest_touch(orbits, seconds, radius, reach, u, motion, rows):  # type: ignore[no-untyped-def]
    """Move `u` (m,) to the likeliest errors with which the objects touch at `seconds` from TCA.

    orbits: elements (2, 6), axes (2, 3, 3) and spread (2, 6, m) as of `design_point`; motion: relative
    position (3,), velocity (3,) and the position's derivatives (3, m), filled with those at the errors found;
    rows (3, m + 3) is work space. Returns the logarithm of the density with which the objects touch, but for
    a constant; -inf if the errors are farther away than `reach` sigmas, NaN if none were found.
    """
    elements, axes, spread = orbits
    position, velocity, gradient = motion
    count = u.shape[0]
    target, triangle, whole = np.empty(3), np.zeros((3, 3)), np.zeros(count + 3)
    whole[:count] = u
    for _ in range(_STEPS):
        if not relative_motion(elements, axes, spread, u, seconds, position, velocity, gradient):
            return np.nan
        rows[:, count:] = 0.0
        for i in range(3):
            rows[i, :count] = gradient[i]
            rows[i, count + i] = math.sqrt(BALL_VARIANCE) * radius
            target[i] = dot(gradient[i], u) - position[i]
        if not orthonormal_rows(rows, triangle):
            return np.nan
        solve_lower(triangle, target)
        change2 = 0.0
        for j in range(count + 3):
            change2 += (_least(rows, target, j) - whole[j]) ** 2
        share = _LONGEST_STEP / max(math.sqrt(change2), _LONGEST_STEP)
        norm2 = 0.0
        for j in range(count + 3):
            whole[j] += share * (_least(rows, target, j) - whole[j])
            norm2 += whole[j] ** 2
        u[:] = whole[:count]
        if not norm2 < reach * reach:
            return -np.inf
        if change2 < _TOLERANCE**2:
            return -0.5 * norm2 - math.log(triangle[0, 0] * triangle[1, 1] * triangle[2, 2])
    return np.nan


@kernel
def _least(rows, target, j):  # type: ignore[no-untyped-def]
    return rows[0, j] * target[0] + rows[1, j] * target[1] + rows[2, j] * target[2]


@kernel
def dot(a, b):  # type: ignore[no-untyped-def]
    """Return the product of two vectors of the same length."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@kernel
def orthonormal_rows(rows, triangle):  # type: ignore[no-untyped-def]
    """Replace rows (3, m) by orthonormal ones; triangle @ new = old, triangle (3, 3) lower.

    Gram and Schmidt's method, twice for each row. Returns False if the rows are not independent.
    """
    for i in range(3):
        length = math.sqrt(dot(rows[i], rows[i]))
        triangle[i, :] = 0.0
        for _ in range(2):
            for k in range(i):
                along = dot(rows[k], rows[i])
                triangle[i, k] += along
                for j in range(rows.shape[1]):
                    rows[i, j] -= along * rows[k, j]
        left = math.sqrt(dot(rows[i], rows[i]))
        if not left > _INDEPENDENT * length:
            return False
        triangle[i, i] = left
        for j in range(rows.shape[1]):
            rows[i, j] /= left
    return True


@kernel
def solve_lower(triangle, vector):  # type: ignore[no-untyped-def]
    """Replace a vector (3,) by the solution of triangle @ x = vector."""
    vector[0] /= triangle[0, 0]
    vector[1] = (vector[1] - triangle[1, 0] * vector[0]) / triangle[1, 1]
    vector[2] = (vector[2] - triangle[2, 0] * vector[0] - triangle[2, 1] * vector[1]) / triangle[2, 2]
