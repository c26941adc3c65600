"""Find what comes into the volumes around some objects, however flat they are.

An encounter counts if the other object is inside the volume, along the RTN of the volume's object, when the
distance is smallest. As in a run each fast minimum is one, and slow ones (below 10 m/s) are joined to visits:
a visit counts if one of its minima, or an end of the window, is inside, and the deepest of these is its TCA.
It lasts while the pair is inside the sphere around the volume. Pairs that stay together are proximities, and
count only after they have parted.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray, pair_keys
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import ObjectPaths
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.assemble import without_doubles
from screening.search.in_volumes.claims import (
    Around,
    Claims,
    Inside,
    around,
    inside_any_box,
    inside_claims,
)
from screening.search.in_volumes.minima import Sought, minima_by_chunk
from screening.search.radial_range import own_range, radial_range
from screening.search.refining.final_tca import encounters_at, encounters_on_sgp4
from screening.search.refining.piece_ends import between_objects, in_their_time
from screening.search.refining.seams import search_broken_paths
from screening.search.staying_close.crowds import Crowded, check_followed, room_for
from screening.search.staying_close.proximities import active_from_s, find_proximities, pairs_within
from screening.search.staying_close.slow import SLOW_KM_S, one_row_per_visit, pairs_of
from screening.vocabulary import THRESHOLD_RANGE_KM


class FoundInVolumes(NamedTuple):
    """Encounters (k,) inside volumes, and which of them is inside which."""

    encounters: EncounterArray  # ENCOUNTER_DTYPE, sorted by TCA, then pair
    claims: npt.NDArray[np.intp]  # (m,) rows of the claims
    rows: npt.NDArray[np.intp]  # (m,) of the encounters
    relative_km: FloatArray  # (m, 3) the other object along the RTN of the claim's, at TCA


def find_in_volumes(
    elements: ElementArray,
    propagator: Trajectories,
    claims: Claims,
    most: int | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> FoundInVolumes:
    """Find what comes into volumes, in the propagator's window.

    `elements` (n,) sorted by norad_id, in the order of the propagator; claims have indices into them. `go_on`
    is called between portions of the work, and may raise. Raises Crowded as soon as more than `most` minima
    are found, or slow pairs that take as long to follow.
    """
    if len(claims.objects) == 0:
        nothing = np.zeros(0, np.intp)
        return FoundInVolumes(np.empty(0, ENCOUNTER_DTYPE), nothing, nothing, np.empty((0, 3)))
    known = around(claims)
    members = _who_may_come_near(propagator, known)
    paths, some = propagator.subset(members), elements[members]
    place = np.full(len(elements), -1, np.int32)
    place[members] = np.arange(len(members), dtype=np.int32)
    own = claims._replace(objects=place[claims.objects])
    known = known._replace(objects=place[known.objects])
    minima = _minima(some, paths, known, most, go_on)
    go_on()
    ends = _pairs_at_ends(paths, known, own)
    points, at_ends = np.concatenate([minima, ends]), np.arange(len(minima) + len(ends)) >= len(minima)
    _check_found(points, paths, most)
    counting = _counts(some, paths, known, points)
    found = _joined(paths, points[counting], at_ends[counting], own, known)
    for who in ("primary_index", "secondary_index"):
        found.encounters[who] = members[found.encounters[who]]
    return found


def _who_may_come_near(propagator: Trajectories, known: Around) -> IndexArray:
    """Return the objects with claims, and those that reach their radii, ascending."""
    ranges, theirs = radial_range(propagator), own_range(propagator.subset(known.objects))
    low_km, high_km = theirs.low_km - known.half_km[:, 0], theirs.high_km + known.above_km
    # The union of all intervals: an object that overlaps none of them is left out.
    order = np.argsort(low_km)
    reached_km = np.maximum.accumulate(high_km[order])
    last = np.searchsorted(low_km[order], ranges.high_km, "right") - 1
    chosen: npt.NDArray[np.bool_] = (last >= 0) & (reached_km[np.maximum(last, 0)] >= ranges.low_km)
    chosen[known.objects] = True
    return np.flatnonzero(chosen).astype(np.int32)


def _minima(
    elements: ElementArray,
    paths: Trajectories,
    known: Around,
    most: int | None,
    go_on: Callable[[], None],
) -> EncounterArray:
    """Return the minima inside what encloses the claims, each once."""
    pieces, objects = (paths.piece_paths, paths.objects) if isinstance(paths, ObjectPaths) else (paths, None)
    sought = _sought(known, objects)
    of_pieces = elements if objects is None else elements[objects]
    parts, absences, count = [np.empty(0, ENCOUNTER_DTYPE)], [], 0
    room = None if most is None else room_for(most)
    for chunk in minima_by_chunk(of_pieces, pieces, sought, room):
        go_on()
        absences += chunk.absences
        pairs, times_s = between_objects(pieces, np.sort(chunk.pairs, axis=0), chunk.times_s)
        minima = in_their_time(pieces, encounters_on_sgp4(pieces, pairs, times_s))
        if objects is not None:
            for who in ("primary_index", "secondary_index"):
                minima[who] = objects[minima[who]]
        parts.append(minima[inside_any_box(known, minima)])
        count += len(parts[-1])
        _check_count(count, most)
    reach_km = float(known.reach_km.max(initial=0.0))
    broken = search_broken_paths(paths, absences, reach_km, _asked(len(elements), known)).minima
    minima = np.concatenate([*parts, broken[inside_any_box(known, broken)]])
    minima = minima[(minima["tca_s"] >= 0.0) & (minima["tca_s"] < paths.span.seconds)]
    once: EncounterArray = minima[without_doubles(minima)]
    return once


def _check_count(count: int, most: int | None) -> None:
    if most is not None and count > most:
        raise Crowded(f"{count:,} approaches or more are inside volumes.")


def _check_found(points: EncounterArray, paths: Trajectories, most: int | None) -> None:
    if most is not None:
        _check_count(len(points), most)
        slow = points[points["relative_speed_km_s"] < SLOW_KM_S]
        check_followed(pairs_of(slow), paths.span, most, "are slow and inside volumes")


def _pairs_at_ends(paths: Trajectories, known: Around, claims: Claims) -> EncounterArray:
    """Return the slow pairs inside what encloses the claims at the start, and when claims of theirs end."""
    parts = [np.empty(0, ENCOUNTER_DTYPE)]
    for at_s in np.unique(np.append(claims.until_s, 0.0)).tolist():
        ending = claims.objects if at_s == 0.0 else np.unique(claims.objects[claims.until_s == at_s])
        asked = np.zeros(len(paths), np.bool_)
        asked[ending] = True
        reach_km = float(known.reach_km[np.searchsorted(known.objects, ending)].max())
        pairs, speed_km_s = pairs_within(paths, at_s, reach_km, asked)
        slow = pairs[:, speed_km_s < SLOW_KM_S]
        parts.append(encounters_at(paths, slow, np.full(slow.shape[1], at_s)))
    points = np.concatenate(parts)
    there: EncounterArray = points[inside_any_box(known, points)]
    return there


def _counts(
    elements: ElementArray, paths: Trajectories, known: Around, points: EncounterArray
) -> npt.NDArray[np.bool_]:
    """Return which points (k,) count: those of pairs that stay together only after they part."""
    if len(points) == 0:
        return np.zeros(0, np.bool_)
    proximities = find_proximities(elements, paths, _asked(len(elements), known))
    pairs = np.stack([points["primary_index"], points["secondary_index"]])
    counting: npt.NDArray[np.bool_] = points["tca_s"] >= active_from_s(proximities, pairs)
    return counting


def _asked(count: int, known: Around) -> npt.NDArray[np.bool_]:
    asked = np.zeros(count, np.bool_)
    asked[known.objects] = True
    return asked


def _sought(known: Around, objects: IndexArray | None) -> Sought:
    """Return the paths around which is searched: the objects, or their pieces, each of one of `objects`."""
    if objects is None:
        paths, row = known.objects, np.arange(len(known.objects))
    else:
        row = np.minimum(np.searchsorted(known.objects, objects), len(known.objects) - 1)
        paths = np.flatnonzero(known.objects[row] == objects).astype(np.int32)
        row = row[paths]
    up = np.float32(1.0 + 1e-6)
    return Sought(
        paths,
        known.reach_km[row].astype(np.float32) * up,
        known.half_km[row, 0].astype(np.float32) * up,
        known.above_km[row].astype(np.float32) * up,
        known.until_s[row],
    )


def _joined(
    paths: Trajectories,
    points: EncounterArray,
    at_ends: npt.NDArray[np.bool_],
    claims: Claims,
    known: Around,
) -> FoundInVolumes:
    """Return the points that are inside claims: fast ones as they are, slow ones joined to visits."""
    there = inside_claims(claims, points, at_ends)
    used = np.zeros(len(points), np.bool_)
    used[there.points] = True
    slow = used & (points["relative_speed_km_s"] < SLOW_KM_S)
    fast = np.flatnonzero(used & ~slow)
    visits = _visits(paths, points[slow], known)
    encounters = np.concatenate([points[fast], visits])
    row = np.full(len(points), -1)
    row[fast] = np.arange(len(fast))
    row[slow] = len(fast) + _visit_of(points[slow], visits)
    order = np.lexsort([encounters[name] for name in ("secondary_index", "primary_index", "tca_s")])
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    deepest = _deepest_of_each(there, place[row[there.points]], points["miss_distance_km"])
    return FoundInVolumes(
        encounters[order],
        there.claims[deepest],
        place[row[there.points[deepest]]],
        there.relative_km[deepest],
    )


def _visits(paths: Trajectories, points: EncounterArray, known: Around) -> EncounterArray:
    """Return slow points as visits: a pair is followed inside the larger of the spheres of its two."""
    reach_km = np.zeros(len(points))
    for who in ("primary_index", "secondary_index"):
        place = np.minimum(np.searchsorted(known.objects, points[who]), len(known.objects) - 1)
        claimed = known.objects[place] == points[who]
        reach_km = np.maximum(reach_km, np.where(claimed, known.reach_km[place], 0.0))
    followed_km = np.maximum(reach_km, THRESHOLD_RANGE_KM[0])
    # On the surface of a sphere a pair would be outside at once.
    parts = [
        one_row_per_visit(paths, points[followed_km == km], km * (1.0 + 1e-9))
        for km in np.unique(followed_km)
    ]
    return np.concatenate([np.empty(0, ENCOUNTER_DTYPE), *parts])


def _visit_of(points: EncounterArray, visits: EncounterArray) -> npt.NDArray[np.intp]:
    """Return for each slow point (k,) the visit of its pair that it is of: the last that began before it."""
    keys = [pair_keys(rows["primary_index"], rows["secondary_index"]) for rows in (points, visits)]
    order = np.lexsort((visits["inside_from_s"], keys[1]))
    # The pairs become ranks: pair and time then sort as one.
    pairs = np.unique(keys[1])
    rank, of_visits = np.searchsorted(pairs, keys[0]), np.searchsorted(pairs, keys[1])[order]
    begins_s, found = visits["inside_from_s"][order], np.zeros(len(points), np.intp)
    for k in range(len(points)):
        first, behind = np.searchsorted(of_visits, [rank[k], rank[k] + 1])
        found[k] = first + np.searchsorted(begins_s[first:behind], points["tca_s"][k], "right") - 1
        found[k] = max(found[k], first)
    return order[found]


def _deepest_of_each(there: Inside, rows: npt.NDArray[np.intp], miss_km: FloatArray) -> npt.NDArray[np.intp]:
    """Return, of the points inside one claim and of one encounter, the nearest."""
    order = np.lexsort((miss_km[there.points], rows, there.claims))
    first = np.ones(len(order), np.bool_)
    first[1:] = (np.diff(there.claims[order]) != 0) | (np.diff(rows[order]) != 0)
    return order[first]
