"""What is within limits: every case of the rule in docs/alerts.md, written down by hand."""

import numpy as np
import pytest

from screening.errors import UsageError
from screening.risk.tiers import risk_levels
from screening.vocabulary import RISK_LEVELS, RiskLevel
from storage.rows.limits import (
    EVERYTHING,
    Limits,
    chosen_limits,
    in_words,
    limits_of_risk,
    near_of,
    rated_rows,
    within,
)

FAST, SLOW = "fast", "slow"
CASES = {  # level, probability, miss (m), encounter
    "likely, far": ("critical", 2e-4, 3000.0, FAST),
    "high, far": ("high", 2e-5, 3000.0, FAST),
    "medium, far": ("medium", 2e-6, 3000.0, FAST),
    "low, far": ("low", 1e-9, 3000.0, FAST),
    "low, at 499.9 m": ("low", 1e-9, 499.9, FAST),
    "low, at 500 m": ("low", 1e-9, 500.0, FAST),
    "unknown, far": ("unknown", None, 3000.0, FAST),
    "unknown, near": ("unknown", None, 40.0, FAST),
    "visit, far": ("unknown", None, 3000.0, SLOW),
    "visit, near": ("unknown", None, 40.0, SLOW),
    "likely visit, far": ("critical", 2e-4, 3000.0, SLOW),
    "of an earlier release, high": (None, 2e-5, 3000.0, FAST),
    "of an earlier release, unknown": (None, None, 3000.0, FAST),
}


def told(limits: Limits) -> set[str]:
    rows = [
        {"probability_level": level, "probability": p, "miss_distance_m": miss_m, "encounter": encounter}
        for level, p, miss_m, encounter in CASES.values()
    ]
    return {
        name for name, is_within in zip(CASES, within(rated_rows(rows), limits), strict=True) if is_within
    }


ALWAYS = {
    "likely, far",
    "unknown, far",
    "unknown, near",
    "likely visit, far",
    "of an earlier release, unknown",
}
HIGH = ALWAYS | {"high, far", "of an earlier release, high"}


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(), HIGH | {"low, at 499.9 m", "visit, near"}),
        (Limits("high", None), HIGH),
        (Limits("critical", None), ALWAYS),
        (Limits("critical", 100.0), ALWAYS | {"visit, near"}),
        (Limits("medium", None), HIGH | {"medium, far"}),
        (Limits("unknown", None), HIGH | {"medium, far"}),
        (Limits("low", None), set(CASES)),
        (Limits("low", 100.0), set(CASES)),
        (
            Limits("low", None, 2e-5),
            {"likely, far", "high, far", "likely visit, far", "of an earlier release, high"},
        ),
        (
            Limits("critical", 5000.0, 1e-6),
            HIGH - ALWAYS | {"likely, far", "likely visit, far", "medium, far"},
        ),
    ],
)
def test_what_is_told(limits: Limits, expected: set[str]) -> None:
    assert told(limits) == expected


@pytest.mark.parametrize("risk", RISK_LEVELS)
def test_a_level_of_earlier_releases_chooses_what_the_mission_rates_so(risk: RiskLevel) -> None:
    """Against the mission's own rule, for every known probability and distance around its limits."""
    edges = np.array([1e-9, 9.99e-7, 1e-6, 1.01e-6, 1e-5, 1.01e-5, 1e-4, 1.01e-4, 1.0])
    misses = np.array([0.0, 99.9, 100.0, 100.1, 499.9, 500.0, 999.9, 1000.0, 4999.0])
    probability, miss_m = (grid.ravel() for grid in np.meshgrid(edges, misses))
    mission, _ = risk_levels(miss_m, probability, np.zeros(len(miss_m), np.int8))
    rows = [
        {"probability_best": p, "miss_distance_m": m, "encounter": FAST}
        for p, m in zip(probability, miss_m, strict=True)
    ]
    chosen = within(rated_rows(rows), limits_of_risk(risk))
    np.testing.assert_array_equal(chosen, mission <= RISK_LEVELS.index(risk))


def test_a_level_and_a_level_of_earlier_releases_are_one_choice() -> None:
    assert chosen_limits(None, {}) == Limits("high", 500.0)
    assert chosen_limits(None, {"near_m": None}) == Limits("high", None)
    assert chosen_limits("medium", {}) == Limits("medium", 1000.0)
    assert chosen_limits("low", {}) == EVERYTHING
    with pytest.raises(UsageError, match="leave it out, or level"):
        chosen_limits("high", {"level": "high"})


def test_distances_are_read_as_people_write_them() -> None:
    assert [near_of(text) for text in ("500", " 1e3 ", "none", "None")] == [500.0, 1000.0, None, None]
    for text in ("0", "-5", "nan", "inf", "200001", "near", ""):
        with pytest.raises(UsageError, match="expected 1 to 200,000 m, or none"):
            near_of(text)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(), "high or worse by probability, or nearer than 500 m"),
        (Limits("high", 1500.0), "high or worse by probability, or nearer than 1,500 m"),
        (Limits("critical", None), "critical by probability"),
        (EVERYTHING, "everything"),
        (Limits("low", 500.0, 1e-6), "everything; at least 1e-06 likely"),
    ],
)
def test_limits_have_words(limits: Limits, words: str) -> None:
    assert in_words(limits) == words
