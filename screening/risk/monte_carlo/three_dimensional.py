"""Collision probability by random sampling of whole relative trajectories.

For encounters too slow or too long for the encounter plane. Both objects move by two-body dynamics from TCA,
deviations by the transition matrices about each orbit: exact propagation of each sample would differ by the
square of the deviation over twice the orbit's radius, 1 m for 4 km, which is also how well a covariance in
straight coordinates describes an error that follows the orbit. Where that matters nothing is drawn, and the
estimate has `curvilinear_needed` instead of a number.

Sampling by dwell time. With f_t the Gaussian density of the relative position at time t and D the time that
a trajectory spends inside the combined hard-body sphere B during the window,

    P(collision) = integral over t and over y in B of f_t(y) E[1 / D | position y at t],

since each colliding trajectory is counted once for each instant inside, divided by their total D. So t and y
are drawn where they matter, the rest of the trajectory from the Gaussian conditioned on passing y at t, and
every sample with y in B is a hit: 1e-10 costs as many samples as 0.1. Several passes count once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import covariance_of_miss
from screening.risk.geometry.two_body import orbital_period_s
from screening.risk.monte_carlo.dwell_kernel import dwell_times
from screening.risk.monte_carlo.likely_times import likely_times
from screening.risk.monte_carlo.orbit_curvature import curvature_sigmas
from screening.risk.monte_carlo.relative_motion import (
    RelativeMotion,
    at_times,
    encounter_half_window_s,
    relative_motion,
    velocities_at,
)
from screening.risk.monte_carlo.two_dimensional_kernel import NORMAL_QUANTILE

NODES = 601  # at most T/1200 apart: the cubics between them are good to 1e-11 of the orbit's radius
UNIFORM_TIMES = 0.1  # share of the times drawn independently of the Gaussian, so that no pass is missed
UNIFORM_POINTS = 0.5  # share of the points drawn uniformly in the sphere
LONGEST_GRAZE = 0.1  # of the radius: a chord R / 1000 below the surface is 0.09 R long
CHUNK = 500  # samples at once: 15 MB of trajectories

# In sigmas of the relative position: the largest displacement of colliding samples by the orbits' curvature.
LARGEST_CURVATURE_SIGMAS = 0.1


class TrajectoryEstimate(NamedTuple):
    """The estimate of one encounter; where curvilinear_needed, nothing is drawn and the numbers are NaN."""

    probability: float
    low: float  # of the 95 % interval
    high: float
    samples: int
    hits: int
    effective_samples: float
    half_window_s: float  # trajectories were followed from TCA - half_window_s to TCA + half_window_s
    step_s: float  # between nodes; pieces within R / 1000 of the cubic through them are used near the sphere
    curvature_sigmas: float
    curvilinear_needed: bool


def monte_carlo_3d(
    primary: FloatArray,
    secondary: FloatArray,
    covariance_primary: FloatArray,
    covariance_secondary: FloatArray,
    radius_m: float,
    rng: np.random.Generator,
    samples: int = 20_000,
    half_window_s: float | None = None,
    cross_covariance: FloatArray | None = None,
) -> TrajectoryEstimate:
    """Estimate the probability that two objects come within `radius_m` of each other in a window about TCA.

    States (6,) and covariances (6, 6) in m and m/s at TCA, in one inertial frame, and the cross-covariance of
    the primary's error with the secondary's unless they are independent. The window, unless given, is that of
    `encounter_half_window_s`. Raises InputError if an orbit is unbound, or the radius or the covariance of
    the miss is not positive, at TCA or later.
    """
    combined = covariance_of_miss(covariance_primary, covariance_secondary, cross_covariance)
    _check(primary, secondary, combined, radius_m)
    if half_window_s is None:
        half_window_s = encounter_half_window_s(primary, secondary, combined)
    states, covariances = (primary, secondary), (covariance_primary, covariance_secondary)
    try:
        return _estimate(states, covariances, cross_covariance, radius_m, rng, samples, half_window_s)
    except np.linalg.LinAlgError as error:
        raise InputError("the covariance of the relative position is not always invertible") from error


def _estimate(
    states: tuple[FloatArray, FloatArray],
    covariances: tuple[FloatArray, FloatArray],
    cross_covariance: FloatArray | None,
    radius_m: float,
    rng: np.random.Generator,
    samples: int,
    half_window_s: float,
) -> TrajectoryEstimate:
    seconds = np.linspace(-half_window_s, half_window_s, NODES)
    motion = relative_motion(*states, *covariances, seconds, cross_covariance)
    times = likely_times(motion, radius_m)
    curvature = curvature_sigmas(states, covariances, times, cross_covariance)
    needed = curvature > LARGEST_CURVATURE_SIGMAS
    weights = np.zeros(0) if needed else _weights(motion, times.likely, radius_m, samples, rng)
    return TrajectoryEstimate(
        *_interval(weights),
        samples=len(weights),
        hits=int(np.count_nonzero(weights)),
        effective_samples=_effective(weights),
        half_window_s=half_window_s,
        step_s=motion.step_s,
        curvature_sigmas=curvature,
        curvilinear_needed=needed,
    )


def _check(primary: FloatArray, secondary: FloatArray, combined: FloatArray, radius_m: float) -> None:
    for name, state in (("primary", primary), ("secondary", secondary)):
        if not np.isfinite(orbital_period_s(state)):
            raise InputError(f"the {name}'s state {state.tolist()} is not on a bound orbit about the Earth")
    if not 0.0 < radius_m < np.inf:
        raise InputError(f"the combined hard-body radius must be above 0 m and finite, not {radius_m} m")
    if not (np.isfinite(combined).all() and np.linalg.eigvalsh(combined[:3, :3])[0] > 0.0):
        raise InputError("the covariance of the relative position is not positive definite")


def _weights(
    motion: RelativeMotion, likely: FloatArray, radius_m: float, samples: int, rng: np.random.Generator
) -> FloatArray:
    """Return the weights (samples,) of drawn trajectories, 0 for no hit; their mean is the probability."""
    time_shares = (1.0 - UNIFORM_TIMES) * likely / likely.sum() + UNIFORM_TIMES / len(likely)
    chunks = (min(CHUNK, samples - begin) for begin in range(0, samples, CHUNK))
    return np.concatenate([_sample(motion, time_shares, radius_m, count, rng) for count in chunks])


def _sample(
    motion: RelativeMotion, time_shares: FloatArray, radius: float, count: int, rng: np.random.Generator
) -> FloatArray:
    segment = rng.choice(len(time_shares), size=count, p=time_shares)
    part = rng.random(count)
    mean, spread = at_times(motion, segment, part)
    point, density, point_density = _draw_points(mean, spread, radius, rng)
    z = rng.standard_normal((count, 12))
    covariance = spread @ spread.transpose(0, 2, 1)
    missing = point - mean - np.einsum("nij,nj->ni", spread, z)
    # Condition on passing `point`: the least change of z that gets there (Matheron's rule).
    z += np.einsum("nji,nj->ni", spread, np.linalg.solve(covariance, missing[..., np.newaxis])[..., 0])
    dwell = np.empty(count)
    states = np.einsum("kij,nj->nki", motion.spread, z, optimize=True) + motion.mean
    dwell_times(np.ascontiguousarray(states), motion.step_s, radius, dwell)
    at_s = motion.seconds[segment] + part * motion.step_s
    velocity = velocities_at(motion, segment, part, z)
    crossing = _straight_crossing(point, velocity, radius, at_s, motion.seconds)
    # If a trajectory grazes the sphere by less than the pieces' sagitta, they may miss it. Anywhere else
    # straight motion is no measure: a slow trajectory turns inside the sphere.
    grazing = crossing * np.linalg.norm(velocity, axis=1) < LONGEST_GRAZE * radius
    dwell = np.where(grazing | (dwell == 0.0), np.maximum(dwell, crossing), dwell)
    inside = np.einsum("ni,ni->n", point, point) < radius**2
    per_second = time_shares[segment] / motion.step_s
    weight = np.zeros(count)
    weight[inside] = (density / (per_second * point_density))[inside] / dwell[inside]
    return weight


def _draw_points(
    mean: FloatArray, spread: FloatArray, radius: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw relative positions (n, 3); return them, the Gaussian density there, and that of the draws.

    Half uniformly in the sphere, half from the Gaussian times one with the sphere's second moment.
    """
    count = len(mean)
    precision = np.linalg.inv(spread @ spread.transpose(0, 2, 1))
    narrowed = precision + 5.0 / radius**2 * np.eye(3)
    centre = np.linalg.solve(narrowed, np.einsum("nij,nj->ni", precision, mean)[..., np.newaxis])[..., 0]
    root = np.linalg.cholesky(np.linalg.inv(narrowed))
    drawn = centre + np.einsum("nij,nj->ni", root, rng.standard_normal((count, 3)))
    direction = rng.standard_normal((count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    uniform = direction * radius * np.cbrt(rng.random((count, 1)))
    point = np.where(rng.random((count, 1)) < UNIFORM_POINTS, uniform, drawn)
    point_density = UNIFORM_POINTS * 0.75 / (np.pi * radius**3) + (1 - UNIFORM_POINTS) * _normal_density(
        point - centre, narrowed
    )
    return point, _normal_density(point - mean, precision), point_density


def _normal_density(offset: FloatArray, precision: npt.NDArray[np.floating]) -> FloatArray:
    exponent = -0.5 * np.einsum("ni,nij,nj->n", offset, precision, offset)
    density: FloatArray = np.exp(exponent + 0.5 * np.linalg.slogdet(precision)[1]) / (2.0 * np.pi) ** 1.5
    return density


def _straight_crossing(
    point: FloatArray, velocity: FloatArray, radius: float, at_s: FloatArray, seconds: FloatArray
) -> FloatArray:
    """Return the time in sphere and window of straight motion through points (n, 3) at times (n,)."""
    speed2 = np.einsum("ni,ni->n", velocity, velocity)
    middle = -np.einsum("ni,ni->n", point, velocity) / speed2
    square = middle**2 + (radius**2 - np.einsum("ni,ni->n", point, point)) / speed2
    half = np.sqrt(np.maximum(square, 0.0))
    crossing: FloatArray = np.minimum(at_s + middle + half, seconds[-1]) - np.maximum(
        at_s + middle - half, seconds[0]
    )
    return crossing


def _interval(weights: FloatArray) -> tuple[float, float, float]:
    """Return the estimate and its 95 % interval, NaN without samples."""
    if len(weights) == 0:
        return np.nan, np.nan, np.nan
    estimate = float(weights.mean())
    half_width = NORMAL_QUANTILE * float(weights.std(ddof=1)) / np.sqrt(len(weights))
    return estimate, max(estimate - half_width, 0.0), min(estimate + half_width, 1.0)


def _effective(weights: FloatArray) -> float:
    total = float(weights.sum())
    return total**2 / float((weights**2).sum()) if total > 0 else 0.0
