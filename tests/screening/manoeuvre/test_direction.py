"""The best direction of a small burn: against all directions, and a published case."""

import numpy as np
import pytest

from screening.manoeuvre.displacement import displacements
from screening.manoeuvre.search import best_direction
from screening.orbits.gravity import MU_KM3_S2


def everywhere(count: int) -> np.ndarray:
    """Unit vectors all over the sphere (Fibonacci)."""
    k = np.arange(count) + 0.5
    height, angle = 1.0 - 2.0 * k / count, np.pi * (1.0 + np.sqrt(5.0)) * k
    ring = np.sqrt(1.0 - height**2)
    return np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)


@pytest.mark.parametrize("seed", range(20))
def test_no_direction_is_better(seed: int) -> None:
    random = np.random.default_rng(seed)
    response, miss = random.normal(size=(2, 3)) * 1000.0, random.normal(size=2) * 100.0
    root = random.normal(size=(2, 2)) * 300.0
    covariance = root @ root.T
    size = 0.1
    best = best_direction(response, miss, covariance, size)
    assert np.linalg.norm(best) == pytest.approx(size)

    def sigmas2(dv: np.ndarray) -> np.ndarray:
        b = miss + dv @ response.T
        return np.einsum("...i,ij,...j->...", b, np.linalg.inv(covariance), b)

    assert sigmas2(best) >= sigmas2(size * everywhere(50_000)).max() * (1.0 - 1e-9)


def test_a_head_on_course_is_left_along_the_best_axis() -> None:
    response = np.array([[0.0, 0.0, 100.0], [0.0, 3000.0, 0.0]])
    best = best_direction(response, np.zeros(2), np.eye(2), 0.1)
    assert best == pytest.approx([0.0, 0.1, 0.0])


def test_the_optimum_for_the_largest_miss_jumps_as_published() -> None:
    """Iridium 33 and Cosmos 2251, 0.1 m/s (Bombardelli & Hernando-Ayuso 2015, JGCD 38, 217): at 136 deg."""
    a_km, eccentricity, at_encounter = 7155.8, 2e-4, np.radians(-16.85)
    r, v = (x[0] for x in states(a_km, eccentricity, np.array([at_encounter])))
    radial = r / np.linalg.norm(r)
    normal = np.array([0.0, 0.0, 1.0])
    in_track = np.cross(normal, radial)
    between = np.radians(180.0 - 77.5)
    other = np.linalg.norm(v) * (np.cos(between) * in_track + np.sin(between) * normal)
    along = (other - v) / np.linalg.norm(other - v)
    plane = np.stack([radial, np.cross(along, radial)])  # the encounter plane
    before = np.radians(np.arange(1.0, 360.0))
    starts, speeds = states(a_km, eccentricity, at_encounter - before)
    seconds = (
        (mean_anomaly(at_encounter, eccentricity) - mean_anomaly(at_encounter - before, eccentricity))
        % (2 * np.pi)
        / np.sqrt(MU_KM3_S2 / a_km**3)
    )
    burns = np.broadcast_to(1e-6 * np.eye(3), (len(before), 3, 3))
    found = displacements(starts, speeds, burns, seconds[:, None])[:, :, 0, :3] / 1e-6
    to_inertial = np.stack([radial, in_track, normal])
    responses = -np.einsum("pi,nbi->npb", plane, found @ to_inertial)
    miss = np.array([-70.0, -70.0])
    best = np.array([best_direction(one, miss, np.eye(2), 0.1) for one in responses])
    turn = np.degrees(np.arccos(np.einsum("ni,ni->n", best[1:], best[:-1]) / 0.01))
    (jump,) = np.flatnonzero(turn > 90.0)
    assert np.degrees(before[jump + 1]) == pytest.approx(136.0, abs=1.0)


def states(a_km: float, eccentricity: float, anomaly: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """States (n, 3) in the plane of the orbit at true anomalies (n,)."""
    p = a_km * (1.0 - eccentricity**2)
    radius = p / (1.0 + eccentricity * np.cos(anomaly))
    zero = np.zeros_like(anomaly)
    r = np.stack([radius * np.cos(anomaly), radius * np.sin(anomaly), zero], axis=1)
    v = np.sqrt(MU_KM3_S2 / p) * np.stack([-np.sin(anomaly), eccentricity + np.cos(anomaly), zero], axis=1)
    return r, v


def mean_anomaly(anomaly: np.ndarray | float, eccentricity: float) -> np.ndarray:
    """Kepler's equation from a true anomaly."""
    half = np.tan(0.5 * np.asarray(anomaly)) * np.sqrt((1.0 - eccentricity) / (1.0 + eccentricity))
    eccentric = 2.0 * np.arctan(half)
    return eccentric - eccentricity * np.sin(eccentric)
