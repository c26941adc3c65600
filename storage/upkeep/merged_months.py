"""Put what stays of expired runs into one file a month; the run after that removes their own folders.

A run of 20 events leaves 39.5 kB in three files, nearly all of it names of columns and checksums; in the
files of its month it takes 4.1 kB.
"""

import json
import shutil
from itertools import groupby
from pathlib import Path

import pyarrow as pa

from storage import schema
from storage.analyst_file.expired_months import RUN_IDS, month_of, run_ids, runs_in, superseded
from storage.analyst_file.tables_and_views import files_of_runs
from storage.disk.checksums import verify_all
from storage.disk.connections import in_memory
from storage.disk.current import Expiry
from storage.disk.layout import (
    KEPT,
    RUN_FILES,
    STAGING,
    month_folder,
    new_parquet,
    run_folder,
    with_every_column,
)
from storage.disk.whole_files import sync_folder

_STAYS = {KEPT: schema.CONJUNCTIONS, RUN_FILES["runs"]: schema.RUNS}
_ROWS_AT_A_TIME = 65_536


def merge_expired_months(store: Path, expiry: Expiry) -> Expiry:
    """Write the files of the months before the border of runs, and return the borders that show them.

    Needs the lock and a staging folder. A month that lacks a run's file, damaged and set aside, waits
    until that is back.

    Raises:
        DamagedFile: a file is damaged.
    """
    gone, names = superseded(store, expiry), expiry.months.split()
    left = [run_id for run_id in run_ids(store) if run_id not in gone]
    for month, of_month in groupby(left, month_of):
        runs = list(of_month)
        if month < month_of(expiry.runs_from) and all(_is_whole(run_folder(store, one)) for one in runs):
            names.append(_merged(store, month, runs))
    return expiry._replace(months=" ".join(names))


def remove_superseded(store: Path, expiry: Expiry) -> None:
    """Remove the folders of runs that are in the files of months."""
    for run_id in sorted(superseded(store, expiry)):
        shutil.rmtree(run_folder(store, run_id))


def _is_whole(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _STAYS)


def _merged(store: Path, month: str, runs: list[str]) -> str:
    """Write the files of some runs of a month, unless a kill has left them, and return their folder's name.

    A month has a second folder if a clock was put back into it.
    """
    name, count = month, 1
    while month_folder(store, name).exists():
        if runs_in(store, name) == runs:
            return name
        count += 1
        name = f"{month}-{count:03d}"
    staged = store / STAGING / "month"
    staged.mkdir()
    for file, table in _STAYS.items():
        _write_rows(store, [run_folder(store, one) / file for one in runs], table, runs, staged / file)
    sync_folder(staged)
    folder = month_folder(store, name)
    staged.rename(folder)
    sync_folder(folder.parent)
    return name


def _write_rows(store: Path, paths: list[Path], table: schema.Table, runs: list[str], target: Path) -> None:
    verify_all(paths)
    columns = table.arrow.with_metadata({RUN_IDS: json.dumps(runs).encode()})
    listed = with_every_column(store, paths)
    with in_memory(threads="1") as connection, new_parquet(target, columns) as file:
        rows = connection.sql(f"FROM {files_of_runs(listed)}")
        for batch in rows.to_arrow_reader(_ROWS_AT_A_TIME):
            file.write_table(pa.Table.from_batches([batch]).select(columns.names).cast(columns))
