"""Draw where in the sphere two objects are at one time, from what their errors allow."""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.monte_carlo.fixed_time_kernel import BALL_VARIANCE, dot, solve_lower
from screening.risk.monte_carlo.random_numbers import normal, uniform, uniform_on_disk
from screening.risk.probability.design_point_kernel import plane_axes

_CANDIDATES, _CANDIDATES_IF_NARROW = 4, 16
_CENTRED, _WIDE = 0.3, 0.5  # radii: what the errors allow hardly varies over the sphere
_LEAST = 1e-250  # of the density at its highest: beyond, numbers lose their digits


@kernel
def draw_point(along, triangle, position, velocity, radius, state, point):  # type: ignore[no-untyped-def]
    """Fill a relative position (3,), and return the inverse of its density; 0 if all candidates lie outside.

    The position is Gaussian with the root `triangle` (3, 3), and `position` is where the normals `along` (3,)
    lead; it is passed with `velocity`. Wanted is the density of that Gaussian over the time that straight
    motion at this velocity spends in the sphere. One of 4 or 16 candidates is drawn by it: from the disk
    normal to the velocity and uniform along the chord there; if the errors are narrow, half from the Gaussian
    times one about as wide as the sphere (Talbot et al. 2005, Importance resampling for global illumination).
    So the inverse density is right on average.
    """
    mean, centre, root = np.empty(3), np.empty(3), np.zeros((3, 3))
    _narrowed(along, triangle, position, BALL_VARIANCE * radius * radius, mean, centre, root)
    across, speed = np.zeros((2, 3)), math.sqrt(dot(velocity, velocity))
    if speed == 0.0:
        return 0.0
    plane_axes(velocity, across)
    candidate, offset = np.empty(3), np.empty(3)
    highest = _exponent(centre, mean, triangle, offset)  # in the sphere; the scale of `wanted` cancels
    volume = (2.0 * math.pi) ** 1.5 * root[0, 0] * root[1, 1] * root[2, 2]
    total, inverse = 0.0, 0.0
    narrowest = min(root[0, 0], root[1, 1], root[2, 2])
    even = dot(centre, centre) < (_CENTRED * radius) ** 2 and narrowest > _WIDE * radius
    on_disks = 1.0 if even else 0.5
    candidates = _CANDIDATES if even else _CANDIDATES_IF_NARROW
    for one in range(candidates):
        if even or one % 2 == 0:
            _on_disk(across, velocity, speed, radius, state, candidate)
        else:
            _from_gaussian(centre, root, state, candidate)
        chord = _chord(candidate, velocity, speed, radius)
        if chord == 0.0:
            continue
        drawn = on_disks / (math.pi * radius * radius * chord)
        if not even:
            drawn += (1.0 - on_disks) * math.exp(_exponent(candidate, centre, root, offset)) / volume
        wanted = math.exp(_exponent(candidate, mean, triangle, offset) - highest) / chord
        if wanted < _LEAST:
            continue
        total += wanted / drawn
        if uniform(state) * total < wanted / drawn:
            point[:] = candidate
            inverse = 1.0 / wanted
    return inverse * total / candidates


@kernel
def _on_disk(across, velocity, speed, radius, state, point):  # type: ignore[no-untyped-def]
    """Fill a point (3,) that is uniform on the disk normal to a velocity, and along the chord there."""
    a, b = uniform_on_disk(state)
    c = (2.0 * uniform(state) - 1.0) * math.sqrt(1.0 - a * a - b * b)
    for i in range(3):
        point[i] = radius * (a * across[0, i] + b * across[1, i] + c * velocity[i] / speed)


@kernel
def _from_gaussian(mean, root, state, point):  # type: ignore[no-untyped-def]
    a, b, c = normal(state), normal(state), normal(state)
    for i in range(3):
        point[i] = mean[i] + root[i, 0] * a + root[i, 1] * b + root[i, 2] * c


@kernel
def _chord(point, velocity, speed, radius):  # type: ignore[no-untyped-def]
    """Return how long the chord through a point along a velocity is; 0 outside the sphere."""
    left = radius * radius - dot(point, point)
    along = dot(point, velocity) / speed
    return 2.0 * math.sqrt(left + along * along) if left > 0.0 else 0.0


@kernel
def _exponent(point, mean, root, offset):  # type: ignore[no-untyped-def]
    """Return the exponent of a Gaussian with a lower root (3, 3)."""
    for i in range(3):
        offset[i] = point[i] - mean[i]
    solve_lower(root, offset)
    return -0.5 * dot(offset, offset)


@kernel
def _narrowed(along, triangle, position, ball, mean, centre, root):  # type: ignore[no-untyped-def]
    """Fill the mean (3,) of a Gaussian, and mean and root (3, 3) of it times one of variance `ball` about 0.

    Its covariance is ball (C + ball)^-1 C and its mean ball (C + ball)^-1 m, by which C is not inverted.
    """
    covariance, widened, other = np.empty((3, 3)), np.empty((3, 3)), np.zeros((3, 3))
    for i in range(3):
        mean[i] = position[i] - dot(triangle[i], along)
        centre[i] = ball * mean[i]
        for j in range(3):
            covariance[i, j] = dot(triangle[i], triangle[j])
            widened[i, j] = covariance[i, j] + (ball if i == j else 0.0)
    _cholesky(widened, other)
    _solve_both(other, centre)
    for i in range(3):
        _solve_both(other, covariance[i])  # both are symmetric, and commute
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
