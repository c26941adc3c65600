"""Which objects a run flew by their operators' ephemerides, which may be why an encounter is gone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import RUN_FILES, run_folder
from storage.times import parse_time, utc_datetime
from storage.trajectories.kept import trajectories

_IDS = "trajectories"  # of the table of runs


class OnPath(NamedTuple):
    """An ephemeris that an object flew by in a run. Times are UTC."""

    begins: datetime
    ends: datetime
    departs_at: datetime | None  # since when it is another path than the element set's; None: it is not
    added_by: str  # empty: not known


Paths = Mapping[int, Sequence[OnPath]]  # by catalogue number


def paths_of_run(store: Path, run_id: str) -> Paths:
    """Return the ephemerides that objects flew by in a run, of those that the store still has.

    Raises StoreError if a file cannot be read.
    """
    path = run_folder(store, run_id) / RUN_FILES["runs"]
    with store_faults(store):
        verify_parquet(path, [_IDS])
        (ids,) = pq.read_table(path, columns=[_IDS], use_threads=False)[_IDS].to_pylist()
    used = set(str(ids or "").split())
    found: dict[int, list[OnPath]] = {}
    for one in trajectories(store) if used else ():
        if one.id in used:
            departs_at = None if one.about.departs_at is None else parse_time(one.about.departs_at)
            begins, ends = utc_datetime(one.usable_from), utc_datetime(one.usable_to)
            of_it = OnPath(begins, ends, departs_at, one.about.added_by)
            found.setdefault(one.norad_id, []).append(of_it)
    return found


def why_gone(event: Mapping[str, Any], pair: Sequence[int], tca: datetime, paths: Paths) -> str:
    """Return which object of an event flies another path than when it was found; empty: none does.

    `event`: as it was found. Events of earlier releases do not say by what their objects flew.
    """
    for number in pair:
        for path in paths.get(number, ()):
            if not path.begins <= tca <= path.ends:
                continue
            is_new = number not in event.get("on_ephemeris", pair)
            departs = path.departs_at is not None and path.departs_at <= tca
            if is_new or (departs and number not in event.get("departed", pair)):
                by = f", added by {path.added_by}" if path.added_by else ""
                name = event["name"] if number == event["norad_id"] else event["other_name"]
                return f"{name or number} flies another path (its operator's ephemeris{by})"
    return ""
