"""The worst that an unknown covariance can make: Frisbee's bound for points, and nothing beyond it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import principal
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.unknown_covariance import likeliest_covariance

RADIUS_M = 10.0
searched_to = 1e-4  # the steps of the search
as_flat_as_a_point = 1e-3  # (R / sigma)^2 / 8 with sigmas of 20 R or more


def probabilities(miss_m: FloatArray, covariances: FloatArray) -> FloatArray:
    larger, smaller, turn = principal(covariances)
    major = np.cos(turn) * miss_m[0] + np.sin(turn) * miss_m[1]
    minor = np.cos(turn) * miss_m[1] - np.sin(turn) * miss_m[0]
    radius = np.full(len(covariances), RADIUS_M)
    return exact_2d(major, minor, np.sqrt(larger), np.sqrt(smaller), radius)[0]


def ellipse(sigma_1_m: float, sigma_2_m: float, turn_rad: float) -> FloatArray:
    axes = np.array([[np.cos(turn_rad), -np.sin(turn_rad)], [np.sin(turn_rad), np.cos(turn_rad)]])
    made: FloatArray = axes @ np.diag([sigma_1_m**2, sigma_2_m**2]) @ axes.T
    return made


@pytest.mark.parametrize("turn_rad", [0.0, 0.4, 1.3, 2.5])
@pytest.mark.parametrize("miss_sigmas", [1.5, 3.0, 10.0])
def test_for_a_point_the_miss_lies_one_sigma_out(turn_rad: float, miss_sigmas: float) -> None:
    known = ellipse(200.0, 900.0, turn_rad)
    miss = np.array([300.0, 500.0])
    k = float(miss @ np.linalg.solve(known, miss))
    miss *= miss_sigmas / np.sqrt(k)
    unknown = likeliest_covariance(miss, known, RADIUS_M)
    found = probabilities(miss, (known + unknown)[np.newaxis])[0]
    # Frisbee (2015): the density at one sigma, with the determinant grown by the squared distance in sigmas.
    bound = RADIUS_M**2 * np.exp(-0.5) / (2.0 * 200.0 * 900.0 * miss_sigmas)
    assert found == pytest.approx(bound, rel=as_flat_as_a_point)
    assert found >= bound * (1.0 - as_flat_as_a_point)


def test_within_one_sigma_the_worst_is_to_know_the_other_exactly() -> None:
    unknown = likeliest_covariance(np.array([100.0, 50.0]), ellipse(200.0, 900.0, 0.3), RADIUS_M)
    assert not unknown.any()


def test_no_miss_at_all_has_no_direction() -> None:
    assert not likeliest_covariance(np.zeros(2), ellipse(3.0, 4.0, 0.0), RADIUS_M).any()


sigma = st.floats(-1.0, 4.0).map(lambda exponent: 10.0**exponent)
turn = st.floats(0.0, np.pi)
ellipses = st.builds(ellipse, sigma, sigma, turn)


@pytest.mark.slow
@settings(max_examples=60)
@given(ellipses, st.floats(0.0, 4.5), turn, st.integers(0, 2**32 - 1))
def test_no_covariance_of_the_other_object_gives_more(
    known: FloatArray, miss_decades: float, toward: float, seed: int
) -> None:
    miss = 10.0**miss_decades * np.array([np.cos(toward), np.sin(toward)])
    worst = probabilities(miss, (known + likeliest_covariance(miss, known, RADIUS_M))[np.newaxis])[0]
    rng = np.random.default_rng(seed)
    others = np.array(
        [ellipse(*10.0 ** rng.uniform(-1.0, 4.0, 2), rng.uniform(0, np.pi)) for _ in range(100)]
    )
    assert probabilities(miss, known + others).max() <= worst * (1.0 + searched_to) + 1e-300
