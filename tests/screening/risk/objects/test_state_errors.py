"""Covariances of states by the error law: its positions, and velocities that go with them."""

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import instants, window
from screening.risk.geometry.rtn import speed_rt_km_s
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.error_law import ErrorLaws, error_laws
from screening.risk.objects.state_errors import covariances_by_law, with_velocities

AGES_DAYS = np.array([-1.0, 0.0, 0.25, 3.0, 7.0])
ZERO = np.zeros(1, np.int32)


def elements(mean_anomaly_deg: float = 30.0, eccentricity: float = 1e-3) -> ElementArray:
    row = np.zeros(1, ELEMENT_DTYPE)
    row["epoch_jd"], row["epoch_day_fraction"] = 2460615.5, 0.25
    row["mean_motion_rev_day"], row["eccentricity"] = 15.2, eccentricity
    row["inclination_deg"], row["mean_anomaly_deg"] = 53.0, mean_anomaly_deg
    row["bstar_per_earth_radius"] = 1e-4
    return row


def states(row: ElementArray, age_days: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    (epoch,) = instants(row["epoch_jd"], row["epoch_day_fraction"])
    span = window(epoch - np.timedelta64(2, "D"), 240.0)
    times_s = (age_days + 2.0) * 86400.0
    error, r_km, v_km_s = Propagator(row, span).at(np.zeros(len(times_s), np.int32), times_s)
    assert (error == 0).all()
    return r_km, v_km_s


def laws(row: ElementArray, name: str) -> ErrorLaws:
    classes = np.array([ERROR_CLASSES.index(name)], np.int8)
    return error_laws(row, classes, np.array([[2.0, 3.0, 1.5]]))


@pytest.mark.parametrize("name", ["ballistic", "constellation", "geodetic"])
def test_positions_have_the_errors_of_the_law_and_the_whole_is_positive_definite(name: str) -> None:
    row = elements()
    r_km, v_km_s = states(row, AGES_DAYS)
    found = covariances_by_law(laws(row, name), AGES_DAYS, r_km, v_km_s)
    zeros = np.zeros(len(AGES_DAYS), np.int64)
    sigma_m = laws(row, name).sigma_rtn_m(zeros, AGES_DAYS, speed_rt_km_s(r_km, v_km_s))
    np.testing.assert_allclose(np.sqrt(np.einsum("kii->ki", found[:, :3, :3])) * 1e3, sigma_m, rtol=1e-12)
    np.testing.assert_array_equal(found, found.transpose(0, 2, 1))
    scale = np.sqrt(np.einsum("kii->ki", found))
    correlations = found / (scale[:, :, None] * scale[:, None, :])
    assert np.linalg.eigvalsh(correlations).min() > 1e-6  # also for a program that factorises what it reads


@pytest.mark.parametrize(
    ("neighbour", "position", "velocity"),
    [
        (elements(mean_anomaly_deg=30.02), 1, 0),  # ahead on the same orbit, by 2.4 km
        (elements(eccentricity=1.3e-3, mean_anomaly_deg=30.0), 0, 1),  # lower here, of the same period
    ],
)
def test_velocities_follow_from_positions_as_those_of_a_neighbour(
    neighbour: ElementArray, position: int, velocity: int
) -> None:
    """SGP4 itself says how the velocity of an object differs that is displaced in-track, or radially."""
    row = elements()
    now = np.zeros(1)
    (r_km, v_km_s), (other_km, other_km_s) = states(row, now), states(neighbour, now)
    axes = rtn_axes(r_km, v_km_s)[0]
    away, faster = axes @ (other_km - r_km)[0], axes @ (other_km_s - v_km_s)[0]
    covariance = covariances_by_law(laws(row, "ballistic"), now, r_km, v_km_s)[0]
    expected = covariance[3 + velocity, position] / covariance[position, position]
    if position == 0:  # its own in-track part has been seen above
        faster = faster + np.array([covariance[3, 1] / covariance[1, 1] * -away[1], 0.0, 0.0])
    assert faster[velocity] / away[position] == pytest.approx(expected, rel=0.03)


def test_correlated_positions_give_what_samples_of_neighbours_give() -> None:
    """Draw positions, give each the velocity of a neighbour, and count."""
    r, v = np.array([[7e6, 0.0, 0.0]]), np.array([[0.0, 7.5e3, 0.0]])
    rate = 7.5e3 / 7e6
    position = np.array([[2.5e3, 4e4, -1e3], [4e4, 1e6, 2e4], [-1e3, 2e4, 9e3]])
    random = np.random.default_rng(1)
    drawn = random.multivariate_normal(np.zeros(3), position, 400_000)
    beside = random.normal(size=drawn.shape) * rate * np.sqrt(np.diag(position))[[1, 0, 2]]
    velocity = -rate * drawn[:, [1, 0, 2]] + 0.01 * beside
    velocity[:, 2] = beside[:, 2]
    counted = np.cov(np.hstack([drawn, velocity]), rowvar=False)
    (found,) = with_velocities(position[None], r, v)
    scale = np.sqrt(np.diag(found))
    assert np.abs((found - counted) / np.outer(scale, scale)).max() < 0.01  # 3 / sqrt(400,000) is 0.005
