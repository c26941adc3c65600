"""Within what a share of the errors lies, against errors drawn at random."""

import numpy as np
import pytest

from screening.risk.probability.tails import Tails, within_rtn_m

drawn_to = 0.01  # the 95th percentile of a million, with the heaviest tail


def tails(share: float, burn_share: float) -> Tails:
    scales = np.array([[4.0, 6.0, 3.0]])
    return Tails(np.array([share]), scales, np.array([burn_share]), np.array([9000.0]))


def test_a_single_normal_distribution_has_its_own() -> None:
    found = within_rtn_m(np.array([[100.0, 500.0, 150.0]]), tails(0.0, 0.0), 0.95)
    assert found[0] == pytest.approx([195.996, 979.982, 293.995], rel=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("burn_share", [0.0, 0.12])
def test_a_mixture_has_that_of_errors_drawn_from_it(burn_share: float) -> None:
    random = np.random.default_rng(1)
    mixture, count = tails(0.15, burn_share), 1_000_000
    sigma_m = np.array([100.0, 500.0, 150.0])
    errors_m = sigma_m * random.standard_normal((count, 3))
    burnt = random.random(count) < burn_share
    errors_m[~burnt & (random.random(count) < 0.15)] *= mixture.tail_scale_rtn[0]
    errors_m[burnt, 1] += 9000.0 * random.standard_normal(int(burnt.sum()))
    expected_m = np.percentile(np.abs(errors_m), 95.0, axis=0)
    assert within_rtn_m(sigma_m[np.newaxis], mixture, 0.95)[0] == pytest.approx(expected_m, rel=drawn_to)
