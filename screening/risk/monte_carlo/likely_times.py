"""Divide the window of an encounter until touching is about as likely throughout each part."""

import math
from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.monte_carlo.fixed_time_kernel import orthonormal_rows
from screening.risk.monte_carlo.trajectory_kernel import spread_touches, touches
from screening.risk.probability.design_point_kernel import CONVERGED, design_point, relative_motion

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
