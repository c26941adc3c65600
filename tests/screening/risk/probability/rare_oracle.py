"""Count rare collisions among whole orbits: the oracle with importance sampling.

Cross-entropy (Rubinstein & Kroese 2004, The cross-entropy method): a Gaussian is fitted to the samples that
come nearest, again and again, until a tenth of its samples come within the radius. Then a mixture of it and
the errors themselves is sampled with weights. So it needs neither a design point nor a derivative.
"""

from typing import NamedTuple

import numpy as np

from tests.screening.risk.probability.curvilinear_oracle import Floats, elements_of, misses

_ROUNDS = 60
_FITTED_ON = 20_000
_NEAREST = 0.1
_OF_THE_ERRORS = 0.1  # share of the mixture
_WIDER = 1.1  # variances of the fitted Gaussian, whose tails then hold the hits


class Weighted(NamedTuple):
    """A probability with one standard deviation, relative to it."""

    probability: float
    noise: float


def rare_hits(states: Floats, root_rtn: Floats, radius_m: float, samples: int, seed: int) -> Weighted:
    """Estimate how often orbits come within `radius_m` near TCA; arguments as of `count_hits`."""
    elements, spread, sides = elements_of(states, root_rtn)
    rng, size = np.random.default_rng(seed), root_rtn.shape[1]
    mean, covariance = np.zeros(size), np.eye(size)
    for _ in range(_ROUNDS):
        z = rng.multivariate_normal(mean, covariance, _FITTED_ON)
        miss = np.empty(len(z))
        misses(elements, spread, sides, z, miss)
        reached = max(radius_m, float(np.quantile(miss, _NEAREST)))
        near = z[miss <= reached]
        logs = -0.5 * (near * near).sum(axis=1) - _log_density(near, mean, covariance)
        weights = np.exp(logs - logs.max())
        weights = np.minimum(weights, np.quantile(weights, 0.99))  # one sample is no fit
        mean = weights @ near / weights.sum()
        covariance = _WIDER * (weights * (near - mean).T) @ (near - mean) / weights.sum()
        if reached == radius_m:
            break
    own = rng.random(samples) < _OF_THE_ERRORS
    z = rng.multivariate_normal(mean, covariance, samples)
    z[own] = rng.standard_normal((np.count_nonzero(own), size))
    miss = np.empty(samples)
    misses(elements, spread, sides, z, miss)
    likely = -0.5 * (z * z).sum(axis=1)
    mixed = np.logaddexp(
        np.log(_OF_THE_ERRORS) + likely, np.log(1.0 - _OF_THE_ERRORS) + _log_density(z, mean, covariance)
    )
    weights = np.where(miss < radius_m, np.exp(likely - mixed), 0.0)
    return Weighted(float(weights.mean()), float(weights.std() / np.sqrt(samples) / weights.mean()))


def _log_density(z: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Return logarithms (n,) of a Gaussian's density, but for that of the standard one at its centre."""
    root = np.linalg.cholesky(covariance)
    scaled = np.linalg.solve(root, (z - mean).T)
    density: Floats = -0.5 * (scaled * scaled).sum(axis=0) - np.log(np.diag(root)).sum()
    return density
