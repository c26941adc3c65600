"""Monte Carlo in the encounter plane: do its intervals hold the exact value as often as they say?"""

import numpy as np
import pytest
from scipy.stats import binom

from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.probability.exact_2d import exact_2d
from tests.screening.risk.published import SharedFile, integral_rows

SEEDS = 7
WORTH_SAMPLING = 1e-7
CONFIDENCE = 0.95
largest_half_width = 0.05  # relative, with 1e5 samples
GIVEN = (84.9, 60.6, 152.9, 57.9, 10.3)


@pytest.fixture(scope="module")
def published(shared_file: SharedFile) -> np.ndarray:
    """Return the distinct published geometries (5, n) with a probability above 1e-7."""
    geometries = np.unique([geometry for _, geometry in integral_rows(shared_file)], axis=0).T
    exact, _ = exact_2d(*geometries)
    return geometries[:, exact > WORTH_SAMPLING]


def _holds_as_often_as_it_says(held: np.ndarray) -> bool:
    few, many = binom.interval(0.999, held.size, CONFIDENCE)
    return bool(few <= held.sum() <= many)


@pytest.mark.slow
@pytest.mark.parametrize("samples", [10_000, 100_000])
def test_coverage_of_the_published_cases(samples: int, published: np.ndarray) -> None:
    exact, _ = exact_2d(*published)
    assert len(exact) > 40
    held = []
    for first in range(SEEDS):
        seeds = first * len(exact) + np.arange(len(exact))
        run = monte_carlo_2d(*published, seeds, largest_samples=samples, relative_half_width=0.0)
        assert (run.samples == samples).all()
        if samples == 100_000:
            assert (0.5 * (run.high - run.low) < largest_half_width * exact).all()
        held.append((run.low <= exact) & (exact <= run.high))
    assert _holds_as_often_as_it_says(np.array(held))


def test_coverage_where_the_interval_ends_the_sampling() -> None:
    """Looking at the interval again and again must not make it hold less often than it says."""
    rng, encounters = np.random.default_rng(4), 2_000
    sigma_minor_m = 10.0 ** rng.uniform(2.0, 3.5, encounters)
    sigma_major_m = sigma_minor_m * rng.uniform(1.0, 20.0, encounters)
    miss_major_m, miss_minor_m = np.abs(rng.normal(0.0, (sigma_major_m, sigma_minor_m)))
    geometry = miss_major_m, miss_minor_m, sigma_major_m, sigma_minor_m, rng.uniform(1.0, 100.0, encounters)
    run = monte_carlo_2d(*geometry, seeds=np.arange(encounters), largest_samples=10_000)
    assert set(run.samples.tolist()) == {1_000, 2_000, 4_000, 8_000, 10_000}
    ended = run.samples < 10_000
    half_width = 0.5 * (run.high - run.low)
    assert (half_width[ended] <= 1e-3 * run.probability[ended] * (1.0 + 1e-9)).all()
    exact, _ = exact_2d(*geometry)
    assert _holds_as_often_as_it_says((run.low <= exact) & (exact <= run.high))


def test_the_exact_value_is_how_often_draws_of_the_gaussian_hit(published: np.ndarray) -> None:
    """Counting, in which nothing can be wrong."""
    exact, _ = exact_2d(*published)
    rng, samples = np.random.default_rng(1), 20_000
    one_in_a_million = 1e-6
    for probability, (major, minor, s_major, s_minor, radius) in zip(exact, published.T, strict=True):
        a, b = rng.normal((major, minor), (s_major, s_minor), (samples, 2)).T
        few, many = binom.interval(1.0 - one_in_a_million, samples, probability)
        assert few <= np.count_nonzero(a * a + b * b <= radius * radius) <= many


def test_the_far_tail_of_a_large_disk() -> None:
    # 9 sigmas beyond the edge of a disk of 30 sigmas: one in 1e19 plain samples hits.
    geometry = (30.0 * 0.8 + 9.0 * 0.8, 30.0 * 0.6 + 9.0 * 0.6, 1.0, 1.0, 30.0)
    exact, _ = exact_2d(*geometry)
    run = monte_carlo_2d(*geometry, seeds=3)
    assert exact < 1e-18
    assert abs(run.probability - exact) < 2 * (run.high - run.low)
    assert run.high - run.low < 0.1 * exact


def test_a_probability_below_the_smallest_double_is_zero_not_nan() -> None:
    run = monte_carlo_2d(5e3, 0.0, 50.0, 50.0, 1.0, seeds=1)
    assert run.probability == 0.0
    assert run.hits > 0


def test_a_mean_inside_the_disk() -> None:
    run = monte_carlo_2d(1.0, 0.0, 3.0, 1.0, 10.0, seeds=5)
    exact, _ = exact_2d(1.0, 0.0, 3.0, 1.0, 10.0)
    assert run.low <= exact <= run.high


def test_an_estimate_depends_on_its_seed_and_geometry_alone() -> None:
    many = np.repeat(np.array(GIVEN)[:, np.newaxis], 4, axis=1)
    many[0] += np.arange(4)
    forward = monte_carlo_2d(*many, seeds=[9, 8, 7, 6])
    backward = monte_carlo_2d(*many[:, ::-1], seeds=[6, 7, 8, 9])
    np.testing.assert_array_equal(forward.probability, backward.probability[::-1])
    assert monte_carlo_2d(*GIVEN, seeds=1).probability != monte_carlo_2d(*GIVEN, seeds=2).probability


def test_sampling_ends_when_the_interval_is_narrow_enough() -> None:
    wide = monte_carlo_2d(*GIVEN, seeds=1, relative_half_width=0.05)
    narrow = monte_carlo_2d(*GIVEN, seeds=1, relative_half_width=1e-4)
    assert wide.samples < narrow.samples
    assert narrow.samples == 100_000
    assert narrow.high - narrow.low < wide.high - wide.low


@pytest.mark.slow
def test_what_is_no_gaussian_is_nan_and_costs_no_samples() -> None:
    sigma = [1.0, 0.0, np.nan, 1.0]
    run = monte_carlo_2d([1.0, 1.0, 1.0, np.inf], 1.0, 2.0, sigma, 1.0, seeds=1)
    np.testing.assert_array_equal(np.isnan(run.probability), [False, True, True, True])
    np.testing.assert_array_equal(np.isnan(run.high), [False, True, True, True])
    assert (run.samples[1:] == 0).all()
    assert len(monte_carlo_2d(*np.empty((5, 0)), seeds=[]).probability) == 0
