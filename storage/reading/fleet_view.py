"""A fleet as the newest run has searched it: its objects then, and what is seen from each of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from storage.fleets.events import FleetMember, fleet_members, inside_fleet
from storage.reading.newest_run import Events, current
from storage.state.fleets import Fleet, fleet

# Columns of `fleet_events`, and their names beside those of an event, as HTTP has them.
SEEN_FROM_FLEET = {
    "norad_id": "fleet_norad_id",
    "volume": "volume",
    "miss_radial_km": "fleet_miss_radial_km",
    "miss_in_track_km": "fleet_miss_in_track_km",
    "miss_cross_track_km": "fleet_miss_cross_track_km",
    "fleet_hard_body_radius_m": "fleet_hard_body_radius_m",
}

Seen = Mapping[int, Sequence[Mapping[str, Any]]]  # by event: what is seen from each object of the fleet


class FleetView(NamedTuple):
    """A fleet, and what the newest run has found for it."""

    fleet: Fleet
    run_id: str
    members: Sequence[FleetMember]  # none: the run has not searched it, or it had no object
    inside: pa.Table  # rows of FLEET_EVENTS
    seen: Seen


def view_fleet(store: Path, name_or_id: str) -> FleetView:
    """Return a fleet as the newest run has searched it.

    Raises:
        NoSuchFleet: there is none of that name or id.
        StoreError: there is no run, or the store is damaged.
    """
    run_id, store = current(store).run_id, store.resolve()
    wanted = fleet(store, name_or_id)
    mine = inside_fleet(store, run_id, wanted.id)
    return FleetView(wanted, run_id, fleet_members(store, run_id, wanted.id), mine, seen_by_event(mine))


def seen_by_event(inside: pa.Table) -> Seen:
    """Return what is seen from the objects of a fleet, of its rows of FLEET_EVENTS."""
    seen: dict[int, list[dict[str, Any]]] = {}
    for row in inside.select(["event_id", *SEEN_FROM_FLEET]).to_pylist():
        number = row.pop("event_id")
        seen.setdefault(number, []).append({SEEN_FROM_FLEET[name]: value for name, value in row.items()})
    return seen


def seen_from_fleet(events: Events, view: FleetView) -> Events:
    """Return events of a fleet once for each of its objects they concern, with what is seen from there."""
    place = events.columns.index("event_id")
    rows = [
        (*row, *(seen[name] for name in SEEN_FROM_FLEET.values()))
        for row in events.rows
        for seen in view.seen[int(str(row[place]))]
    ]
    return Events([*events.columns, *SEEN_FROM_FLEET.values()], rows, events.total)
