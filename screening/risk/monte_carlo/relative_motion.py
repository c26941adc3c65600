"""The relative trajectory of two objects with uncertain states, linear in twelve numbers."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.two_body import (
    orbital_period_s,
    propagate_two_body,
    transition_matrices,
)

SIGMAS_EACH_SIDE = 8.0  # of the window, along the relative velocity


class RelativeMotion(NamedTuple):
    """Secondary minus primary, position and velocity, at nodes (k,): mean + spread @ z, z ~ N(0, 1)^12.

    Between nodes the motion is the cubic through positions and velocities, for mean and spread alike, so a
    trajectory is one function of time however it is evaluated.
    """

    seconds: FloatArray  # (k,) from TCA, equally spaced
    mean: FloatArray  # (k, 6) m and m/s
    spread: FloatArray  # (k, 6, 12)

    @property
    def step_s(self) -> float:
        """Time between two nodes."""
        return float(self.seconds[1] - self.seconds[0])


def relative_motion(
    primary: FloatArray,
    secondary: FloatArray,
    covariance_primary: FloatArray,
    covariance_secondary: FloatArray,
    seconds: FloatArray,
    cross_covariance: FloatArray | None = None,
) -> RelativeMotion:
    """Propagate two inertial states (6,) and covariances (6, 6), m and m/s, to times (k,)."""
    mean = propagate_two_body(secondary, seconds) - propagate_two_body(primary, seconds)
    root = joint_root(covariance_primary, covariance_secondary, cross_covariance)
    spread = (
        transition_matrices(secondary, seconds) @ root[6:] - transition_matrices(primary, seconds) @ root[:6]
    )
    return RelativeMotion(seconds, mean, spread)


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


def encounter_half_window_s(
    primary: FloatArray,
    secondary: FloatArray,
    combined_covariance: FloatArray,
) -> float:
    """Return how long before and after TCA an encounter is followed, s.

    The time in which 8 sigmas along the relative velocity pass, as in `validity_flags`, but at most a quarter
    of the shorter revolution. The encounter of objects that stay near each other does not end: their
    probability grows with the window, and holds only for it.
    """
    quarter = 0.25 * min(orbital_period_s(primary), orbital_period_s(secondary))
    motion = (secondary - primary)[3:]
    variance = motion @ combined_covariance[:3, :3] @ motion
    square = float(motion @ motion)
    return min(quarter, float(SIGMAS_EACH_SIDE * np.sqrt(variance) / square)) if square > 0 else quarter


def square_root(covariance: FloatArray) -> FloatArray:
    """Return S (m, m) with S S' = covariance; negative eigenvalues, from rounding in messages, count as 0.

    The eigenvalues are those of the correlations, since metres and metres per second are not comparable.
    """
    sigma = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = np.where(sigma > 0, sigma, 1.0)
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root: FloatArray = scale[:, np.newaxis] * vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    return root


def at_times(motion: RelativeMotion, segment: np.ndarray, part: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean (n, 3) and spread (n, 3, 12) of the position at a fraction [0, 1] of segments (n,)."""
    s = part
    weights = np.stack(
        [
            (1 + 2 * s) * (1 - s) ** 2,
            s * s * (3 - 2 * s),
            s * (1 - s) ** 2 * motion.step_s,
            s * s * (s - 1) * motion.step_s,
        ]
    )
    return _blend(weights, motion.mean, segment), _blend(weights, motion.spread, segment)


def velocities_at(motion: RelativeMotion, segment: np.ndarray, part: FloatArray, z: FloatArray) -> FloatArray:
    """Return the velocities (n, 3) at a fraction of segments (n,) of the trajectories z (n, 12)."""
    s = part
    weights = np.stack(
        [
            6 * s * (s - 1) / motion.step_s,
            6 * s * (1 - s) / motion.step_s,
            (1 - s) * (1 - 3 * s),
            s * (3 * s - 2),
        ]
    )
    spread = _blend(weights, motion.spread, segment)
    velocity: FloatArray = _blend(weights, motion.mean, segment) + np.einsum("nij,nj->ni", spread, z)
    return velocity


def _blend(weights: FloatArray, nodes: FloatArray, segment: np.ndarray) -> FloatArray:
    """Add positions and velocities at both ends of segments (n,) with weights (4, n)."""
    shape = (-1,) + (1,) * (nodes.ndim - 1)
    begin, end = nodes[segment], nodes[segment + 1]
    blended: FloatArray = (
        weights[0].reshape(shape) * begin[:, :3]
        + weights[1].reshape(shape) * end[:, :3]
        + weights[2].reshape(shape) * begin[:, 3:]
        + weights[3].reshape(shape) * end[:, 3:]
    )
    return blended
