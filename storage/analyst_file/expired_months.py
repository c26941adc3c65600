"""Which runs are in the file of their month: once all runs of a month have expired, one file stands for them.

Its footer names them. `current.json` lists the months that count; a folder of a month that it does not list
was left by a kill. The runs' own folders stay for readers that began before, and no view lists them.
"""

import json
from pathlib import Path

import pyarrow.parquet as pq

from storage.disk.checksums import verify_parquet
from storage.disk.current import Expiry
from storage.disk.layout import KEPT, RUNS, month_folder
from storage.disk.run_ids import is_run_id

RUN_IDS = b"run_ids"  # in the footer, as JSON
_MONTH = len("202611")


def month_of(run_id: str) -> str:
    """Return the calendar month in which a run started, as 202611."""
    return run_id[:_MONTH]


def runs_in(store: Path, name: str) -> list[str]:
    """Return the ids of the runs in a month's file, ascending; none if it was damaged and set aside.

    Raises:
        DamagedFile: the file is damaged.
    """
    path = month_folder(store, name) / KEPT
    if not path.is_file():
        return []
    verify_parquet(path, ())
    run_ids: list[str] = json.loads(pq.read_metadata(path).metadata[RUN_IDS])
    return run_ids


def months_with(store: Path, expiry: Expiry) -> list[str]:
    """Return the names of the months whose files are there."""
    return [name for name in expiry.months.split() if (month_folder(store, name) / KEPT).is_file()]


def month_with(store: Path, expiry: Expiry, run_id: str) -> str | None:
    """Return the name of the month in whose file a run is; None if its own folder counts."""
    return next((name for name in _of(expiry, {month_of(run_id)}) if run_id in runs_in(store, name)), None)


def merged(store: Path, expiry: Expiry, months: set[str]) -> set[str]:
    """Return the ids of the runs that started in some calendar months and are in the files of these."""
    return {run_id for name in _of(expiry, months) for run_id in runs_in(store, name)}


def superseded(store: Path, expiry: Expiry) -> set[str]:
    """Return the ids of the runs in files of months whose own folders are still there."""
    there = set(run_ids(store))
    return there & merged(store, expiry, set(map(month_of, there)))


def run_ids(store: Path) -> list[str]:
    """Return the ids of the runs with a folder of their own, ascending."""
    found = (folder.name.removeprefix("run_id=") for folder in (store / RUNS).glob("run_id=*"))
    return sorted(filter(is_run_id, found))


def _of(expiry: Expiry, months: set[str]) -> list[str]:
    return [name for name in expiry.months.split() if month_of(name) in months]
