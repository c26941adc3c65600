"""Failures of disk and database, said as errors of the store."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from screening.errors import StoreError

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def store_faults(store: Path) -> Iterator[None]:
    """Turn what the operating system or DuckDB refuses inside the block into a StoreError."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise _disk_is_full(store) from error
        raise StoreError(f"The store {store} cannot be used: {error}.") from error
    except duckdb.Error as error:
        if isinstance(error, duckdb.ProgrammingError) and not isinstance(error, duckdb.InvalidInputException):
            raise  # a mistake of ours; only a file that is no Parquet is an InvalidInputException
        if any(os.strerror(number) in str(error) for number in _FULL):
            raise _disk_is_full(store) from error
        raise StoreError(f"The store {store} cannot be used: {error}") from error


def _disk_is_full(store: Path) -> StoreError:
    return StoreError(
        f"The disk of the store {store} is full (No space left on device). Nothing was written, it shows "
        "what it showed before. Make room there, and the next run goes on; SKYSIEVE_RETENTION_DAYS sets how "
        "much is kept."
    )
