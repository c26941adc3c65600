"""The probability of the smallest region that holds an error, where errors are mixtures of Gaussians.

The regions are ellipsoids of the shape of the quiet covariance. A part with another covariance puts into one
the probability of a quadratic form in Gaussian variables, by its first three moments: Hall (1983),
Chi squared approximations to the distribution of a sum of independent random variables, Annals of
Probability 11; Buckley and Eagleson (1988), An approximation to the distribution of quadratic forms in normal
random variables, Australian Journal of Statistics 30. It is exact where the part's covariance has the same
shape, or one axis alone is large, and within 0.01 between.
"""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray


class Part(NamedTuple):
    """One Gaussian of the mixtures of an object's errors (n,)."""

    weight: FloatArray  # (n,)
    covariance_m2: FloatArray  # (n, 3, 3)


def content(error_m: FloatArray, primary: list[Part], secondary: list[Part]) -> FloatArray:
    """Return the probabilities (n,) of the ellipsoids on whose surfaces relative errors (n, 3) lie.

    The parts are in the axes of the errors, the quiet ones first. Of a calibrated prediction they are
    evenly distributed from 0 to 1.
    """
    inside = np.zeros(len(error_m))
    inverse = np.linalg.inv(primary[0].covariance_m2 + secondary[0].covariance_m2)
    squared = np.einsum("ni,nij,nj->n", error_m, inverse, error_m)
    for one in primary:
        for other in secondary:
            weight = one.weight * other.weight
            some = np.flatnonzero(weight > 0.0)
            shape = inverse[some] @ (one.covariance_m2[some] + other.covariance_m2[some])
            inside[some] += weight[some] * _below(squared[some], shape)
    return inside


def _below(squared: FloatArray, shape: FloatArray) -> FloatArray:
    """Return the probabilities (n,) that x.x is below; x has the covariance `shape`, or its similar."""
    from scipy.special import gammainc  # 0.1 s, which the first run of a store does not need

    twice = shape @ shape
    first = np.einsum("nii->n", shape)
    second = np.einsum("nii->n", twice)
    third = np.einsum("nij,nji->n", twice, shape)
    freedom = second**3 / third**2
    scaled = freedom + (squared - first) * np.sqrt(freedom / second)
    below: FloatArray = gammainc(freedom / 2.0, np.maximum(scaled, 0.0) / 2.0)
    return below
