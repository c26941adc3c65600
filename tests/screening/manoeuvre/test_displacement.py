"""Displacements against numerical integration, closed forms, and a published case."""

import numpy as np
import numpy.typing as npt
import pytest
from scipy.integrate import solve_ivp

from screening.manoeuvre.displacement import displacements
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.reference.local_axes import rtn_axes

FloatArray = npt.NDArray[np.float64]

relative_tolerance = 0.0025  # of the displacement, or
absolute_tolerance_km = 0.002
DAYS_3_S = np.linspace(0.0, 72.0 * 3600.0, 13)[1:]


def rate(_: float, state: FloatArray) -> FloatArray:
    """Gravity with J2 (Vallado 2013, eq. 8-30), written anew."""
    x, y, z = r = state[:3]
    length = np.sqrt(r @ r)
    oblate = 1.5 * J2 * MU_KM3_S2 * EARTH_RADIUS_KM**2 / length**5
    sine2 = 5.0 * z * z / length**2
    pull = -MU_KM3_S2 / length**3 * r
    return np.concatenate(
        [state[3:], pull + oblate * np.array([x * (sine2 - 1.0), y * (sine2 - 1.0), z * (sine2 - 3.0)])]
    )


def integrated(state: FloatArray, times_s: FloatArray) -> FloatArray:
    flown = solve_ivp(
        rate, (0.0, times_s[-1]), state, method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times_s
    )
    states: FloatArray = flown.y.T
    return states


def on_orbit(perigee_km: float, eccentricity: float, anomaly_rad: float, axes: FloatArray) -> FloatArray:
    """A state (6,) on an ellipse whose plane is spanned by the first two columns of `axes`."""
    p = perigee_km * (1.0 + eccentricity)
    r = p / (1.0 + eccentricity * np.cos(anomaly_rad))
    speed = np.sqrt(MU_KM3_S2 / p)
    position = axes @ np.array([r * np.cos(anomaly_rad), r * np.sin(anomaly_rad), 0.0])
    velocity = axes @ np.array(
        [-speed * np.sin(anomaly_rad), speed * (eccentricity + np.cos(anomaly_rad)), 0]
    )
    return np.concatenate([position, velocity])


def computed(state: FloatArray, dv_rtn_km_s: FloatArray, times_s: FloatArray) -> FloatArray:
    return displacements(state[None, :3], state[None, 3:], dv_rtn_km_s[None, None], times_s[None])[0, 0]


def check(seed: int) -> None:
    random = np.random.default_rng(seed)
    eccentricity = random.choice([random.uniform(0.0, 0.02), random.uniform(0.0, 0.7)])
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    perigee_km = EARTH_RADIUS_KM + random.uniform(300.0, 1500.0)
    state = on_orbit(perigee_km, eccentricity, random.uniform(0.0, 2 * np.pi), axes)
    direction = random.normal(size=3)
    dv_rtn_km_s = direction / np.linalg.norm(direction) * 10.0 ** random.uniform(-6.0, -3.0)
    burnt = state.copy()
    burnt[3:] += rtn_axes(state[None, :3], state[None, 3:])[0].T @ dv_rtn_km_s
    plain, moved = integrated(state, DAYS_3_S), integrated(burnt, DAYS_3_S)
    turn = rtn_axes(plain[:, :3], plain[:, 3:])
    expected = np.einsum("nij,nj->ni", turn, (moved - plain)[:, :3])
    found = computed(state, dv_rtn_km_s, DAYS_3_S)
    error = np.linalg.norm(found[:, :3] - expected, axis=1)
    allowed = np.maximum(relative_tolerance * np.linalg.norm(expected, axis=1), absolute_tolerance_km)
    assert np.all(error <= allowed), f"seed {seed}, e = {eccentricity:.3f}: {error} km"


@pytest.mark.parametrize("seed", range(3))
def test_against_integration_to_1e_12(seed: int) -> None:
    check(seed)


@pytest.mark.slow
def test_two_hundred_orbits_over_three_days() -> None:
    for seed in range(200):
        check(seed)


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
    assert error.max() < relative_tolerance * np.abs(expected).max()


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
