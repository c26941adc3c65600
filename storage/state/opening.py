"""Open `service.sqlite` for reading, even where nothing can be written, and explain its faults."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from storage.state.sealed_rows import add_row_crc32
from storage.state.tables import ServiceStateError, is_present, upgrade

_FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# SQLite's errors if it cannot create or fill the two files that it keeps beside a database.
_CANNOT_WRITE_BESIDE = (
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
)


@contextmanager
def opened_to_read(path: Path, busy_s: float) -> Iterator[sqlite3.Connection]:
    """Open a database for queries, in the present schema; wait up to `busy_s` seconds for a writer.

    To read a database in WAL mode SQLite creates two files beside it. Where it cannot (the disk is full, or
    the folder read-only), there are two ways round: lock the database exclusively, with the content of the
    second file in memory; or read the database file as immutable, which it is if no writer has left anything
    beside it.
    """
    uri = path.absolute().as_uri()
    try:
        connection = _connected(f"{uri}?mode=rw", busy_s)
    except sqlite3.OperationalError as error:
        if _primary(error) not in _CANNOT_WRITE_BESIDE:
            raise
        connection = _without_files_beside(path, uri, busy_s)
    with closing(connection):
        yield connection


def _without_files_beside(path: Path, uri: str, busy_s: float) -> sqlite3.Connection:
    try:
        return _connected(f"{uri}?mode=rw", busy_s, "PRAGMA locking_mode = EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if _primary(error) not in _CANNOT_WRITE_BESIDE:
            raise
        beside = path.with_name(f"{path.name}-wal")
        written = beside.exists() and beside.stat().st_size > 0
        return _connected(f"{uri}?{'mode=ro' if written else 'immutable=1'}", busy_s)


def _connected(uri: str, busy_s: float, *pragmas: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, timeout=busy_s, uri=True, isolation_level=None)
    try:
        for pragma in pragmas:
            connection.execute(pragma)
        (version,) = connection.execute("PRAGMA user_version").fetchone()  # proves that the file is readable
        if is_present(version):
            add_row_crc32(connection)
            return connection
        copy = sqlite3.connect(":memory:", isolation_level=None)
        try:
            with closing(connection):
                connection.backup(copy)
            upgrade(copy, Path(uri))
        except BaseException:
            copy.close()
            raise
    except BaseException:
        connection.close()
        raise
    return copy


@contextmanager
def state_faults(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into ServiceStateError, which names the file."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # our own error, not a fault of the file
    except (sqlite3.DatabaseError, OSError, UnicodeDecodeError) as error:
        raise ServiceStateError(f"{path.absolute()} {_what_is_wrong(error)}") from error


def _what_is_wrong(error: sqlite3.DatabaseError | OSError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):  # SQLite names the damage by a name that is damaged too
        full, damaged = False, True
    elif isinstance(error, OSError):
        full, damaged = error.errno in _FULL_DISK, False
    else:
        code = getattr(error, "sqlite_errorcode", 0)
        full = _primary(error) == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR_SHMSIZE
        damaged = _primary(error) in _DAMAGED
    if full:
        return (
            f"cannot be written: the disk is full ({error}). No data are lost, and it can still be read. "
            "Free some space."
        )
    if damaged:
        return (
            f"is damaged ({error}). It holds the credentials, the fleets with their alerts, and the radii "
            "set by hand, so restore it from a backup. Without one, rename it, together with the files of "
            "the same name that end in -wal and -shm: a new file is created, and its content must be "
            "created again."
        )
    return (
        f"cannot be used ({error}). It is left unchanged: make sure that this user may "
        "read and write it, and that no other process has it open."
    )


def _primary(error: sqlite3.DatabaseError) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
