"""Read and write `service.sqlite`: what the service remembers apart from the runs themselves.

Every function opens the file, works in one transaction and closes it, so that a run, the API and the command
line can use it concurrently.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

from storage.addresses import without_secrets
from storage.machine.private import keep_private, make_private_file
from storage.state.opening import opened_to_read, state_faults
from storage.state.records import SEALED, Record, Table
from storage.state.sealed_rows import DamagedRow, verify_rows, verify_sessions
from storage.state.tables import upgrade
from storage.times import parse_time, time_text

SERVICE_STATE = "service.sqlite"
KEPT_ATTEMPTS = 10_000  # seven years of a run every six hours
_BUSY_S = 10.0  # transactions take milliseconds

_SORTING = "microseconds"  # all six decimals, so that texts sort like times

_ASKED = "SELECT at, begun FROM asked_runs"

Outcome = Literal["published", "skipped", "failed"]


State = sqlite3.Connection  # in a transaction of `service_state`


class Attempt(NamedTuple):
    """An attempt to make a run. Times are UTC with their zone."""

    id: int
    started: datetime
    finished: datetime | None  # None, like `outcome`: under way, or the process was killed
    source: str
    stage: str  # the stage it is in, or ended in
    outcome: Outcome | None
    decision: str | None  # the decision about the catalogue
    reason: str | None
    run_id: str | None


class AskedRun(NamedTuple):
    """A run that was asked for; the audit log has by whom. Times are UTC with their zone."""

    at: datetime
    begun: datetime | None  # by the schedule; None: it waits


class RequestLimit(NamedTuple):
    """A limit on requests within any span of a length."""

    requests: int
    span: timedelta


@contextmanager
def service_state(store: Path) -> Iterator[sqlite3.Connection]:
    """Open the state for one transaction, which is committed unless the block raises.

    The file is created or upgraded if necessary. Raises ServiceStateError if that fails.
    """
    path = store / SERVICE_STATE
    with state_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        make_private_file(path)  # SQLite gives its journals the same permissions
        for ending in ("", "-wal", "-shm"):
            keep_private(path.with_name(f"{SERVICE_STATE}{ending}"))
        with closing(sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)) as connection:
            _write_ahead(connection, store)
            connection.execute("BEGIN IMMEDIATE")
            with connection:
                upgrade(connection, path)
                yield connection


def _write_ahead(connection: sqlite3.Connection, store: Path) -> None:
    """Switch to write-ahead logging, so that readers continue during writes.

    It is done once per file, and needs exclusive access.
    SQLite would not wait for that: when several processes created the file at once, all but one failed.
    """
    folder = os.open(store, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode = WAL")
    finally:
        os.close(folder)


def query_state(
    store: Path, sql: str, values: Sequence[object] = (), *, tables: Sequence[str] = ()
) -> list[tuple[Any, ...]]:
    """Return the rows of a query, none if there is no file. Works without write permission.

    The rows of those `tables` that are in SEALED are verified first: ServiceStateError names the damaged one.
    A file of an earlier release is upgraded in memory; the next writer upgrades it for good.
    """
    path = store / SERVICE_STATE
    if not path.exists():
        return []
    with state_faults(path), opened_to_read(path, _BUSY_S) as state:
        state.execute("BEGIN")  # verify and read in one transaction
        verify_rows(state, *tables)
        return state.execute(sql, values).fetchall()


def bound_id(number: int | None) -> int | None:
    """Return an id for a query; 0, which is never one, for a number that SQLite cannot take."""
    return number if number is None or -(2**63) <= number < 2**63 else 0


def read_records(
    store: Path, table: Table[Record], rest: str = "", values: Sequence[object] = ()
) -> list[Record]:
    """Return the records of a table, as `query_state`; `rest` holds the conditions and the order."""
    tables = [table.name] if table.name in SEALED else []
    return [table.read(row) for row in query_state(store, f"{table.select} {rest}", values, tables=tables)]


def verify_state(path: Path) -> bool:
    """Verify a whole `service.sqlite`, and say whether its rows have checksums.

    Raises:
        DamagedRow: a row or table is damaged.
        sqlite3.Error: it cannot be read.
        ServiceStateError: it was written by a newer release.
    """
    with opened_to_read(path, _BUSY_S) as state:
        state.execute("BEGIN")
        (structure,) = state.execute("PRAGMA integrity_check(1)").fetchone()
        if structure != "ok":
            raise DamagedRow(structure)
        verify_rows(state, *SEALED)
        verify_sessions(state)
        # A file of an earlier release is read from memory, where it has just got its checksums.
        return any(file for *_, file in state.execute("PRAGMA database_list"))


def begin_attempt(store: Path, started: datetime, source: str, stage: str) -> int:
    """Record that an attempt has begun, and return its id. Naive times are UTC."""
    with service_state(store) as state:
        attempt = state.execute(
            "INSERT INTO attempts (started, source, stage) VALUES (?, ?, ?)",
            (time_text(started, _SORTING), without_secrets(source), stage),
        ).lastrowid
        assert attempt is not None, "an INSERT has a row id"
        state.execute("DELETE FROM attempts WHERE id <= ?", (attempt - KEPT_ATTEMPTS,))
        return attempt


def end_attempt(
    store: Path,
    attempt: int,
    finished: datetime,
    outcome: Outcome,
    *,
    stage: str | None = None,
    decision: str | None = None,
    reason: str | None = None,
    run_id: str | None = None,
) -> None:
    """Record how an attempt ended; `stage` is the one it ended in, None: that in which it began."""
    with service_state(store) as state:
        state.execute(
            "UPDATE attempts SET finished = ?, outcome = ?, stage = coalesce(?, stage), decision = ?, "
            "reason = ?, run_id = ? WHERE id = ?",
            (
                time_text(finished, _SORTING),
                outcome,
                stage,
                decision,
                reason and without_secrets(reason),
                run_id,
                attempt,
            ),
        )


def newest_attempts(store: Path, limit: int) -> list[Attempt]:
    """Return the newest attempts, newest first; none if the store has recorded none yet."""
    columns = ", ".join(Attempt._fields)
    rows = query_state(store, f"SELECT {columns} FROM attempts ORDER BY id DESC LIMIT ?", (limit,))  # noqa: S608
    return [
        Attempt(number, parse_time(started), finished and parse_time(finished), *map(_shown, rest))
        for number, started, finished, *rest in rows
    ]


def ask_for_run(store: Path, now: datetime) -> AskedRun:
    """Ask the schedule of a store for a run at once, and return what waits; one waits at a time."""
    with service_state(store) as state:
        waits = state.execute(f"{_ASKED} WHERE begun IS NULL").fetchone()
        if waits is None:
            state.execute("DELETE FROM asked_runs")  # what was begun is among the attempts
            state.execute("INSERT INTO asked_runs (at) VALUES (?)", (time_text(now, _SORTING),))
            waits = state.execute(_ASKED).fetchone()
        return _asked(waits)


def begin_asked_run(store: Path, now: datetime) -> AskedRun | None:
    """Return the run that was asked for, and note that it is begun now; None: none waits."""
    if asked_run(store, waiting=True) is None:
        return None  # written to only if there is something to write
    with service_state(store) as state:
        sql = "UPDATE asked_runs SET begun = ? WHERE begun IS NULL RETURNING at, begun"
        found = state.execute(sql, (time_text(now, _SORTING),)).fetchone()
        return None if found is None else _asked(found)


def asked_run(store: Path, *, waiting: bool = False) -> AskedRun | None:
    """Return the run that was last asked for, or only if it waits; None: none was."""
    where = "WHERE begun IS NULL" if waiting else ""
    rows = query_state(store, f"{_ASKED} {where} ORDER BY id DESC LIMIT 1")
    return _asked(rows[0]) if rows else None


def _asked(row: Sequence[Any]) -> AskedRun:
    at, begun = row
    return AskedRun(parse_time(at), begun and parse_time(begun))


def count_attempts(store: Path) -> dict[Outcome, int]:
    """Count the recorded attempts by outcome."""
    sql = "SELECT outcome, count(*) FROM attempts WHERE outcome IS NOT NULL GROUP BY outcome"
    return dict(query_state(store, sql))


def count_decisions(store: Path) -> dict[str, int]:
    """Count the recorded runs by what was decided about their catalogue; skipped attempts made none."""
    sql = (
        "SELECT decision, count(*) FROM attempts "
        "WHERE decision IS NOT NULL AND outcome IN ('published', 'failed') GROUP BY decision"
    )
    return dict(query_state(store, sql))


def claim_request(
    store: Path, service: str, now: datetime, limits: Sequence[RequestLimit]
) -> datetime | None:
    """Record a request to a service and return None; if a limit is reached, return when the next is allowed.

    Checking and recording are atomic across processes, and records outlive them.
    """
    with service_state(store) as state:
        free_at = _free_at(state, service, now, limits)
        if free_at is None:
            state.execute(
                "INSERT INTO requests (service, at) VALUES (?, ?)", (service, time_text(now, _SORTING))
            )
        return free_at


def when_free(store: Path, service: str, now: datetime, limits: Sequence[RequestLimit]) -> datetime | None:
    """Return when the next request to a service is allowed, None if it is now; records nothing."""
    with service_state(store) as state:
        return _free_at(state, service, now, limits)


def _free_at(
    state: sqlite3.Connection, service: str, now: datetime, limits: Sequence[RequestLimit]
) -> datetime | None:
    longest = max(limit.span for limit in limits)
    # Times far ahead were recorded by a wrong clock, and would block for ever.
    state.execute(
        "DELETE FROM requests WHERE service = ? AND (at <= ? OR at > ?)",
        (service, time_text(now - longest, _SORTING), time_text(now + longest, _SORTING)),
    )
    newest_first = "SELECT at FROM requests WHERE service = ? ORDER BY at DESC"
    made = [parse_time(at) for (at,) in state.execute(newest_first, (service,))]
    room = [made[limit.requests - 1] + limit.span for limit in limits if len(made) >= limit.requests]
    free_at = max(room, default=None)
    return free_at if free_at is not None and free_at > now else None


def _shown(value: Any) -> Any:
    """Return a value without secrets: earlier releases stored addresses with theirs."""
    return without_secrets(value) if isinstance(value, str) else value
