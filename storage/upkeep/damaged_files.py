"""Set unreadable files of the store aside, so that one of them does not stop every run."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from storage.disk.checksums import ASIDE, DamagedFile, verify_parquet
from storage.disk.layout import (
    ANALYSIS_FILES,
    DECAY_FILES,
    FORECAST_FILES,
    KEPT_FILES,
    MESSAGE_FILES,
    MONTH_KEPT_FILES,
    MONTH_RUN_FILES,
    RUN_TABLES,
    SCREENED_FILES,
    run_files,
)

Result = TypeVar("Result")

log = logging.getLogger("skysieve")


def read_without_damaged(store: Path, read: Callable[[], Result]) -> Result:
    """Return what `read` returns; if it fails because of a damaged file, set that aside and read again.

    Needs the lock. Raises what `read` raises if no file is damaged.
    """
    try:
        return read()
    except (duckdb.Error, pa.ArrowException, OSError, DamagedFile):
        if not set_aside(store):
            raise
        return read()


def set_aside(store: Path) -> list[Path]:
    """Rename the damaged files of runs and analyses, and log that; return their former paths.

    Files are read from beginning to end, which may take a minute in a large store.
    """
    of_runs = (*(run_files(table) for table in RUN_TABLES), SCREENED_FILES, KEPT_FILES)
    of_months = (MONTH_KEPT_FILES, MONTH_RUN_FILES)
    patterns = [*of_runs, *of_months, ANALYSIS_FILES, MESSAGE_FILES, FORECAST_FILES, DECAY_FILES]
    damaged = [path for pattern in patterns for path in sorted(store.glob(pattern)) if _is_damaged(path)]
    for path in damaged:
        aside = path.with_name(f"{path.name}{ASIDE}")
        path.rename(aside)
        log.warning(
            "%s cannot be read; it is set aside as %s, and the store works without it. A backup may contain "
            "it.",
            path,
            aside.name,
        )
    return damaged


def _is_damaged(path: Path) -> bool:
    try:
        verify_parquet(path)
        with pq.ParquetFile(path) as file:
            for _ in file.iter_batches():
                pass
    except (pa.ArrowException, OSError, DamagedFile) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # an error of the disk; the file may be intact
        return True
    return False
