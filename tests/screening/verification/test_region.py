"""The content of a region against samples of the same mixtures."""

import numpy as np
import pytest

from screening.risk.probability.tails import Tails
from screening.verification.errors import Predicted, prediction_errors
from screening.verification.region import Part, content

SAMPLES = 40_000


def _sampled(rng: np.random.Generator, parts: list[Part], turn: np.ndarray) -> np.ndarray:
    which = rng.choice(3, SAMPLES, p=[float(part.weight[0]) for part in parts])
    roots = np.stack([np.linalg.cholesky(part.covariance_m2[0]) for part in parts])
    return np.einsum("nij,nj->ni", roots[which], rng.normal(size=(SAMPLES, 3))) @ turn.T


def _parts(rng: np.random.Generator, tail: float, burn: float) -> list[Part]:
    sigma = rng.uniform(100.0, 2000.0, 3)
    scales = np.array([np.ones(3), rng.uniform(1.0, 9.0, 3), [1.0, rng.uniform(1.0, 20.0), 1.0]])
    weights = ((1 - burn) * (1 - tail), (1 - burn) * tail, burn)
    return [
        Part(np.array([w]), np.diag((sigma * s) ** 2)[np.newaxis])
        for w, s in zip(weights, scales, strict=True)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_errors_drawn_from_the_mixture_are_evenly_spread(seed: int) -> None:
    rng = np.random.default_rng(seed)
    both = [_parts(rng, rng.uniform(0, 0.3), rng.uniform(0, 0.2)) for _ in range(2)]
    errors = sum(_sampled(rng, parts, np.eye(3)) for parts in both)
    repeated = [
        [Part(np.repeat(p.weight, SAMPLES), np.repeat(p.covariance_m2, SAMPLES, axis=0)) for p in parts]
        for parts in both
    ]
    inside = content(errors, *repeated)
    for said in (0.5, 0.8, 0.95, 0.99):
        assert np.mean(inside < said) == pytest.approx(said, abs=0.015)


def test_errors_are_in_the_objects_own_axes_and_what_came_minus_what_was_said() -> None:
    r, v = np.array([[7000.0, 0.0, 0.0]]), np.array([[0.0, 7.5, 0.0]])
    still = Tails(np.zeros(1), np.ones((1, 3)), np.zeros(1), np.zeros(1))
    one = Predicted(r, v, np.array([[10.0, 100.0, 20.0]]), still)
    other = Predicted(
        r + [[0.0, 0.0, 1.0]], np.array([[0.0, 0.0, 7.5]]), np.array([[10.0, 50.0, 20.0]]), still
    )
    found = prediction_errors(
        one,
        other,
        (r + np.array([0.0, 0.2, 0.0]), other.r_km + np.array([0.0, 0.0, -0.1])),
        (v, other.v_km_s),
    )
    assert found.primary_sigmas_rtn[0] == pytest.approx([0.0, 2.0, 0.0])
    assert found.secondary_sigmas_rtn[0] == pytest.approx([0.0, -2.0, 0.0], abs=0.002)
    assert found.miss_error_rtn_m[0] == pytest.approx([0.0, -200.0, -100.0])
    # its in-track axis is the primary's normal
    assert found.miss_sigma_rtn_m[0] == pytest.approx(
        [np.hypot(10, 10), np.hypot(100, 20), np.hypot(20, 50)], rel=1e-4
    )
    between, speed = np.array([0.0, -0.2, 0.9]), np.array([0.0, -7.5, 7.5])
    closest = np.linalg.norm(np.cross(between, speed)) / np.linalg.norm(speed) * 1000.0
    assert found.miss_distance_m[0] == pytest.approx(closest)


def test_a_position_that_is_missing_leaves_nan() -> None:
    r, v = np.array([[7000.0, 0.0, 0.0]]), np.array([[0.0, 7.5, 0.0]])
    still = Tails(np.zeros(1), np.ones((1, 3)), np.zeros(1), np.zeros(1))
    one = Predicted(r, v, np.full((1, 3), 100.0), still)
    gone = np.full((1, 3), np.nan)
    found = prediction_errors(one, one, (gone, r), (gone, v))
    assert np.isnan(found.region[0])
    assert np.isnan(found.miss_distance_m[0])
