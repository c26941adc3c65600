"""Risk levels: the limits are strict as written, and the tier follows from the numbers in the row."""

import numpy as np
import pytest

from screening.risk.conjunctions import NO_CODE, RISK_BASES
from screening.risk.tiers import near_levels, probability_levels, risk_levels
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS, PROBABILITY_METHODS, RISK_LEVELS

NONE = np.nan


def _rate(miss_m: float, best: float = NONE, method: str = "2d") -> tuple[str, str]:
    code = np.array([NO_CODE if np.isnan(best) else PROBABILITY_METHODS.index(method)], np.int8)
    level, basis = risk_levels(np.array([miss_m]), np.array([best]), code)
    return RISK_LEVELS[level[0]], RISK_BASES[basis[0]]


@pytest.mark.parametrize(
    ("miss_m", "level"),
    [
        (99.999, "critical"),
        (100.0, "high"),
        (499.9, "high"),
        (500.0, "medium"),
        (999.9, "medium"),
        (1000.0, "low"),
    ],
)
def test_distance_alone(miss_m: float, level: str) -> None:
    assert _rate(miss_m) == (level, "distance")
    near = near_levels(np.array([miss_m]))[0]
    assert ("low" if near == NO_CODE else NEAR_LEVELS[near]) == level


@pytest.mark.parametrize(
    ("probability", "level"),
    [(1.01e-4, "critical"), (1e-4, "high"), (1.01e-5, "high"), (1e-5, "medium"), (1.01e-6, "medium")],
)
@pytest.mark.parametrize(
    ("method", "basis"),
    [("2d", "probability"), ("3d", "probability"), ("trajectory_mc", "monte_carlo"), ("bound", "bound")],
)
def test_probability_makes_a_distant_event_worse(
    probability: float, level: str, method: str, basis: str
) -> None:
    assert _rate(5000.0, probability, method) == (level, basis)


def test_a_low_probability_never_makes_a_near_event_better() -> None:
    assert _rate(50.0, 0.0) == ("critical", "distance")


@pytest.mark.parametrize(
    ("best", "level"),
    [
        (1.01e-4, "critical"),
        (1e-4, "high"),
        (1.01e-5, "high"),
        (1.01e-6, "medium"),
        (1e-6, "low"),
        (0.0, "low"),
        (NONE, "unknown"),
    ],
)
def test_the_level_by_probability_alone(best: float, level: str) -> None:
    assert PROBABILITY_LEVELS[probability_levels(np.array([best]))[0]] == level


def test_unknown_ranks_above_low() -> None:
    assert PROBABILITY_LEVELS.index("medium") < PROBABILITY_LEVELS.index("unknown")
    assert PROBABILITY_LEVELS.index("unknown") < PROBABILITY_LEVELS.index("low")


def test_many_events_at_once_are_rated_each_by_its_own_row() -> None:
    rng = np.random.default_rng(5)
    miss = rng.uniform(0, 2000, 500)
    best = np.where(rng.random(500) < 0.3, NONE, 10.0 ** rng.uniform(-8, -3, 500))
    methods = rng.integers(0, len(PROBABILITY_METHODS), 500).astype(np.int8)
    levels, bases = risk_levels(miss, best, methods)
    for k in range(500):
        alone = _rate(miss[k], best[k], PROBABILITY_METHODS[methods[k]])
        assert alone == (RISK_LEVELS[levels[k]], RISK_BASES[bases[k]])
