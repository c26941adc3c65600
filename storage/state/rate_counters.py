"""Count the requests of the last minute in `service.sqlite`, for all processes and across restarts.

Every permitted request is a row, numbered within its key, so that the number in any 60 s is exact: the first
and the last number give the count, whatever the limit. A request costs one short transaction. Transactions
are not flushed to the disk one by one: a power failure, unlike a killed process, may lose some.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self

from storage.state.database import SERVICE_STATE, service_state
from storage.state.opening import state_faults
from storage.state.tables import ServiceStateError, upgrade

SPAN_S = 60
_SPAN_US = SPAN_S * 1_000_000
_BUSY_S = 1.0  # requests wait for it
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Clock = Callable[[], datetime]


class Taken(NamedTuple):
    """The result of counting a request."""

    allowed: bool
    remaining: int  # further requests that are allowed now
    more_in_s: float  # when the oldest counted one is a minute old


class RateCounters:
    """Counts requests by key, for any number of threads, and of processes sharing a file."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], path: Path) -> None:
        """Count in the database that `connect` opens, and reopen it if `path` becomes another file."""
        self._connect = connect
        self._path = path
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._file: int | None = None

    @classmethod
    def of_store(cls, store: Path) -> Self:
        """Count in the store's `service.sqlite`."""
        return cls(lambda: _connection_to(store), store / SERVICE_STATE)

    @classmethod
    def in_memory(cls) -> Self:
        """Count for this process alone."""
        return cls(_connection_to_memory, Path(":memory:"))

    def take(self, key: str, limit: int, now: Clock) -> Taken:
        """Count a request if fewer than `limit` with this key were allowed within the last minute.

        Raises:
            ServiceStateError: the file cannot be written.
        """
        with self._transaction() as state:
            # Read inside the transaction, so that the rows of a key are in the order of their times.
            now_us = _microseconds(now())
            _forget(state, key, now_us)
            first, last = _end(state, key, "ASC"), _end(state, key, "DESC")
            count = last.number - first.number + 1 if first and last else 0
            if count < limit:
                number = last.number + 1 if last else 1
                state.execute("INSERT INTO recent_requests VALUES (?, ?, ?)", (key, number, now_us))
                oldest_us = first.at_us if first else now_us
                return Taken(True, limit - count - 1, (oldest_us + _SPAN_US - now_us) / 1e6)
            assert last is not None, "a limit is at least 1"
            at_us = "SELECT at_us FROM recent_requests WHERE key = ? AND number = ?"
            (in_the_way_us,) = state.execute(at_us, (key, last.number - limit + 1)).fetchone()
            return Taken(False, 0, (in_the_way_us + _SPAN_US - now_us) / 1e6)

    def forget(self, now: datetime) -> None:
        """Remove requests of all keys that no longer count.

        Raises:
            ServiceStateError: the file cannot be written.
        """
        if self._connection is None:
            return  # nothing was counted yet
        with self._transaction() as state:
            state.execute("DELETE FROM recent_requests WHERE at_us <= ?", (_microseconds(now) - _SPAN_US,))

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        with self._lock:
            self._close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, state_faults(self._path):
            state = self._open()
            state.execute("BEGIN IMMEDIATE")
            with state:  # commits or rolls back
                yield state

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or _file_number(self._path) != self._file:
            self._close()
            self._connection = self._connect()
            self._file = _file_number(self._path)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _Row(NamedTuple):
    number: int
    at_us: int


def _end(state: sqlite3.Connection, key: str, order: str) -> _Row | None:
    sql = f"SELECT number, at_us FROM recent_requests WHERE key = ? ORDER BY number {order} LIMIT 1"  # noqa: S608
    found = state.execute(sql, (key,)).fetchone()
    return found and _Row(*found)


def _forget(state: sqlite3.Connection, key: str, now_us: int) -> None:
    """Remove requests that no longer count; those counted while the clock was ahead count as made now."""
    state.execute(
        "DELETE FROM recent_requests WHERE key = ?1 AND number < coalesce((SELECT number "
        "FROM recent_requests WHERE key = ?1 AND at_us > ?2 ORDER BY number LIMIT 1), 9e18)",
        (key, now_us - _SPAN_US),
    )
    last = _end(state, key, "DESC")
    if last and last.at_us > now_us:
        ahead = "UPDATE recent_requests SET at_us = ?2 WHERE key = ?1 AND at_us > ?2"
        state.execute(ahead, (key, now_us))


def _file_number(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except (FileNotFoundError, NotADirectoryError):
        return None


def _connection_to(store: Path) -> sqlite3.Connection:
    if not store.is_dir():  # creating it here would hinder whoever moved it
        raise ServiceStateError(f"{store.absolute()} is not a folder, so nothing can be stored there.")
    with service_state(store):  # creates or upgrades the file
        pass
    connection = sqlite3.connect(
        store / SERVICE_STATE, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        # A power failure leaves the file intact; only the last commits may be missing.
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _connection_to_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    upgrade(connection, Path(":memory:"))
    return connection


def _microseconds(time: datetime) -> int:
    since = time - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
