"""The window and the events of one run, from its files, as it found them."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import FLEET_EVENT_FILES, FLEET_MEMBER_FILES, RUN_FILES, run_folder
from storage.disk.run_ids import is_run_id
from storage.times import utc_rows


class RunEvent(NamedTuple):
    """What a second look needs to know about an event; None for NULL."""

    event_id: int
    primary_norad_id: int
    secondary_norad_id: int
    tca: datetime  # UTC
    encounter: str
    inside_from: datetime | None
    inside_to: datetime | None
    risk_level: str
    miss_distance_m: float
    primary_trajectory: str | None
    secondary_trajectory: str | None
    primary_complex_id: int | None
    secondary_complex_id: int | None


class RunWindow(NamedTuple):
    """When a run searched, and what. Times are UTC; None: from an earlier release."""

    run_id: str
    window_start: datetime
    window_end: datetime  # exclusive
    historic: bool
    synthetic: bool
    catalogue_epoch: datetime | None = None
    catalogue_decision: str | None = None
    catalogue_reason: str | None = None


def run_window(store: Path, run_id: str) -> RunWindow:
    """Return the window of a run. Raises StoreError if the run's file cannot be read."""
    path = run_folder(store, run_id) / RUN_FILES["runs"]
    with store_faults(store):
        verify_parquet(path, list(RunWindow._fields))
        (row,) = utc_rows(pq.read_table(path, columns=list(RunWindow._fields), use_threads=False))
    return RunWindow(**row)


def runs_with_fleets(store: Path) -> list[str]:
    """Return the ids of the runs whose fleets have been searched, oldest first; those that expired are not.

    Of an expired one the events' file stays for its readers, without the members.
    """
    members = {path.name.removesuffix(".members.parquet") for path in store.glob(FLEET_MEMBER_FILES)}
    looked_at = (path.stem for path in store.glob(FLEET_EVENT_FILES) if is_run_id(path.stem))
    return sorted(run_id for run_id in looked_at if run_id in members)


def events_of_levels(store: Path, run_id: str, levels: Sequence[str]) -> list[RunEvent]:
    """Return the events of a run that have one of these levels, most dangerous first.

    Raises StoreError if the run's file cannot be read.
    """
    path = run_folder(store, run_id) / RUN_FILES["conjunctions"]
    names = list(RunEvent._fields)
    with store_faults(store):
        verify_parquet(path, names)
        rows = pq.read_table(path, columns=names, use_threads=False)
    rows = rows.filter(pc.is_in(rows["risk_level"].cast(pa.string()), pa.array(levels)))
    return [RunEvent(**row) for row in utc_rows(rows.select(names))]
