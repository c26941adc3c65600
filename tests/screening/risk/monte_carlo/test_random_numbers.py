"""Random numbers of kernels: the published sequence, and the distributions they say they have."""

import numpy as np
from scipy.stats import kstest

from screening.risk.monte_carlo.random_numbers import begin_sequence, normal, uniform, uniform_on_disk

# The first numbers of the authors' C code, java.util.SplittableRandom's, from the state 1234567.
PUBLISHED = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)
NUMBERS = 20_000
LEAST_CHANCE = 1e-4


def _begun(seed: int) -> np.ndarray:
    state = np.empty(1, np.uint64)
    begin_sequence(state, seed)
    return state


def test_the_published_sequence() -> None:
    state = np.array([1234567], np.uint64)
    assert [uniform(state) for _ in PUBLISHED] == [(number >> 11) * 2.0**-53 for number in PUBLISHED]


def test_distributions() -> None:
    state = _begun(7)
    assert kstest([uniform(state) for _ in range(NUMBERS)], "uniform").pvalue > LEAST_CHANCE
    assert kstest([normal(state) for _ in range(NUMBERS)], "norm").pvalue > LEAST_CHANCE
    points = np.array([uniform_on_disk(state) for _ in range(NUMBERS)])
    # Of a uniform disk the squared radius is uniform, and so is the angle.
    assert kstest((points**2).sum(axis=1), "uniform").pvalue > LEAST_CHANCE
    angle = np.arctan2(points[:, 1], points[:, 0]) / (2.0 * np.pi) + 0.5
    assert kstest(angle, "uniform").pvalue > LEAST_CHANCE


def test_neighbouring_seeds_have_nothing_in_common() -> None:
    first = np.array([uniform(_begun(seed)) for seed in range(NUMBERS)])
    assert kstest(first, "uniform").pvalue > LEAST_CHANCE
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 4.0 / np.sqrt(NUMBERS)
