"""Find all close approaches of a set of objects in a span of time, stage by stage.

knots      SGP4 states every 600 s, quintic Hermite curves between them
pads       how far each curve may be from SGP4, measured
low zone   candidate pairs below 8,400 km of radius, in steps of 150 s
high zone  candidate pairs above, in steps of 300 s
closest    minima of distance on the interpolated curves
final TCA  the same minima on SGP4 itself
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.interpolated import NOT_THERE
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.pieces import PiecePaths, Pieces, piece_paths_of
from screening.orbits.sgp4.propagate import NO_ORBIT, IndexArray, Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.search.all_pairs.candidates import StepSearch
from screening.search.all_pairs.layout import chosen_layout, sampled
from screening.search.all_pairs.low_grid import Layout
from screening.search.one_step.curves import Curves
from screening.search.one_step.pads import (
    CIRCULAR_STRIDE,
    FLOOR_KM,
    LARGEST_KM,
    Checked,
    FloatArray32,
    Knots,
    checked_groups,
    measured_pads_km,
)
from screening.search.refining.final_tca import encounters_on_sgp4
from screening.search.refining.piece_ends import between_objects, in_their_time
from screening.search.results import Absence, Found
from screening.search.staying_close.crowds import Crowded, check_followed, room_for, room_in_step
from screening.search.staying_close.slow import SLOW_KM_S, pairs_of

# The search extends beyond both ends, and the final TCA decides: an approach at a border is found on its
# side. The curve's velocity may be off by 0.1 m/s, which moves the minimum of a pair at 10 m/s and 100 km by
# 100 s.
EDGE_S = 150.0
# Minima this far beyond both ends of a task are kept, so that a TCA within rounding of a border is in one or
# both of two tasks; the whole window is cut once, after all tasks.
ROUNDING_S = 1e-3
# Pads are measured and knots kept for about so many intervals at a time (4 h), or for fewer of many objects:
# a knot of an object takes 50 bytes.
INTERVALS_AT_A_TIME = 24
_STATES_AT_A_TIME = 2_500_000
MINIMA_AT_A_TIME = 131_072  # that become encounters, before they are counted
NO_LIMIT = 2**62


class SearchedPaths(NamedTuple):
    """The paths of the objects (n,) of a search, or of the pieces of their paths, by radius.

    Objects of like radius are side by side: their entries are written side by side too.
    """

    order: IndexArray  # (n,) their places as given
    propagator: Propagator | PiecePaths
    checked: list[Checked]
    ids: IndexArray | None  # (n,) of pieces, None if all objects follow their element sets


def searched_paths(elements: ElementArray, span: TimeWindow, pieces: Pieces | None = None) -> SearchedPaths:
    """Return the paths that `elements` (n,) ELEMENT_DTYPE have in a span.

    With `pieces` (n,) there is one of them in place of each object, and `elements` are those of the objects
    that they belong to.
    """
    order = np.argsort(elements["mean_motion_rev_day"], kind="stable")[::-1].astype(np.int32)
    elements = elements[order]
    pieces = pieces.some(order) if pieces else None
    propagator = piece_paths_of(elements, span, pieces)
    return SearchedPaths(order, propagator, checked_groups(elements, propagator), pieces and pieces.ids)


def screen_window(
    elements: ElementArray,
    span: TimeWindow,
    begin_s: float,
    end_s: float,
    threshold_km: float,
    sides: npt.NDArray[np.int8] | None = None,
    most: int = NO_LIMIT,
    numbers: IndexArray | None = None,
    pieces: Pieces | None = None,
) -> Found:
    """Find what `screen_paths` finds, of the paths that `searched_paths` returns."""
    paths = searched_paths(elements, span, pieces)
    return screen_paths(paths, begin_s, end_s, threshold_km, sides, most, numbers)


def screen_paths(
    paths: SearchedPaths,
    begin_s: float,
    end_s: float,
    threshold_km: float,
    sides: npt.NDArray[np.int8] | None = None,
    most: int = NO_LIMIT,
    numbers: IndexArray | None = None,
) -> Found:
    """Find every minimum of distance below `threshold_km` with a TCA in [begin_s, end_s) of the paths' span.

    Those within a millisecond of either end are passed on as well. `sides` (n,), if given, leaves out pairs
    of equal side other than 0; `numbers` (n,) are the indices of the result, by default the places of the
    elements as given, and the primary has the smaller one. An object is left out of the intervals at whose
    ends SGP4 gives it no state. Absences have the ids of pieces if the paths have pieces. Raises Crowded as
    soon as more than `most` are found.
    """
    order, propagator, checked, ids = paths
    span = propagator.span
    sides = np.zeros(len(order), np.int8) if sides is None else sides[order]
    numbers = order if numbers is None else numbers[order]
    parts, absences, candidates, largest_pad_km = [np.empty(0, ENCOUNTER_DTYPE)], [], 0, 0.0
    layout: Layout | None = None
    for times_s in chunks_of_knots(begin_s, end_s, intervals_at_a_time(len(order))):
        knots = Knots(times_s, *propagator.on_grid(times_s))
        pads_km = measured_pads_km(checked, knots)
        without_curve = pads_km > LARGEST_KM
        knots.errors[:, without_curve], pads_km[without_curve] = NO_ORBIT, FLOOR_KM
        absences += absences_at(knots)
        largest_pad_km = max(largest_pad_km, float(pads_km.max(initial=0.0)))
        layout = layout or chosen_layout(sampled(knots, pads_km), threshold_km)
        pairs, minima_s = _minima(
            knots, pads_km, sides, begin_s - EDGE_S, end_s + EDGE_S, threshold_km, most, layout
        )
        del knots  # 100 MB of 300,000 objects: not needed beside the next ones
        candidates += len(minima_s)
        pairs, minima_s = between_objects(propagator, pairs, minima_s)
        pairs = np.where(numbers[pairs[0]] < numbers[pairs[1]], pairs, pairs[::-1])
        for at in range(0, len(minima_s), MINIMA_AT_A_TIME):
            some = slice(at, at + MINIMA_AT_A_TIME)
            encounters = encounters_on_sgp4(propagator, pairs[:, some], minima_s[some])
            encounters = in_their_time(propagator, encounters)
            parts.append(inside(encounters, begin_s - ROUNDING_S, end_s + ROUNDING_S, threshold_km))
            if sum(map(len, parts)) > most:
                raise Crowded(f"More than {most:,} approaches are in one part of the search.")
            slow = pairs_of(encounters[encounters["relative_speed_km_s"] < SLOW_KM_S])
            check_followed(slow, span, most, "come close at less than 10 m/s within a few hours")
    found = np.concatenate(parts)
    for who in ("primary_index", "secondary_index"):
        found[who] = numbers[found[who]]
    ids = numbers if ids is None else ids
    absences = [one._replace(object_index=int(ids[one.object_index])) for one in absences]
    return Found(found, absences, candidates, largest_pad_km)


def intervals_at_a_time(objects: int) -> int:
    """Return how many intervals between knots of so many objects are searched at a time."""
    strides = _STATES_AT_A_TIME // (CIRCULAR_STRIDE * max(1, objects))
    return CIRCULAR_STRIDE * min(max(1, strides), INTERVALS_AT_A_TIME // CIRCULAR_STRIDE)


def chunks_of_knots(begin_s: float, end_s: float, intervals: int = INTERVALS_AT_A_TIME) -> list[FloatArray]:
    """Return the knots for a search in [begin_s, end_s), in chunks that share their border knots.

    A chunk has about so many `intervals`.
    """
    first = int(np.floor((begin_s - EDGE_S) / KNOT_STEP_S))
    last = int(np.ceil((end_s + EDGE_S) / KNOT_STEP_S))
    chunks = max(1, round((last - first) / intervals))
    borders = np.linspace(first, last, chunks + 1).round().astype(int).tolist()
    return [
        np.arange(from_knot, to_knot + 1, dtype=np.float64) * KNOT_STEP_S
        for from_knot, to_knot in pairwise(borders)
    ]


def inside(encounters: EncounterArray, begin_s: float, end_s: float, threshold_km: float) -> EncounterArray:
    """Keep encounters with a TCA in [begin_s, end_s) and below the threshold."""
    tca_s = encounters["tca_s"]
    kept: EncounterArray = encounters[
        (tca_s >= begin_s) & (tca_s < end_s) & (encounters["miss_distance_km"] < threshold_km)
    ]
    return kept


def absences_at(knots: Knots) -> list[Absence]:
    """Return which objects have lost their state at which knots, neighbouring knots combined."""
    found = []
    failed = (knots.errors != 0) & (knots.errors != NOT_THERE)
    for i in np.flatnonzero(failed.any(axis=0)).tolist():
        bad = np.pad(failed[:, i], 1)
        borders = np.flatnonzero(bad[1:] != bad[:-1])
        for first, behind in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True):
            first_s, last_s = knots.times_s[[first, behind - 1]].tolist()
            found.append(Absence(i, first_s, last_s, int(knots.errors[first, i])))
    return found


def _minima(
    knots: Knots,
    pads_km: FloatArray32,
    sides: npt.NDArray[np.int8],
    begin_s: float,
    end_s: float,
    threshold_km: float,
    most: int,
    layout: Layout,
) -> tuple[npt.NDArray[np.int32], FloatArray]:
    """Return pairs (2, k) of object indices and times (k,) of all minima on the interpolated curves.

    Raises Crowded if there are more than a search limited to `most` events may have.
    """
    room = room_for(most // 2)
    search = StepSearch(threshold_km, knots, pads_km, sides, room_for(most), layout)
    curves = Curves(knots)
    pairs, times, found = [np.empty((2, 0), np.int32)], [np.empty(0)], 0
    for k in range(len(knots.times_s) - 1):
        start_s = knots.times_s[k]
        good = curves.enter(k)
        for zone in search.zones:
            steps = zone.steps_per_interval
            for step in range(steps):
                begin = max(step / steps, (begin_s - start_s) / KNOT_STEP_S)
                end = min((step + 1) / steps, (end_s - start_s) / KNOT_STEP_S)
                if begin >= end:
                    continue
                in_step, s = search.step(zone, curves, good, step, begin, end)
                found += len(s)
                if len(s) > room_in_step(most):
                    at_hours = (start_s + (step + 0.5) / steps * KNOT_STEP_S) / 3600
                    raise Crowded(
                        f"{len(s):,} pairs of objects meet within a few minutes, {at_hours:.1f} h after the "
                        "window's start."
                    )
                if found > room:
                    raise Crowded(
                        f"More than {room:,} approaches within a few hours would have to be refined."
                    )
                pairs.append(in_step)
                times.append(start_s + s * KNOT_STEP_S)
    return np.concatenate(pairs, axis=1), np.concatenate(times)
