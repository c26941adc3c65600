"""Displacements against numerical integration, closed forms, and a published case."""

import numpy as np
import numpy.typing as npt
import pytest

from screening.manoeuvre.displacement import displacements
from screening.orbits.gravity import MU_KM3_S2
from tests.validation.orbits.burns_integrated import (
    ABSOLUTE_TOLERANCE_KM,
    DAYS_3_S,
    RELATIVE_TOLERANCE,
    differences,
    on_orbit,
)

FloatArray = npt.NDArray[np.float64]


def computed(state: FloatArray, dv_rtn_km_s: FloatArray, times_s: FloatArray) -> FloatArray:
    return displacements(state[None, :3], state[None, 3:], dv_rtn_km_s[None, None], times_s[None])[0, 0]


@pytest.mark.slow
def test_against_integration_to_1e_12() -> None:
    apart_km, moved_km = differences(range(200))
    assert apart_km.shape == (200, 12)
    allowed_km = np.maximum(RELATIVE_TOLERANCE * moved_km, ABSOLUTE_TOLERANCE_KM)
    assert np.all(apart_km <= allowed_km), np.argwhere(apart_km > allowed_km)


def clohessy_wiltshire(n: float, dv_rtn: FloatArray, times_s: FloatArray) -> FloatArray:
    """The displacement (k, 3) by an impulse on a circular orbit (Clohessy & Wiltshire 1960)."""
    radial, along, across = dv_rtn
    sine, cosine = np.sin(n * times_s), np.cos(n * times_s)
    return np.stack(
        [
            radial / n * sine + 2.0 * along / n * (1.0 - cosine),
            -2.0 * radial / n * (1.0 - cosine) + along * (4.0 / n * sine - 3.0 * times_s),
            across / n * sine,
        ],
        axis=1,
    )


@pytest.mark.parametrize("axis", range(3))
def test_against_clohessy_and_wiltshire(axis: int) -> None:
    radius_km = 42164.0  # where J2 does little, so that the closed form of a point mass holds
    n = np.sqrt(MU_KM3_S2 / radius_km**3)
    state = np.array([radius_km, 0.0, 0.0, 0.0, np.sqrt(MU_KM3_S2 / radius_km), 0.0])
    dv_rtn_km_s = 1e-6 * np.eye(3)[axis]
    times_s = np.linspace(0.0, 2.0, 9)[1:] * 2 * np.pi / n
    expected = clohessy_wiltshire(n, dv_rtn_km_s, times_s)
    error = np.linalg.norm(computed(state, dv_rtn_km_s, times_s)[:, :3] - expected, axis=1)
    assert error.max() < RELATIVE_TOLERANCE * np.abs(expected).max()


def test_the_rule_of_three_dv_t_fails_within_half_a_revolution() -> None:
    radius_km = 7000.0
    period_s = 2 * np.pi * np.sqrt(radius_km**3 / MU_KM3_S2)
    state = np.array([radius_km, 0.0, 0.0, 0.0, np.sqrt(MU_KM3_S2 / radius_km), 0.0])
    dv = 1e-5
    times_s = np.array([0.15, 0.25, 5.0]) * period_s
    in_track = computed(state, np.array([0.0, dv, 0.0]), times_s)[:, 1]
    rule = -3.0 * dv * times_s
    assert in_track[0] > 0.0 > rule[0], "ahead at first, not behind"
    assert abs(in_track[1] / rule[1]) < 0.2, "85 % less after a quarter"
    assert in_track[2] == pytest.approx(rule[2], rel=0.02), "right after whole revolutions"


def test_a_small_manoeuvre_as_published() -> None:
    """Orekit's SmallManeuverAnalyticalModelTest: over 1 km after less than 3 revolutions."""
    radius_km, inclination = 7200.0, np.radians(98.0)
    speed = np.sqrt(MU_KM3_S2 / radius_km)
    state = np.array([radius_km, 0.0, 0.0, 0.0, speed * np.cos(inclination), speed * np.sin(inclination)])
    dv = np.array([-0.01, 0.02, 0.03]) / 1000.0
    period_s = 2 * np.pi * radius_km / speed
    times_s = np.linspace(0.0, 3.0, 61)[1:] * period_s
    shift_km = np.linalg.norm(computed(state, dv, times_s)[:, :3], axis=1)
    assert shift_km.max() > 1.0


def test_no_burn_is_no_displacement_to_the_bit() -> None:
    state = on_orbit(6900.0, 0.01, 0.3, np.eye(3))
    assert not computed(state, np.zeros(3), DAYS_3_S).any()


def test_a_path_that_meets_the_surface_is_not_known() -> None:
    state = on_orbit(6578.0, 0.0, 0.0, np.eye(3))
    found = computed(state, np.array([0.0, -0.09, 0.0]), np.array([60.0, 3000.0, 6000.0]))
    assert np.isfinite(found[0]).all()
    assert np.isnan(found[1:]).all()
