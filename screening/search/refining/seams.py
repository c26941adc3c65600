"""Search where SGP4 gives up paths, or the pieces of paths."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray, swap_sides
from screening.orbits.interpolated import NOT_THERE
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.pieces import ObjectPaths
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.radial_range import RadialRange, overlapping, radial_range
from screening.search.refining.final_tca import encounters_on_sgp4
from screening.search.refining.piece_ends import in_their_time
from screening.search.results import Absence, Failure

# Search the minutes between a good and a bad knot, up to where SGP4 fails and from where it works again.
#
# Curves join good knots, so the search over intervals drops such an object up to ten minutes early and
# resumes it as late. Few objects fail (of 26,834 real ones none in the first day, 191 in the next 29, most
# of them once per revolution at a perigee below ground), so the rest of each interval is searched
# directly: the object's distance from all objects that can be near, sampled on SGP4. The grid of knots
# does not depend on how a window is cut, and neither does this.

# The end of the states is searched at this many points of the interval, then at as many between two of them:
# to 0.6 ms.
POINTS = 1000
# The search overlaps the good knot by this much, since the minimum of a slow pair's curve may be on the other
# side of it than SGP4's own. A minimum that both searches find becomes one.
OVERLAP_S = 150.0
# Samples, closer and closer to where the states end: down to 0.02 s.
SAMPLE_S = 10.0
LAST_HALVINGS = 9
# In 10 s on either side a pair bends by 0.04 km: 3 mu/r^3 times the 270 km it may be apart.
BEND_KM = 1.0
# Before the end of the states is searched for, the two are sampled so far apart, if no more are asked for.
SIEVE_S = 60.0
MOST_SIEVED = 50
# Faster than two objects approach each other: SGP4's orbits within the Earth, too, have less than 15 km/s.
FASTEST_KM_S = 30.0


class BrokenIntervals(NamedTuple):
    """Failures of objects without a state somewhere in the window, and the minima found near them."""

    failures: dict[int, Failure]
    minima: EncounterArray
    candidates: int


class _Broken(NamedTuple):
    """Intervals in which the states of an object end, as seen from the good knot."""

    objects: IndexArray  # (k,)
    good_knot_s: FloatArray  # (k,)
    good_s: FloatArray  # (k,) the last time with a state
    bad_s: FloatArray  # (k,) the first without one


def search_broken_intervals(
    propagator: Trajectories,
    absences: Sequence[Absence],
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None = None,
) -> BrokenIntervals:
    """Find when objects fail, and what they meet between good and bad knots.

    `absences` are those of all knots around the window, some of them twice or in parts. Objects that fail
    only outside the window are left out. `asked` (n,), if given, marks the objects of which one must be in
    each pair; then the failures of others that are near none of them are left out, too.
    """
    end_s = propagator.span.seconds
    inside = [one for one in _joined(absences) if one.last_s >= 0.0 and one.first_s - KNOT_STEP_S < end_s]
    if asked is not None and np.count_nonzero(asked) <= MOST_SIEVED:
        inside = _near_those_asked_for(propagator, inside, threshold_km, asked)
    fails = [one for one in inside if one.first_s > 0.0]
    returns = [one for one in inside if one.last_s < end_s]
    ends = _ends_of_states(
        propagator,
        np.array([one.object_index for one in fails + returns], np.int32),
        np.array([one.first_s for one in fails] + [one.last_s for one in returns]),
        np.repeat([-KNOT_STEP_S, KNOT_STEP_S], [len(fails), len(returns)]),
    )
    minima, candidates = _minima_in(propagator, ends, inside, threshold_km, asked)
    fails_s = dict(zip(fails, ends.bad_s[: len(fails)].tolist(), strict=True))
    returns_s = dict(zip(returns, ends.good_s[len(fails) :].tolist(), strict=True))
    failures: dict[int, Failure] = {}
    for one in inside:
        from_s, to_s = fails_s.get(one, 0.0), returns_s.get(one, np.inf)
        if from_s >= end_s:
            continue
        known = failures.get(one.object_index, Failure(one.object_index, one.code, from_s, np.nan))
        failures[one.object_index] = known._replace(lost_s=from_s if to_s >= end_s else np.nan)
    return BrokenIntervals(failures, minima, candidates)


def _joined(absences: Sequence[Absence]) -> list[Absence]:
    """Return the longest runs of bad knots of each object, in the order of objects and times."""
    joined: list[Absence] = []
    for one in sorted(set(absences)):
        last = joined[-1] if joined else None
        if last and last.object_index == one.object_index and one.first_s <= last.last_s + KNOT_STEP_S:
            joined[-1] = last._replace(last_s=max(last.last_s, one.last_s))
        else:
            joined.append(one)
    return joined


def _near_those_asked_for(
    propagator: Trajectories,
    absences: Sequence[Absence],
    threshold_km: float,
    asked: npt.NDArray[np.bool_],
) -> list[Absence]:
    """Return the absences of objects asked for, and those beside which an object may meet one of these."""
    others = [one for one in absences if not asked[one.object_index]]
    steps = int(np.ceil((KNOT_STEP_S + OVERLAP_S) / SIEVE_S))
    beside_s = np.linspace(0.0, KNOT_STEP_S + OVERLAP_S, steps + 1)
    ends = [np.append(one.first_s - beside_s, one.last_s + beside_s) for one in others]
    times_s = np.reshape(ends, (len(others), 2 * len(beside_s)))
    index = np.array([one.object_index for one in others], np.int32)
    _, r_km, _ = propagator.at(np.repeat(index, times_s.shape[1]), times_s.ravel())
    reach_km = threshold_km + BEND_KM + FASTEST_KM_S * SIEVE_S
    near = np.zeros(times_s.size, np.bool_)
    for i in np.flatnonzero(asked).tolist():
        error, path_km, _ = propagator.at(np.full(times_s.size, i, np.int32), times_s.ravel())
        near |= np.linalg.norm(r_km - path_km, axis=1) < reach_km
        near |= (error != 0) & (error != NOT_THERE)  # it may be anywhere
    met = np.flatnonzero(near.reshape(times_s.shape).any(axis=1))
    kept = {others[k] for k in met.tolist()}
    return [one for one in absences if asked[one.object_index] or one in kept]


def _ends_of_states(
    propagator: Trajectories, index: IndexArray, bad_knot_s: FloatArray, to_good_s: FloatArray
) -> _Broken:
    good_knot_s = bad_knot_s + to_good_s
    good_s, bad_s = good_knot_s, bad_knot_s
    for _ in range(2):
        good_s, bad_s = _narrowed(propagator, index, good_s, bad_s)
    return _Broken(index, good_knot_s, good_s, bad_s)


def _narrowed(
    propagator: Trajectories, index: IndexArray, good_s: FloatArray, bad_s: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the last good of many points between a good and a bad time (k,), and the next point."""
    points_s = np.linspace(good_s, bad_s, POINTS + 1, axis=1)
    error, _, _ = propagator.at(np.repeat(index, POINTS + 1), points_s.ravel())
    bad = (error != 0).reshape(points_s.shape)
    bad[:, -1] = True
    first = np.maximum(bad.argmax(axis=1), 1)[:, None]
    last_good_s, first_bad_s = (np.take_along_axis(points_s, at, axis=1)[:, 0] for at in (first - 1, first))
    return last_good_s, first_bad_s


def _minima_in(
    propagator: Trajectories,
    broken: _Broken,
    absences: Sequence[Absence],
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None,
) -> tuple[EncounterArray, int]:
    """Find the minima of all objects between their good knots and the ends of their states."""
    minima, candidates = [np.empty(0, ENCOUNTER_DTYPE)], 0
    absent = np.array([one.object_index for one in absences], np.int32)
    first_s, last_s = (
        np.array([one.first_s for one in absences]),
        np.array([one.last_s for one in absences]),
    )
    ranges = radial_range(propagator) if len(broken.objects) else None
    for k, i in enumerate(broken.objects.tolist()):
        if ranges is None or broken.good_s[k] == broken.good_knot_s[k]:
            continue
        times_s = _samples_s(broken.good_knot_s[k], broken.good_s[k])
        others = _who_can_be_near(propagator, i, times_s, ranges, threshold_km)
        others = np.setdiff1d(others, absent[(first_s <= times_s[0]) & (last_s >= times_s[-1])])
        if asked is not None and not asked[i]:
            others = others[asked[others]]
        found, count = _minima(propagator, i, others, times_s, threshold_km)
        minima.append(found)
        candidates += count
    return np.concatenate(minima), candidates


def _samples_s(knot_s: float, end_s: float) -> FloatArray:
    """Return times, ascending, from beyond a knot to where the states end, on either side of the knot."""
    length_s = abs(end_s - knot_s) + OVERLAP_S
    even = np.arange(0.0, length_s - SAMPLE_S, SAMPLE_S)
    closer = length_s - SAMPLE_S / 2.0 ** np.arange(LAST_HALVINGS + 1)
    to_end_s = length_s - np.concatenate([even, closer, [length_s]])
    return end_s - to_end_s if end_s > knot_s else (end_s + to_end_s)[::-1]


def _minima(
    propagator: Trajectories,
    i: int,
    others: IndexArray,
    times_s: FloatArray,
    threshold_km: float,
) -> tuple[EncounterArray, int]:
    """Find the minima of one object's distance from some others; also return how many were tried."""
    _, r, _ = propagator.subset(np.append(others, i)).on_grid(times_s)
    relative = r[:, :, :-1] - r[:, :, -1:]
    squared = np.einsum("mcj,mcj->mj", relative, relative)
    dip = (squared[1:-1] <= squared[:-2]) & (squared[1:-1] < squared[2:])
    m, j = np.nonzero(dip)
    near = _line_km(relative[m, :, j], relative[m + 2, :, j]) < threshold_km + BEND_KM
    m, partner = m[near], others[j[near]]
    pairs = np.stack([np.minimum(i, partner), np.maximum(i, partner)]).astype(np.int32)
    found = encounters_on_sgp4(propagator, pairs, times_s[m + 1])
    inside = (found["tca_s"] >= times_s[0]) & (found["tca_s"] <= times_s[-1])
    return found[inside & (found["miss_distance_km"] < threshold_km)], len(m)


def _who_can_be_near(
    propagator: Trajectories, i: int, times_s: FloatArray, ranges: RadialRange, threshold_km: float
) -> IndexArray:
    """Return the other objects (ranges (n,)) that reach radii at which object `i` is at these times."""
    _, path, _ = propagator.at(np.full(len(times_s), i, np.int32), times_s)
    radius_km = np.linalg.norm(path, axis=1)
    low_km, high_km = np.nanmin(radius_km) - threshold_km, np.nanmax(radius_km) + threshold_km
    others = overlapping(ranges, low_km, high_km)
    return np.setdiff1d(others, [i]).astype(np.int32)


def _line_km(a_km: FloatArray, b_km: FloatArray) -> FloatArray:
    """Return the distance (k,) of the straight way from `a_km` to `b_km` (k, 3) from the origin."""
    way = b_km - a_km
    length2 = np.maximum(np.einsum("kc,kc->k", way, way), 1e-12)
    share = np.clip(-np.einsum("kc,kc->k", a_km, way) / length2, 0.0, 1.0)
    distance: FloatArray = np.linalg.norm(a_km + share[:, None] * way, axis=1)
    return distance


def search_broken_paths(
    paths: Trajectories,
    absences: Sequence[Absence],
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None = None,
) -> BrokenIntervals:
    """Find when objects fail, and what they meet between knots with and without a state.

    The absences are those of objects, or of their pieces if they have any. `asked` (n,), if given, marks the
    objects of which one must be in each pair.
    """
    if not isinstance(paths, ObjectPaths):
        return search_broken_intervals(paths, absences, threshold_km, asked)
    asked_pieces = None if asked is None else asked[paths.objects]
    found = search_broken_intervals(paths.piece_paths, absences, threshold_km, asked_pieces)
    minima = _between_objects(paths, in_their_time(paths.piece_paths, found.minima))
    return BrokenIntervals(_of_objects(paths, found.failures), minima, found.candidates)


def _between_objects(paths: ObjectPaths, minima: EncounterArray) -> EncounterArray:
    """Return minima of pieces as those of two objects, the smaller index first."""
    for who in ("primary_index", "secondary_index"):
        minima[who] = paths.objects[minima[who]]
    swap_sides(minima, minima["primary_index"] > minima["secondary_index"])
    kept: EncounterArray = minima[minima["primary_index"] != minima["secondary_index"]]
    return kept


def _of_objects(paths: ObjectPaths, failures: dict[int, Failure]) -> dict[int, Failure]:
    """Return the failures of pieces, if they are in use then, as those of objects."""
    found: dict[int, Failure] = {}
    from_s, to_s = paths.pieces.from_s, paths.pieces.to_s
    for one in sorted(failures.values(), key=lambda one: one.first_s):
        i = int(paths.objects[one.object_index])
        if one.first_s > to_s[one.object_index]:
            continue
        first_s = max(one.first_s, float(from_s[one.object_index]))
        known = found.get(i, Failure(i, one.code, first_s, np.nan))
        found[i] = known if np.isnan(one.lost_s) else known._replace(lost_s=one.lost_s)
    lost = np.array([i for i, one in found.items() if not np.isnan(one.lost_s)], np.int32)
    codes, _, _ = paths.at(lost, np.full(len(lost), paths.span.seconds))
    for i in lost[codes == 0].tolist():
        found[i] = found[i]._replace(lost_s=np.nan)
    return found
