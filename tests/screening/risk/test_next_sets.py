"""Ratings with the next element sets, against closed forms for small bodies and round errors."""

import numpy as np
import pytest

from screening.risk.conjunctions import COVARIANCE_SOURCES, ENCOUNTERS, ConjunctionArray, unrated
from screening.risk.next_sets import NewSet, next_rating
from screening.risk.probability.tails import Tails
from screening.risk.score import probability_in_plane
from screening.risk.tiers import LIMITS, probability_levels

RADIUS_M, NOW_M, NEXT_M = 5.0, 900.0, 300.0  # 1 sigma of each object on every axis
BETWEEN_MISSES = 1.13
OF_DRAWS = 0.08  # three standard deviations of a share of 400


def _set(sigma_m: float) -> NewSet:
    tails = Tails(np.zeros(1), np.ones((1, 3)), np.zeros(1), np.zeros(1))
    return NewSet(np.full((1, 3), sigma_m), tails)


def _event(miss_m: float) -> ConjunctionArray:
    """Return objects that cross at a right angle, the secondary above."""
    row = unrated(1)
    row["encounter"] = ENCOUNTERS.index("fast")
    row["primary_x_km"], row["secondary_x_km"] = 7000.0, 7000.0 + miss_m / 1000.0
    for who in ("primary", "secondary"):
        for name in ("y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s"):
            row[f"{who}_{name}"] = 0.0
        for axis in "rtn":
            row[f"{who}_sigma_{axis}_m"] = NOW_M
        row[f"{who}_covariance_source"] = COVARIANCE_SOURCES.index("default")
        row[f"{who}_error_law"] = 0
        for name in ("tail_share", "burn_share", "burn_in_track_m"):
            row[f"{who}_{name}"] = 0.0
    row["primary_vy_km_s"] = row["secondary_vz_km_s"] = 7.5
    row["hard_body_radius_m"], row["miss_distance_m"] = RADIUS_M, miss_m
    row["probability_best"] = probability_in_plane(row)
    row["probability_level"] = probability_levels(row["probability_best"])
    return row


def _small_body(miss_m: np.ndarray | float, sigma_m: float) -> np.ndarray:
    """Return the density at the miss times the area: for a radius far below sigma."""
    return RADIUS_M**2 / (2.0 * sigma_m**2) * np.exp(-(np.asarray(miss_m) ** 2) / (2.0 * sigma_m**2))


def _level(probability: np.ndarray) -> np.ndarray:
    """Return how many limits a probability is not above: 0 is critical, 3 low."""
    limits = np.array([LIMITS.critical, LIMITS.high, LIMITS.medium])
    return (np.asarray(probability)[..., np.newaxis] <= limits).sum(axis=-1)


@pytest.mark.parametrize("miss_m", [50.0, 600.0, 1500.0])
def test_the_level_falls_as_often_as_with_closed_forms(miss_m: float) -> None:
    event = _event(miss_m)
    now = _small_body(miss_m, NOW_M * np.sqrt(2.0))
    assert event["probability_best"] == pytest.approx(now, rel=1e-3)
    rng = np.random.default_rng(5)
    # Both objects move by the errors of their old and their new sets, each along two axes of the plane.
    moved_m = rng.normal(scale=np.sqrt(2.0 * (NOW_M**2 + NEXT_M**2)), size=(100_000, 2))
    then = _small_body(np.hypot(moved_m[:, 0] + miss_m, moved_m[:, 1]), NEXT_M * np.sqrt(2.0))
    found = next_rating(event, (_set(NEXT_M), _set(NEXT_M)))
    assert found.falls == pytest.approx((_level(then) > _level(now)).mean(), abs=OF_DRAWS)
    assert found.rises == pytest.approx((_level(then) < _level(now)).mean(), abs=OF_DRAWS)
    sigma_m, limit = NEXT_M * np.sqrt(2.0), (LIMITS.critical, LIMITS.high, LIMITS.medium)[_level(now)]
    edge_m = sigma_m * np.sqrt(-2.0 * np.log(limit * 2.0 * sigma_m**2 / RADIUS_M**2))
    assert found.falls_from_miss_m is not None
    assert edge_m < found.falls_from_miss_m < BETWEEN_MISSES * edge_m


def test_only_the_object_with_a_new_set_moves() -> None:
    event = _event(600.0)
    rng = np.random.default_rng(6)
    moved_m = rng.normal(scale=np.hypot(NOW_M, NEXT_M), size=(100_000, 2))
    miss_m = np.hypot(moved_m[:, 0] + 600.0, moved_m[:, 1])
    then = _small_body(miss_m, np.hypot(NOW_M, NEXT_M))
    found = next_rating(event, (None, _set(NEXT_M)))
    now = _level(event["probability_best"][0])
    assert found.falls == pytest.approx((_level(then) > now).mean(), abs=OF_DRAWS)


def test_a_set_that_shows_nothing_new_about_an_exact_path_changes_nothing() -> None:
    event = _event(2.0)
    for who in ("primary", "secondary"):
        for axis in "rtn":
            event[f"{who}_sigma_{axis}_m"] = 1.0
    event["probability_best"] = probability_in_plane(event)
    event["probability_level"] = probability_levels(event["probability_best"])
    assert event["probability_level"] == 0  # critical
    found = next_rating(event, (_set(1.0), _set(1.0)))
    assert (found.falls, found.rises) == (0.0, 0.0)


def test_larger_errors_are_of_no_use_to_a_level_that_cannot_be_lower() -> None:
    event = _event(5e4)
    event["probability_best"] = probability_in_plane(event)
    event["probability_level"] = probability_levels(event["probability_best"])
    found = next_rating(event, (_set(NEXT_M), _set(NEXT_M)))
    assert found.falls == 0.0
    assert found.falls_from_miss_m is None
