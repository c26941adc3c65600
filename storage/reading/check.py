"""Check every file of a store from beginning to end for damage."""

import gzip
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from screening.errors import StoreError
from storage.disk.checksums import (
    DamagedFile,
    crc_of_file,
    has_checksum,
    opened_json,
    verify_parquet,
)
from storage.disk.downloads import CATALOGUES
from storage.disk.ephemeris import ABOUT, FILES_CRC32
from storage.disk.layout import (
    ANALYSIS_FILES,
    ANALYST_FILE,
    CURRENT,
    DECAY_FILES,
    ELEMENT_FILES,
    EPHEMERIS,
    ERROR_LAWS_FILE,
    FLEET_EVENT_FILES,
    FLEET_MEMBER_FILES,
    FORECAST_FILES,
    FORECAST_TALLIES,
    KEPT_FILES,
    MANOEUVRE_FILES,
    MESSAGE_FILES,
    MONTH_KEPT_FILES,
    MONTH_RUN_FILES,
    RUN_TABLES,
    SCREENED_FILES,
    SHOWN,
    TRAJECTORIES,
    quoted,
    run_files,
)
from storage.disk.run_ids import is_run_id
from storage.state.database import SERVICE_STATE, verify_state

# Returns whether the file has checksums; raises one of _DAMAGE if the file is damaged.
Look = Callable[[Path], bool]

_DAMAGE = (StoreError, ValueError, EOFError, zlib.error, pa.ArrowException, duckdb.Error, sqlite3.Error)


class Part(NamedTuple):
    """A file of a store, and how it is checked."""

    kind: str
    path: Path
    size: int  # bytes
    look: Look


class Found(NamedTuple):
    """The result of checking a file."""

    part: Part
    verified: bool  # it has checksums, and they match
    damage: str  # the fault; empty: none found


def parts(store: Path) -> list[Part]:
    """Return the files of a store that can be checked, grouped by kind.

    Raises:
        StoreError: there is no such folder.
    """
    if not store.is_dir():
        raise StoreError(f"There is no store in {store}: expected the folder in which runs were published.")
    return list(_parts(store))


def check(part: Part) -> Found | None:
    """Check a file; return None if it has been removed meanwhile, for instance expired."""
    try:
        return Found(part, part.look(part.path), "")
    except FileNotFoundError:
        return None
    except DamagedFile as damaged:
        return Found(part, False, damaged.what)
    except OSError as error:
        if error.errno is None or isinstance(error, gzip.BadGzipFile):  # pyarrow or gzip about the content
            return Found(part, False, str(error))
        return Found(part, False, f"it cannot be read: {error.strerror}")
    except _DAMAGE as error:
        return Found(part, False, str(error).split("\n")[0])


def _parts(store: Path) -> Iterator[Part]:
    for table in RUN_TABLES:
        yield from _of(store, table, run_files(table), _parquet)
    yield from _of(store, "screened objects", SCREENED_FILES, _parquet)
    for pattern in (KEPT_FILES, MONTH_KEPT_FILES):
        yield from _of(store, "events kept", pattern, _parquet)
    yield from _of(store, "runs", MONTH_RUN_FILES, _parquet)
    yield from _of(store, "element sets", ELEMENT_FILES, _parquet)
    yield from _of(store, "manoeuvres", MANOEUVRE_FILES, _parquet)
    yield from _of(store, "forecasts", FORECAST_FILES, _parquet)
    yield from _of(store, "forecasts", FORECAST_TALLIES, _parquet)
    yield from _of(store, "decays", DECAY_FILES, _parquet)
    yield from _of(store, "analyses", ANALYSIS_FILES, _parquet)
    yield from _of(store, "messages", MESSAGE_FILES, _parquet)
    yield from _of(store, "fleets", FLEET_EVENT_FILES, _parquet)
    yield from _of(store, "fleets", FLEET_MEMBER_FILES, _parquet)
    yield from _of(store, "trajectories", f"{TRAJECTORIES}/*.parquet", _parquet)
    yield from _of(store, "catalogue texts", f"{CATALOGUES}/*.gz", _catalogue_text)
    yield from _of(store, "histories of sources", f"{CATALOGUES}/*.json", _json)
    yield from _of(store, "ephemeris", f"{EPHEMERIS}/*/{ABOUT}", _json)
    for folder in sorted((store / EPHEMERIS).glob("*/")):
        if is_run_id(folder.name):
            arrays = str(folder.relative_to(store) / "*.npy")
            yield from _of(store, "ephemeris", arrays, _array)
    yield from _of(store, CURRENT, CURRENT, _json)
    yield from _of(store, "error laws", ERROR_LAWS_FILE, _json)
    yield from _of(store, ANALYST_FILE, f"{SHOWN}/*.duckdb", _analyst_file)
    if not (store / ANALYST_FILE).is_symlink():
        yield from _of(store, ANALYST_FILE, ANALYST_FILE, _analyst_file)
    yield from _of(store, SERVICE_STATE, SERVICE_STATE, verify_state)


def _of(store: Path, kind: str, pattern: str, look: Look) -> Iterator[Part]:
    for path in sorted(store.glob(pattern)):
        try:
            yield Part(kind, path, path.stat().st_size, look)
        except FileNotFoundError:
            continue


def _parquet(path: Path) -> bool:
    verified = verify_parquet(path)
    if not verified:  # it may still be too damaged to be read
        with pq.ParquetFile(path) as file:
            for _ in file.iter_batches():
                pass
    return verified


def _catalogue_text(path: Path) -> bool:
    text = gzip.decompress(path.read_bytes())
    if hashlib.sha256(text).hexdigest() != path.stem:
        raise ValueError("its text does not have the hash in its name")
    return True


def _json(path: Path) -> bool:
    text = path.read_bytes()
    opened_json(text)
    return has_checksum(text)


def _array(path: Path) -> bool:
    """Check an array of an ephemeris; its checksum is in the description, which is checked too."""
    crcs = json.loads((path.parent / ABOUT).read_bytes()).get(FILES_CRC32, {})
    if path.name not in crcs:
        return False
    if crc_of_file(path) != crcs[path.name]:
        raise ValueError("its checksum does not match")
    return True


def _analyst_file(path: Path) -> bool:
    """Read everything in an analyst file: DuckDB verifies the checksum of each block that it reads."""
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {quoted(path)} AS looked_at (READ_ONLY)")
        tables = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'looked_at'"
        for (name,) in connection.execute(tables).fetchall():
            connection.execute(f'SELECT bit_xor(hash(COLUMNS(*))) FROM looked_at."{name}"').fetchall()  # noqa: S608
    return True
