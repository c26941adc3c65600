"""Risk levels: the limits are strict as written, and the tier follows from the numbers in the row."""

import numpy as np
import pytest

from screening.risk.conjunctions import NO_CODE, RISK_BASES
from screening.risk.tiers import decisive_probability, probability_levels, risk_levels
from screening.vocabulary import RISK_LEVELS

NONE = np.nan


def _rate(miss_m: float, p: float = NONE, p_2d: float = NONE, p_mc: float = NONE) -> tuple[str, str]:
    level, basis = risk_levels(*(np.array([x]) for x in (miss_m, p, p_2d, p_mc)))
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


@pytest.mark.parametrize(
    ("probability", "level"),
    [(1.01e-4, "critical"), (1e-4, "high"), (1.01e-5, "high"), (1e-5, "medium"), (1.01e-6, "medium")],
)
def test_probability_makes_a_distant_event_worse(probability: float, level: str) -> None:
    assert _rate(5000.0, p=probability) == (level, "probability")
    assert _rate(5000.0, p_2d=probability) == (level, "probability")


def test_the_larger_of_formula_and_integral_counts() -> None:
    assert _rate(5000.0, p=1e-7, p_2d=2e-4) == ("critical", "probability")
    assert _rate(5000.0, p=2e-4, p_2d=1e-7) == ("critical", "probability")


def test_monte_carlo_counts_only_where_two_dimensions_do_not_hold() -> None:
    assert _rate(5000.0, p_mc=2e-4) == ("critical", "monte_carlo")
    assert _rate(5000.0, p=1e-9, p_mc=2e-4) == ("low", "distance")


def test_a_low_probability_never_makes_a_near_event_better() -> None:
    assert _rate(50.0, p=0.0, p_2d=0.0) == ("critical", "distance")


@pytest.mark.parametrize(
    ("p", "p_2d", "p_mc", "level"),
    [
        (1.01e-4, NONE, NONE, 0),
        (1e-4, 1e-5, NONE, 1),
        (1e-9, 1.01e-5, 1e-3, 1),
        (1.01e-6, 0.0, NONE, 2),
        (1e-6, NONE, NONE, 3),
        (0.0, NONE, NONE, 3),
        (NONE, NONE, 2e-4, 0),
        (NONE, NONE, NONE, NO_CODE),
    ],
)
def test_the_level_by_probability_alone(p: float, p_2d: float, p_mc: float, level: int) -> None:
    values = (np.array([x]) for x in (p, p_2d, p_mc))
    assert probability_levels(decisive_probability(*values)).tolist() == [level]


def test_many_events_at_once_are_rated_each_by_its_own_row() -> None:
    rng = np.random.default_rng(5)
    miss = rng.uniform(0, 2000, 500)
    p, p_2d, p_mc = (
        np.where(rng.random(500) < 0.3, NONE, 10.0 ** rng.uniform(-8, -3, 500)) for _ in range(3)
    )
    levels, bases = risk_levels(miss, p, p_2d, p_mc)
    for k in range(500):
        assert _rate(miss[k], p[k], p_2d[k], p_mc[k]) == (RISK_LEVELS[levels[k]], RISK_BASES[bases[k]])
