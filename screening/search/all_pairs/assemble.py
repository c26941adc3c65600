"""Join the results of tasks into the encounters and proximities of the whole window."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray, ProximityArray, pair_keys
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import Pieces, paths_of
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.screen import screen_window
from screening.search.refining.seams import search_broken_paths
from screening.search.results import Found, Screening
from screening.search.staying_close.crowds import check_count, check_followed
from screening.search.staying_close.proximities import active_from_s, find_proximities
from screening.search.staying_close.same_sets import FirstPaths, copies_of, first_paths, for_each_pair
from screening.search.staying_close.slow import (
    SLOW_KM_S,
    edge_points,
    one_point_a_pair,
    one_row_per_visit,
    pairs_of,
)

RowArray = npt.NDArray[np.intp]

# Two minima of one pair closer in time than this are the same one, found from both sides of a border.
SAME_MINIMUM_S = 0.5


def screen_catalogue(
    elements: ElementArray, span: TimeWindow, threshold_km: float, pieces: Pieces | None = None
) -> Screening:
    """Find all encounters and proximities of a catalogue at once, in this thread.

    `pieces` are those of all objects (n,), None if all follow their element sets.
    """
    rows, numbers = (elements, None) if pieces is None else (elements[pieces.objects], pieces.objects)
    found = screen_window(rows, span, 0.0, span.seconds, threshold_km, numbers=numbers, pieces=pieces)
    return assemble(elements, span, threshold_km, [found], pieces)


class CoOrbiting(NamedTuple):
    """What is found at the window's ends instead of by tasks, and can be searched while they run."""

    propagator: Trajectories
    proximities: ProximityArray
    edges: EncounterArray  # slow pairs inside the threshold at the window's start and at its end


def co_orbiting(
    elements: ElementArray,
    propagator: Trajectories,
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None = None,
    most: int | None = None,
    firsts: FirstPaths | None = None,
) -> CoOrbiting:
    """Find the pairs that stay together, and those inside the threshold at the window's ends.

    `propagator` is that of the elements (n,) in the window; `asked` (n,), if given, marks the objects of
    which one must be in each pair, and `firsts` are computed here if not given. Raises Crowded if there are
    more than a run limited to `most` events may have.
    """
    if asked is not None:
        proximities = find_proximities(elements, propagator, asked)
        return CoOrbiting(propagator, proximities, edge_points(propagator, threshold_km, asked))
    firsts = firsts or first_paths(elements, propagator)
    sets = firsts.sets
    proximities = find_proximities(elements, propagator, firsts=firsts, most=most)
    edges = edge_points(firsts.paths, threshold_km, most=most)
    for who in ("primary_index", "secondary_index"):
        edges[who] = sets.first[edges[who]]
    if most is not None:
        copies = int(copies_of(sets, one_point_a_pair(edges)).sum())
        check_followed(copies, propagator.span, most, "stay close at the window's start or end")
    return CoOrbiting(propagator, proximities, for_each_pair(sets, edges))


def assemble(
    elements: ElementArray,
    span: TimeWindow,
    threshold_km: float,
    parts: Sequence[Found],
    pieces: Pieces | None = None,
) -> Screening:
    """Join the parts of a window, however it was cut, into the same result."""
    paths = paths_of(elements, span, pieces)
    return join(co_orbiting(elements, paths, threshold_km), threshold_km, parts)


def join(
    beside: CoOrbiting,
    threshold_km: float,
    parts: Sequence[Found],
    asked: npt.NDArray[np.bool_] | None = None,
    most: int | None = None,
) -> Screening:
    """Join the parts of a window with what was found at its ends.

    Each fast minimum is a row. Slow ones and slow pairs at the window's edges become one row per visit.
    Minima of a proximity before it leaves 10 km are left out. `asked` (n,), if given, marks the objects of
    which one must be in each pair. Raises Crowded if encounters and proximities are more than `most`, or
    following slow pairs costs as much.
    """
    propagator, proximities, edges = beside
    absences = [absence for part in parts for absence in part.absences]
    broken = search_broken_paths(propagator, absences, threshold_km, asked)
    minima = np.concatenate([broken.minima, *(part.encounters for part in parts)])
    # A record is 160 bytes: rows are chosen by index, and copied once.
    rows = without_doubles(minima)
    rows = rows[(minima["tca_s"][rows] >= 0.0) & (minima["tca_s"][rows] < propagator.span.seconds)]
    rows = rows[_counts(minima["primary_index"][rows], minima["secondary_index"][rows],
                        minima["tca_s"][rows], proximities)]  # fmt: skip
    slow = minima["relative_speed_km_s"][rows] < SLOW_KM_S
    edges = edges[_counts(edges["primary_index"], edges["secondary_index"], edges["tca_s"], proximities)]
    points = np.concatenate([minima[rows[slow]], edges])
    fast_rows = int((~slow).sum())
    if most is not None:
        pairs = pairs_of(points)
        check_followed(pairs, propagator.span, most, "come close at less than 10 m/s")
        check_count(fast_rows + pairs, len(proximities), most)  # each has a visit at least
    slow_rows = one_row_per_visit(propagator, points, threshold_km)
    if most is not None:
        check_count(fast_rows + len(slow_rows), len(proximities), most)
    encounters = _merged(minima, rows[~slow], slow_rows)
    return Screening(
        encounters=encounters,
        proximities=proximities,
        failures=broken.failures,
        candidates=broken.candidates + sum(part.candidates for part in parts),
        largest_pad_km=max((part.largest_pad_km for part in parts), default=0.0),
    )


def without_doubles(minima: EncounterArray) -> RowArray:
    """Return the rows of the minima, sorted by pair and TCA, each minimum once."""
    pair = pair_keys(minima["primary_index"], minima["secondary_index"])
    rows = np.lexsort((minima["tca_s"], pair))
    if len(rows) < 2:
        return rows
    double = (np.diff(pair[rows]) == 0) & (np.diff(minima["tca_s"][rows]) < SAME_MINIMUM_S)
    unique: RowArray = rows[np.r_[True, ~double]]
    return unique


def _counts(
    primary: npt.NDArray[np.int32],
    secondary: npt.NDArray[np.int32],
    tca_s: FloatArray,
    proximities: ProximityArray,
) -> npt.NDArray[np.bool_]:
    """Return which points (k,) count: those of a proximity only after it parts."""
    counts: npt.NDArray[np.bool_] = tca_s >= active_from_s(proximities, np.stack([primary, secondary]))
    return counts


def _merged(minima: EncounterArray, fast: RowArray, slow_rows: EncounterArray) -> EncounterArray:
    """Return the fast minima (rows sorted by pair) and the slow encounters, sorted by TCA, then pair."""
    fast = fast[np.argsort(minima["tca_s"][fast], kind="stable")]
    slow_rows = slow_rows[
        np.lexsort([slow_rows[key] for key in ("secondary_index", "primary_index", "tca_s")])
    ]
    place = np.searchsorted(minima["tca_s"][fast], slow_rows["tca_s"]).tolist()
    merged = np.empty(len(fast) + len(slow_rows), ENCOUNTER_DTYPE)
    for k, (begin, end) in enumerate(pairwise([0, *place, len(fast)])):
        np.take(minima, fast[begin:end], out=merged[begin + k : end + k], mode="clip")
    merged[np.array(place, np.intp) + np.arange(len(slow_rows))] = slow_rows
    return merged
