"""Find what comes near a few objects: a fleet against all, at about its share of the cost.

radial range  objects that never reach the radii of a primary are left out before propagation
knots         SGP4 states of the others every 600 s
straight      pairs that straight motion, with a bound on what bends it, brings together around a knot
curve         minima of distance on the interpolated curves
final TCA     the same minima on SGP4 itself, as in the screening of all objects
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients
from screening.orbits.pieces import ObjectPaths
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.assemble import co_orbiting, join
from screening.search.all_pairs.screen import EDGE_S, ROUNDING_S, chunks_of_knots, inside
from screening.search.few_objects.ephemeris import (
    FAR_KM,
    Chunk,
    chunk_of,
    ends_of_intervals,
    order_in_tiles,
    ranges_of_tiles,
)
from screening.search.few_objects.straight_line_sieve import pairs_near, tiles_near
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pair_tests import (
    LANES,
    SLOW_SUBSTEPS,
    IntArray,
    minima_of_candidates,
)
from screening.search.radial_range import RadialRange, overlapping, own_range, radial_range
from screening.search.refining.final_tca import encounters_on_sgp4
from screening.search.refining.fine_stage import fine_stage
from screening.search.refining.piece_ends import between_objects, in_their_time
from screening.search.results import Absence, Found, Screening
from screening.search.staying_close.proximities import PROXIMITY_KM

_HALVES = ((0.0, 0.5), (0.5, 1.0))
_ROOM = 4096  # for pairs near one knot, at first
_AT_A_TIME = 20_000  # pairs near a knot: 10 MB of curves
_MOST_MINIMA = SLOW_SUBSTEPS  # of one pair in half an interval


class Sought(NamedTuple):
    """The primaries of a search, among the objects of its chunks."""

    primaries: IndexArray  # (p,) ascending
    tiles: list[IntArray]  # for each primary: the tiles that may come near it
    asked: npt.NDArray[np.bool_]  # (n,) which objects are primaries


class Fleet(NamedTuple):
    """Some primaries and all objects that may come near one of them."""

    members: IndexArray  # (n,) ascending indices into all elements
    elements: ElementArray  # (n,) theirs
    propagator: Trajectories
    ranges: RadialRange  # (n,)
    primaries: IndexArray  # (p,) indices into the members
    own: RadialRange  # (p,) radii at which a primary can meet another object


class Minima(NamedTuple):
    """Minima of distance on the interpolated curves."""

    pairs: IntArray  # (2, k) a primary, and the object that comes near it
    times_s: FloatArray  # (k,)


def screen_primaries(
    elements: ElementArray, propagator: Trajectories, threshold_km: float, primaries: IndexArray
) -> Screening:
    """Find the encounters and proximities of some objects with all, in the propagator's window.

    The rows are those of the screening of all objects that have a primary on either side. `elements` (n,)
    sorted by norad_id, in the order of the propagator; `primaries` (p,) are indices into it.
    """
    return _screened(
        elements,
        propagator,
        threshold_km,
        primaries,
        encounters_on_sgp4,
    )


def screen_by_fine_stage(
    elements: ElementArray, propagator: Trajectories, threshold_km: float, primaries: IndexArray
) -> Screening:
    """Find the same as `screen_primaries` another way: each coarse minimum goes through the fine stage."""
    return _screened(
        elements,
        propagator,
        threshold_km,
        primaries,
        lambda some, pairs, times_s: fine_stage(some, pairs, times_s, threshold_km),
    )


def _screened(
    elements: ElementArray,
    propagator: Trajectories,
    threshold_km: float,
    primaries: IndexArray,
    refine: Callable[[Trajectories, IndexArray, FloatArray], EncounterArray],
) -> Screening:
    fleet = fleet_among(elements, propagator, threshold_km, primaries)
    pieces = in_pieces(fleet)
    minima, absences, largest_km = curve_minima(pieces, threshold_km)
    pairs, times_s = between_objects(pieces.propagator, np.sort(minima.pairs, axis=0), minima.times_s)
    encounters = in_their_time(pieces.propagator, refine(pieces.propagator, pairs, times_s))
    for who in ("primary_index", "secondary_index"):
        encounters[who] = pieces.members[encounters[who]]
    kept = inside(encounters, -ROUNDING_S, propagator.span.seconds + ROUNDING_S, threshold_km)
    found = Found(kept, absences, len(minima.times_s), largest_km)
    return assembled(fleet, threshold_km, found)


def fleet_among(
    elements: ElementArray, propagator: Trajectories, threshold_km: float, primaries: IndexArray
) -> Fleet:
    """Choose the objects that may come near any of the primaries (p,), indices into `elements` (n,)."""
    primaries = np.unique(primaries).astype(np.int32)
    own = reachable(own_range(propagator.subset(primaries)), threshold_km)
    return reached(elements, propagator, radial_range(propagator), primaries, own)


def reached(
    elements: ElementArray,
    propagator: Trajectories,
    ranges: RadialRange,
    primaries: IndexArray,
    own: RadialRange,
) -> Fleet:
    """Return the primaries (p,), ascending, and all whose range (n,) overlaps that of one of them (p,)."""
    chosen = np.zeros(len(elements), np.bool_)
    chosen[primaries] = True
    for low_km, high_km in zip(*own, strict=True):
        chosen[overlapping(ranges, low_km, high_km)] = True
    members = np.flatnonzero(chosen).astype(np.int32)
    theirs = RadialRange(*(bound[members] for bound in ranges))
    places = np.searchsorted(members, primaries).astype(np.int32)
    return Fleet(members, elements[members], propagator.subset(members), theirs, places, own)


def in_pieces(fleet: Fleet) -> Fleet:
    """Return the pieces of the paths as a fleet, whose `members` are indices into those of the given one.

    Pieces are in the order of their objects, so that the first of two has the smaller one.
    """
    paths = fleet.propagator
    if not isinstance(paths, ObjectPaths):
        return fleet._replace(members=np.arange(len(fleet.members), dtype=np.int32))
    objects = paths.objects
    place = np.full(len(fleet.members), -1)
    place[fleet.primaries] = np.arange(len(fleet.primaries))
    primaries = np.flatnonzero(place[objects] >= 0).astype(np.int32)
    own = place[objects[primaries]]
    return Fleet(
        objects,
        fleet.elements[objects],
        paths.piece_paths,
        RadialRange(*(bound[objects] for bound in fleet.ranges)),
        primaries,
        RadialRange(*(bound[own] for bound in fleet.own)),
    )


def reachable(ranges: RadialRange, threshold_km: float) -> RadialRange:
    """Return the radii at which objects (n,) with given ranges can meet others."""
    reach_km = max(threshold_km, PROXIMITY_KM)  # proximities are searched at any threshold
    return RadialRange(ranges.low_km - reach_km, ranges.high_km + reach_km)


def curve_minima(fleet: Fleet, threshold_km: float) -> tuple[Minima, list[Absence], float]:
    """Return the minima near primaries on curves, which objects fail when, and the largest slack, km.

    Pairs and absences carry indices into the fleet's members.
    """
    order = order_in_tiles(fleet.ranges)
    sought = sought_in(order, fleet.ranges, fleet.primaries, fleet.own)
    absences, slacks_km = [], [0.0]

    def chunks() -> Iterator[Chunk]:
        for times_s in chunks_of_knots(0.0, fleet.propagator.span.seconds):
            chunk, absent = chunk_of(fleet.elements, fleet.propagator, order, times_s)
            absences.extend(absent)
            slacks_km.append(float(chunk.slack_km.max()))
            yield chunk

    found = minima_in_chunks(chunks(), sought, threshold_km, -EDGE_S, fleet.propagator.span.seconds + EDGE_S)
    return found._replace(pairs=order[found.pairs]), absences, max(slacks_km)


def minima_in_chunks(
    chunks: Iterable[Chunk], sought: Sought, threshold_km: float, begin_s: float, end_s: float
) -> Minima:
    """Return the minima below threshold plus both slacks in several chunks, within [begin_s, end_s]."""
    parts = [_minima_in_chunk(chunk, sought, threshold_km, begin_s, end_s) for chunk in chunks]
    pairs = np.concatenate([np.empty((2, 0), np.int32), *(part.pairs for part in parts)], axis=1)
    return Minima(pairs, np.concatenate([np.empty(0), *(part.times_s for part in parts)]))


def assembled(fleet: Fleet, threshold_km: float, found: Found) -> Screening:
    """Join the results among the fleet's members; the indices returned refer to all elements."""
    asked = np.zeros(len(fleet.members), np.bool_)
    asked[fleet.primaries] = True
    beside = co_orbiting(fleet.elements, fleet.propagator, threshold_km, asked)
    screening = join(beside, threshold_km, [found], asked)
    return screening.renumbered(fleet.members)


def sought_in(order: IndexArray, ranges: RadialRange, primaries: IndexArray, own: RadialRange) -> Sought:
    """Return the places of primaries (p,) among objects (n,) in the given order, and the tiles they meet.

    `ranges` (n,) are the objects' radial ranges, `own` (p,) those in which a primary can meet others.
    """
    tiles = ranges_of_tiles(RadialRange(*(bound[order] for bound in ranges)))
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    asked = np.zeros(len(tiles.low_km) * LANES, np.bool_)
    asked[place[primaries]] = True
    by_place = np.argsort(place[primaries])
    near = [overlapping(tiles, own.low_km[p], own.high_km[p]) for p in by_place]
    return Sought(place[primaries][by_place], near, asked)


def _minima_in_chunk(
    chunk: Chunk, sought: Sought, threshold_km: float, begin_s: float, end_s: float
) -> Minima:
    pairs, times = [np.empty((2, 0), np.int32)], [np.empty(0)]
    # Pairs of many halves at once, as each call costs as much as a hundred of them.
    waiting: dict[_Part, list[_Near]] = {}

    def refine() -> None:
        for part, near in waiting.items():
            found = _minima_in_part(chunk, part, _joined(near), threshold_km)
            pairs.append(found.pairs)
            times.append(found.times_s)
        waiting.clear()

    later = _near_knot(chunk, 0, sought, threshold_km)
    count = 0
    for k in range(len(chunk.times_s) - 1):
        earlier, later = later, _near_knot(chunk, k + 1, sought, threshold_km)
        for half, near in enumerate((earlier, later)):
            begin, end = _HALVES[half]
            middle = 0.5 * (begin + end)
            begin = max(begin, (begin_s - chunk.times_s[k]) / KNOT_STEP_S)
            end = min(end, (end_s - chunk.times_s[k]) / KNOT_STEP_S)
            if begin < end and len(near.times_s):
                guesses_s = near.times_s + np.float32((half - middle) * KNOT_STEP_S)
                since = np.full_like(near.knots, k)
                waiting.setdefault(_Part(middle, begin, end), []).append(_Near(since, near.pairs, guesses_s))
                count += len(guesses_s)
        if count > _AT_A_TIME:
            refine()
            count = 0
    refine()
    return Minima(np.concatenate(pairs, axis=1), np.concatenate(times))


class _Part(NamedTuple):
    """Part of an interval between two knots, in intervals since the first of them."""

    middle: float  # from which guesses count
    begin: float
    end: float


class _Near(NamedTuple):
    knots: IndexArray  # (k,)
    pairs: IntArray  # (2, k)
    times_s: FloatArray32  # (k,) of straight motion


def _joined(parts: list[_Near]) -> _Near:
    knots, pairs, times_s = zip(*parts, strict=True)
    return _Near(np.concatenate(knots), np.concatenate(pairs, axis=1), np.concatenate(times_s))


def _near_knot(chunk: Chunk, k: int, sought: Sought, threshold_km: float) -> _Near:
    """Return the pairs that may meet within half an interval of a knot."""
    states = chunk.states[k]
    pairs, times = np.empty((2, _ROOM), np.int32), np.empty(_ROOM, np.float32)
    noted = np.empty(states.shape[1] // LANES, np.int32)
    count = 0
    for primary, tiles in zip(sought.primaries.tolist(), sought.tiles, strict=True):
        if states[0, primary] == FAR_KM:
            continue
        hits = tiles_near(states, chunk.slack_km, primary, tiles, threshold_km, noted)
        needed = count + hits * LANES
        if needed > len(times):
            pairs = np.concatenate([pairs, np.empty((2, needed), np.int32)], axis=1)
            times = np.concatenate([times, np.empty(needed, np.float32)])
        count = pairs_near(
            states, chunk.slack_km, sought.asked, primary, noted, hits, threshold_km, pairs, times, count
        )
    return _Near(np.full(count, k, np.int32), pairs[:, :count], times[:count])


def _minima_in_part(chunk: Chunk, part: _Part, near: _Near, threshold_km: float) -> Minima:
    """Return the minima of candidate pairs in a part of the intervals that begin at their knots."""
    objects = near.pairs.ravel()  # a primary once per partner: cheaper
    ends, known = np.empty((2, 6, len(objects))), np.empty(len(near.knots), np.bool_)
    ends_of_intervals(chunk.states, near.knots, near.pairs, ends, known)
    (here, there), both = ends, np.flatnonzero(known).astype(np.int32)
    coefficients = np.empty((len(objects), POWERS, 3))
    hermite_coefficients(here[:3], here[3:], there[:3], there[3:], coefficients)
    count = len(both)
    candidates = np.stack([both, both + np.int32(len(known))])
    pairs, times = np.empty((2, _MOST_MINIMA * count), np.int32), np.empty(_MOST_MINIMA * count)
    whole_range_km, in_high_zone = 0.0, True  # no zones here
    kept = minima_of_candidates(
        coefficients, chunk.slack_km[objects], candidates, near.times_s[both], count, *part,
        threshold_km, whole_range_km, in_high_zone, pairs, times,
    )  # fmt: skip
    since_s = chunk.times_s[near.knots[pairs[0, :kept]]]
    return Minima(objects[pairs[:, :kept]].astype(np.int32), since_s + times[:kept] * KNOT_STEP_S)
