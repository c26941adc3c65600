"""Two-body motion: conservation, closure, and its derivatives against differences."""

import numpy as np
import pytest

from screening.risk.geometry.two_body import (
    MU_M3_S2,
    orbital_period_s,
    propagate_two_body,
)

STATES = {
    "circular": (7.0e6, 0.0, 0.0, 0.0, np.sqrt(MU_M3_S2 / 7.0e6), 0.0),
    "inclined": (6.0e6, 2.0e6, 3.0e6, -3000.0, 5000.0, 4500.0),
    "transfer": (6.6e6, 0.0, 1.0e5, 10.0, 10_200.0, 100.0),
    "geostationary": (42_164e3, 0.0, 0.0, 0.0, 3074.66, 0.0),
}
rounding_m = 1e-5  # over a revolution
difference_error = 2e-6  # of central differences, relative to the largest derivative


@pytest.fixture(params=STATES.values(), ids=STATES.keys())
def state(request: pytest.FixtureRequest) -> np.ndarray:
    return np.array(request.param)


def test_energy_and_angular_momentum_stay(state: np.ndarray) -> None:
    moved = propagate_two_body(state, np.linspace(-0.5, 0.5, 41) * orbital_period_s(state))
    energy = 0.5 * (moved[:, 3:] ** 2).sum(axis=1) - MU_M3_S2 / np.linalg.norm(moved[:, :3], axis=1)
    np.testing.assert_allclose(energy, energy[20], rtol=1e-12)
    momentum = np.cross(moved[:, :3], moved[:, 3:])
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[20], momentum.shape), atol=1.0)
    np.testing.assert_array_equal(moved[20], state)


def test_it_closes_after_a_revolution_and_comes_back(state: np.ndarray) -> None:
    period = orbital_period_s(state)
    np.testing.assert_allclose(
        propagate_two_body(state, np.array([period]))[0, :3], state[:3], atol=rounding_m
    )
    there = propagate_two_body(state, np.array([0.3 * period]))[0]
    np.testing.assert_allclose(
        propagate_two_body(there, np.array([-0.3 * period]))[0], state, atol=rounding_m
    )


def test_velocity_is_the_derivative_of_position(state: np.ndarray) -> None:
    dt, t = 0.1, 0.17 * orbital_period_s(state)
    before, here, after = propagate_two_body(state, np.array([t - dt, t, t + dt]))
    np.testing.assert_allclose((after - before)[:3] / (2 * dt), here[3:], atol=1e-4)


def test_an_unbound_orbit_has_no_period() -> None:
    assert orbital_period_s(np.array([7.0e6, 0.0, 0.0, 0.0, 12_000.0, 0.0])) == np.inf
