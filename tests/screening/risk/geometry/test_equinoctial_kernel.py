"""Equinoctial elements: their derivatives against differences, and the motion against Lagrange's f and g."""

import numpy as np
import pytest

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.equinoctial_kernel import derive_place, elements_at, ellipse_of, place_on
from screening.risk.geometry.two_body import MU_M3_S2, propagate_two_body

one_micrometre_m = 1e-6  # of 10,000 km: 1e-13, some rounding errors of doubles
of_derivatives = 2e-8  # relative: what central differences leave, cube root of the rounding error squared

# In the object's own axes, (r, 0, 0) and (v_radial, v_in_track, 0): by eccentricity and true anomaly.
ORBITS = [(0.7, 1.0), (0.7, -2.5), (0.7, np.pi), (1e-9, 0.3), (0.0, 0.0), (0.001, 2.0), (0.2, 4.0)]
SECONDS = np.array([-5000.0, -700.0, 0.0, 3.0, 2500.0])


def _state(eccentricity: float, true_anomaly_rad: float) -> FloatArray:
    parameter_m = 7.0e6 * (1.0 + eccentricity)
    speed_m_s = np.sqrt(MU_M3_S2 / parameter_m)
    cosine, sine = np.cos(true_anomaly_rad), np.sin(true_anomaly_rad)
    return np.array(
        [
            *(parameter_m / (1.0 + eccentricity * cosine), 0.0, 0.0),
            *(speed_m_s * eccentricity * sine, speed_m_s * (1.0 + eccentricity * cosine), 0.0),
        ]
    )


def _elements(state: FloatArray) -> tuple[FloatArray, FloatArray]:
    elements, partials = np.empty(6), np.empty((6, 6))
    assert elements_at(state[0], state[3], state[4], elements, partials)
    return elements, partials


def _moved(elements: FloatArray, seconds: float) -> tuple[FloatArray, FloatArray]:
    """Return the state (6,) and the position's derivatives (3, 6)."""
    exists, ellipse = ellipse_of(elements)
    assert exists
    position, velocity, longitude = place_on(ellipse, seconds)
    partials = np.empty((3, 6))
    derive_place(ellipse, seconds, longitude, partials)
    return np.array([*position, *velocity]), partials


@pytest.mark.parametrize(("eccentricity", "true_anomaly_rad"), ORBITS)
def test_motion_is_that_of_lagranges_f_and_g(eccentricity: float, true_anomaly_rad: float) -> None:
    state = _state(eccentricity, true_anomaly_rad)
    elements, _ = _elements(state)
    for moved, seconds in zip(propagate_two_body(state, SECONDS), SECONDS, strict=True):
        ours, _ = _moved(elements, seconds)
        np.testing.assert_allclose(ours[:3], moved[:3], atol=one_micrometre_m)
        np.testing.assert_allclose(ours[3:], moved[3:], atol=one_micrometre_m * 1e-2)


@pytest.mark.parametrize(("eccentricity", "true_anomaly_rad"), ORBITS)
def test_the_positions_derivatives_are_central_differences(
    eccentricity: float, true_anomaly_rad: float
) -> None:
    elements, _ = _elements(_state(eccentricity, true_anomaly_rad))
    elements[3:5] = 0.3, -0.2  # samples leave the plane of reference
    steps = np.where(np.arange(6) == 0, elements[0] * 1e-6, 1e-6)
    for seconds in SECONDS:
        _, partials = _moved(elements, seconds)
        for j in range(6):
            if j in (1, 2) and np.hypot(*elements[1:3]) == 0.0:
                continue  # tested by the identity: the centre of h and k is no special place for the formulas
            step = np.zeros(6)
            step[j] = steps[j]
            slope = (_moved(elements + step, seconds)[0] - _moved(elements - step, seconds)[0])[:3]
            slope /= 2.0 * steps[j]
            size = np.abs(partials[:, j]).max()
            np.testing.assert_allclose(partials[:, j] / size, slope / size, atol=of_derivatives)


@pytest.mark.parametrize(("eccentricity", "true_anomaly_rad"), ORBITS)
@pytest.mark.parametrize("seconds", SECONDS)
def test_a_changed_state_moves_as_lagranges_f_and_g_say(
    eccentricity: float, true_anomaly_rad: float, seconds: float
) -> None:
    state = _state(eccentricity, true_anomaly_rad)
    elements, by_state = _elements(state)
    _, by_elements = _moved(elements, seconds)
    chained = by_elements @ by_state
    for j, step_size in enumerate((10.0, 10.0, 10.0, 0.01, 0.01, 0.01)):  # m and m/s
        step = np.zeros(6)
        step[j] = step_size
        ends = [propagate_two_body(state + sign * step, np.array([seconds]))[0, :3] for sign in (1.0, -1.0)]
        slope = (ends[0] - ends[1]) / (2.0 * step_size)
        # Rounding of positions, 1e-9 m, over the step; the rest is the third derivative.
        np.testing.assert_allclose(chained[:, j], slope, rtol=1e-7, atol=1e-7 * (1.0 + abs(slope).max()))


@pytest.mark.parametrize(("eccentricity", "true_anomaly_rad"), ORBITS)
def test_both_derivatives_at_tca_are_inverse(eccentricity: float, true_anomaly_rad: float) -> None:
    elements, by_state = _elements(_state(eccentricity, true_anomaly_rad))
    _, position_by_elements = _moved(elements, 0.0)
    np.testing.assert_allclose((position_by_elements @ by_state)[:, :3], np.eye(3), atol=1e-11)
    # A metre per second changes no position; the unit is that of a radian of mean motion.
    of_velocity = (position_by_elements @ by_state)[:, 3:] * elements[0]
    np.testing.assert_allclose(of_velocity, 0.0, atol=1e-11)


def test_an_object_leaving_the_earth_has_no_elements() -> None:
    elements, partials = np.full(6, 7.0), np.full((6, 6), 7.0)
    escape_m_s = np.sqrt(2.0 * MU_M3_S2 / 7e6)
    assert not elements_at(7e6, 0.0, 1.001 * escape_m_s, elements, partials)
    assert not elements_at(7e6, 7000.0, 0.0, elements, partials)  # falling straight down
    assert not elements_at(np.nan, 0.0, 7500.0, elements, partials)
    assert not elements_at(7e6, np.nan, 7500.0, elements, partials)
    assert (elements == 7.0).all()
    assert (partials == 7.0).all()


@pytest.mark.parametrize(
    "changed", [{1: 0.8, 2: 0.6}, {2: 1.2}, {0: 0.0}, {0: -1e-3}, {0: np.nan}, {1: np.nan}]
)
def test_elements_of_no_ellipse_are_told(changed: dict[int, float]) -> None:
    elements, _ = _elements(_state(0.1, 1.0))
    for index, value in changed.items():
        elements[index] = value
    assert not ellipse_of(elements)[0]
