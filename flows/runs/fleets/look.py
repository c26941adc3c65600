"""After a run, look around the objects of fleets, each in its own volume, and store what comes into it.

The search is exact, whatever the threshold of the run; without fleets it costs nothing. What the run has
found itself is not stored again. A fleet that would find more than a run may have is left out, and the others
are looked at. A run stands whatever fails here, and no file is left then.
"""

import logging
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from flows.runs.fleets.search import NEW, Searched, events_of_search, ids_in_run, look_into, rated
from flows.runs.fleets.wanted import AllWanted, wanted_by, without_largest
from flows.runs.run import Outcome
from flows.settings import FlowSettings
from screening.errors import SkysieveError
from screening.kernel_files import keep_kernels_in
from screening.search.staying_close.crowds import Crowded
from storage.analyses.fleet_looks import store_fleet_look
from storage.fleet_schema import FLEET_EVENTS
from storage.rows.over_runs.event_ids import EventIds
from storage.state.fleets import fleets
from storage.writing.known_events import events_of_run

log = logging.getLogger("skysieve")


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


def fleet_look(outcome: Outcome, settings: FlowSettings) -> FleetLook | None:
    """Look around the objects of all fleets after a published run, and store that; None if there are none.

    What fails is logged, and nothing is raised.
    """
    try:
        looked = _looked(outcome, settings)
    except SkysieveError as error:
        looked = FleetLook(0, 0, 0, 0, (str(error),))
    for problem in looked.problems if looked else ():
        log.warning("Fleets: %s", problem)
    return looked


def _looked(outcome: Outcome, settings: FlowSettings) -> FleetLook | None:
    known = fleets(settings.store)
    if not known:
        return None
    keep_kernels_in(settings.kernel_cache)
    wanted, searched = _searched(wanted_by(known, outcome.prepared), outcome, settings)
    ids = ids_in_run(events_of_search(searched), events_of_run(settings.store, outcome.run_id))
    beyond = np.flatnonzero(ids == NEW)
    conjunctions = rated(searched, beyond, settings.store)
    involved = np.unique([searched.encounters[f"{who}_index"][beyond] for who in ("primary", "secondary")])
    elements = searched.elements[involved]

    def inside(new_ids: EventIds) -> pa.Table:
        ids[beyond] = new_ids
        return _inside(wanted, searched, ids, outcome.run_id)

    now = datetime.now(UTC)
    store_fleet_look(settings.store, outcome.run_id, conjunctions, elements, inside, wanted.members, now)
    objects = len({one.norad_id for one in wanted.volumes})
    fleets_looked_at = len(known) - len(wanted.problems)
    events = len(np.unique(ids))
    return FleetLook(fleets_looked_at, objects, events, len(beyond), wanted.problems)


def _searched(wanted: AllWanted, outcome: Outcome, settings: FlowSettings) -> tuple[AllWanted, Searched]:
    """Look into volumes; while more is found than a run may have, leave out the largest fleet."""
    while True:
        try:
            return wanted, look_into(wanted.volumes, outcome.prepared, settings.store, settings.max_events)
        except Crowded as error:
            wanted = without_largest(wanted, str(error), settings.max_events)


def _inside(wanted: AllWanted, searched: Searched, ids: EventIds, run_id: str) -> pa.Table:
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
    }
    for axis, name in enumerate(("radial", "in_track", "cross_track")):
        columns[f"miss_{name}_km"] = searched.relative_km[chosen, axis]
    arrays = [
        pa.array(columns[one.name], pa.string() if pa.types.is_dictionary(one.type) else one.type)
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
