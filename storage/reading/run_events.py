"""The events of one run, from its file, as it found them."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import RUN_FILES, run_folder


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
    return [RunEvent(**row) for row in rows.select(names).to_pylist()]
