"""Find encounters slower than 10 m/s: one row per pair, with the time inside the threshold.

At such speeds a pair may be close for hours, with several minima or none: the deepest point inside the
window, its edges included, is what counts.
"""

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray
from screening.groups import groups
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.refining.final_tca import encounters_at
from screening.search.staying_close.crowds import check_followed, check_pairs_at
from screening.search.staying_close.distances import batches, crossings_s, distances_km, evenly
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


def one_row_per_pair(propagator: Trajectories, points: EncounterArray, threshold_km: float) -> EncounterArray:
    """Merge slow points (minima and edges) to the deepest of each pair, with its span inside the threshold.

    The span runs from the entry before the pair's first slow point to the exit after its last one.
    """
    if len(points) == 0:
        return np.empty(0, ENCOUNTER_DTYPE)
    order = np.lexsort((points["miss_distance_km"], points["secondary_index"], points["primary_index"]))
    points = points[order]
    starts = np.array([pair.start for pair in groups(points["primary_index"], points["secondary_index"])])
    rows: EncounterArray = points[starts]
    pairs = np.stack([rows["primary_index"], rows["secondary_index"]])
    first_s, last_s = (end.reduceat(points["tca_s"], starts) for end in (np.minimum, np.maximum))
    rows["slow"] = True
    rows["inside_from_s"] = _borders_s(propagator, pairs, first_s, 0.0, threshold_km)
    rows["inside_to_s"] = _borders_s(propagator, pairs, last_s, propagator.span.seconds, threshold_km)
    return rows


def pairs_of(points: EncounterArray) -> int:
    """Count the pairs among points (k,)."""
    return len(one_point_a_pair(points))


def one_point_a_pair(points: EncounterArray) -> EncounterArray:
    """Return the first point of each pair among points (k,)."""
    pair = points["primary_index"].astype(np.int64) << 32 | points["secondary_index"]
    first: EncounterArray = points[np.unique(pair, return_index=True)[1]]
    return first


def _borders_s(
    propagator: Trajectories, pairs: IndexArray, from_s: FloatArray, towards_s: float, threshold_km: float
) -> FloatArray:
    """Return when each pair (2, k), inside at `from_s` (k,), is last inside before `towards_s`.

    That is an edge of the window. Samples are never farther apart than a pair at 10 m/s needs for half the
    threshold; most pairs are outside after a few samples, and the others continue.
    """
    sample_s = min(_LONGEST_SAMPLE_S, 0.5 * threshold_km / SLOW_KM_S)
    to_s = np.full(len(from_s), towards_s)
    steps = np.maximum(1, np.ceil(np.abs(to_s - from_s) / sample_s)).astype(np.int64)
    inside_s, outside_s = to_s.copy(), np.full(len(to_s), np.nan)
    going_on, first = np.arange(len(from_s)), 0
    while len(going_on):
        # The last sample of the previous batch is the first one here: the last known to be inside.
        numbers = np.arange(first, first + _SAMPLES_AT_A_TIME + 1)
        first += _SAMPLES_AT_A_TIME
        stays = []
        for some in batches(len(going_on), 2 * len(numbers)):
            here = going_on[some]
            times_s = evenly(from_s[here], to_s[here], steps[here], numbers)
            distance = distances_km(propagator, pairs[:, here], times_s)
            outside = ~(distance < threshold_km)
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
