"""Find encounters slower than 10 m/s: one row per visit, with its time inside the threshold.

A visit is a maximal interval inside the threshold that has a minimum, or an edge of the window, below 10 m/s.
It may last for days, with several minima or none: the deepest of these points is what counts.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray, pair_keys
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.refining.final_tca import encounters_at
from screening.search.staying_close.crowds import check_followed, check_pairs_at
from screening.search.staying_close.distances import batches, crossings_s, distances_km, highest_s
from screening.search.staying_close.proximities import pairs_within

SLOW_KM_S = 0.01
_LONGEST_SAMPLE_S = 60.0
_SAMPLES_AT_A_TIME = 15


def edge_points(
    propagator: Trajectories,
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None = None,
    most: int | None = None,
) -> EncounterArray:
    """Return the slow pairs inside the threshold at the window's start and at its end, as they are then.

    Only those with an object in `asked` (n,), if given. Raises Crowded if more than `most` pairs are inside,
    or following the slow ones costs as much as `most` events.
    """
    points = [np.empty(0, ENCOUNTER_DTYPE)]
    for edge_s in (0.0, propagator.span.seconds):
        if most is not None:
            check_pairs_at(propagator, edge_s, threshold_km, most)
        pairs, speed_km_s = pairs_within(propagator, edge_s, threshold_km, asked)
        slow = pairs[:, speed_km_s < SLOW_KM_S]
        if most is not None:
            at = f"are slow and close {edge_s / 3600:g} h after the window's start"
            check_followed(slow.shape[1], propagator.span, most, at)
        at_edge = encounters_at(propagator, slow, np.full(slow.shape[1], edge_s))
        points.append(at_edge[at_edge["miss_distance_km"] < threshold_km])
    return np.concatenate(points)


def one_row_per_visit(
    propagator: Trajectories, points: EncounterArray, threshold_km: float
) -> EncounterArray:
    """Merge slow points (minima and edges) to the deepest of each visit, with its time inside the threshold.

    From each point the pair is followed to its next one: if it stays inside, both are of one visit. So each
    second of a visit is followed once, however many minima it has.
    """
    if len(points) == 0:
        return np.empty(0, ENCOUNTER_DTYPE)
    points = points[np.lexsort((points["tca_s"], points["secondary_index"], points["primary_index"]))]
    pairs, tca_s = np.stack([points["primary_index"], points["secondary_index"]]), points["tca_s"]
    same_pair = (pairs[:, 1:] == pairs[:, :-1]).all(axis=0)
    next_s = np.append(np.where(same_pair, tca_s[1:], propagator.span.seconds), propagator.span.seconds)
    out_s = _borders_s(propagator, pairs, tca_s, next_s, threshold_km)
    same_visit = same_pair & (out_s[:-1] == next_s[:-1])
    starts = np.flatnonzero(np.r_[True, ~same_visit])
    out_before_s = np.where(np.r_[False, same_pair], np.roll(out_s, 1), 0.0)[starts]
    deepest_first = np.lexsort((points["miss_distance_km"], np.cumsum(np.r_[True, ~same_visit])))
    rows: EncounterArray = points[deepest_first[starts]]
    rows["slow"] = True
    rows["inside_from_s"] = _borders_s(
        propagator, pairs[:, starts], tca_s[starts], out_before_s, threshold_km
    )
    rows["inside_to_s"] = out_s[np.append(starts[1:], len(points)) - 1]
    return rows


def pairs_of(points: EncounterArray) -> int:
    """Count the pairs among points (k,)."""
    return len(one_point_a_pair(points))


def one_point_a_pair(points: EncounterArray) -> EncounterArray:
    """Return the first point of each pair among points (k,)."""
    pair = pair_keys(points["primary_index"], points["secondary_index"])
    first: EncounterArray = points[np.unique(pair, return_index=True)[1]]
    return first


def _borders_s(
    propagator: Trajectories, pairs: IndexArray, from_s: FloatArray, to_s: FloatArray, threshold_km: float
) -> FloatArray:
    """Return when each pair (2, k), inside at `from_s` (k,), is last inside on the way to `to_s` (k,).

    That is `to_s` itself for a pair that stays inside. Samples are never farther apart than a pair at 10 m/s
    needs for half the threshold; most pairs are outside after a few samples, and the others continue.
    """
    sample_s = min(_LONGEST_SAMPLE_S, 0.5 * threshold_km / SLOW_KM_S)
    steps = np.maximum(1, np.ceil(np.abs(to_s - from_s) / sample_s)).astype(np.int64)
    inside_s, outside_s = to_s.copy(), np.full(len(to_s), np.nan)
    going_on, first = np.arange(len(from_s)), 0
    while len(going_on):
        # The last sample of the previous batch is the first one here: the last known to be inside.
        numbers = np.arange(first, first + _SAMPLES_AT_A_TIME + 1)
        first += _SAMPLES_AT_A_TIME
        stays = []
        for some in batches(len(going_on), 2 * (len(numbers) + 2)):
            here = going_on[some]
            way = _Way(pairs[:, here], from_s[here], to_s[here], steps[here])
            times_s, outside = _outside(propagator, way, numbers, threshold_km)
            left = outside.any(axis=1)
            row, at = np.flatnonzero(left), outside.argmax(axis=1)[left]
            inside_s[here[row]] = times_s[row, np.maximum(at - 1, 0)]
            crosses = at > 0
            outside_s[here[row[crosses]]] = times_s[row, at][crosses]
            stays.append(here[~left & (numbers[-1] < steps[here])])
        going_on = np.concatenate(stays)
    crosses = np.flatnonzero(np.isfinite(outside_s))
    inside_s[crosses] = crossings_s(
        propagator, pairs[:, crosses], inside_s[crosses], outside_s[crosses], threshold_km
    )
    return inside_s


class _Way(NamedTuple):
    """From when to when some pairs are followed, in how many steps."""

    pairs: IndexArray  # (2, k)
    from_s: FloatArray  # (k,)
    to_s: FloatArray
    steps: npt.NDArray[np.int64]


def _outside(
    propagator: Trajectories, way: _Way, numbers: npt.NDArray[np.int64], threshold_km: float
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return samples (k, m), of step numbers (m,) on the way, and which of them are outside the threshold.

    A pair may leave and come back between two samples. So where the distance culminates near the threshold,
    the sample is moved to the culmination. One more step on either side tells where that is.
    """
    beyond = np.concatenate([[numbers[0] - 1], numbers, [numbers[-1] + 1]])
    steps, step_s = way.steps[:, None], ((way.to_s - way.from_s) / way.steps)[:, None]
    times_s = way.from_s[:, None] + np.minimum(beyond, steps + 1) * step_s
    times_s = np.where(beyond == steps, way.to_s[:, None], times_s)
    squared = distances_km(propagator, way.pairs, times_s) ** 2
    before, here, behind = squared[:, :-2], squared[:, 1:-1], squared[:, 2:]
    # A parabola through three points culminates by an eighth of this above the middle one at most.
    bend = 2.0 * here - before - behind
    culminates = (here >= before) & (here >= behind) & (here + bend > threshold_km**2) & (numbers <= steps)
    row, at = np.nonzero(culminates & (here < threshold_km**2))
    top_s = highest_s(propagator, way.pairs[:, row], times_s[row, at], times_s[row, at + 2])
    on_way = (top_s - way.from_s[row]) * (way.to_s[row] - top_s) > 0.0
    row, at, top_s = row[on_way], at[on_way], top_s[on_way]
    at = np.where(numbers[at] == 0, 1, at)  # the first sample is where the pair is known to be inside
    times_s, outside = times_s[:, 1:-1], ~(here < threshold_km**2) & (numbers <= steps)
    times_s[row, at] = top_s
    outside[row, at] |= ~(distances_km(propagator, way.pairs[:, row], top_s[:, None])[:, 0] < threshold_km)
    return times_s, outside
