"""Every event of the real catalogue's day, rated with NASA CARA's radii."""

from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.risk import score as scoring
from screening.risk.conjunctions import CONJUNCTION_DTYPE, ConjunctionArray
from screening.risk.objects.error_law import REGIMES
from screening.search.results import Screening
from screening.vocabulary import RISK_LEVELS
from tests.screening.risk.real_run import known

# Counted by another implementation, with the law for low orbits everywhere.
CRITICAL, HIGH, MEDIUM = 58, 1088, 1594
counted_alike = 0.05
FLAGGED = 1030


@pytest.fixture(scope="module")
def rated(
    real_screening: Screening, real_elements: ElementArray, real_day: TimeWindow, shared_data: Path
) -> ConjunctionArray:
    return scoring.score(
        real_screening.encounters, real_elements, real_day, known(real_elements, shared_data)
    )


def levels(rated: ConjunctionArray) -> list[int]:
    return np.bincount(rated["risk_level"], minlength=len(RISK_LEVELS)).tolist()


def test_the_maximum_is_never_below_the_probability(rated: ConjunctionArray) -> None:
    holds = np.isfinite(rated["probability_2d"])
    assert holds.sum() > 130_000
    assert (rated["probability_max"][holds] >= rated["probability_2d"][holds]).all()
    assert (rated["probability_max"][holds] <= 1.0).all()
    np.testing.assert_array_equal(np.isfinite(rated["probability_max"]), holds)


def test_where_there_is_no_probability_a_flag_says_why(rated: ConjunctionArray) -> None:
    missing = np.isnan(rated["probability_2d"])
    assert (rated["probability_flag"][missing] != 0).all()
    np.testing.assert_array_equal(np.isnan(rated["probability"]), missing)
    assert np.count_nonzero(rated["probability_flag"]) == pytest.approx(FLAGGED, rel=counted_alike)
    always = [name for name in CONJUNCTION_DTYPE.names if name.startswith("miss") or "sigma" in name]
    for name in (*always, "hard_body_radius_m", "relative_speed_m_s"):
        assert np.isfinite(rated[name]).all(), name


def test_formula_and_integral_agree_in_a_run(rated: ConjunctionArray) -> None:
    both = rated[rated["probability_2d"] > 1e-12]
    assert np.abs(both["probability"] / both["probability_2d"] - 1.0).max() < 0.05
    assert np.percentile(np.abs(both["probability"] / both["probability_2d"] - 1.0), 99.9) < 8e-3


def test_alarming_numbers_carry_a_monte_carlo_value_that_agrees(rated: ConjunctionArray) -> None:
    alarming = np.isin(rated["risk_level"], [RISK_LEVELS.index("critical"), RISK_LEVELS.index("high")])
    checked = rated["mc_samples"] > 0
    np.testing.assert_array_equal(checked, alarming & np.isfinite(rated["probability_2d"]))
    rows = rated[checked & (rated["probability_2d"] > 1e-200)]
    inside = (rows["probability_mc_low"] <= rows["probability_2d"]) & (
        rows["probability_2d"] <= rows["probability_mc_high"]
    )
    assert 0.93 < inside.mean() < 0.97, "95 % intervals of a thousand events"


def test_the_counts_with_the_law_for_low_orbits_everywhere(
    rated: ConjunctionArray,
    real_screening: Screening,
    real_elements: ElementArray,
    real_day: TimeWindow,
    shared_data: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    low = REGIMES.index("leo")
    monkeypatch.setattr(scoring, "regime", lambda elements: np.full(len(elements), low, np.int8))
    facts = known(real_elements, shared_data)
    everywhere = scoring.score(real_screening.encounters, real_elements, real_day, facts)
    critical, high, medium, _ = levels(everywhere)
    assert abs(critical - CRITICAL) <= 5
    assert high == pytest.approx(HIGH, rel=counted_alike)
    assert medium == pytest.approx(MEDIUM, rel=counted_alike)
    # Laws of their own for the other regimes change few levels: most events are in low orbits.
    changed = np.count_nonzero(everywhere["risk_level"] != rated["risk_level"])
    assert 0 < changed < 0.01 * len(rated)


def test_the_sum_of_probabilities_is_what_geometry_expects(rated: ConjunctionArray) -> None:
    # Misses are spread evenly over the plane, so whatever the sigmas a disk of radius R has its share of one
    # of radius D. Not beyond 5 km, where constellations that keep apart pass more often than by chance.
    rows = rated[np.isfinite(rated["probability_2d"])]
    total = rows["probability_2d"].sum()
    for distance_m in (1000.0, 2000.0, 5000.0):
        near = rows[rows["miss_distance_m"] < distance_m]
        expected = np.sum((near["hard_body_radius_m"] / distance_m) ** 2)
        assert total == pytest.approx(expected, rel=0.15), distance_m
