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
LARGEST_SHARE = 1.0 / 64.0  # of the likelihood in one part
NEVER = 1e-8  # of the likeliest time
_HALVINGS = 12
_SIGMAS = (-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0)  # about the time of a meeting
_SAME_MEETING_SIGMAS = 0.01
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
    coarse = np.linspace(*window_s, COARSE_PARTS + 1)
    seconds, points = _about_meetings(orbits, coarse)
    inside = (window_s[0] < seconds) & (seconds < window_s[1])
    seconds = np.concatenate([coarse, seconds[inside]])
    points = np.concatenate([np.zeros((len(coarse), points.shape[1])), points[inside]])
    seconds, first = np.unique(seconds, return_index=True)
    points, logs, speeds = points[first], np.empty(len(seconds)), np.empty(len(seconds))
    touches(tuple(orbits), radius_m, REACH, seconds, points, logs, speeds)
    spread_touches(tuple(orbits), radius_m, REACH, seconds, points, logs, speeds)
    for _ in range(_HALVINGS):
        large = np.flatnonzero(_scaled(seconds, speeds, logs, points).share_of_parts > LARGEST_SHARE)
        if len(large) == 0:
            break
        middle = 0.5 * (seconds[large] + seconds[large + 1])
        more, more_logs = points[np.where(logs[large] > logs[large + 1], large, large + 1)], logs[large]
        more_speeds = speeds[large]
        touches(tuple(orbits), radius_m, REACH, middle, more, more_logs, more_speeds)
        seconds, logs = np.insert(seconds, large + 1, middle), np.insert(logs, large + 1, more_logs)
        speeds = np.insert(speeds, large + 1, more_speeds)
        points = np.insert(points, large + 1, more, axis=0)
    return _scaled(seconds, speeds, logs, points)


def spreads_at_tca(orbits: Orbits) -> bool:
    """Tell whether the errors spread the relative position in all three directions."""
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


def _about_meetings(orbits: Orbits, coarse: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return times (k,) about those at which the likeliest orbits meet, and the errors (k, m) of these."""
    times, points = [np.zeros(1)], [np.zeros((1, orbits.spread.shape[2]))]
    for start in np.linspace(coarse[0], coarse[-1], _STARTS):
        found, u = np.empty(8), np.zeros(orbits.spread.shape[2])
        state = design_point(*orbits, start, REACH, u, found)
        sigma_s = found[6] / orbits.elements[0, 0]
        if state == CONVERGED and math.isfinite(found[5] + sigma_s):
            if np.abs(np.concatenate(times) - found[5]).min() < _SAME_MEETING_SIGMAS * sigma_s:
                continue
            times.append(found[5] + sigma_s * np.array(_SIGMAS))
            points.append(np.repeat(u[np.newaxis], len(_SIGMAS), axis=0))
    return np.concatenate(times), np.concatenate(points)
