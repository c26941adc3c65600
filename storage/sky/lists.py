"""List the decays that a run has forecast, the first before the others."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from storage.analyst_file.tables_and_views import files_in
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.faults import store_faults
from storage.disk.layout import decay_file
from storage.sky_schema import DECAYS
from storage.times import Cells, datetime64_us, fetched_utc

COLUMNS = tuple(column.name for column in DECAYS.columns)
WITHIN_DAYS = 1826.25  # five years: later decays are not stored


class Wanted(NamedTuple):
    """Which decays are wanted; None: any."""

    until: datetime | None = None  # of the median, UTC
    norad_ids: Sequence[int] | None = None


def within(start: datetime, days: float | None, norad_ids: Sequence[int] | None = None) -> Wanted:
    """Return the wish for the decays within days of a time, of some objects."""
    return Wanted(None if days is None else start + timedelta(days=days), norad_ids)


def listed(
    store: Path, run_id: str, wanted: Wanted, limit: int | None = None, offset: int = 0
) -> tuple[list[Cells], int]:
    """Return some of a run's forecasts, rows of COLUMNS by their median, and how many match.

    A run of an earlier release has none.

    Raises:
        StoreError: the file is damaged or cannot be read.
    """
    path = decay_file(store, run_id)
    if not path.is_file():
        return [], 0
    conditions = ["true"]
    if wanted.until is not None:
        conditions.append(f"median <= TIMESTAMP '{datetime64_us(wanted.until)}'")
    if wanted.norad_ids is not None:
        conditions.append(f"norad_id IN ({', '.join(map(str, map(int, wanted.norad_ids))) or 'NULL'})")
    with store_faults(store):
        verify_all([path])
        with file_reader() as connection:
            columns = ", ".join(f'"{name}"' for name in COLUMNS)
            source = f"{files_in([path])} WHERE {' AND '.join(conditions)}"
            some = "" if limit is None else f"LIMIT {limit} OFFSET {offset}"
            rows = fetched_utc(
                connection.execute(f"SELECT {columns} FROM {source} ORDER BY median, norad_id {some}")  # noqa: S608
            )
            ((total,),) = connection.execute(f"SELECT count(*) FROM {source}").fetchall()  # noqa: S608
    return rows, total
