"""Select the manoeuvres that a reader wants, the newest first."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from storage.analyst_file.tables_and_views import files, manoeuvres
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import MANOEUVRE_FILES, RUN_MANOEUVRE_FILES
from storage.manoeuvre_schema import MANOEUVRES
from storage.times import Cells, datetime64_us, fetched_utc

COLUMNS = tuple(column.name for column in MANOEUVRES.columns)


class Wanted(NamedTuple):
    """Which manoeuvres are wanted; None: any."""

    norad_ids: Sequence[int] | None = None
    since: datetime | None = None  # of the burn or later, UTC
    until: datetime | None = None  # before


def listed(store: Path, wanted: Wanted, limit: int, offset: int = 0) -> tuple[list[Cells], int]:
    """Return some of the manoeuvres, rows of COLUMNS, the newest first, and how many match.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    if not any(store.glob(MANOEUVRE_FILES)):
        return [], 0
    with store_faults(store):
        verify_all(store.glob(MANOEUVRE_FILES))
        expiry = expiry_of(read_current(store))
        source = f"({manoeuvres(store, expiry, _of_objects(wanted))}) WHERE {_in_time(wanted)}"
        columns = ", ".join(f'"{name}"' for name in COLUMNS)
        with file_reader() as connection:
            found = connection.execute(
                f'SELECT {columns}, count(*) OVER () FROM {source} ORDER BY "at" DESC, norad_id '  # noqa: S608
                f"LIMIT {limit} OFFSET {offset}"
            )
            rows = fetched_utc(found)
            total = rows[0][-1] if rows else 0
            if offset and not rows:
                ((total,),) = connection.execute(f"SELECT count(*) FROM {source}").fetchall()  # noqa: S608
    return [row[:-1] for row in rows], total


def rows_of_runs(store: Path, wanted: Wanted) -> list[dict[str, object]]:
    """Return the manoeuvres as runs have stored them, also those that later ones have replaced.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    if not any(store.glob(RUN_MANOEUVRE_FILES)):
        return []
    with store_faults(store):
        verify_all(store.glob(RUN_MANOEUVRE_FILES))
        conditions = f"{_of_objects(wanted)} AND {_in_time(wanted)} AND run_id IS NOT NULL"
        with file_reader() as connection:
            rows = connection.execute(
                f"FROM {files(store, RUN_MANOEUVRE_FILES)} WHERE {conditions} ORDER BY run_id, norad_id"
            )
            names = [column[0] for column in rows.description or ()]
            return [dict(zip(names, row, strict=True)) for row in fetched_utc(rows)]


def _of_objects(wanted: Wanted) -> str:
    if wanted.norad_ids is None:
        return "true"
    return f"norad_id IN ({', '.join(map(str, map(int, wanted.norad_ids))) or 'NULL'})"


def _in_time(wanted: Wanted) -> str:
    """Return the condition on the time, which only the surest of rows with overlapping times must meet."""
    limits = (("at >=", wanted.since), ("at <", wanted.until))
    said = [
        f"\"at\"{name[2:]} TIMESTAMP '{datetime64_us(time)}'" for name, time in limits if time is not None
    ]
    return " AND ".join(said) or "true"
