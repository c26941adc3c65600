"""Encounters slower than 10 m/s: one row per pair, with the time it spends inside the threshold.

At such speeds a pair may be close for hours, with several minima or none: what counts is the deepest point
inside the window, its edges included.
"""

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray
from screening.groups import groups
from screening.orbits.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.crowds import check_pairs_at
from screening.search.final_tca import encounters_at
from screening.search.proximities import crossing_s, distances_km, pairs_within

SLOW_KM_S = 0.01
_LONGEST_SAMPLE_S = 60.0


def edge_points(
    propagator: Trajectories,
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None = None,
    most: int | None = None,
) -> EncounterArray:
    """Return the slow pairs inside the threshold at the window's start and at its end, as they are there.

    Only those with an object of `asked` (n,), if it is given. Raises Crowded if there are more than `most`.
    """
    points = [np.empty(0, ENCOUNTER_DTYPE)]
    for edge_s in (0.0, propagator.span.seconds):
        if most is not None:
            check_pairs_at(propagator, edge_s, threshold_km, most)
        pairs, speed_km_s = pairs_within(propagator, edge_s, threshold_km, asked)
        slow = pairs[:, speed_km_s < SLOW_KM_S]
        at_edge = encounters_at(propagator, slow, np.full(slow.shape[1], edge_s))
        points.append(at_edge[at_edge["miss_distance_km"] < threshold_km])
    return np.concatenate(points)


def one_row_per_pair(propagator: Trajectories, points: EncounterArray, threshold_km: float) -> EncounterArray:
    """Merge slow points (minima and edges) to the deepest of each pair, with its span inside the threshold.

    The span runs from the entry before the pair's first slow point to the exit after its last one.
    """
    order = np.lexsort((points["miss_distance_km"], points["secondary_index"], points["primary_index"]))
    points = points[order]
    pairs = groups(points["primary_index"], points["secondary_index"])
    rows = points[[pair.start for pair in pairs]]
    rows["slow"] = True
    for row, here in zip(rows, pairs, strict=True):
        pair = np.array([row["primary_index"], row["secondary_index"]], np.int32)
        of_pair = points["tca_s"][here]
        entry = _border_s(propagator, pair, float(of_pair.min()), 0.0, threshold_km)
        leave = _border_s(propagator, pair, float(of_pair.max()), propagator.span.seconds, threshold_km)
        row["inside_from_s"], row["inside_to_s"] = entry, leave
    return rows


def _border_s(
    propagator: Trajectories,
    pair: IndexArray,
    from_s: float,
    towards_s: float,
    threshold_km: float,
) -> float:
    """Return when the pair, inside at `from_s`, is last inside on the way to the window's edge `towards_s`.

    Samples are never farther apart than a pair at 10 m/s needs for half the threshold.
    """
    sample_s = min(_LONGEST_SAMPLE_S, 0.5 * threshold_km / SLOW_KM_S)
    times_s = _samples(from_s, towards_s, sample_s)
    distance = distances_km(propagator, pair, times_s)
    outside = np.flatnonzero(~(distance < threshold_km))
    if len(outside) == 0:
        return towards_s
    if outside[0] == 0:
        return from_s
    inside_s, outside_s = float(times_s[outside[0] - 1]), float(times_s[outside[0]])
    if np.isnan(distance[outside[0]]):
        return inside_s
    return crossing_s(propagator, pair, (inside_s, outside_s), threshold_km)


def _samples(from_s: float, towards_s: float, sample_s: float) -> FloatArray:
    steps = max(1, int(np.ceil(abs(towards_s - from_s) / sample_s)))
    return np.linspace(from_s, towards_s, steps + 1)
