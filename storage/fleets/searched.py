"""What a run has looked at for a fleet, and whether it would have found an encounter there."""

from collections.abc import Container, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import RUN_FILES, run_folder
from storage.fleets.events import fleet_members, members_path
from storage.rows.would_find import would_find

_OF_RUN = ["window_start", "historic"]


class Searched(NamedTuple):
    """What a run has looked at around the objects of a fleet. Times are naive UTC."""

    start: datetime  # of the run's window
    ends: Mapping[int, datetime]  # of the look-ahead of each object that the catalogue had, exclusive
    members: frozenset[int]  # also those that it had not
    historic: bool


def searched(store: Path, run_id: str, fleet_id: int) -> Searched | None:
    """Return what a run has looked at for a fleet; None: it left the fleet out, or this has expired.

    Raises:
        StoreError: a file is damaged, or cannot be read.
    """
    members = fleet_members(store, run_id, fleet_id) if members_path(store, run_id).is_file() else []
    if not members:
        return None
    path = run_folder(store, run_id) / RUN_FILES["runs"]
    with store_faults(store):
        verify_parquet(path, _OF_RUN)
        (row,) = pq.read_table(path, columns=_OF_RUN, use_threads=False).to_pylist()
    start = row["window_start"]
    return Searched(
        start,
        {one.norad_id: start + timedelta(hours=one.hours) for one in members if one.found},
        frozenset(one.norad_id for one in members),
        row["historic"],
    )


def fleet_would_find(
    norad_id: int,
    pair: Iterable[int],
    tca: datetime,
    since: datetime,
    ends: Mapping[int, datetime],
    missing: Container[int],
) -> bool:
    """Tell whether a run that has not found an encounter would have, if it were still there.

    Args:
        norad_id: the fleet's object.
        pair: both objects.
        tca: of the encounter.
        since: what had passed by then is no longer looked for.
        ends: of the look-ahead of each object of the fleet that the run's catalogue had, exclusive.
        missing: other objects that it had not.
    """
    end = ends.get(norad_id)
    others = (number for number in pair if number != norad_id)
    screened = not any(other in missing for other in others)
    return end is not None and would_find(tca, tca, since, end, screened=screened, near=True)
