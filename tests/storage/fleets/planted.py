"""A fleet, and what runs have found for it, put into a store without a search."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from storage.disk.layout import RUN_FILES, run_folder
from storage.fleet_schema import FLEET_EVENTS, FLEET_MEMBERS
from storage.fleets.events import found_inside, members_of_run, write_membership
from storage.state.fleets import Fleet, FleetObject, NewFleet, create_fleet

_OWN = ("fleet_hard_body_radius_m", "fleet_probability_best", "fleet_probability_method")


def plant_fleet(store: Path, now: datetime, name: str = "mine", numbers: Sequence[int] = (25544,)) -> Fleet:
    """Make a fleet of a few numbers."""
    return create_fleet(store, NewFleet(name, tuple(map(FleetObject, numbers))), now)


def events_of(store: Path, run_id: str) -> list[dict[str, object]]:
    """Return the events of a run."""
    rows: list[dict[str, object]] = pq.read_table(
        run_folder(store, run_id) / RUN_FILES["conjunctions"], partitioning=None
    ).to_pylist()
    return rows


def plant_events(
    store: Path,
    run_id: str,
    fleet: Fleet,
    events: Sequence[dict[str, object]],
    own: Mapping[int, tuple[float, float]] | None = None,
) -> None:
    """Let events of a run be inside the volumes of a fleet, around their primaries, which are its objects.

    `own`: by event, the radius, m, and the probability by which the fleet goes. Other fleets' rows stay.
    """
    own = own or {}
    rows = [
        {
            "run_id": run_id,
            "fleet_id": fleet.id,
            "fleet": fleet.name,
            "norad_id": event["primary_norad_id"],
            "volume": "box:2x25x25",
            "miss_radial_km": 0.1,
            "miss_in_track_km": -0.2,
            "miss_cross_track_km": 0.3,
            "event_id": event["event_id"],
            **dict(
                zip(_OWN, (*own[number], "3d"), strict=True) if (number := event["event_id"]) in own else ()
            ),
        }
        for event in events
    ]
    numbers = {one.norad_id for one in fleet.objects} | {int(str(row["norad_id"])) for row in rows}
    members = [
        {
            "fleet_id": fleet.id,
            "norad_id": number,
            "name": "",
            "found": True,
            "volume": "box:2x25x25",
            "hours": 24.0,
        }
        for number in sorted(numbers)
    ]
    of_others, theirs = members_of_run(store, run_id), found_inside(store, run_id)
    of_all = pa.concat_tables([of_others, pa.Table.from_pylist(members, FLEET_MEMBERS.arrow)])
    inside = pa.concat_tables([theirs, pa.Table.from_pylist(rows, FLEET_EVENTS.arrow)])
    write_membership(store, run_id, inside.unify_dictionaries(), of_all.unify_dictionaries(), of_others)
