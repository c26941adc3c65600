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
from screening.risk.geometry.two_body import orbital_period_s, propagate_two_body
from screening.risk.monte_carlo.fixed_time_kernel import orthonormal_rows
from screening.risk.monte_carlo.trajectory_kernel import draw, spread_touches, touches
from screening.risk.monte_carlo.two_dimensional_kernel import NORMAL_QUANTILE
from screening.risk.probability.design_point_kernel import CONVERGED, NO_SPREAD, design_point, relative_motion
from screening.risk.probability.three_dimensional import REASONS, spread_in_elements

# Divide the window of an encounter until touching is about as likely throughout each part.

REACH = 40.0  # sigmas: farther away is a probability below 1e-300
COARSE_PARTS = 64
LARGEST_SHARE = 1.0 / 24.0  # of the likelihood in one part
NEVER = 1e-8  # of the likeliest time
_HALVINGS = 12
_SIGMAS = np.array([-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0])  # about the time of a meeting
_SAME_MEETING_SIGMAS = 0.1
_FARTHER = 9.0  # sigmas, in quadrature: exp(-40) less likely
_STARTS = 17  # times from which meetings are sought


class Orbits(NamedTuple):
    """Two orbits and how their errors spread, as of `design_point`."""

    elements: FloatArray  # (2, 6)
    axes: FloatArray  # (2, 3, 3), rows RTN in one inertial frame
    spread: FloatArray  # (2, 6, m)


class LikelyTimes(NamedTuple):
    """Times (k,) from TCA, s, with how likely the objects touch, and the likeliest errors (k, m) for it."""

    seconds: FloatArray
    speeds: FloatArray  # relative, m/s, with which they do
    likely: FloatArray  # 1 for the likeliest; 0: out of reach; if all are, NaN where none was found
    points: FloatArray

    @property
    def share_of_parts(self) -> FloatArray:
        """The likelihood (k - 1,) between the times; its sum is 1, or 0 if nothing is within reach."""
        areas = 0.5 * (self.likely[1:] + self.likely[:-1]) * np.diff(self.seconds)
        total = float(areas.sum())
        shares: FloatArray = areas / total if total > 0.0 else areas
        return shares

    def trimmed(self) -> "LikelyTimes":
        """Leave out both ends of the window in which nothing happens."""
        likely = np.flatnonzero(self.likely > NEVER)
        kept = slice(max(likely[0] - 1, 0), likely[-1] + 2)
        return LikelyTimes(self.seconds[kept], self.speeds[kept], self.likely[kept], self.points[kept])


def likely_times(orbits: Orbits, radius_m: float, window_s: tuple[float, float]) -> LikelyTimes:
    """Find when objects touch within a window, from equal parts and the meetings, by halving likely parts."""
    seconds, points, reach = _starts(orbits, window_s)
    logs, speeds = np.empty(len(seconds)), np.empty(len(seconds))
    touches(tuple(orbits), radius_m, reach, seconds, points, logs, speeds)
    spread_touches(tuple(orbits), radius_m, reach, seconds, points, logs, speeds)
    times = _scaled(seconds, speeds, logs, points)
    for _ in range(_HALVINGS):
        large = np.flatnonzero(times.share_of_parts > LARGEST_SHARE)
        if len(large) == 0:
            break
        middle = 0.5 * (seconds[large] + seconds[large + 1])
        more = points[np.where(logs[large] > logs[large + 1], large, large + 1)]
        more_logs, more_speeds = np.empty(len(large)), np.empty(len(large))
        touches(tuple(orbits), radius_m, reach, middle, more, more_logs, more_speeds)
        order = np.argsort(np.concatenate([seconds, middle]))
        seconds, logs, speeds, points = (
            np.concatenate(both)[order]
            for both in ((seconds, middle), (logs, more_logs), (speeds, more_speeds), (points, more))
        )
        times = _scaled(seconds, speeds, logs, points)
    return times


def spreads_at_tca(orbits: Orbits) -> bool:
    """Return whether the errors spread the relative position in all three directions."""
    count = orbits.spread.shape[2]
    position, velocity, gradient = np.empty(3), np.empty(3), np.empty((3, count))
    relative_motion(*orbits, np.zeros(count), 0.0, position, velocity, gradient)
    return count >= 3 and bool(orthonormal_rows(gradient, np.empty((3, 3))))


def _scaled(seconds: FloatArray, speeds: FloatArray, logs: FloatArray, points: FloatArray) -> LikelyTimes:
    largest = np.max(logs, initial=-np.inf, where=~np.isnan(logs))
    if largest == -np.inf:
        return LikelyTimes(seconds, speeds, np.where(np.isnan(logs), np.nan, 0.0), points)
    likely = np.exp(np.where(np.isnan(logs), -np.inf, logs) - largest)
    return LikelyTimes(seconds, speeds, likely, points)


def _starts(orbits: Orbits, window_s: tuple[float, float]) -> tuple[FloatArray, FloatArray, float]:
    """Return times (k,) from which to begin, errors (k, m) near those that touch, and how far these may be.

    The times are equal parts, and more about those at which the likeliest orbits meet. What lies so much
    farther than a meeting that it adds nothing need not be found.
    """
    count, reach = orbits.spread.shape[2], REACH
    coarse, known = np.linspace(*window_s, COARSE_PARTS + 1), [0.0]
    times, points = [coarse, np.zeros(1)], [np.zeros((len(coarse) + 1, count))]
    starts = np.linspace(*window_s, _STARTS)
    for start in starts[np.argsort(np.abs(starts))]:
        found, u = np.empty(8), np.zeros(count)
        state = design_point(*orbits, start, reach, u, found)
        sigma_s = found[6] / orbits.elements[0, 0]
        if state != CONVERGED or not math.isfinite(found[5] + sigma_s):
            continue
        if min(abs(one - found[5]) for one in known) < _SAME_MEETING_SIGMAS * sigma_s:
            continue
        known.append(float(found[5]))
        about = found[5] + sigma_s * _SIGMAS
        times.append(about[(window_s[0] < about) & (about < window_s[1])])
        points.append(np.repeat(u[np.newaxis], len(times[-1]), axis=0))
        if window_s[0] < found[5] < window_s[1]:
            reach = min(reach, math.hypot(float(np.linalg.norm(u)), _FARTHER))
    seconds, first = np.unique(np.concatenate(times), return_index=True)
    return seconds, np.concatenate(points)[first], reach


# Decide over what time two objects that stay beside each other are followed.

SIGMAS_EACH_SIDE = 8.0
# Slower objects drift beside each other for hours, and stay within the errors: their encounter has no end.
SLOWEST_THAT_PART_M_S = 1.0
_REVOLUTIONS = 1.1  # searched for the greatest distance, each side
_TIMES = 441


def encounter_window_s(states: FloatArray, axes: FloatArray, root_rtn: FloatArray) -> tuple[float, float]:
    """Return from when to when after TCA an encounter is followed, s.

    states (2, 6), m and m/s, axes (2, 3, 3), rows RTN, and root_rtn (12, m) as in `probability_3d`. From the
    greatest distance before to the greatest after, on the orbits as given; half a revolution where there is
    none. That is the segment for which NASA CARA counts (`Pc3D_Hall`, `PcMultiStepWithSDMC` of its Analysis
    Tools). Objects slower than 1 m/s: as Alfano (2009) did for his cases, while 8 sigmas along the relative
    velocity pass, at most a quarter of the shorter revolution each side; their probability grows with the
    window, and holds only for it.
    """
    periods = [orbital_period_s(state) for state in states]
    velocity = (states[1] - states[0])[3:]
    speed = float(np.linalg.norm(velocity))
    if speed >= SLOWEST_THAT_PART_M_S:
        return _between_greatest_distances(states, periods)
    quarter = 0.25 * min(periods)
    along = velocity @ (axes[1].T @ root_rtn[6:9] - axes[0].T @ root_rtn[:3])
    passed = SIGMAS_EACH_SIDE * float(np.linalg.norm(along)) / speed**2 if speed > 0.0 else quarter
    half = min(quarter, passed) if passed > 0.0 else quarter
    return -half, half


def _between_greatest_distances(states: FloatArray, periods: list[float]) -> tuple[float, float]:
    reach = _REVOLUTIONS * max(periods)
    seconds = np.linspace(-reach, reach, _TIMES)
    paths = [propagate_two_body(state, seconds)[:, :3] for state in states]
    distance = np.linalg.norm(paths[1] - paths[0], axis=1)
    peaks = np.flatnonzero((distance[1:-1] >= distance[:-2]) & (distance[1:-1] > distance[2:])) + 1
    before, after = seconds[peaks[seconds[peaks] < 0.0]], seconds[peaks[seconds[peaks] > 0.0]]
    half = 0.5 * min(periods)
    return (
        float(before[-1]) if len(before) else -half,
        float(after[0]) if len(after) else half,
    )


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
    parts = times.seconds, _rates(times, radius_m, orbits), times.points
    seeds = np.random.SeedSequence(seed).generate_state(-(-samples // CHUNK), np.uint64)
    samples += samples % 2  # pairs
    drawn, lost = np.zeros(0), 0
    for one in seeds:
        weights = np.empty(min(CHUNK, samples - len(drawn)))
        lost += draw(tuple(orbits), radius_m, REACH, parts, nodes, one, weights)
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
