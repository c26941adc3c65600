"""The parts of a mixture of Gaussians over the disk of both bodies, all but the quiet one."""

import math

import numpy as np

from screening.kernels import kernel
from screening.risk.probability.exact_2d_kernel import log_probability_of

# Radius times the larger of 1 and the miss in sigmas, over the smaller sigma: below, the density hardly
# varies over the disk, and the closed formula is within the square of it over 8.
_FLAT = 0.1
# Of the sum of the weights: less counts nothing beside the uncertainty of the weights.
_NEGLIGIBLE_WEIGHT = 1e-7
_IN_TRACK = 1


@kernel
def other_parts(  # type: ignore[no-untyped-def]
    miss, major_axis, minor_axis, radius, axes, covariances, weights, tail_scales, burns, out
):
    """Add up, for encounters (n,), the probabilities of all parts but both quiet ones, weighted.

    miss (n, 2) in the plane along `major_axis` and `minor_axis` (n, 3); for both objects (2, n, ...): axes
    (3, 3) RTN, covariances (3, 3) of the quiet part, weights (3,) of quiet, tail and burnt, tail_scales (3,),
    burns () in-track. Writes (n,).
    """
    plane = np.empty((2, 3, 3))  # xx, xy, yy of both objects' three parts
    for i in range(out.shape[0]):
        for side in range(2):
            _project(
                plane[side], major_axis[i], minor_axis[i], axes[side, i], covariances[side, i],
                tail_scales[side, i], burns[side, i],
            )  # fmt: skip
        total = 0.0
        for first in range(3):
            for second in range(3):
                weight = weights[0, i, first] * weights[1, i, second]
                if first + second > 0 and weight > _NEGLIGIBLE_WEIGHT:
                    total += weight * _probability(
                        miss[i, 0],
                        miss[i, 1],
                        plane[0, first] + plane[1, second],
                        radius[i],
                    )
        out[i] = total


@kernel
def _project(out, major, minor, axes, covariance, tail_scale, burn):  # type: ignore[no-untyped-def]
    """Fill the covariances (3 parts, xx xy yy) of one object in the plane."""
    out[:] = 0.0
    x0, y0 = _dot(major, axes[0]), _dot(minor, axes[0])
    x1, y1 = _dot(major, axes[1]), _dot(minor, axes[1])
    x2, y2 = _dot(major, axes[2]), _dot(minor, axes[2])
    xs, ys = (x0, x1, x2), (y0, y1, y2)
    for a in range(3):
        for b in range(3):
            quiet = covariance[a, b]
            if quiet != 0.0:  # a law has no correlations
                xx, xy, yy = quiet * xs[a] * xs[b], quiet * xs[a] * ys[b], quiet * ys[a] * ys[b]
                scale = tail_scale[a] * tail_scale[b]
                out[0, 0] += xx
                out[0, 1] += xy
                out[0, 2] += yy
                out[1, 0] += scale * xx
                out[1, 1] += scale * xy
                out[1, 2] += scale * yy
    square = burn * burn
    out[2, 0] = out[0, 0] + square * xs[_IN_TRACK] * xs[_IN_TRACK]
    out[2, 1] = out[0, 1] + square * xs[_IN_TRACK] * ys[_IN_TRACK]
    out[2, 2] = out[0, 2] + square * ys[_IN_TRACK] * ys[_IN_TRACK]


@kernel
def _dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _probability(x, y, covariance, radius):  # type: ignore[no-untyped-def]
    """Return the probability of one part: a Gaussian about the miss over the disk."""
    xx, xy, yy = covariance[0], covariance[1], covariance[2]
    larger = 0.5 * (xx + yy) + math.hypot(0.5 * (xx - yy), xy)
    determinant = xx * yy - xy * xy
    if not (larger > 0.0 and determinant > 0.0):
        return 0.0
    smaller = determinant / larger
    square = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant
    if radius * radius * max(1.0, square) < _FLAT * _FLAT * smaller:
        return math.exp(-0.5 * square) * -math.expm1(-0.5 * radius * radius / math.sqrt(determinant))
    angle = 0.5 * math.atan2(2.0 * xy, xx - yy)
    cosine, sine = math.cos(angle), math.sin(angle)
    logarithm = log_probability_of(
        cosine * x + sine * y, cosine * y - sine * x, math.sqrt(larger), math.sqrt(smaller), radius
    )
    return math.exp(logarithm)
