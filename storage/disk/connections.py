"""Connections to DuckDB, as all of the store's code opens them."""

import duckdb


def in_memory(**config: str) -> duckdb.DuckDBPyConnection:
    """Open a database of one's own in memory, to attach or read files with.

    DuckDB's progress bar is off: it appears on standard output after two seconds, amid what a script reads.
    """
    connection = duckdb.connect(config=dict(config))
    connection.execute("SET enable_progress_bar = false")
    return connection
