"""The maximum over the covariance's scale: against a scan, its bound, and its border cases."""

import numpy as np
import pytest

from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.maximum import maximum_over_scale

GEOMETRIES = 20_000
known_to = 1e-9  # relative; the search stops where less than 1e-10 is to be gained


def _geometries() -> np.ndarray:
    """Return (5, n): aspect ratios to 1000, misses from a third of the radius to a thousand radii."""
    rng = np.random.default_rng(8)
    aspect = 10 ** rng.uniform(0, 3, GEOMETRIES)
    angle = rng.uniform(0, np.pi / 2, GEOMETRIES)
    angle[:2000], angle[2000:4000] = 0.0, np.pi / 2
    miss = 10 ** rng.uniform(-2, 2, GEOMETRIES) * aspect
    radius = miss / 10 ** rng.uniform(-0.5, 3, GEOMETRIES)
    return np.array([miss * np.cos(angle), miss * np.sin(angle), aspect, np.ones(GEOMETRIES), radius])


def _nearest_squared(
    major: np.ndarray, minor: np.ndarray, s1: np.ndarray, s2: np.ndarray, r: np.ndarray
) -> np.ndarray:
    """Return the squared distance in sigmas to the nearest disk point: ever finer looks along the edge."""
    low, high = np.zeros_like(r), np.full_like(r, np.pi / 2)
    for _ in range(12):
        angles = low + (high - low) * np.linspace(0, 1, 41)[:, np.newaxis]
        square = ((major - r * np.cos(angles)) / s1) ** 2 + ((minor - r * np.sin(angles)) / s2) ** 2
        best = np.take_along_axis(angles, square.argmin(axis=0)[np.newaxis], axis=0)[0]
        step = (high - low) / 40
        low, high = np.maximum(best - step, low), np.minimum(best + step, high)
    return square.min(axis=0)


@pytest.fixture(scope="module")
def geometries() -> np.ndarray:
    return _geometries()


@pytest.mark.slow
def test_no_scale_gives_more_and_the_found_one_gives_it(geometries: np.ndarray) -> None:
    major, minor, s1, s2, r = geometries
    largest, diluted, scale = maximum_over_scale(*geometries)
    for k in 10 ** np.linspace(-3, 3, 31):
        at_k, _ = exact_2d(major, minor, k * s1, k * s2, r)
        assert (at_k <= largest * (1 + known_to)).all()
    outside = np.hypot(major, minor) > r
    at_scale, _ = exact_2d(
        major, minor, np.where(outside, scale, 1) * s1, np.where(outside, scale, 1) * s2, r
    )
    np.testing.assert_allclose(at_scale[outside], largest[outside], rtol=known_to)
    as_given, _ = exact_2d(*geometries)
    assert (as_given <= largest).all()
    np.testing.assert_array_equal(diluted, scale < 1)
    assert 0.2 < diluted.mean() < 0.8, "both kinds are among them"


@pytest.mark.slow
def test_the_maximum_stays_below_its_closed_bound_and_the_textbook_ones_do_not(
    geometries: np.ndarray,
) -> None:
    major, minor, s1, s2, r = geometries
    outside = np.hypot(major, minor) > r * (1 + 1e-6)
    major, minor, s1, s2, r = geometries[:, outside]
    largest, _, _ = maximum_over_scale(major, minor, s1, s2, r)
    bound = r**2 / (np.e * s1 * s2 * _nearest_squared(major, minor, s1, s2, r))
    assert (largest <= bound).all()
    a = r**2 * s1 / s2 / (major**2 + minor**2)
    assert (largest > a / (1 + a) * (1 + a) ** (-1 / a)).any(), "why Alfano's form is not used"
    assert (largest > r**2 / (np.e * (major**2 + minor**2))).any(), "why the round form is not used"


def test_a_scaled_covariance_has_the_same_maximum() -> None:
    one, _, scale = maximum_over_scale(500.0, 200.0, 90.0, 40.0, 10.0)
    other, _, other_scale = maximum_over_scale(500.0, 200.0, 9.0e4, 4.0e4, 10.0)
    np.testing.assert_allclose(other, one, rtol=known_to)
    np.testing.assert_allclose(other_scale * 1e3, scale, rtol=1e-4)


def test_a_small_round_disk_has_a_closed_form() -> None:
    # R^2 / (e d^2) at sigma = d / sqrt(2), but for (R / sigma)^2 = 2e-8.
    largest, diluted, scale = maximum_over_scale(1e4, 0.0, 2e4, 2e4, 1.0)
    np.testing.assert_allclose(largest, 1e-8 / np.e, rtol=1e-7)
    np.testing.assert_allclose(scale, 1e4 / np.sqrt(2) / 2e4, rtol=1e-4)
    assert diluted.all()


def test_a_mean_inside_the_disk() -> None:
    largest, diluted, scale = maximum_over_scale([3.0, 5.0], 0.0, 10.0, 1.0, 5.0)
    np.testing.assert_array_equal(largest, 1.0)
    np.testing.assert_array_equal(scale, 0.0)
    assert diluted.all()


@pytest.mark.parametrize("beyond", [1e-4, 1e-6, 1e-9])
def test_a_mean_just_outside_gains_up_to_a_half(beyond: float) -> None:
    largest, _, _ = maximum_over_scale(0.0, 5.0 * (1 + beyond), 3.0, 1.0, 5.0)
    assert 0.4 < largest[0] < 0.5


def test_what_is_no_gaussian_is_nan_and_not_diluted() -> None:
    largest, diluted, _ = maximum_over_scale([1.0, np.nan, 1.0], 1.0, 1.0, [0.0, 1.0, 1.0], [1.0, 1.0, 0.0])
    np.testing.assert_array_equal(np.isnan(largest), [True, True, False])
    assert largest[2] == 0.0
    assert not diluted.any()
