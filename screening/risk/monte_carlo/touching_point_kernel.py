"""Draw where in the sphere two objects are at one time, from what their errors allow."""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.monte_carlo.fixed_time_kernel import BALL_VARIANCE, solve_lower
from screening.risk.monte_carlo.random_numbers import normal, uniform

UNIFORM_POINTS = 0.5  # share of the points drawn uniformly in the sphere


@kernel
def draw_point(along, triangle, position, radius, state, point):  # type: ignore[no-untyped-def]
    """Fill a relative position (3,), and return the density with which it is drawn.

    The position is Gaussian with the root `triangle` (3, 3), and `position` is where the normals `along` (3,)
    lead. Half of the points are uniform in the sphere, half from that Gaussian times one about as wide as the
    sphere, of which some fall outside.
    """
    centre, root = np.empty(3), np.zeros((3, 3))
    _narrowed(along, triangle, position, BALL_VARIANCE * radius * radius, centre, root)
    if uniform(state) < UNIFORM_POINTS:
        square = 2.0
        while square >= 1.0:
            square = 0.0
            for i in range(3):
                point[i] = 2.0 * uniform(state) - 1.0
                square += point[i] ** 2
        point *= radius
    else:
        for i in range(3):
            point[i] = centre[i]
        for k in range(3):
            point += root[:, k] * normal(state)
    offset = point - centre
    solve_lower(root, offset)
    volume = (2.0 * math.pi) ** 1.5 * root[0, 0] * root[1, 1] * root[2, 2]
    gaussian = math.exp(-0.5 * (offset * offset).sum()) / volume
    return UNIFORM_POINTS * 0.75 / (math.pi * radius**3) + (1.0 - UNIFORM_POINTS) * gaussian


@kernel
def _narrowed(along, triangle, position, ball, centre, root):  # type: ignore[no-untyped-def]
    """Fill mean (3,) and root (3, 3) of a Gaussian times one of variance `ball` about the origin.

    Its covariance is ball (C + ball)^-1 C and its mean ball (C + ball)^-1 m, by which C is not inverted.
    """
    covariance, widened, other = np.empty((3, 3)), np.empty((3, 3)), np.zeros((3, 3))
    for i in range(3):
        centre[i] = position[i] - (triangle[i] * along).sum()
        for j in range(3):
            covariance[i, j] = (triangle[i] * triangle[j]).sum()
            widened[i, j] = covariance[i, j] + (ball if i == j else 0.0)
    _cholesky(widened, other)
    _solve_both(other, centre)
    for i in range(3):
        _solve_both(other, covariance[i])  # both are symmetric, and commute
    centre *= ball
    for i in range(3):
        for j in range(i + 1):
            covariance[i, j] = 0.5 * ball * (covariance[i, j] + covariance[j, i])
    _cholesky(covariance, root)


@kernel
def _solve_both(root, vector):  # type: ignore[no-untyped-def]
    """Replace a vector (3,) by the solution of root @ root.T @ x = vector."""
    solve_lower(root, vector)
    vector[2] /= root[2, 2]
    vector[1] = (vector[1] - root[2, 1] * vector[2]) / root[1, 1]
    vector[0] = (vector[0] - root[1, 0] * vector[1] - root[2, 0] * vector[2]) / root[0, 0]


@kernel
def _cholesky(matrix, root):  # type: ignore[no-untyped-def]
    """Fill the lower root (3, 3) of a symmetric matrix; what rounding made negative counts as 1e-14 of it."""
    for i in range(3):
        for j in range(i):
            total = matrix[i, j]
            for k in range(j):
                total -= root[i, k] * root[j, k]
            root[i, j] = total / root[j, j]
        left = matrix[i, i]
        for k in range(i):
            left -= root[i, k] ** 2
        root[i, i] = math.sqrt(max(left, 1e-14 * matrix[i, i]))
