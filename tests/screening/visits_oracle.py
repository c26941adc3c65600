"""Visits of slow pairs found naively: python-sgp4, fine samples, bisection; nothing of the search is used."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree
from sgp4.api import Satrec, SatrecArray

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from tests.screening.oracle import FloatArray, IntArray, path, prepared, speeds_km_s

SLOW_KM_S = 0.01
# A pair that is at 10 m/s 20 km apart gains less than 0.3 m/s and moves less than 2 km within 150 s.
COARSE_S = 300.0
COARSE_KM_S, COARSE_KM = 2.0 * SLOW_KM_S, 5.0
_INSTANTS_AT_A_TIME = 96
# What is farther than this from the threshold at an extremum of the samples is so between them too.
BEND_KM = 5.0
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_REFINEMENTS = 40
_BISECTIONS = 30  # of at most 60 s


class Visit(NamedTuple):
    """A maximal interval inside the threshold with a minimum, or an edge of the window, below 10 m/s."""

    i: int
    j: int
    from_s: float
    to_s: float
    points_s: tuple[float, ...]  # its slow minima and edges
    depths_km: tuple[float, ...]  # at these


def slow_pairs(elements: ElementArray, span: TimeWindow, threshold_km: float) -> IntArray:
    """Return the pairs (2, k) of high objects that are ever slow and near the threshold, or inside."""
    records = SatrecArray(prepared(elements))
    times_s = np.append(np.arange(0.0, span.seconds, COARSE_S), span.seconds)
    found: set[tuple[int, int]] = set()
    for first in range(0, len(times_s), _INSTANTS_AT_A_TIME):
        fraction = span.start_day_fraction + times_s[first : first + _INSTANTS_AT_A_TIME] / 86400.0
        error, r, v = records.sgp4(np.full(len(fraction), span.start_jd), fraction)
        assert not error.any()
        for m in range(len(fraction)):
            near = cKDTree(r[:, m]).query_pairs(threshold_km + COARSE_KM, output_type="ndarray")
            speed = np.linalg.norm(v[near[:, 0], m] - v[near[:, 1], m], axis=1)
            found.update(map(tuple, near[speed < COARSE_KM_S].tolist()))
    return np.array(sorted(found)).reshape(-1, 2).T


def visits(
    elements: ElementArray, span: TimeWindow, threshold_km: float, pairs: IntArray, step_s: float = 60.0
) -> list[Visit]:
    """Return the visits of some pairs (2, k), sorted by pair and time."""
    records = prepared(elements)
    times_s = np.linspace(0.0, span.seconds, round(span.seconds / step_s) + 1)
    around_s = np.r_[2 * times_s[0] - times_s[1], times_s, 2 * times_s[-1] - times_s[-2]]
    paths = {i: path(records[i], span, around_s) for i in np.unique(pairs).tolist()}
    found: list[Visit] = []
    for i, j in pairs.T.tolist():
        around_km = np.linalg.norm(paths[j] - paths[i], axis=1)
        found += _visits_of(records, span, threshold_km, (i, j), times_s, around_km)
    return found


def _visits_of(
    records: Sequence[Satrec],
    span: TimeWindow,
    threshold_km: float,
    pair: tuple[int, int],
    times_s: FloatArray,
    around_km: FloatArray,
) -> list[Visit]:
    def distance(at_s: FloatArray) -> FloatArray:
        here, there = (path(records[one], span, at_s) for one in pair)
        between: FloatArray = np.linalg.norm(there - here, axis=1)
        return between

    near = np.abs(around_km[1:-1] - threshold_km) < BEND_KM
    dips = (around_km[1:-1] <= around_km[:-2]) & (around_km[1:-1] < around_km[2:])
    tops = (around_km[1:-1] >= around_km[:-2]) & (around_km[1:-1] > around_km[2:]) & near
    step_s = times_s[1] - times_s[0]
    minima_s, maxima_s = (
        _extrema_s(distance, times_s[chosen], step_s, sign)
        for chosen, sign in ((dips & (near | (around_km[1:-1] < threshold_km)), 1.0), (tops, -1.0))
    )
    minima_s, maxima_s = (at[(at >= 0.0) & (at <= span.seconds)] for at in (minima_s, maxima_s))
    nodes_s = np.unique(np.r_[times_s, minima_s, maxima_s])
    inside = distance(nodes_s) < threshold_km
    changes = np.flatnonzero(inside[1:] != inside[:-1])
    crossings_s = _bisected_s(lambda at_s: distance(at_s) < threshold_km, nodes_s, changes)
    borders_s = np.r_[times_s[:1][inside[:1]], crossings_s, times_s[-1:][inside[-1:]]].reshape(-1, 2)
    points_s = np.r_[0.0, minima_s[minima_s < span.seconds], span.seconds]
    speed = speeds_km_s(records, span, np.tile(np.array(pair)[:, None], len(points_s)), points_s)
    depth = distance(points_s)
    counts = (speed < SLOW_KM_S) & (depth < threshold_km)
    found = []
    for from_s, to_s in borders_s.tolist():
        here = np.flatnonzero(counts & (points_s >= from_s) & (points_s <= to_s))
        if len(here):
            found.append(
                Visit(*pair, from_s, to_s, tuple(points_s[here].tolist()), tuple(depth[here].tolist()))
            )
    return found


def _extrema_s(distance, middle_s: FloatArray, step_s: float, sign: float) -> FloatArray:  # type: ignore[no-untyped-def]
    """Return the minima (`sign` 1) or maxima (-1) within a step of each time (k,), by golden section."""
    low, high = middle_s - step_s, middle_s + step_s
    for _ in range(_REFINEMENTS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        lower = sign * distance(left) < sign * distance(right)
        high, low = np.where(lower, right, high), np.where(lower, low, left)
    return 0.5 * (low + high)


def _bisected_s(inside, nodes_s: FloatArray, changes: IntArray) -> FloatArray:  # type: ignore[no-untyped-def]
    """Return when a pair crosses the threshold between nodes `changes` (c,) and the next ones."""
    low, high = nodes_s[changes], nodes_s[changes + 1]
    at_low = inside(low)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        as_low = inside(middle) == at_low
        low, high = np.where(as_low, middle, low), np.where(as_low, high, middle)
    return 0.5 * (low + high)
