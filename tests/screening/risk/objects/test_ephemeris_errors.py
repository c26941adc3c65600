"""Covariances between those that an operator gives: they stay covariances, and those given stay."""

import numpy as np
import pytest

from screening.orbits.ephemerides import Segment
from screening.orbits.timegrid import window
from screening.risk.objects.ephemeris_errors import EphemerisErrors, errors_of

START = np.datetime64("2026-01-01T00:00:00", "us")
SPAN = window(START, 24.0)


def random_covariances(count: int, seed: int) -> np.ndarray:
    """Return covariances (n, 6, 6), km2: thin ones too, one in a thousand of the other."""
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(count, 6, 6)) * 10.0 ** rng.uniform(-3.0, 0.5, (count, 6, 1))
    squares = roots @ roots.transpose(0, 2, 1)
    return 0.5 * (squares + squares.transpose(0, 2, 1))


def segment(hours: list[float], covariances: np.ndarray) -> Segment:
    epochs = START + (np.array(hours) * 3.6e9).astype("m8[us]")
    return Segment(epochs, np.zeros((len(hours), 3)), epochs[0], epochs[-1], epochs, covariances)


def errors(covariances: np.ndarray) -> EphemerisErrors:
    return errors_of([segment([1.0, 2.0, 5.0], covariances)], SPAN)


def at(found: EphemerisErrors, *hours: float) -> np.ndarray:
    return found.at(np.zeros(len(hours), np.int32), np.array(hours) * 3600.0)


def test_at_its_epochs_a_covariance_is_the_one_given() -> None:
    given = random_covariances(3, 1)
    np.testing.assert_allclose(at(errors(given), 1.0, 2.0, 5.0), given[:, :3, :3] * 1e6, rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_between_them_it_is_positive_definite(seed: int) -> None:
    found = at(errors(random_covariances(3, seed)), *np.linspace(1.0, 5.0, 81))
    np.testing.assert_array_equal(found, found.transpose(0, 2, 1))
    # Relative to its own standard deviations, since they are a thousand apart.
    sigma = np.sqrt(np.einsum("kii->ki", found))
    correlation = found / (sigma[:, :, None] * sigma[:, None, :])
    assert np.linalg.eigvalsh(correlation).min() > 0.0


def test_standard_deviations_grow_by_the_same_factor_each_hour() -> None:
    """From 100 m at 2 h to 800 m at 5 h: twice as large each hour, and correlations change evenly."""
    given = np.zeros((3, 6, 6))
    given[:, :3, :3] = np.diag([0.01, 0.01, 0.01])
    given[2, :3, :3] = 0.64 * np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.0], [0.0, 0.0, 1.0]])
    found = at(errors(given), 3.0, 4.0)
    np.testing.assert_allclose(np.sqrt(found[:, 0, 0]), [200.0, 400.0], rtol=1e-12)
    np.testing.assert_allclose(found[:, 0, 1] / found[:, 0, 0], [0.2, 0.4], rtol=1e-12)


def test_nothing_is_extrapolated() -> None:
    found = at(errors(random_covariances(3, 2)), 0.999, 1.0, 5.0, 5.001)
    np.testing.assert_array_equal(np.isnan(found).all(axis=(1, 2)), [True, False, False, True])


def test_each_segment_has_its_own_and_some_have_none() -> None:
    given = random_covariances(4, 3)
    none = segment([0.0, 24.0], given[:2])._replace(
        covariance_epochs=np.empty(0, "M8[us]"), covariance_rtn=np.empty((0, 6, 6))
    )
    found = errors_of([segment([1.0, 2.0], given[:2]), none, segment([1.0, 2.0], given[2:])], SPAN)
    told = found.at(np.array([2, 1, 0]), np.full(3, 3600.0))
    np.testing.assert_allclose(told[[0, 2]], given[[2, 0], :3, :3] * 1e6, rtol=1e-12)
    assert np.isnan(told[1]).all()


def test_a_single_covariance_holds_at_its_epoch_only() -> None:
    given = random_covariances(1, 4)
    found = at(errors_of([segment([1.0], given)], SPAN), 1.0, 1.001)
    np.testing.assert_allclose(found[0], given[0, :3, :3] * 1e6, rtol=1e-12)
    assert np.isnan(found[1]).all()


def test_an_axis_without_error_stays_without() -> None:
    given = np.zeros((3, 6, 6))
    given[:, 0, 0] = 1.0
    found = at(errors(given), 1.5)[0]
    np.testing.assert_allclose(found, np.diag([1e6, 0.0, 0.0]), rtol=1e-12)
