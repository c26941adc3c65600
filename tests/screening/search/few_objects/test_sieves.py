"""What the search for a few primaries leaves out may be left out: its bounds hold for every object."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow, window
from screening.search.few_objects.straight_line_sieve import (
    HALF_INTERVAL_S,
    LEAST_SLACK_KM,
    REACH_PER_KM,
    REACH_PER_SPEED_S,
    raise_to_slack,
)
from screening.search.radial_range import ABOVE_KM, BELOW_KM, own_range, radial_range

STARTS = ("2024-11-01T00:00:00", "2024-11-25T00:00:00")
# What the docstrings claim: the margins are twice what was seen.
MARGIN_IN_HAND = 0.55


def _span(start: str, hours: float = 24.0) -> TimeWindow:
    return window(np.datetime64(start, "us"), hours)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_no_object_leaves_its_radial_range(real_elements: ElementArray, start: str) -> None:
    propagator = Propagator(real_elements, _span(start))
    low_km, high_km = radial_range(propagator)
    lowest, highest = np.full(len(propagator), np.inf), np.zeros(len(propagator))
    times_s = np.arange(0.0, propagator.span.seconds, 247.0)
    for first in range(0, len(times_s), 50):
        _, r, _ = propagator.on_grid(times_s[first : first + 50])
        radius = np.sqrt(np.einsum("mcn,mcn->mn", r, r))
        lowest = np.fmin(lowest, np.fmin.reduce(radius, axis=0))
        highest = np.fmax(highest, np.fmax.reduce(radius, axis=0))
    bounded = np.isfinite(high_km) & np.isfinite(lowest)
    assert bounded.sum() > 26_000
    assert (lowest - low_km)[bounded].min() > (1.0 - MARGIN_IN_HAND) * BELOW_KM
    assert (high_km - highest)[bounded].min() > (1.0 - MARGIN_IN_HAND) * ABOVE_KM
    # Who cannot be propagated to a sample may be anywhere.
    assert np.all(low_km[~np.isfinite(high_km)] == 0.0)


def test_the_range_of_a_primary(real_elements: ElementArray) -> None:
    some: ElementArray = real_elements[::150]
    propagator = Propagator(some, _span(STARTS[0], 3.0))
    low_km, high_km = own_range(propagator)
    _, r, _ = propagator.on_grid(np.arange(0.0, 3 * 3600.0, 7.0))
    radius = np.sqrt(np.einsum("mcn,mcn->mn", r, r))
    assert np.all(np.fmin.reduce(radius, axis=0) > low_km)
    assert np.all(np.fmax.reduce(radius, axis=0) < high_km)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_slack_bounds_what_gravity_and_the_curve_do_not_explain(
    real_elements: ElementArray, start: str
) -> None:
    """Against SGP4 itself in mid-interval, and where the curve errs most."""
    propagator = Propagator(real_elements, _span(start))
    for first in (0, 90):
        times_s = (first + np.arange(25)) * KNOT_STEP_S
        error, r, v = propagator.on_grid(times_s)
        slack_km, off_km = np.full(len(propagator), LEAST_SLACK_KM), np.zeros(len(propagator))
        coefficients = np.empty((len(propagator), POWERS, 3))
        for k in range(24):
            raise_to_slack(r[k], v[k], r[k + 1], v[k + 1], slack_km)
            hermite_coefficients(r[k], v[k], r[k + 1], v[k + 1], coefficients)
            for s in (0.3, 0.7):
                _, true, _ = propagator.on_grid(times_s[k : k + 1] + s * KNOT_STEP_S)
                curve = np.einsum("npa,p->an", coefficients, s ** np.arange(POWERS))
                off_km = np.fmax(off_km, np.linalg.norm(curve - true[0], axis=0))
            if k % 6 == 0:
                _, middle, _ = propagator.on_grid(times_s[k : k + 1] + 0.5 * KNOT_STEP_S)
                by_gravity = _after(r[k], v[k], 0.5 * KNOT_STEP_S)
                off_km = np.fmax(off_km, np.linalg.norm(by_gravity - middle[0], axis=0))
        usable = ~error.any(axis=0)
        assert usable.sum() > 26_000
        assert (off_km / slack_km)[usable].max() < MARGIN_IN_HAND


def _after(r_km: FloatArray, v_km_s: FloatArray, seconds: float) -> FloatArray:
    """Return positions (3, n) after some time under gravity with J2, by 10 steps of Runge and Kutta."""
    r, v, h = r_km.copy(), v_km_s.copy(), seconds / 10
    for _ in range(10):
        a1 = _accelerations(r)
        v2 = v + 0.5 * h * a1
        a2 = _accelerations(r + 0.5 * h * v)
        v3 = v + 0.5 * h * a2
        a3 = _accelerations(r + 0.5 * h * v2)
        v4 = v + h * a3
        a4 = _accelerations(r + h * v3)
        r = r + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v = v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return r


def _accelerations(r_km: FloatArray) -> FloatArray:
    """Return central gravity and J2 (Vallado 2013, eq. 8-30) at positions (3, n), km/s^2."""
    r2 = np.sum(r_km**2, axis=0)
    oblate = 1.5 * J2 * EARTH_RADIUS_KM**2 / r2
    sine2 = 5.0 * r_km[2] ** 2 / r2
    factors = np.stack([1.0 - sine2, 1.0 - sine2, 3.0 - sine2])
    accelerations: FloatArray = -MU_KM3_S2 / r2**1.5 * r_km * (1.0 + oblate * factors)
    return accelerations


@pytest.mark.slow
def test_the_bound_of_straight_motion() -> None:
    """Two orbits that meet at random: straight motion from 300 s away brings them as near as is claimed."""
    random = np.random.default_rng(5)
    tau = HALF_INTERVAL_S
    largest = 0.0
    for _ in range(300):
        radius = random.uniform(6450.0, 9000.0) if random.random() < 0.8 else random.uniform(9000.0, 42_000.0)
        r = radius * _unit(random)
        apart_km = random.uniform(0.0, 100.0)
        escape = np.sqrt(2.0 * MU_KM3_S2 / radius)
        states = [(r, random.uniform(0.5, 1.0) * escape * _unit(random))]
        states.append((r + apart_km * _unit(random), random.uniform(0.5, 1.0) * escape * _unit(random)))
        ends = [_two_body(position, velocity, -tau) for position, velocity in states]
        if min(np.linalg.norm(position) for position, _ in ends) < 6400.0:
            continue
        separation, speed = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
        nearest_km = np.linalg.norm(separation + tau * speed)
        bound_km = REACH_PER_KM * apart_km + REACH_PER_SPEED_S * np.linalg.norm(speed)
        largest = max(largest, nearest_km / bound_km)
    assert 0.3 < largest < 1.0  # it holds, and is not wasteful


def _unit(random: np.random.Generator) -> FloatArray:
    direction = random.normal(size=3)
    unit: FloatArray = direction / np.linalg.norm(direction)
    return unit


def _two_body(r_km: FloatArray, v_km_s: FloatArray, seconds: float) -> tuple[FloatArray, FloatArray]:
    def rates(_t: float, y: FloatArray) -> FloatArray:
        return np.concatenate([y[3:], -MU_KM3_S2 * y[:3] / np.linalg.norm(y[:3]) ** 3])

    y = solve_ivp(rates, (0.0, seconds), np.concatenate([r_km, v_km_s]), rtol=1e-9, atol=1e-9).y[:, -1]
    return y[:3], y[3:]
