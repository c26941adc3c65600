"""The parts of a mixture of Gaussians over the disk of both bodies, all but the quiet one."""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.geometry.rtn_kernel import fill_rtn
from screening.risk.probability.exact_2d_kernel import log_probability_of

# Radius times the larger of 1 and the miss in sigmas, over the smaller sigma: below, the density hardly
# varies over the disk, and the closed formula is within the square of it over 8.
_FLAT = 0.1
_ROUNDED = 1.0 - 1e-12
# Of the sum of the weights: less counts nothing beside the uncertainty of the weights.
_NEGLIGIBLE_WEIGHT = 1e-7
_IN_TRACK = 1


@kernel
def other_parts(  # type: ignore[no-untyped-def]
    miss, plane_axes, radius, states, of_primary, of_secondary, weights, tail_scales, burns, out
):
    """Add up, for encounters (n,), the probabilities of all parts but both quiet ones, weighted.

    miss, two (n,), in the plane along its axes, two (n, 3); states, four (n, 3); of_primary and of_secondary,
    of the quiet parts in their own RTN, sigmas (n, 3) or covariances (n, 3, 3); for both objects (2, n, ...):
    weights (3,) of quiet, tail and burnt, tail_scales (3,), burns () in-track. Writes (n,).
    """
    plane = np.empty((2, 3, 3))  # xx, xy, yy of both objects' three parts
    axes = np.empty((3, 3))
    for i in range(out.shape[0]):
        major, minor = plane_axes[0][i], plane_axes[1][i]
        fill_rtn(states[0][i], states[1][i], axes)
        _project(plane[0], major, minor, axes, of_primary[i], tail_scales[0, i], burns[0, i])
        fill_rtn(states[2][i], states[3][i], axes)
        _project(plane[1], major, minor, axes, of_secondary[i], tail_scales[1, i], burns[1, i])
        total = 0.0
        for first in range(3):
            for second in range(3):
                weight = weights[0, i, first] * weights[1, i, second]
                if first + second > 0 and weight > _NEGLIGIBLE_WEIGHT:
                    total += weight * _probability(
                        miss[0][i],
                        miss[1][i],
                        plane[0, first] + plane[1, second],
                        radius[i],
                    )
        out[i] = total


@kernel
def _project(out, major, minor, axes, covariance, tail_scale, burn):  # type: ignore[no-untyped-def]
    """Fill the covariances (3 parts, xx xy yy) of one object in the plane.

    Its `covariance` along RTN is that of the quiet part, sigmas (3,) or (3, 3).
    """
    out[:] = 0.0
    x0, y0 = _dot(major, axes[0]), _dot(minor, axes[0])
    x1, y1 = _dot(major, axes[1]), _dot(minor, axes[1])
    x2, y2 = _dot(major, axes[2]), _dot(minor, axes[2])
    xs, ys = (x0, x1, x2), (y0, y1, y2)
    for a in range(3):
        if covariance.ndim == 1:  # a law has no correlations
            variance, scale = covariance[a] * covariance[a], tail_scale[a] * tail_scale[a]
            _add(out, variance, scale, xs[a], xs[a], ys[a], ys[a])
        else:
            for b in range(3):
                scale = tail_scale[a] * tail_scale[b]
                _add(out, covariance[a, b], scale, xs[a], xs[b], ys[a], ys[b])
    square = burn * burn
    out[2, 0] = out[0, 0] + square * xs[_IN_TRACK] * xs[_IN_TRACK]
    out[2, 1] = out[0, 1] + square * xs[_IN_TRACK] * ys[_IN_TRACK]
    out[2, 2] = out[0, 2] + square * ys[_IN_TRACK] * ys[_IN_TRACK]


@kernel
def _add(out, quiet, scale, x, other_x, y, other_y):  # type: ignore[no-untyped-def]
    """Add an element of the quiet part's covariance to those of it and of the tail in the plane."""
    xx, xy, yy = quiet * x * other_x, quiet * x * other_y, quiet * y * other_y
    out[0, 0] += xx
    out[0, 1] += xy
    out[0, 2] += yy
    out[1, 0] += scale * xx
    out[1, 1] += scale * xy
    out[1, 2] += scale * yy


@kernel
def _dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _probability(x, y, covariance, radius):  # type: ignore[no-untyped-def]
    """Return the probability of one part: a Gaussian about the miss over the disk."""
    xx, xy, yy = covariance[0], covariance[1], covariance[2]
    trace, determinant = xx + yy, xx * yy - xy * xy
    if not (trace > 0.0 and determinant > 0.0):
        return 0.0
    square = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant
    reach = radius * radius * max(1.0, square)
    # The smaller eigenvalue is not below determinant over trace, which mostly is enough to know.
    flat = reach * trace < _ROUNDED * _FLAT * _FLAT * determinant
    larger = trace if flat else 0.5 * trace + math.hypot(0.5 * (xx - yy), xy)
    smaller = determinant / larger
    if flat or reach < _FLAT * _FLAT * smaller:
        return math.exp(-0.5 * square) * -math.expm1(-0.5 * radius * radius / math.sqrt(determinant))
    angle = 0.5 * math.atan2(2.0 * xy, xx - yy)
    cosine, sine = math.cos(angle), math.sin(angle)
    logarithm = log_probability_of(
        cosine * x + sine * y, cosine * y - sine * x, math.sqrt(larger), math.sqrt(smaller), radius
    )
    return math.exp(logarithm)
