"""Rate the encounters of fleets with a hard-body radius of their own."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import NO_CODE, ConjunctionArray
from screening.risk.score import at_radius
from storage.analyses.around_fleets.search import NEW, Searched
from storage.analyses.around_fleets.wanted import Wanted
from storage.fleets.events import events_with
from storage.reading.newest_run import bounding_radii_m
from storage.rows.over_runs.event_ids import EventIds
from storage.rows.records import conjunctions_of
from storage.vocabulary import BOUNDING, SHADOW

_Radii = dict[tuple[int, int], float]  # m, by fleet and catalogue number


class OwnRatings(NamedTuple):
    """What each of the rows (m,) of a search has by its fleet's radius; NaN and NO_CODE: what the run has."""

    hard_body_radius_m: FloatArray
    probability: FloatArray
    method: npt.NDArray[np.int8]


def own_ratings(
    wanted: Sequence[Wanted],
    searched: Searched,
    ids: EventIds,
    beyond: ConjunctionArray,
    store: Path,
    run_id: str,
) -> OwnRatings:
    """Rate what a search has found with the radii of fleets: of a pair's members both, of others the run's.

    `ids` (k,) of the encounters in the run; those that are NEW are rated as `beyond`, in their order.

    Raises:
        StoreError: a file of the run is damaged, or cannot be read.
    """
    count = len(searched.rows)
    own = OwnRatings(np.full(count, np.nan), np.full(count, np.nan), np.full(count, NO_CODE, np.int8))
    radii_m = _radii_m(wanted, store)
    fleets = np.array([one.fleet_id for one in wanted], np.int64)[searched.wanted]
    rows = np.flatnonzero(np.isin(fleets, [fleet for fleet, _ in radii_m]))
    if not len(rows):
        return own
    events = _rated_by_run(searched.rows[rows], ids, beyond, store, run_id)
    total_m, has_own = np.zeros(len(rows)), np.zeros(len(rows), np.bool_)
    for who in ("primary", "secondary"):
        pairs = zip(fleets[rows].tolist(), events[f"{who}_norad_id"].tolist(), strict=True)
        given_m = np.array([radii_m.get(pair, np.nan) for pair in pairs])
        has_own |= np.isfinite(given_m)
        total_m += np.where(np.isfinite(given_m), given_m, events[f"{who}_radius_m"])
    changed = np.flatnonzero(has_own & np.isfinite(total_m))
    again = at_radius(events[changed], total_m[changed])
    known = np.isfinite(again["probability_best"])
    found = rows[changed[known]]
    own.hard_body_radius_m[found] = again["hard_body_radius_m"][known]
    own.probability[found] = again["probability_best"][known]
    own.method[found] = again["probability_method"][known]
    return own


def _radii_m(wanted: Sequence[Wanted], store: Path) -> _Radii:
    """Return the radii of the objects of fleets whose radius is not the run's, where known."""
    own = [one for one in wanted if one.radius != SHADOW]
    bounding_m = bounding_radii_m(store) if any(one.radius == BOUNDING for one in own) else {}
    radii_m = {
        (one.fleet_id, one.norad_id): bounding_m.get(one.norad_id)
        if one.radius == BOUNDING
        else float(one.radius)
        for one in own
    }
    return {key: radius_m for key, radius_m in radii_m.items() if radius_m is not None}


def _rated_by_run(
    encounters: npt.NDArray[np.intp], ids: EventIds, beyond: ConjunctionArray, store: Path, run_id: str
) -> ConjunctionArray:
    """Return encounters (m,) as the run, or a second look since, has rated them; new ones as `beyond`."""
    new = ids == NEW
    place = np.cumsum(new) - 1
    stored = conjunctions_of(found := events_with(store, run_id, pa.array(np.unique(ids[encounters]))))
    numbers = found["event_id"].to_numpy()
    order = np.argsort(numbers)
    events = np.empty(len(encounters), beyond.dtype)
    is_new = new[encounters]
    events[is_new] = beyond[place[encounters[is_new]]]
    events[~is_new] = stored[order[np.searchsorted(numbers, ids[encounters[~is_new]], sorter=order)]]
    return events
