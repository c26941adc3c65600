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

from screening.search.staying_close.crowds import Crowded
from screening.vocabulary import PROBABILITY_METHODS
from storage.analyses.around_fleets.kept import Superseded, store_fleet_look
from storage.analyses.around_fleets.own_radii import OwnRatings, own_ratings
from storage.analyses.around_fleets.search import (
    NEW,
    Searched,
    events_of_search,
    ids_in_run,
    look_into,
    rated,
)
from storage.analyses.around_fleets.wanted import AllWanted, OfRun, wanted_by, without_largest
from storage.fleet_schema import FLEET_EVENTS
from storage.fleets.events import looked_at, members_of_run
from storage.rows.over_runs.event_ids import EventIds
from storage.rows.records import words
from storage.state.fleets import Fleet, fleets
from storage.writing.known_events import events_of_run


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
    conjunctions = rated(searched, beyond, store)
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
