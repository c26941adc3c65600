"""Risk levels: which number of a row decides, and the level.

    critical  miss < 100 m   or  P > 1e-4
    high      miss < 500 m   or  P > 1e-5
    medium    miss < 1000 m  or  P > 1e-6
    low       the rest

The first one that applies, from the top; limits are strict as written. P is the larger of the formula's
probability and the exact 2-D one; where neither holds, the Monte Carlo's if there is one. The level
by probability alone leaves the distances out; without a P there is none.
"""

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import NO_CODE, RISK_BASES
from screening.vocabulary import RISK_LEVELS

MISS_LIMITS_M = (100.0, 500.0, 1000.0)
PROBABILITY_LIMITS = (1e-4, 1e-5, 1e-6)

CodeArray = npt.NDArray[np.int8]


def decisive_probability(
    probability: FloatArray, probability_2d: FloatArray, probability_mc: FloatArray
) -> FloatArray:
    """Return the probability (n,) that the level goes by; NaN where none is known."""
    two_dimensional = np.fmax(probability, probability_2d)
    decisive: FloatArray = np.where(np.isfinite(two_dimensional), two_dimensional, probability_mc)
    return decisive


def probability_levels(decisive: FloatArray) -> CodeArray:
    """Return the levels (n,) that probabilities alone would give, as codes; NO_CODE for NaN."""
    levels = np.full(len(decisive), len(RISK_LEVELS) - 1, np.int8)
    for level in reversed(range(len(PROBABILITY_LIMITS))):
        levels[decisive > PROBABILITY_LIMITS[level]] = level
    levels[np.isnan(decisive)] = NO_CODE
    return levels


def risk_levels(
    miss_distance_m: FloatArray,
    probability: FloatArray,
    probability_2d: FloatArray,
    probability_mc: FloatArray,
) -> tuple[CodeArray, CodeArray]:
    """Rate events (n,); NaN for unknown probabilities.

    Returns codes into RISK_LEVELS and RISK_BASES: `probability` or `monte_carlo` decides only if it gives a
    worse level than the distance alone.
    """
    analytic = np.isfinite(np.fmax(probability, probability_2d))
    decisive = decisive_probability(probability, probability_2d, probability_mc)
    by_distance = np.full(len(miss_distance_m), len(RISK_LEVELS) - 1, np.int8)
    for level in reversed(range(len(MISS_LIMITS_M))):
        by_distance[miss_distance_m < MISS_LIMITS_M[level]] = level
    rated = probability_levels(decisive)
    by_probability = np.where(rated == NO_CODE, np.int8(len(RISK_LEVELS) - 1), rated)
    basis = np.where(analytic, RISK_BASES.index("probability"), RISK_BASES.index("monte_carlo"))
    worse = by_probability < by_distance
    return (
        np.minimum(by_distance, by_probability),
        np.where(worse, basis, RISK_BASES.index("distance")).astype(np.int8),
    )
