"""Write events of a run or of an analysis to one file (CSV, Parquet, DuckDB), or any rows to publish."""

from pathlib import Path

import duckdb
import pyarrow as pa

from screening.errors import UsageError
from screening.vocabulary import SIZES_FROM
from storage.analyst_file.tables_and_views import STORAGE_VERSION
from storage.disk.connections import in_memory
from storage.disk.faults import store_faults
from storage.disk.layout import quoted
from storage.disk.whole_files import staged_beside
from storage.reading.newest_run import connect
from storage.rows.spreadsheets import NAME_COLUMNS, without_formulas_sql
from storage.vocabulary import EVENTS_FILE_SUFFIXES

_SIZES = "sizes, masses and owners"  # whose they are
_TIMES = "%Y-%m-%dT%H:%M:%S.%fZ"  # UTC


def check_events_file(target: Path) -> None:
    """Raise UsageError if `target` cannot become a file of events."""
    if target.suffix not in EVENTS_FILE_SUFFIXES:
        raise UsageError(
            f"{target} ends in {target.suffix!r}; expected one of {', '.join(EVENTS_FILE_SUFFIXES)}."
        )
    if not target.absolute().parent.is_dir():
        raise UsageError(f"The folder {target.absolute().parent} does not exist: create it, or name another.")


def write_events(store: Path, target: Path) -> Path:
    """Write the table `conjunctions` of the newest run to a file, replacing it; return its absolute path.

    The suffix decides the format: CSV with a header, times with Z and a `'` before names that look like
    formulas, Parquet, or a DuckDB file with this one table; the last two say whose the published sizes are.
    The file appears whole or not at all.
    """
    with store_faults(store), connect(store) as connection:
        return _write(connection, "skysieve.conjunctions", target)


def write_rows(rows: pa.Table, target: Path) -> Path:
    """Write rows of the table `conjunctions` to a file like `write_events`; return its absolute path."""
    with store_faults(target.parent), in_memory() as connection:
        connection.register("conjunctions", rows)
        return _write(connection, "conjunctions", target)


def _write(connection: duckdb.DuckDBPyConnection, source: str, target: Path) -> Path:
    check_events_file(target)
    target = target.absolute()
    with staged_beside(target) as staged:
        staged.unlink(missing_ok=True)
        if target.suffix == ".duckdb":
            connection.execute(f"ATTACH {quoted(staged)} AS target (STORAGE_VERSION '{STORAGE_VERSION}')")
            connection.execute(f"CREATE TABLE target.conjunctions AS FROM {source}")
            said = f"{_SIZES}: {SIZES_FROM}"
            connection.execute(f"COMMENT ON TABLE target.conjunctions IS {quoted(said)}")
            connection.execute("DETACH target")
        else:
            said = f"{{{quoted(_SIZES)}: {quoted(SIZES_FROM)}}}"
            rows, form = source, f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {said})"
            if target.suffix == ".csv":
                names = ", ".join(f"{without_formulas_sql(name)} AS {name}" for name in NAME_COLUMNS)
                rows = f"(SELECT * REPLACE ({names}) FROM {source})"  # noqa: S608 - our own names
                form = f"(FORMAT csv, HEADER, TIMESTAMPFORMAT '{_TIMES}')"
            connection.execute(f"COPY {rows} TO {quoted(staged)} {form}")
    return target


def write_parquet(rows: pa.Table, path: Path) -> None:
    """Write rows as Parquet, with whose the published sizes are."""
    _copy(
        rows,
        "found",
        path,
        f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{quoted(_SIZES)}: {quoted(SIZES_FROM)}}}",
    )


def write_gzipped_csv(rows: pa.Table, path: Path) -> None:
    """Write rows as CSV, compressed; with a `'` before names that a spreadsheet would take for a formula."""
    texts = [
        f"{without_formulas_sql(one)} AS {one}" if one.endswith("name") else one for one in rows.column_names
    ]
    source = f"(SELECT {', '.join(texts)} FROM found)"  # noqa: S608 - our own names
    _copy(rows, source, path, f"FORMAT csv, HEADER, COMPRESSION gzip, TIMESTAMPFORMAT '{_TIMES}'")


def _copy(rows: pa.Table, source: str, path: Path, form: str) -> None:
    with in_memory() as connection:
        connection.execute("SET threads = 1")  # several would write in any order
        connection.register("found", rows)
        connection.execute(f"COPY {source} TO {quoted(path)} ({form})")
