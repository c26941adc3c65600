"""Run a user's SQL against the store; it can read only the store and write nothing."""

import json
import re
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from screening.errors import InputError, UsageError
from storage.disk.checksums import verify_all
from storage.disk.connections import interruptible
from storage.disk.layout import (
    ANALYSES,
    ANALYSIS_FILES,
    DECAY_FILES,
    DECAYS,
    ELEMENT_FILES,
    ELEMENTS,
    EXPIRED,
    FLEET_EVENT_FILES,
    FLEETS,
    FORECAST_FILES,
    FORECASTS,
    MANOEUVRE_FILES,
    MANOEUVRES,
    MESSAGE_FILES,
    MESSAGES,
    RUNS,
    conjunction_files,
    quoted,
)
from storage.messages.kept import JOINED_BY
from storage.reading.newest_run import connect
from storage.times import fetched_utc

_EXPLAIN = re.compile(r"\s*explain(\s+analyze)?\s+", re.IGNORECASE)
_READING_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_ROWS_AT_ONCE = 10_000

Rows = Iterator[tuple[object, ...]]
Parameters = Sequence[object] | Mapping[str, object]


def query(store: Path, sql: str) -> tuple[list[str], Rows]:
    """Run one reading statement; return the names of its columns, and its rows lazily.

    Raises:
        UsageError: the text is not exactly one statement, or it writes.
        InputError: DuckDB refuses it; the message is DuckDB's.
    """
    connection = _ready_for(store, sql)
    try:
        found = interruptible(connection, lambda: connection.execute(sql))
    except duckdb.Error as error:
        connection.close()
        raise _refused(error) from error
    except BaseException:
        connection.close()
        raise
    return [column[0] for column in found.description or ()], _rows(connection)


def query_arrow(store: Path, sql: str, parameters: Parameters | None = None) -> pa.Table:
    """Run one reading statement and return all rows; `parameters` stand for its ? or $name.

    Raises:
        UsageError: the text is not exactly one statement, or it writes.
        InputError: DuckDB refuses it or a parameter; the message is DuckDB's.
    """
    with _ready_for(store, sql) as connection:
        try:
            return interruptible(connection, lambda: connection.sql(sql, params=parameters).to_arrow_table())
        except duckdb.Error as error:
            raise _refused(error) from error


def _ready_for(store: Path, sql: str) -> duckdb.DuckDBPyConnection:
    """Open a connection that can only read the store, for a statement that only reads."""
    connection = connect(store)
    try:
        connection.execute("SET TimeZone = 'UTC'")
        _refuse_writing(connection, sql)
        _confine(connection, store.resolve())
        verify_what_views_read(store.resolve(), sql)
    except duckdb.Error as error:
        connection.close()
        raise _refused(error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _rows(connection: duckdb.DuckDBPyConnection) -> Rows:
    with connection:
        try:
            while rows := interruptible(connection, lambda: fetched_utc(connection, _ROWS_AT_ONCE)):
                yield from rows
        except duckdb.Error as error:
            raise _refused(error) from error


def _refused(error: duckdb.Error) -> InputError:
    reason = str(error).split("\n\n")[0]  # the rest points into the text of the query
    return InputError(f"The query failed. {reason}")


def verify_what_views_read(store: Path, sql: str) -> None:
    """Verify the files behind the views that a statement names: DuckDB does not verify their checksums."""
    named = sql.lower()
    if "conjunction_history" in named:
        verify_all(conjunction_files(store))
    if "messages" in named:
        verify_all(store.glob(MESSAGE_FILES))
        verify_all((*conjunction_files(store), *store.glob(ANALYSIS_FILES)), JOINED_BY)
    if "element_history" in named:
        verify_all(store.glob(ELEMENT_FILES))
    if "events" in named or "analyses" in named:
        verify_all(store.glob(ANALYSIS_FILES))
    if "fleet_events" in named:
        verify_all(store.glob(FLEET_EVENT_FILES))
    if "manoeuvres" in named:
        verify_all(store.glob(MANOEUVRE_FILES))
    if "forecasts" in named:
        verify_all(store.glob(FORECAST_FILES))
    if "decays" in named:
        verify_all(store.glob(DECAY_FILES))


def _confine(connection: duckdb.DuckDBPyConnection, store: Path) -> None:
    """Allow only the folders that the views read, not the rest of the disk or the network."""
    read = (RUNS, EXPIRED, ELEMENTS, ANALYSES, MESSAGES, FLEETS, MANOEUVRES, FORECASTS, DECAYS)
    folders = ", ".join(quoted(store / name) for name in read)
    connection.execute(f"SET allowed_directories = [{folders}]")
    # DuckDB makes it when a query needs more than memory; by default `.tmp` where the command is started.
    spilled = Path(tempfile.gettempdir()) / f"skysieve-{secrets.token_hex(8)}"
    connection.execute(f"SET temp_directory = {quoted(spilled)}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _refuse_writing(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse anything but one reading statement.

    The analyst file is attached read-only, but COPY could still write beside it, even inside a WITH or the
    table function query(). So the parsed statement must consist of reading nodes only.
    """
    count = len(duckdb.extract_statements(sql))
    if count != 1:
        raise UsageError(f"SQL on the store is exactly one statement; this text has {count}.")
    body = _EXPLAIN.sub("", sql, count=1) if _EXPLAIN.match(sql) else sql
    row = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [body]).fetchone()
    assert row is not None
    parsed = json.loads(row[0])
    if parsed["error"] or not _reads_only(parsed["statements"]):
        raise UsageError(
            "SQL on the store only reads: SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN of "
            "these. To write, copy the data first: `skysieve export FILE.duckdb`."
        )


def _reads_only(tree: object) -> bool:
    if isinstance(tree, list):
        return all(_reads_only(item) for item in tree)
    if not isinstance(tree, dict):
        return True
    kind = tree.get("type")
    if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _READING_NODES:
        return False
    if tree.get("function_name") == "query":
        return False
    return all(_reads_only(item) for item in tree.values())
