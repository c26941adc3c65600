"""Connections to DuckDB, as the store opens them."""

import duckdb


def in_memory(**config: str) -> duckdb.DuckDBPyConnection:
    """Open a separate in-memory database, to attach or read files with.

    DuckDB's progress bar is off: after two seconds it would appear on standard output, amid data for scripts.
    """
    connection = duckdb.connect(config=dict(config))
    connection.execute("SET enable_progress_bar = false")
    return connection
