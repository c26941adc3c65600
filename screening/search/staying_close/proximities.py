"""Find pairs that stay together: docked, in formation, or the same element set under two numbers.

A pair is a proximity if it is within 10 km at the window's start and at every minute of the next 24 h,
whatever the window's length and the run's threshold (only minutes with SGP4 states of both count). Its minima
raise no alarm until it first leaves 10 km.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import PROXIMITY_DTYPE, ProximityArray, pair_keys
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.refining.final_tca import encounters_on_sgp4
from screening.search.staying_close.crowds import check_followed
from screening.search.staying_close.distances import batches, crossings_s, distances_km
from screening.search.staying_close.near_pairs import list_near
from screening.search.staying_close.same_sets import (
    FirstPaths,
    SameSets,
    first_paths,
    for_each_pair,
    pairs_of_groups,
)

PROXIMITY_KM = 10.0
OBSERVED_S = SECONDS_PER_DAY
SAMPLE_S = 60.0
_SAMPLES_AT_A_TIME = 60
_PAIRS_AT_A_TIME = 20_000


def pairs_within(
    propagator: Trajectories, time_s: float, distance_km: float, asked: npt.NDArray[np.bool_] | None = None
) -> tuple[IndexArray, FloatArray]:
    """Return the pairs (2, k) of objects within `distance_km` at one instant, and their relative speeds.

    Only those with an object in `asked` (n,), if given.
    """
    error, r, v = propagator.on_grid(np.array([time_s]))
    good = np.flatnonzero(error[0] == 0)
    if len(good) < 2:
        return np.empty((2, 0), np.int32), np.empty(0)
    if asked is None:
        close = list_near(r[0][:, good], distance_km)
    else:
        close = _pairs_with(np.flatnonzero(asked[good]), r[0][:, good], distance_km)
    pairs = np.sort(good[close].astype(np.int32), axis=1).T
    speed: FloatArray = np.linalg.norm(v[0][:, pairs[1]] - v[0][:, pairs[0]], axis=0)
    return pairs, speed


def _pairs_with(some: npt.NDArray[np.intp], r_km: FloatArray, distance_km: float) -> npt.NDArray[np.intp]:
    """Return the pairs (k, 2) of one of `some` and another object, from positions (3, n)."""
    pairs = [np.empty((0, 2), np.intp)]
    for i in some.tolist():
        near = np.flatnonzero(np.abs(r_km[0] - r_km[0, i]) <= distance_km)
        near = near[np.linalg.norm(r_km[:, near] - r_km[:, [i]], axis=0) <= distance_km]
        pairs.append(np.stack([np.full(len(near), i), near], axis=1))
    found = np.sort(np.concatenate(pairs), axis=1)
    return np.unique(found[found[:, 0] != found[:, 1]], axis=0)


def find_proximities(
    elements: ElementArray,
    propagator: Trajectories,
    asked: npt.NDArray[np.bool_] | None = None,
    firsts: FirstPaths | None = None,
    most: int | None = None,
) -> ProximityArray:
    """Find the pairs that stay together; PROXIMITY_DTYPE sorted by pair, distances over the window.

    The smallest distance is refined from samples 60 s apart; the largest is that of the samples. Only pairs
    with an object in `asked` (n,), if given. Objects of one element set are 0 apart, and have the same
    distances from others as the set's first object (`firsts`, computed here if not given). Raises Crowded if
    there are more than a run limited to `most` events may have.
    """
    sets, paths = first_paths(elements, propagator) if firsts is None else firsts
    alike = rows_of(pairs_of_groups(sets, np.flatnonzero(sets.sizes > 1)))
    error, _, _ = propagator.on_grid(np.zeros(1))
    alike = alike[error[0][alike["primary_index"]] == 0]
    alike["same_elements"] = True
    alike["leaves_at_s"] = np.nan
    wanted = None if asked is None else groups_with(sets, asked)
    together = _stay_together(paths, pairs_within(paths, 0.0, PROXIMITY_KM, wanted)[0])
    if most is not None:
        copies = int(sets.sizes[together].prod(axis=0).sum())
        check_followed(copies, propagator.span, most, "stay within 10 km of each other for a day")
    apart = rows_of(together)
    _measure(paths, apart)
    for who in ("primary_index", "secondary_index"):
        apart[who] = sets.first[apart[who]]
    out: ProximityArray = np.concatenate([alike, for_each_pair(sets, apart)])
    if asked is not None:
        out = out[asked[out["primary_index"]] | asked[out["secondary_index"]]]
    return out[np.lexsort((out["secondary_index"], out["primary_index"]))]


def rows_of(pairs: IndexArray) -> ProximityArray:
    """Return a row without distances and times for each pair (2, k)."""
    rows = np.zeros(pairs.shape[1], PROXIMITY_DTYPE)
    rows["primary_index"], rows["secondary_index"] = pairs
    return rows


def groups_with(sets: SameSets, asked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which groups (g,) have an object in `asked` (n,)."""
    found: npt.NDArray[np.bool_] = np.add.reduceat(asked[sets.members], sets.starts[:-1]) > 0
    return found


def _stay_together(propagator: Trajectories, pairs: IndexArray) -> IndexArray:
    """Keep the pairs (2, k) that are within 10 km at every minute of the observed day."""
    firsts = range(0, pairs.shape[1], _PAIRS_AT_A_TIME)
    parts = [_some_stay_together(propagator, pairs[:, at : at + _PAIRS_AT_A_TIME]) for at in firsts]
    return np.concatenate([np.empty((2, 0), np.int32), *parts], axis=1)


def _some_stay_together(propagator: Trajectories, pairs: IndexArray) -> IndexArray:
    last = round(OBSERVED_S / SAMPLE_S)
    for first in range(1, last + 1, _SAMPLES_AT_A_TIME):
        if pairs.shape[1] == 0:
            break
        minutes = np.arange(first, min(first + _SAMPLES_AT_A_TIME, last + 1))
        members, place = np.unique(pairs, return_inverse=True)
        place = place.reshape(pairs.shape)
        _, r, _ = propagator.subset(members).on_grid(SAMPLE_S * minutes.astype(np.float64))
        distance = np.linalg.norm(r[:, :, place[1]] - r[:, :, place[0]], axis=1)
        pairs = pairs[:, ~(distance > PROXIMITY_KM).any(axis=0)]  # NaN, where either fails, is not apart
    return pairs


def _measure(propagator: Trajectories, rows: ProximityArray) -> None:
    """Fill distances, TCA and time of leaving of proximities (k,) from samples, then from the deepest dip."""
    end_s = propagator.span.seconds
    samples_s = np.append(np.arange(0.0, end_s, SAMPLE_S), end_s)
    for some in batches(len(rows), 2 * len(samples_s)):
        here = rows[some]
        pairs = np.stack([here["primary_index"], here["secondary_index"]])
        times_s = np.broadcast_to(samples_s, (len(here), len(samples_s)))
        distance = distances_km(propagator, pairs, times_s)
        dips = [_measure_one(row, samples_s, of_row) for row, of_row in zip(here, distance, strict=True)]
        between = np.array([found.leaves_between_s for found in dips]).T
        leaves = np.flatnonzero(np.isfinite(between[0]))
        from_s, to_s = between[:, leaves]
        here["leaves_at_s"][leaves] = crossings_s(propagator, pairs[:, leaves], from_s, to_s, PROXIMITY_KM)
        _deepen(propagator, here, [found.dips_s for found in dips])


class _Samples(NamedTuple):
    """The samples of a proximity that must be refined."""

    dips_s: FloatArray
    leaves_between_s: tuple[float, float]  # NaN if it does not leave


def _measure_one(row: np.void, times_s: FloatArray, distance: FloatArray) -> _Samples:
    """Fill a proximity from its distances (m,) at times (m,), NaN where SGP4 fails."""
    known = np.isfinite(distance)
    times_s, distance = times_s[known], distance[known]
    lowest = int(distance.argmin())
    row["tca_s"], row["min_distance_km"] = times_s[lowest], distance[lowest]
    row["max_distance_km"] = distance.max()
    row["leaves_at_s"] = np.nan
    beyond = np.flatnonzero(distance > PROXIMITY_KM)
    between = (float(times_s[beyond[0] - 1]), float(times_s[beyond[0]])) if len(beyond) else (np.nan, np.nan)
    dips = 1 + np.flatnonzero((distance[1:-1] <= distance[:-2]) & (distance[1:-1] <= distance[2:]))
    return _Samples(times_s[dips], between)


def _deepen(propagator: Trajectories, rows: ProximityArray, dips_s: list[FloatArray]) -> None:
    """Replace the smallest sampled distance of each proximity by the minimum of its deepest dip."""
    pairs = np.stack([rows["primary_index"], rows["secondary_index"]])
    row = np.repeat(np.arange(len(rows)), [len(times_s) for times_s in dips_s])
    refined = encounters_on_sgp4(propagator, pairs[:, row], np.concatenate([np.empty(0), *dips_s]))
    refined = refined[(refined["tca_s"] >= 0.0) & (refined["tca_s"] < propagator.span.seconds)]
    place = _place_of(rows, np.stack([refined["primary_index"], refined["secondary_index"]]))
    order = np.lexsort((refined["miss_distance_km"], place))
    place, at = np.unique(place[order], return_index=True)
    deepest = refined[order[at]]
    deeper = deepest["miss_distance_km"] < rows["min_distance_km"][place]
    rows["tca_s"][place[deeper]] = deepest["tca_s"][deeper]
    rows["min_distance_km"][place[deeper]] = deepest["miss_distance_km"][deeper]


def _place_of(rows: ProximityArray, pairs: IndexArray) -> npt.NDArray[np.intp]:
    """Return the index of each pair (2, k) among the rows, which have one pair each."""
    known = pair_keys(rows["primary_index"], rows["secondary_index"])
    order = np.argsort(known)
    return order[np.searchsorted(known, pair_keys(pairs[0], pairs[1]), sorter=order)]


def active_from_s(proximities: ProximityArray, pairs: npt.NDArray[np.int32]) -> FloatArray:
    """Return from when minima of each pair (2, k) count as conjunctions: 0, when it leaves, or never."""
    from_s = np.zeros(pairs.shape[1])
    if len(proximities) == 0:
        return from_s
    known = pair_keys(proximities["primary_index"], proximities["secondary_index"])
    order = np.argsort(known)
    keys = pair_keys(pairs[0], pairs[1])
    place = np.minimum(np.searchsorted(known, keys, sorter=order), len(known) - 1)
    leaves_s = proximities["leaves_at_s"][order[place]]
    of_proximity = known[order[place]] == keys
    from_s[of_proximity] = np.where(np.isnan(leaves_s), np.inf, leaves_s)[of_proximity]
    return from_s
