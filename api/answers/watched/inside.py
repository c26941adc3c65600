"""Which events of a run are inside the volumes of a fleet, and what each of its satellites has coming."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from api.models.watched.fleets import Satellite
from screening.vocabulary import PROBABILITY_LEVELS, ProbabilityLevel
from storage.fleets.events import at_own_radius, fleet_members, inside_fleet
from storage.in_memory.event_table import EventQuery, EventTable
from storage.reading.fleet_view import Seen, seen_by_event
from storage.rows.danger import level_of


class AsSeen(NamedTuple):
    """The events of a run as a fleet has them, and what is seen from its objects."""

    events: EventTable  # at least those inside its volumes
    inside: Seen  # by event: each object of the fleet that it is inside the volume of


def as_seen(store: Path, run_id: str, fleet_id: int, events: EventTable) -> AsSeen:
    """Return the events of a run at the hard-body radius of a fleet, with those inside its volumes."""
    mine = inside_fleet(store, run_id, fleet_id)
    seen = seen_by_event(mine)
    if mine["fleet_probability_best"].null_count < len(mine):
        wanted = EventQuery(event_ids=ids_of(seen), restricted=True, limit=None)
        found = [at_own_radius(rows, mine) for rows in events.tables(wanted, len(seen))]
        events = EventTable.of(pa.concat_tables(found)) if found else events
    return AsSeen(events, seen)


def ids_of(events: Seen) -> npt.NDArray[np.int64]:
    """Return the ids of events (n,)."""
    return np.fromiter(events, np.int64, len(events))


def seen_from_fleet(events: Iterable[dict[str, Any]], inside_of: Seen) -> list[dict[str, Any]]:
    """Return each event once for each object of the fleet that it concerns, with what is seen from there."""
    return [{**event, **seen} for event in events for seen in inside_of[event["id"]]]


def worst_level(events: Iterable[Mapping[str, Any]]) -> ProbabilityLevel | None:
    """Return the most dangerous level by the probability of events; None: there are none."""
    return min(map(level_of, events), key=PROBABILITY_LEVELS.index, default=None)


def satellites(
    store: Path, run_id: str, fleet_id: int, events: list[dict[str, Any]], since: datetime
) -> list[Satellite]:
    """Return the objects of a fleet at a run, by number, each with its events: how many, the worst, the next.

    Args:
        store: folder of the store.
        run_id: the run.
        fleet_id: the fleet.
        events: of the fleet, as `seen_from_fleet` returns them.
        since: UTC; events with an earlier TCA do not count.
    """
    by_object: dict[int, list[dict[str, Any]]] = {}
    for event in (one for one in events if one["tca"] >= since):
        by_object.setdefault(event["fleet_norad_id"], []).append(event)
    return [
        Satellite(
            *member,
            events=len(mine := by_object.get(member.norad_id, [])),
            worst=worst_level(mine),
            next_tca=min((one["tca"] for one in mine), default=None),
        )
        for member in fleet_members(store, run_id, fleet_id)
    ]
