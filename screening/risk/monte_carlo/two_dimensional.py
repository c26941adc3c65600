"""Collision probability by random sampling in the encounter plane.

It checks the integral, not the assumption of straight relative motion, which both share. For encounters where
that fails see `three_dimensional`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.monte_carlo.two_dimensional_kernel import estimate_all
from screening.risk.probability.exact_2d import contiguous

IntArray = npt.NDArray[np.int64]


class MonteCarloEstimate(NamedTuple):
    """Estimates of encounters (n,) with their 95 % intervals [low, high]."""

    probability: FloatArray
    low: FloatArray
    high: FloatArray
    samples: IntArray
    hits: IntArray  # samples that fell on the disk
    effective_samples: FloatArray  # (sum of weights)^2 / sum of squared weights


def monte_carlo_2d(
    miss_major_m: FloatArray,
    miss_minor_m: FloatArray,
    sigma_major_m: FloatArray,
    sigma_minor_m: FloatArray,
    radius_m: FloatArray,
    seeds: npt.ArrayLike,
    largest_samples: int = 100_000,
    relative_half_width: float = 1e-3,
) -> MonteCarloEstimate:
    """Estimate the 2-D probability of encounters (n,) by importance sampling, one seed (n,) for each.

    An estimate depends only on its own seed and geometry, not on its place among the others. The number of
    samples is doubled, from 1,000, until the interval's half width is below `relative_half_width` of the
    estimate, at most to `largest_samples` (rounded up to a multiple of 1,000). Draws are uniform on the disk
    if it is small, else from a mixture with balance weights (Veach & Guibas 1995); the standard error is that
    within the proposals. NaN where a sigma is not positive or an argument not finite.
    """
    geometry = contiguous(miss_major_m, miss_minor_m, sigma_major_m, sigma_minor_m, radius_m)
    seed_of = np.broadcast_to(np.asarray(seeds, np.int64), geometry[0].shape)
    table = np.empty((len(seed_of), 5))
    estimate_all(seed_of, *geometry, largest_samples, relative_half_width, table)
    probability, half_width = table[:, 0], table[:, 1]
    return MonteCarloEstimate(
        probability,
        np.maximum(probability - half_width, 0.0),
        np.minimum(probability + half_width, 1.0),
        table[:, 2].astype(np.int64),
        table[:, 3].astype(np.int64),
        table[:, 4],
    )
