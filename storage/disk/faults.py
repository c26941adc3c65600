"""Turn failures of disk and database into errors of the store."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from screening.errors import StoreError
from storage.disk.checksums import DamagedFile
from storage.disk.connections import is_interrupt
from storage.disk.layout import ANALYST_FILE

# DuckDB's errors for a file of its own whose checksums do not match.
_DAMAGED_CATALOGUE = re.compile(r"[Cc]orrupt|checksum|not a valid DuckDB database|Serialization Error")
_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def store_faults(store: Path) -> Iterator[None]:
    """Turn errors of the operating system or DuckDB inside the block into a StoreError.

    Ctrl-C during a query is KeyboardInterrupt.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise _disk_is_full(store) from error
        raise StoreError(f"The store {store} cannot be used: {error}.") from error
    except duckdb.Error as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        if isinstance(error, duckdb.ProgrammingError) and not isinstance(error, duckdb.InvalidInputException):
            raise  # a bug; InvalidInputException is also raised for a file that is not Parquet
        if says_damaged(error):
            raise damaged_analyst_file(store, error) from error
        if any(os.strerror(number) in str(error) for number in _FULL):
            raise _disk_is_full(store) from error
        raise StoreError(f"The store {store} cannot be used: {error}") from error
    except RuntimeError as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise


def says_damaged(error: duckdb.Error) -> bool:
    """Return whether DuckDB reports that a file of its own is damaged."""
    return _DAMAGED_CATALOGUE.search(str(error)) is not None


def damaged_analyst_file(store: Path, error: duckdb.Error) -> DamagedFile:
    """Return the error for a damaged analyst file, which names it."""
    return DamagedFile(
        store / ANALYST_FILE,
        str(error).split("\n")[0],
        "The next run rewrites it, and no run is lost; or restore it from a backup.",
    )


def _disk_is_full(store: Path) -> StoreError:
    return StoreError(
        f"The disk of the store {store} is full (No space left on device). Nothing was written, and the "
        "store is unchanged. Free some space, and the next run continues; "
        "SKYSIEVE_RETENTION_DAYS sets how long data are kept."
    )
