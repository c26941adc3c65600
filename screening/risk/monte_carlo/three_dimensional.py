"""Collision probability by random sampling of whole trajectories, for objects that stay beside each other.

Errors are Gaussian in equinoctial elements, so that they follow the orbits' curve, and every sample moves on
two ellipses of its own (Hall et al. 2018, High fidelity collision probabilities estimated using brute force
Monte Carlo simulations, AAS 18-244).

Sampling by dwell time. Let u be the errors in standard normals, r(u, t) the relative position, and D(u) the
time that a trajectory spends inside the combined hard-body sphere B during the window. Each colliding
trajectory is counted once for each instant inside, divided by their total D:

    P(collision) = integral over t and over u with r(u, t) in B of phi(u) / D(u).

At each t three of the directions of u are replaced by y = r(u, t), namely those in which the likeliest
errors with which the objects touch at t, change it (`likeliest_touch`). So t and y are drawn where they
matter, the other errors from their normals, the three are solved for by Newton's method, and every sample
is a hit: 1e-10 costs as many samples as 0.1. Several passes count once. Times are drawn in pairs from equal
shares, points with a density that is D's inverse where motion is straight: then all weights are alike but
for what is not linear, and some hundred samples give 2 %.
"""

import math
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.two_body import propagate_two_body
from screening.risk.monte_carlo.encounter_window import encounter_window_s
from screening.risk.monte_carlo.likely_times import REACH, LikelyTimes, Orbits, likely_times, spreads_at_tca
from screening.risk.monte_carlo.trajectory_kernel import draw
from screening.risk.monte_carlo.two_dimensional_kernel import NORMAL_QUANTILE
from screening.risk.probability.design_point_kernel import CONVERGED, NO_SPREAD
from screening.risk.probability.three_dimensional import REASONS, spread_in_elements

LEAST_TURN = 10.0  # radii in a radian of mean motion: slower objects that touch have speeds from errors
UNIFORM_TIMES = 0.1  # share of the times drawn uniformly over the window, so that no pass is missed
NODE_RAD = 0.05  # of the true anomaly, between nodes of a trajectory: the cubics are good to 1e-8 of v / n
FEWEST_NODES = 3
SAMPLES = 20_000  # at most: 0.3 s
CHUNK = 320  # samples, after each of which the interval is computed
WIDEST_INTERVAL = 0.2  # half of the 95 % interval over its middle: what still counts
MOST_LOST = 0.01  # of the samples
NARROW = 0.025  # half of the 95 % interval over its middle: enough


class TrajectoryEstimate(NamedTuple):
    """The estimate of one encounter."""

    probability: float
    low: float  # of the 95 % interval
    high: float
    samples: int
    hits: int
    window_s: tuple[float, float]  # over which trajectories were followed, from TCA


def monte_carlo_3d(
    states: FloatArray,
    root_rtn: FloatArray,
    radius_m: float,
    seed: int,
    samples: int = SAMPLES,
    window_s: tuple[float, float] | None = None,
) -> TrajectoryEstimate:
    """Estimate the probability that two objects come within `radius_m` of each other in a window about TCA.

    states (2, 6), m and m/s, inertial, and root_rtn (12, m) are as in `probability_3d`. The window, unless
    given, is that of `encounter_window_s`. At most `samples` are drawn, fewer once the interval is narrow.
    Raises InputError if an orbit is not an ellipse, the radius not positive, or the errors are not finite,
    do not spread the relative position in three dimensions, or are too large.
    """
    if not 0.0 < radius_m < np.inf:
        raise InputError(f"the combined hard-body radius must be above 0 m and finite, not {radius_m} m")
    axes = rtn_axes(states[:, :3], states[:, 3:])
    state, elements, spread = spread_in_elements(states, axes, root_rtn)
    orbits = Orbits(elements, axes, spread)
    if state == CONVERGED and not spreads_at_tca(orbits):
        state = NO_SPREAD
    if state != CONVERGED:
        raise InputError(REASONS[state])
    if window_s is None:
        window_s = encounter_window_s(states, axes, root_rtn)
    times = likely_times(orbits, radius_m, window_s)
    if np.isnan(times.likely).any():
        raise InputError("no trajectories on which the objects touch were found")
    if not times.share_of_parts.sum() > 0.0:  # farther away than REACH sigmas: below 1e-300
        return TrajectoryEstimate(0.0, 0.0, 0.0, 0, 0, window_s)
    times = times.trimmed()
    nodes = _nodes(states, (times.seconds[0], times.seconds[-1]))
    weights = _weights(orbits, radius_m, times, nodes, samples, seed)
    return TrajectoryEstimate(
        *_interval(weights),
        samples=len(weights),
        hits=int(np.count_nonzero(weights)),
        window_s=window_s,
    )


def _weights(
    orbits: Orbits, radius_m: float, times: LikelyTimes, nodes: int, samples: int, seed: int
) -> FloatArray:
    """Return the weights of drawn trajectories, 0 for no hit; their mean is the probability."""
    parts, path = (times.seconds, _rates(times, radius_m, orbits), times.points), np.empty((nodes, 6))
    seeds = np.random.SeedSequence(seed).generate_state(-(-samples // CHUNK), np.uint64)
    samples += samples % 2  # pairs
    drawn, lost = np.zeros(0), 0
    for one in seeds:
        weights = np.empty(min(CHUNK, samples - len(drawn)))
        lost += draw(tuple(orbits), radius_m, REACH, parts, path, one, weights)
        drawn = np.concatenate([drawn, weights])
        probability, low, high = _interval(drawn)
        if 0.0 < 0.5 * (high - low) <= NARROW * probability:
            break
    if lost > MOST_LOST * len(drawn):
        raise InputError(
            f"the errors are so large that {lost} of {len(drawn)} samples are not orbits that meet"
        )
    return drawn


def _rates(times: LikelyTimes, radius_m: float, orbits: Orbits) -> FloatArray:
    """Return the densities (k,) of drawn times, 1/s: about as collisions begin, and a part uniform."""
    slowest_m_s = LEAST_TURN * radius_m * orbits.elements[0, 0]
    likely = np.where(times.likely > 0.0, times.likely * np.hypot(times.speeds, slowest_m_s), 0.0)
    rates: FloatArray = (1.0 - UNIFORM_TIMES) * likely / float(np.trapezoid(likely, times.seconds))
    rates += UNIFORM_TIMES / float(times.seconds[-1] - times.seconds[0])
    return rates


def _nodes(states: FloatArray, window_s: tuple[float, float]) -> int:
    """Return how many nodes a trajectory needs: by the largest rate of the true anomaly in the window."""
    seconds = np.linspace(*window_s, 33)
    largest = 0.0
    for state in states:
        momentum = np.linalg.norm(np.cross(state[:3], state[3:]))
        distances = np.linalg.norm(propagate_two_body(state, seconds)[:, :3], axis=1)
        largest = max(largest, float(momentum / distances.min() ** 2))
    return max(FEWEST_NODES, 1 + math.ceil((window_s[1] - window_s[0]) * largest / NODE_RAD))


def is_settled(probability: float, low: float, high: float) -> bool:
    """Return whether a 95 % interval is so narrow that its middle counts."""
    return 0.0 < 0.5 * (high - low) <= WIDEST_INTERVAL * probability


def _interval(weights: FloatArray) -> tuple[float, float, float]:
    """Return the estimate and its 95 % interval, from pairs that are drawn alike."""
    estimate, largest = float(weights.mean()), float(weights.max())
    scaled = weights / largest if largest > 0.0 else weights  # whose squares do not vanish
    halves = scaled[::2] - scaled[1::2]
    half_width = NORMAL_QUANTILE * largest * math.sqrt(float((halves * halves).sum())) / len(weights)
    return estimate, max(estimate - half_width, 0.0), min(estimate + half_width, 1.0)
