"""Failures of disk and database, said as errors of the store."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from screening.errors import StoreError
from storage.disk.checksums import DamagedFile
from storage.disk.layout import ANALYST_FILE

# What DuckDB says of a file of its own whose blocks have not the checksums that they were written with.
_DAMAGED_CATALOGUE = re.compile(r"[Cc]orrupt|checksum|not a valid DuckDB database|Serialization Error")
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
        if says_damaged(error):
            raise damaged_analyst_file(store, error) from error
        if any(os.strerror(number) in str(error) for number in _FULL):
            raise _disk_is_full(store) from error
        raise StoreError(f"The store {store} cannot be used: {error}") from error


def says_damaged(error: duckdb.Error) -> bool:
    """Tell whether DuckDB says that a file of its own is not what was written."""
    return _DAMAGED_CATALOGUE.search(str(error)) is not None


def damaged_analyst_file(store: Path, error: duckdb.Error) -> DamagedFile:
    """Return the error for that, which names the file."""
    return DamagedFile(
        store / ANALYST_FILE,
        str(error).split("\n")[0],
        "The next run writes it anew, and no run is lost; or put it back from a backup.",
    )


def _disk_is_full(store: Path) -> StoreError:
    return StoreError(
        f"The disk of the store {store} is full (No space left on device). Nothing was written, it shows "
        "what it showed before. Make room there, and the next run goes on; SKYSIEVE_RETENTION_DAYS sets how "
        "much is kept."
    )
