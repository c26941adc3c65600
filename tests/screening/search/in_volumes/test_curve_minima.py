"""The bound by which flat volumes are sieved, against exact Kepler orbits and the worst that pads allow."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from screening.orbits.knots import KNOT_STEP_S, POWERS, quintic
from screening.search.in_volumes.curve_minima import _may_be_inside

MU = 398_600.4418
Vector = npt.NDArray[np.float64]
GEOMETRIES = 1000


def _kepler(r0: Vector, v0: Vector, seconds: float) -> tuple[Vector, Vector]:
    """Return a state some seconds later, by Gauss's f and g and Newton's method in eccentric anomaly."""
    radius, a = np.linalg.norm(r0), 1.0 / (2.0 / np.linalg.norm(r0) - v0 @ v0 / MU)
    n = math.sqrt(MU / a**3)
    sigma = (r0 @ v0) / math.sqrt(MU * a)
    moved = n * seconds
    for _ in range(20):
        c, s = math.cos(moved), math.sin(moved)
        rest = moved - (1 - radius / a) * s + sigma * (1 - c) - n * seconds
        moved -= rest / (1 - (1 - radius / a) * c + sigma * s)
    c, s = math.cos(moved), math.sin(moved)
    f = 1 - a / radius * (1 - c)
    g = seconds - (moved - s) / n
    r = f * r0 + g * v0
    later = np.linalg.norm(r)
    v = -math.sqrt(MU * a) / (later * radius) * s * r0 + (1 - a / later * (1 - c)) * v0
    return r, v


def _quintic(earlier: Vector, later: Vector) -> Vector:
    """Return the coefficients (POWERS, 3) through two states: position, velocity, acceleration."""
    c = np.empty((POWERS, 3))
    for axis in range(3):
        c[:, axis] = quintic(*earlier[:, axis], *later[:, axis])
    return c


def _state(r: Vector, v: Vector) -> Vector:
    return np.stack([r, v, -MU * r / np.linalg.norm(r) ** 3])


def _along(c: Vector, s: Vector) -> Vector:
    """Return positions (k, 3), km, at `s` (k,)."""
    return np.array(np.polynomial.polynomial.polyval(s, c)).T


@pytest.mark.slow
def test_no_minimum_that_pads_allow_is_beyond_the_bound() -> None:
    """SGP4's minimum is P beside the curves, somewhere where they are at most d + 2 P apart."""
    chance = np.random.default_rng(24)
    asked = 0
    for _ in range(GEOMETRIES):
        one, other = _meeting(chance)
        states = [
            [_state(*_kepler(*state, at)) for at in (-KNOT_STEP_S / 2, KNOT_STEP_S / 2)]
            for state in (one, other)
        ]
        own = _quintic(*states[0])
        way = _quintic(*(theirs - ours for ours, theirs in zip(*states, strict=True)))
        s = 0.5 + np.linspace(-0.1, 0.1, 20_001)
        distances = np.linalg.norm(_along(way, s), axis=1)
        least = int(np.argmin(distances))
        distance, pad = float(distances[least]), chance.uniform(0.001, 0.1)
        too_far = np.flatnonzero(distances > distance + 2 * pad)
        ends = (too_far[too_far < least].max() + 1, too_far[too_far > least].min() - 1)
        for end in ends:
            r, position = (_along(c, s[[end]])[0] for c in (way, own))
            farthest_km = abs(r @ position) / np.linalg.norm(position) - pad
            if farthest_km > 0.0:
                asked += 1
                assert _may_be_inside(way, own, s[least], distance, pad, farthest_km)
    assert asked > GEOMETRIES


def _meeting(chance: np.random.Generator) -> tuple[tuple[Vector, Vector], tuple[Vector, Vector]]:
    """Return two objects at their smallest distance, 1 to 100 km, at 0.5 to 3 km/s."""
    radius, speed = chance.uniform(6700.0, 8000.0), chance.uniform(0.51, 3.0)
    r = np.array([radius, 0.0, 0.0])
    v = math.sqrt(MU / radius) * np.array([chance.uniform(-0.05, 0.05), chance.uniform(0.98, 1.05), 0.0])
    way = chance.normal(size=3)
    way *= chance.uniform(1.0, 100.0) / np.linalg.norm(way)
    across = np.cross(way, chance.normal(size=3))
    across *= speed / np.linalg.norm(across)
    return (r, v), (r + way, v + across)


@pytest.mark.parametrize(("height_km", "may_be"), [(21.0, True), (10.0, False)])
def test_it_decides(height_km: float, may_be: bool) -> None:
    """20 km above, at 3 km/s: inside half a height of 21 km, not of 10 km."""
    one = (np.array([7000.0, 0, 0]), np.array([0, 7.5, 0]))
    other = (np.array([7020.0, 0, 0]), np.array([0, 7.5, 3.0]))
    states = [
        [_state(*_kepler(*state, at)) for at in (-KNOT_STEP_S / 2, KNOT_STEP_S / 2)] for state in (one, other)
    ]
    way = _quintic(*(theirs - ours for ours, theirs in zip(*states, strict=True)))
    assert _may_be_inside(way, _quintic(*states[0]), 0.5, 20.0, 0.01, height_km) is may_be
