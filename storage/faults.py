"""Failures of disk and database, said as errors of the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from screening.errors import StoreError


@contextmanager
def store_faults(store: Path) -> Iterator[None]:
    """Turn what the operating system or DuckDB refuses inside the block into a StoreError."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"The store {store} cannot be used: {error}.") from error
    except (duckdb.OperationalError, duckdb.InternalError, duckdb.FatalException) as error:
        raise StoreError(f"The store {store} cannot be used: {error}") from error
