"""Which events of a run are inside the volumes of a fleet, and what each of its satellites has coming."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.events import fleet_members, membership
from storage.rows.danger import level_of

_OF_FLEET = {
    "norad_id": "fleet_norad_id",
    "volume": "volume",
    "miss_radial_km": "fleet_miss_radial_km",
    "miss_in_track_km": "fleet_miss_in_track_km",
    "miss_cross_track_km": "fleet_miss_cross_track_km",
}

SEEN_FROM_FLEET = tuple(_OF_FLEET.values())

Inside = Mapping[
    int, list[dict[str, Any]]
]  # by event: each object of the fleet that it is inside the volume of


def inside(store: Path, run_id: str, fleet_id: int) -> Inside:
    """Return the events of a run inside the volumes of a fleet, with what is seen from its objects."""
    rows = membership(store, run_id)
    mine = rows.filter(pc.equal(rows["fleet_id"], fleet_id)).sort_by("norad_id")
    found: dict[int, list[dict[str, Any]]] = {}
    for row in mine.select(["event_id", *_OF_FLEET]).to_pylist():
        number = row.pop("event_id")
        found.setdefault(number, []).append({_OF_FLEET[name]: value for name, value in row.items()})
    return found


def ids_of(events: Inside) -> npt.NDArray[np.int64]:
    """Return the ids of events (n,)."""
    return np.fromiter(events, np.int64, len(events))


def seen_from_fleet(events: Iterable[dict[str, Any]], inside_of: Inside) -> list[dict[str, Any]]:
    """Return each event once for each object of the fleet that it concerns, with what is seen from there."""
    return [event | seen for event in events for seen in inside_of[event["id"]]]


def worst_level(events: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the most dangerous level by the probability of events; None: there are none."""
    order = [str(level) for level in PROBABILITY_LEVELS]
    return min(map(level_of, events), key=order.index, default=None)


def satellites(
    store: Path, run_id: str, fleet_id: int, events: list[dict[str, Any]], since: datetime
) -> list[dict[str, Any]]:
    """Return the objects of a fleet at a run, by number, each with its events: how many, the worst, the next.

    Args:
        store: folder of the store.
        run_id: the run.
        fleet_id: the fleet.
        events: of the fleet, as `seen_from_fleet` returns them.
        since: naive, UTC; events with an earlier TCA do not count.
    """
    by_object: dict[int, list[dict[str, Any]]] = {}
    for event in (one for one in events if one["tca"] >= since):
        by_object.setdefault(event["fleet_norad_id"], []).append(event)
    return [
        {
            **member._asdict(),
            "events": len(mine := by_object.get(member.norad_id, [])),
            "worst": worst_level(mine),
            "next_tca": min((one["tca"] for one in mine), default=None),
        }
        for member in fleet_members(store, run_id, fleet_id)
    ]
