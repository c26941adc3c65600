"""Collision probability by random sampling in the encounter plane.

It checks the integral, not the assumption of straight relative motion, which both share. For encounters where
that fails see `three_dimensional`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.monte_carlo.two_dimensional_kernel import (
    sample_disk,
    sample_mixture,
)
from screening.risk.probability.exact_2d import contiguous

IntArray = npt.NDArray[np.int64]

FEWEST_SAMPLES = 1_000  # before the interval is looked at; divisible by the mixture's shares
NORMAL_QUANTILE = 1.959963984540054  # of 95 %, two-sided

# If the exponent varies little over the disk, uniform points on it all have about the same weight.
LARGEST_UNIFORM_RADIUS_SIGMAS = 1.0
LARGEST_UNIFORM_VARIATION = 2.0


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
    seed_of = np.broadcast_to(np.asarray(seeds), geometry[0].shape)
    rows = [
        _estimate(np.random.default_rng(int(seed)), largest_samples, relative_half_width, *event)
        for seed, *event in zip(seed_of, *geometry, strict=True)
    ]
    table = np.array(rows, float).reshape(-1, 5)
    probability, half_width = table[:, 0], table[:, 1]
    return MonteCarloEstimate(
        probability,
        np.maximum(probability - half_width, 0.0),
        np.minimum(probability + half_width, 1.0),
        table[:, 2].astype(np.int64),
        table[:, 3].astype(np.int64),
        table[:, 4],
    )


def _estimate(
    rng: np.random.Generator, largest_samples: int, relative_half_width: float, *event: float
) -> tuple[float, float, int, int, float]:
    """Return probability, half width, samples, hits and effective samples of one encounter."""
    major, minor, s_major, s_minor, radius = event
    if not (np.isfinite(event).all() and s_minor > 0 and radius > 0):
        return np.nan, np.nan, 0, 0, 0.0
    variation = radius * (abs(major) / s_major**2 + abs(minor) / s_minor**2)
    small = radius <= LARGEST_UNIFORM_RADIUS_SIGMAS * s_minor and variation <= LARGEST_UNIFORM_VARIATION
    sample = sample_disk if small else sample_mixture
    samples, hits = 0, 0
    sums, squares, drawn = np.zeros(4), np.zeros(4), np.zeros(4)
    while samples < largest_samples:
        left = -(-(largest_samples - samples) // FEWEST_SAMPLES) * FEWEST_SAMPLES
        batch = min(max(samples, FEWEST_SAMPLES), left)
        scale, hits_now = sample(rng, batch, major, minor, s_major, s_minor, radius, sums, squares, drawn)
        samples += batch
        hits += hits_now
        within = squares - np.divide(sums**2, drawn, out=np.zeros(4), where=drawn > 0)
        mean = sums.sum() / samples
        half_width = NORMAL_QUANTILE * np.sqrt(max(within.sum(), 0.0)) / samples
        if half_width <= relative_half_width * mean:
            break
    effective = sums.sum() ** 2 / squares.sum() if hits else 0.0
    return mean * scale, half_width * scale, samples, hits, effective
