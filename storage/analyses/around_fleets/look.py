"""Look around the objects of fleets, each in its own volume, and store what comes into it.

The search is exact, whatever the threshold of the run, and without fleets it costs nothing. What the run has
found itself is not stored again. A fleet that would find more than a run may have is left out, and the others
are searched. No file is left if it fails.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import NO_CODE, ConjunctionArray
from screening.risk.score import at_radius
from screening.search.staying_close.crowds import Crowded
from screening.vocabulary import PROBABILITY_METHODS
from storage.analyses.around_fleets.kept import Superseded, store_fleet_look
from storage.analyses.around_fleets.search import (
    NEW,
    Searched,
    events_of_search,
    ids_in_run,
    look_into,
    rated,
)
from storage.analyses.around_fleets.wanted import AllWanted, OfRun, Wanted, wanted_by, without_largest
from storage.fleet_schema import FLEET_EVENTS
from storage.fleets.events import events_with, looked_at, members_of_run
from storage.reading.newest_run import bounding_radii_m
from storage.rows.over_runs.event_ids import EventIds
from storage.rows.records import conjunctions_of, words
from storage.state.fleets import Fleet, fleets
from storage.vocabulary import BOUNDING, SHADOW
from storage.writing.known_events import events_of_run

# Rate the encounters of fleets with a hard-body radius of their own.

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


class FleetLook(NamedTuple):
    """The result of looking around fleets."""

    fleets: int
    objects: int  # of all fleets, each once
    events: int  # inside their volumes
    beyond: int  # of these, those that the run itself does not have
    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return it in words."""
        missed = f"; not all: {self.problems[0]}" if self.problems else ""
        return (
            f"fleets: {self.events:,} events in the volumes around {self.objects:,} objects of "
            f"{self.fleets:,} fleets, {self.beyond:,} of them beyond the run's threshold or window{missed}"
        )


def look_around(
    store: Path,
    fleets: Sequence[Fleet],
    run: OfRun,
    most: int,
    go_on: Callable[[], None] = lambda: None,
) -> FleetLook:
    """Look around the objects of fleets in those of a run, and store that in place of what it has of them.

    `most` is how many events are allowed. `go_on` is called between portions of the work, and may raise.

    Raises:
        Superseded: a newer run has been published meanwhile.
        StoreError: the store is held by another process, or cannot be written.
    """
    wanted, searched = _searched(wanted_by(fleets, run), run, store, most, go_on)
    ids = ids_in_run(events_of_search(searched), events_of_run(store, run.run_id))
    beyond = np.flatnonzero(ids == NEW)
    conjunctions = rated(searched, beyond, store, run.as_of)
    own = own_ratings(wanted.volumes, searched, ids, conjunctions, store, run.run_id)
    involved = np.unique([searched.encounters[f"{who}_index"][beyond] for who in ("primary", "secondary")])
    elements = searched.elements[involved]

    def inside(new_ids: EventIds) -> pa.Table:
        ids[beyond] = new_ids
        return _inside(wanted, searched, ids, own, run.run_id)

    go_on()
    now = datetime.now(UTC)
    store_fleet_look(store, run.run_id, fleets, conjunctions, elements, inside, wanted.members, now)
    objects = len({one.norad_id for one in wanted.volumes})
    return FleetLook(
        len(fleets) - len(wanted.problems), objects, len(np.unique(ids)), len(beyond), wanted.problems
    )


def look_around_saved(
    store: Path,
    fleet_id: int,
    newest: Callable[[], OfRun],
    most: int,
    go_on: Callable[[], None] = lambda: None,
) -> FleetLook | None:
    """Look around a fleet that has been saved, in the newest run, instead of waiting for the next.

    `newest` returns that run. If no fleet has been searched in it yet, all are: alerts take a run that has
    looked at one for a run that has searched all. None: the fleet is gone, or the run has searched it as
    it is now.

    Raises StoreError as `look_around`; a run published meanwhile is searched instead.
    """
    while True:
        run = newest()
        present = fleets(store)
        wanted = [one for one in present if one.id == fleet_id]
        if not wanted or _is_looked_at(store, wanted[0], run):
            return None
        with suppress(Superseded):
            searched = wanted if looked_at(store, run.run_id) else present
            return look_around(store, searched, run, most, go_on)


def _is_looked_at(store: Path, fleet: Fleet, run: OfRun) -> bool:
    wanted = wanted_by([fleet], run)
    then = members_of_run(store, run.run_id)
    then = then.filter(pc.equal(then["fleet_id"], fleet.id))
    return not wanted.problems and len(then) > 0 and bool(then.to_pylist() == wanted.members.to_pylist())


def _searched(
    wanted: AllWanted, run: OfRun, store: Path, most: int, go_on: Callable[[], None]
) -> tuple[AllWanted, Searched]:
    """Search volumes; while more is found than a run may have, leave out the largest fleet."""
    while True:
        try:
            return wanted, look_into(wanted.volumes, run, store, most, go_on)
        except Crowded as error:
            wanted = without_largest(wanted, str(error), most)


def _inside(wanted: AllWanted, searched: Searched, ids: EventIds, own: OwnRatings, run_id: str) -> pa.Table:
    """Return which encounters, with their ids (k,), are inside whose volume: rows of FLEET_EVENTS."""
    chosen = _nearest_of_each(searched, ids)
    claimed = [wanted.volumes[k] for k in searched.wanted[chosen].tolist()]
    columns = {
        "run_id": [run_id] * len(claimed),
        "fleet_id": [one.fleet_id for one in claimed],
        "fleet": [one.fleet for one in claimed],
        "norad_id": [one.norad_id for one in claimed],
        "volume": [one.text for one in claimed],
        "event_id": ids[searched.rows[chosen]],
        "fleet_hard_body_radius_m": own.hard_body_radius_m[chosen],
        "fleet_probability_best": own.probability[chosen],
        "fleet_probability_method": words(own.method[chosen], PROBABILITY_METHODS).cast(pa.string()),
    }
    for axis, name in enumerate(("radial", "in_track", "cross_track")):
        columns[f"miss_{name}_km"] = searched.relative_km[chosen, axis]
    arrays = [
        pa.array(
            columns[one.name],
            pa.string() if pa.types.is_dictionary(one.type) else one.type,
            from_pandas=True,  # NaN becomes NULL
        )
        for one in FLEET_EVENTS.columns
    ]
    return pa.table(arrays, names=FLEET_EVENTS.arrow.names).cast(FLEET_EVENTS.arrow)


def _nearest_of_each(searched: Searched, ids: EventIds) -> npt.NDArray[np.intp]:
    """Return the nearest of the rows that are of one volume and one event.

    What is one visit in the sphere of the run may be several in a smaller volume.
    """
    of_event = ids[searched.rows]
    order = np.lexsort((searched.encounters["miss_distance_km"][searched.rows], of_event, searched.wanted))
    first = np.ones(len(order), np.bool_)
    first[1:] = (np.diff(searched.wanted[order]) != 0) | (np.diff(of_event[order]) != 0)
    return np.sort(order[first])
