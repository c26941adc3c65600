"""Find when two objects are likeliest to touch during an encounter."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.monte_carlo.relative_motion import RelativeMotion, at_times, velocities_at

UNIFORM_BALL_VARIANCE = 0.2  # of each coordinate, in squared radii
_NEWTON_STEPS = 3


class LikelyTimes(NamedTuple):
    """For each segment (k,) of a relative motion: the state when the objects most likely touch."""

    mean_m: FloatArray  # (k, 3)
    spread_m: FloatArray  # (k, 3, 12)
    covariance_m2: FloatArray  # (k, 3, 3) of the relative position, plus that of a point in the sphere
    likely: FloatArray  # (k,), 1 for the likeliest of all


def likely_times(motion: RelativeMotion, radius_m: float) -> LikelyTimes:
    """Find where the Gaussian density at the centre of the sphere is largest, segment by segment.

    Newton's method on the squared distance in sigmas: with a long error along the motion, the density may be
    large for only a small part of a segment. The sphere is replaced by a Gaussian with its second moment.
    """
    segment = np.arange(len(motion.seconds) - 1)
    part = np.zeros(len(segment))
    for _ in range(_NEWTON_STEPS):
        mean, spread = at_times(motion, segment, part)
        velocity = velocities_at(motion, segment, part, np.zeros((len(segment), spread.shape[2])))
        slope = np.linalg.solve(_widened(spread, radius_m), velocity[..., np.newaxis])[..., 0]
        seconds = -np.einsum("ki,ki->k", mean, slope) / np.einsum("ki,ki->k", velocity, slope)
        part = np.clip(part + seconds / motion.step_s, 0.0, 1.0)
    mean, spread = at_times(motion, segment, part)
    covariance = _widened(spread, radius_m)
    scaled = np.linalg.solve(covariance, mean[..., np.newaxis])[..., 0]
    exponent = 0.5 * np.einsum("ki,ki->k", mean, scaled) + 0.5 * np.linalg.slogdet(covariance)[1]
    return LikelyTimes(mean, spread, covariance, np.exp(exponent.min() - exponent))


def _widened(spread: FloatArray, radius_m: float) -> FloatArray:
    widened: FloatArray = spread @ spread.transpose(0, 2, 1) + UNIFORM_BALL_VARIANCE * radius_m**2 * np.eye(3)
    return widened
