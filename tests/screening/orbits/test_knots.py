"""The curve between two knots meets both, and stays near SGP4 in between."""

import numpy as np
import pytest

from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.knots import (
    KNOT_STEP_S,
    POWERS,
    acceleration_along,
    hermite_coefficients,
    position_along,
    velocity_along,
)
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, julian_date, window

# Sums of six terms of up to 1e5 km in float64.
ROUNDING_KM = 1e-9
# Interpolation over 600 s costs a circular low orbit 12 m: its sixth derivative (2 pi / 5700 s)^6 * 6900 km
# times 600^6 / (720 * 64). SGP4's velocity, not quite the derivative of its position, costs as much again.
LOW_ORBIT_KM = 0.04


def _positions_km(curves: FloatArray, s: float) -> FloatArray:
    """Return the positions (3, n) of curves (n, 6, 3) at `s`."""
    out: FloatArray = np.einsum("npa,p->an", curves, s ** np.arange(6))
    return out


def _elements(count: int, mean_motion_rev_day: float) -> ElementArray:
    elements = np.zeros(count, ELEMENT_DTYPE)
    elements["mean_motion_rev_day"] = mean_motion_rev_day
    elements["inclination_deg"] = np.linspace(1.0, 175.0, count)
    elements["mean_anomaly_deg"] = np.linspace(0.0, 350.0, count)
    elements["raan_deg"] = np.linspace(5.0, 200.0, count)
    elements["epoch_jd"], elements["epoch_day_fraction"] = julian_date(np.array(["2024-11-01"], "M8[us]"))
    return elements


@pytest.fixture(scope="module")
def low_orbits() -> Propagator:
    return Propagator(_elements(40, 15.2), window(np.datetime64("2024-11-01", "us"), 1.0))


@pytest.fixture(scope="module")
def states(low_orbits: Propagator) -> tuple[FloatArray, FloatArray]:
    """Return positions and velocities (2, 3, n) at both ends of an interval."""
    _, r, v = low_orbits.on_grid(np.array([0.0, KNOT_STEP_S]))
    return r, v


@pytest.fixture(scope="module")
def curves(states: tuple[FloatArray, FloatArray]) -> FloatArray:
    r, v = states
    out = np.full((r.shape[2], POWERS, 3), np.nan)
    hermite_coefficients(r[0], v[0], r[1], v[1], out)
    return out


@pytest.mark.parametrize("end", [0, 1])
def test_a_curve_has_the_state_and_the_modelled_acceleration_of_both_ends(
    end: int, states: tuple[FloatArray, FloatArray], curves: FloatArray
) -> None:
    r, v = states
    for i, curve in enumerate(curves):
        modelled = acceleration_km_s2(*r[end, :, i])
        for axis in range(3):
            assert position_along(curve, axis, float(end)) == pytest.approx(r[end, axis, i], abs=ROUNDING_KM)
            assert velocity_along(curve, axis, float(end)) == pytest.approx(
                v[end, axis, i] * KNOT_STEP_S, abs=ROUNDING_KM
            )
            assert acceleration_along(curve, axis, float(end)) == pytest.approx(
                modelled[axis] * KNOT_STEP_S**2, abs=ROUNDING_KM
            )


def test_derivatives_are_those_of_the_position(curves: FloatArray) -> None:
    step = 1e-4
    third_order_km = 1e-3  # the neglected terms: third and fourth derivative times step^2, of 1e4 km
    for curve in curves[:5]:
        for axis in range(3):
            before, here, after = (position_along(curve, axis, 0.4 + d) for d in (-step, 0.0, step))
            assert velocity_along(curve, axis, 0.4) == pytest.approx(
                (after - before) / (2 * step), abs=third_order_km
            )
            assert acceleration_along(curve, axis, 0.4) == pytest.approx(
                (after - 2 * here + before) / step**2, abs=third_order_km
            )


def test_a_circular_low_orbit_stays_near_sgp4(low_orbits: Propagator, curves: FloatArray) -> None:
    fractions = np.linspace(0.05, 0.95, 19)
    _, r_true, _ = low_orbits.on_grid(fractions * KNOT_STEP_S)
    for s, expected in zip(fractions.tolist(), r_true, strict=True):
        assert np.linalg.norm(_positions_km(curves, s) - expected, axis=0).max() < LOW_ORBIT_KM


def test_the_acceleration_is_the_slope_of_the_potential() -> None:
    def potential(r: FloatArray) -> float:
        size = float(np.linalg.norm(r))
        oblate = J2 * (EARTH_RADIUS_KM / size) ** 2 * 0.5 * (3.0 * (r[2] / size) ** 2 - 1.0)
        return float(MU_KM3_S2 / size * (1.0 - oblate))

    step_km = 0.1
    relative = 1e-6  # of a central difference of a function of 60 over 0.2 km
    for r in (
        np.array([7000.0, 100.0, -50.0]),
        np.array([2000.0, -3000.0, 6000.0]),
        np.array([0.0, 0.0, 9e3]),
    ):
        slope = [(potential(r + d) - potential(r - d)) / (2 * step_km) for d in np.eye(3) * step_km]
        size = float(np.linalg.norm(slope))
        assert acceleration_km_s2(*r) == pytest.approx(slope, abs=relative * size)
