"""What a run has searched for a fleet, and whether it would have found an encounter there."""

from collections.abc import Container, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from screening.volumes.inside import inside, volume_array
from screening.volumes.shapes import volume_of
from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import RUN_FILES, run_folder
from storage.disk.run_ids import start_of
from storage.fleets.events import fleet_members, members_path
from storage.rows.over_runs.changes import would_find
from storage.rows.over_runs.screened import screened
from storage.times import utc_rows

_OF_RUN = ["window_start", "historic"]


class Searched(NamedTuple):
    """What a run has searched around the objects of a fleet. Times are UTC."""

    run_id: str
    start: datetime  # of the run's window
    ends: Mapping[int, datetime]  # of the look-ahead of each object that the catalogue had, exclusive
    volumes: Mapping[int, str]  # around each object, as rows of `fleet_events` have them
    members: frozenset[int]  # also those that it had not
    screened: Container[int] | None  # all objects; None: not known
    historic: bool

    @property
    def since(self) -> datetime:
        """What had passed by then is not searched for."""
        return self.start if self.historic else max(self.start, start_of(self.run_id))

    def finds(self, row: Mapping[str, Any]) -> bool:
        """Return whether it would have found an encounter, a row of another run's `fleet_events`."""
        own, pair = row["norad_id"], (row["primary_norad_id"], row["secondary_norad_id"])
        near = own in self.volumes and _is_inside(self.volumes[own], row)
        return near and fleet_would_find(own, pair, row["tca"], self.since, self.ends, self.screened)


def searched(store: Path, run_id: str, fleet_id: int) -> Searched | None:
    """Return what a run has searched for a fleet; None: it left the fleet out, or this has expired.

    Raises:
        StoreError: a file is damaged, or cannot be read.
    """
    members = fleet_members(store, run_id, fleet_id) if members_path(store, run_id).is_file() else []
    if not members:
        return None
    path = run_folder(store, run_id) / RUN_FILES["runs"]
    with store_faults(store):
        verify_parquet(path, _OF_RUN)
        (row,) = utc_rows(pq.read_table(path, columns=_OF_RUN, use_threads=False))
    start, objects = row["window_start"], screened(store, run_id)
    return Searched(
        run_id,
        start,
        {one.norad_id: start + timedelta(hours=one.hours) for one in members if one.found},
        {one.norad_id: one.volume for one in members if one.found},
        frozenset(one.norad_id for one in members),
        None if objects is None else frozenset(objects.tolist()),
        row["historic"],
    )


def fleet_would_find(
    norad_id: int,
    pair: Iterable[int],
    tca: datetime,
    since: datetime,
    ends: Mapping[int, datetime],
    screened: Container[int] | None,
) -> bool:
    """Return whether a run would have found an encounter inside the volume of a fleet's object.

    Args:
        norad_id: the fleet's object.
        pair: both objects.
        tca: of the encounter.
        since: what had passed by then is not searched for.
        ends: of the look-ahead of each object of the fleet that the run's catalogue had, exclusive.
        screened: all objects that it screened; None: not known.
    """
    end = ends.get(norad_id)
    both = screened is None or all(number in screened for number in pair)
    return end is not None and would_find(tca, tca, since, end, screened=both, near=True)


def _is_inside(volume: str, row: Mapping[str, Any]) -> bool:
    """Return whether an encounter is inside a member's volume: `handbook LEO: box:...`, or plain."""
    if volume == row["volume"]:
        return True
    axes = [[row[f"miss_{axis}_km"] for axis in ("radial", "in_track", "cross_track")]]
    return bool(inside(volume_array([volume_of(volume.rpartition(": ")[2])]), np.array(axes))[0])
