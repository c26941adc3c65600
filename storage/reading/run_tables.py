"""Tables of runs as Arrow tables, with the columns of `storage/schema.py`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.errors import InputError
from storage import schema
from storage.analyst_file.expired_months import month_with
from storage.disk.checksums import DamagedFile, verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import KEPT, RUN_FILES, month_folder, run_folder
from storage.disk.run_ids import is_run_id
from storage.reading.newest_run import connect, current

TableOfRun = Literal["conjunctions", "proximities"]  # each run has its own
TableOfStore = Literal["objects", "runs"]  # there is one, which the newest run wrote

_COLUMNS_AT_ONCE = 4  # of 994,000 rows 32 MB, and work for several cores


def run_columns(store: Path, table: TableOfRun, run_id: str | None = None) -> Iterator[pa.Table]:
    """Yield the columns of a run's table, a few at a time; without an id of the newest run.

    Conjunctions are those that the run itself found; of an expired run the critical and high ones.

    Raises:
        InputError: the store has no such run.
        StoreError: the store cannot be read.
    """
    store = store.resolve()
    columns = schema.TABLES[table].arrow
    with store_faults(store):
        path, only = _file(store, table, run_id)
        verify_parquet(path)
        try:
            with pq.ParquetFile(path, pre_buffer=False) as file:
                yield from _some_at_once(file, columns, only)
        except pa.ArrowException as error:  # of a file without checksums, of release 0.1
            raise DamagedFile(path, str(error)) from error


def _some_at_once(file: pq.ParquetFile, columns: pa.Schema, only: str | None) -> Iterator[pa.Table]:
    """Yield the columns of a file; `only`: the run whose rows are meant."""
    there = set(file.schema_arrow.names)
    mask = None if only is None else pc.equal(file.read(["run_id"])["run_id"].cast(pa.string()), only)
    for first in range(0, len(columns), _COLUMNS_AT_ONCE):
        some = [columns.field(place) for place in range(first, min(first + _COLUMNS_AT_ONCE, len(columns)))]
        rows = file.read([field.name for field in some if field.name in there])
        yield with_columns(rows if mask is None else rows.filter(mask), pa.schema(some))
        del rows
        pa.default_memory_pool().release_unused()  # else 100 MB are kept for the next columns


def store_table(store: Path, table: TableOfStore) -> pa.Table:
    """Return the objects of the newest run, or the records of all runs.

    Raises:
        StoreError: the store cannot be read.
    """
    stored = schema.TABLES[table]
    with store_faults(store), connect(store) as connection:
        rows = connection.sql(f"FROM {table}").to_arrow_table()
    return with_columns(rows, stored.arrow)


def with_columns(rows: pa.Table, columns: pa.Schema) -> pa.Table:
    """Return rows with exactly these columns; NULL in those that they lack."""
    found = set(rows.column_names)
    return pa.Table.from_arrays(
        [
            _as(rows[field.name], field.type) if field.name in found else pa.nulls(len(rows), field.type)
            for field in columns
        ],
        schema=columns,
    )


def _as(values: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | pa.Array:
    if values.null_count == len(values):  # of a column that the store lacks, of whatever type
        return pa.nulls(len(values), kind)
    if pa.types.is_dictionary(kind) and not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    return values if values.type.equals(kind) else values.cast(kind)


def _file(store: Path, table: TableOfRun, run_id: str | None) -> tuple[Path, str | None]:
    """Return the file with a run's rows, and the run's id if there are rows of others in it."""
    newest = current(store)
    wanted = newest.run_id if run_id is None else run_id
    month = month_with(store, newest.expiry, wanted)
    if month is not None and table == "conjunctions":
        return month_folder(store, month) / KEPT, wanted
    if month is not None:
        raise InputError(
            f"Run {wanted} has expired: its critical and high conjunctions are all that remains."
        )
    folder = run_folder(store, wanted) if is_run_id(wanted) else None
    if folder is None or not (folder / RUN_FILES["runs"]).is_file():
        raise InputError(
            f"The store {store} has no run {wanted!r}; its newest is {newest.run_id}, and its table `runs` "
            "names all."
        )
    if table == "conjunctions" and wanted < newest.expiry.runs_from:
        return folder / KEPT, None
    return folder / RUN_FILES[table], None
