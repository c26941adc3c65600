"""Levels: by the probability alone, by the miss alone, and the mission's, by whichever is worse.

    critical  miss < 100 m   or  P > 1e-4
    high      miss < 500 m   or  P > 1e-5
    medium    miss < 1000 m  or  P > 1e-6
    low       the rest

The first one that applies, from the top; limits are strict as written. P is `probability_best`. Without one
the level by the probability is unknown, which ranks above low.
"""

import numpy as np
import numpy.typing as npt

from screening.answers import answer
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import NO_CODE, RISK_BASES
from screening.vocabulary import PROBABILITY_LEVELS, PROBABILITY_METHODS, RISK_LEVELS

MISS_LIMITS_M = (100.0, 500.0, 1000.0)
PROBABILITY_LIMITS = (1e-4, 1e-5, 1e-6)
UNKNOWN, LOW = PROBABILITY_LEVELS.index("unknown"), PROBABILITY_LEVELS.index("low")

CodeArray = npt.NDArray[np.int8]


@answer(critical=1e-4, high=1e-5, medium=1e-6)
class Limits:
    """The probabilities above which an event has a level, whatever its distance."""

    critical: float
    """Above: critical."""
    high: float
    """Above: high."""
    medium: float
    """Above: medium."""


LIMITS = Limits(*PROBABILITY_LIMITS)

# The basis that each method of the probability gives.
_BASES = {"2d": "probability", "3d": "probability", "trajectory_mc": "monte_carlo", "bound": "bound"}
_BASIS_OF_METHOD = np.array([RISK_BASES.index(_BASES[method]) for method in PROBABILITY_METHODS], np.int8)


def probability_levels(probability_best: FloatArray) -> CodeArray:
    """Return the levels (n,) by probabilities alone, as codes into PROBABILITY_LEVELS; NaN: unknown."""
    levels = np.full(len(probability_best), LOW, np.int8)
    for level in reversed(range(len(PROBABILITY_LIMITS))):
        levels[probability_best > PROBABILITY_LIMITS[level]] = level
    levels[np.isnan(probability_best)] = UNKNOWN
    return levels


def near_levels(miss_distance_m: FloatArray) -> CodeArray:
    """Return the levels (n,) that distances alone give, as codes into NEAR_LEVELS; NO_CODE: not near."""
    levels = np.full(len(miss_distance_m), NO_CODE, np.int8)
    for level in reversed(range(len(MISS_LIMITS_M))):
        levels[miss_distance_m < MISS_LIMITS_M[level]] = level
    return levels


def risk_levels(
    miss_distance_m: FloatArray, probability_best: FloatArray, probability_method: CodeArray
) -> tuple[CodeArray, CodeArray]:
    """Rate events (n,) by the mission's rule; NaN and NO_CODE for unknown probabilities.

    Returns codes into RISK_LEVELS and RISK_BASES: a probability decides only if it gives a worse level than
    the distance alone.
    """
    lowest = np.int8(len(RISK_LEVELS) - 1)
    near, rated = near_levels(miss_distance_m), probability_levels(probability_best)
    by_distance = np.where(near == NO_CODE, lowest, near)
    by_probability = np.where(rated >= UNKNOWN, lowest, rated)
    worse = by_probability < by_distance
    basis = np.where(worse, _BASIS_OF_METHOD[probability_method], RISK_BASES.index("distance"))
    return np.minimum(by_distance, by_probability), basis.astype(np.int8)
