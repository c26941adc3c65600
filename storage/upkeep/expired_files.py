"""Empty hidden files of the store in place, in the run after the one that hid them.

DuckDB lists a folder, reads the footers of its files, and opens the files one after the other as it needs
them. A reader that has just listed the folder fails if a file is gone, and one that has read a footer fails
if the file has changed. So a file is first hidden by the views; from the following run on nothing needs its
content. It is then replaced by a file without rows, of a few hundred bytes, which readers can still open.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from storage.analyst_file.tables_and_views import files
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import Expiry
from storage.disk.layout import (
    ANALYSIS_FILES,
    CATALOGUE_CHANGE_FILES,
    DECAY_FILES,
    ELEMENTS,
    FLEET_EVENT_FILES,
    FLEET_MEMBER_FILES,
    FORECAST_FILES,
    KEPT,
    MESSAGE_FILES,
    NO_ANALYSIS,
    NO_FLEET_EVENTS,
    NO_MESSAGES,
    RUN_FILES,
    RUN_MANOEUVRE_FILES,
    RUNS,
    SCREENED,
    replace_parquet,
)
from storage.disk.run_ids import stamp, start_of
from storage.fleet_schema import FLEET_EVENTS
from storage.forecast_schema import FORECASTS
from storage.manoeuvre_schema import MANOEUVRES
from storage.message_schema import STORED
from storage.schema import CONJUNCTIONS, Table
from storage.sky_schema import CATALOGUE_CHANGES, DECAYS
from storage.times import datetime64_us
from storage.upkeep.merged_months import remove_superseded

LONGEST_LISTING = timedelta(days=2)  # how long a reader may rely on a listing of analyses
LONGEST_QUERY = timedelta(minutes=10)  # of one that began before rows were hidden, and may still read them
# Emptied files have one column, which the view has anyway.
_NO_CONJUNCTIONS = pa.schema([("event_id", pa.int64())])
_NO_SETS = pa.schema([("content_hash", pa.int64())])
_LARGEST_EMPTIED = 1000  # bytes; the smallest file with all columns has 3,000


def expired_runs(store: Path, before: str) -> Iterator[str]:
    """Yield the ids of the runs before a border that still have all their rows, oldest first."""
    for folder in sorted((store / RUNS).glob("run_id=[1-9]*")):
        run_id = folder.name.removeprefix("run_id=")
        if run_id < before and _has_rows(folder / RUN_FILES["conjunctions"]):
            yield run_id


def expired_elements(store: Path, before: str) -> Iterator[Path]:
    """Yield the files of the element sets first seen by runs before a border."""
    for path in sorted((store / ELEMENTS).glob("[1-9]*.parquet")):
        if path.stem < before and _has_rows(path):
            yield path


def expired_analyses(store: Path, before: str) -> Iterator[Path]:
    """Yield the files of the analyses that were all computed before a border."""
    yield from _ended(store, ANALYSIS_FILES, ("computed_at",), before)


def expired_fleet_looks(store: Path, before: str) -> Iterator[Path]:
    """Yield the files of the events inside volumes that runs before a border found."""
    for path in sorted(store.glob(FLEET_EVENT_FILES)):
        if path.name != NO_FLEET_EVENTS and path.stem < before and _rows(path):
            yield path


def expired_of_runs(store: Path, pattern: str, before: str) -> Iterator[Path]:
    """Yield the files, named after runs, of those before a border."""
    for path in sorted(store.glob(pattern)):
        if path.stem < before and _rows(path):
            yield path


def expired_messages(store: Path, before: str) -> Iterator[Path]:
    """Yield the files of messages whose TCAs were before a border, and that came before it."""
    yield from _ended(store, MESSAGE_FILES, ("tca", "received_at"), before)


def _ended(store: Path, pattern: str, columns: Sequence[str], before: str) -> Iterator[Path]:
    """Yield the files that have in all rows, in all of these columns, times before a border."""
    if not before:
        return
    verify_all(store.glob(pattern), columns)
    last = ", ".join(f"max({name})" for name in columns)
    with file_reader() as connection:
        found = connection.execute(
            f"SELECT filename FROM {files(store, pattern, with_names=True)} "  # noqa: S608
            f"GROUP BY filename HAVING greatest({last}) < ? ORDER BY filename",
            [datetime64_us(start_of(before))],
        ).fetchall()
    yield from (Path(name) for (name,) in found)


def empty_what_is_hidden(store: Path, expiry: Expiry, now: datetime) -> None:
    """Free the disk of what the store has hidden for LONGEST_QUERY. Needs the lock.

    It can be killed at any point, and continues the next time.
    """
    if stamp(now - LONGEST_QUERY) < expiry.hidden_at:
        return
    remove_superseded(store, expiry)
    _remove_emptied(store, expiry, (now - LONGEST_LISTING).timestamp())
    for run_id in expired_runs(store, expiry.runs_from):
        folder = store / RUNS / f"run_id={run_id}"
        for table in ("proximities", "rejections"):  # no view shows them, so no reader lists them
            (folder / RUN_FILES[table]).unlink(missing_ok=True)
        (folder / SCREENED).unlink(missing_ok=True)
        if (folder / KEPT).is_file():  # else it expired by another machine's clock, or by hand: never lose it
            replace_parquet(_NO_CONJUNCTIONS.empty_table(), folder / RUN_FILES["conjunctions"])
    for path in expired_elements(store, expiry.elements_from):
        replace_parquet(_NO_SETS.empty_table(), path)
    _empty_of_runs(store, RUN_MANOEUVRE_FILES, MANOEUVRES, expiry.elements_from)
    _empty_of_runs(store, CATALOGUE_CHANGE_FILES, CATALOGUE_CHANGES, expiry.elements_from)
    _empty_of_runs(store, DECAY_FILES, DECAYS, expiry.runs_from)
    for path in expired_of_runs(store, FORECAST_FILES, expiry.runs_from):
        until = pq.read_schema(path).metadata
        replace_parquet(FORECASTS.arrow.empty_table().replace_schema_metadata(until), path)
    for path in expired_analyses(store, expiry.analyses_from):
        # Readers of a single analysis rely on its columns.
        replace_parquet(CONJUNCTIONS.arrow.empty_table(), path)
    for path in expired_messages(store, expiry.analyses_from):
        replace_parquet(STORED.empty_table(), path)
    _empty_fleet_looks(store, expiry.analyses_from)


def _empty_of_runs(store: Path, pattern: str, table: Table, before: str) -> None:
    for path in expired_of_runs(store, pattern, before):
        replace_parquet(table.arrow.empty_table(), path)


def _empty_fleet_looks(store: Path, before: str) -> None:
    for path in store.glob(FLEET_MEMBER_FILES):  # no view shows them
        if path.name < before:
            path.unlink()
    for path in expired_fleet_looks(store, before):
        replace_parquet(FLEET_EVENTS.arrow.empty_table(), path)


def _remove_emptied(store: Path, expiry: Expiry, border_s: float) -> None:
    """Remove files without rows that were written before a border, so that no reader relies on them.

    The file of a run that found nothing around fleets stays as long as those that did.
    """
    expired = (path for path in store.glob(FLEET_EVENT_FILES) if path.stem < expiry.analyses_from)
    of_runs = (path for pattern in (FORECAST_FILES, DECAY_FILES) for path in store.glob(pattern))
    judged = (path for path in of_runs if "0" < path.stem < expiry.runs_from)
    compared = (path for path in store.glob(CATALOGUE_CHANGE_FILES) if "0" < path.stem < expiry.elements_from)
    found = (*store.glob(RUN_MANOEUVRE_FILES), *judged, *compared)
    for path in (*store.glob(ANALYSIS_FILES), *store.glob(MESSAGE_FILES), *expired, *found):
        named = path.name not in (NO_ANALYSIS, NO_MESSAGES, NO_FLEET_EVENTS)
        if named and path.stat().st_mtime < border_s and _rows(path) == 0:
            path.unlink()


def _rows(path: Path) -> int:
    rows: int = pq.read_metadata(path).num_rows
    return rows


def _has_rows(path: Path) -> bool:
    """Return whether a file has not been emptied yet, without opening it."""
    return path.is_file() and path.stat().st_size > _LARGEST_EMPTIED
