"""Roots of covariances, by which independent standard normals become the errors of two states."""

import numpy as np

from screening.orbits.timegrid import FloatArray


def joint_root(
    covariance_primary: FloatArray, covariance_secondary: FloatArray, cross_covariance: FloatArray | None
) -> FloatArray:
    """Return S (12, 12) with S S' the covariance of both errors, the primary's six first."""
    root = np.zeros((12, 12))
    if cross_covariance is None:
        root[:6, :6], root[6:, 6:] = square_root(covariance_primary), square_root(covariance_secondary)
        return root
    both = [[covariance_primary, cross_covariance], [cross_covariance.T, covariance_secondary]]
    return square_root(np.block(both))


def square_root(covariance: FloatArray) -> FloatArray:
    """Return S (m, m) with S S' = covariance; negative eigenvalues, from rounding in messages, count as 0.

    The eigenvalues are those of the correlations, since metres and metres per second are not comparable.
    """
    sigma = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = np.where(sigma > 0, sigma, 1.0)
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root: FloatArray = scale[:, np.newaxis] * vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    return root
