"""A snapshot of one run in memory, from which the HTTP service answers."""

import copy
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self, cast

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from screening.errors import StoreError
from storage import schema
from storage.analyst_file.tables_and_views import after_runs, history, manoeuvres
from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.current import Expiry
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ANALYSES,
    ANALYSIS_FILES,
    CURRENT,
    MANOEUVRE_FILES,
    RUN_FILES,
    conjunction_files,
    quoted,
    run_folder,
)
from storage.disk.lock import store_lock
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import BATCH_ROWS, EventPage, EventQuery, EventTable, Row
from storage.in_memory.object_fields import rows_with
from storage.reading.newest_run import connect, current
from storage.rows.danger import DECISIVE_PROBABILITY
from storage.rows.run_record import Run, run_from_row
from storage.times import datetime64_us, fetched_utc
from storage.vocabulary import FLEET, RESTRICTED_MESSAGE, SECOND_LOOK

Stamp = tuple[int, ...]

_PLACING_S = 60.0
_MANOEUVRES_BEFORE = timedelta(days=60)  # the window; sets, and messages about its encounters, are younger
_COPIED = ("proximities", "elements", "objects", "rejections")
_EVENTS = ", ".join(EVENT_COLUMNS)
_EVENT_ID, _RUN_ID, _ORIGIN = map(EVENT_COLUMNS.index, ("event_id", "run_id", "origin"))
_NAMED_BY_RUN = ("run_id=", f"{SECOND_LOOK}-", f"{FLEET}-")
_KEPT_HISTORIES = 64  # of 120 runs each: 30 MB


class SearchedRun(NamedTuple):
    """What a run has searched. Times are UTC."""

    run_id: str
    window_start: datetime
    window_end: datetime  # exclusive
    threshold_km: float  # largest miss, exclusive


class Snapshot:
    """The newest run and the analyses since, copied into memory; a snapshot never changes.

    Any number of threads may use it at once. Its memory is freed with the last reference.
    """

    def __init__(
        self,
        store: Path,
        run: Run,
        expiry: Expiry,
        connection: duckdb.DuckDBPyConnection,
        *,
        analyses: bool = True,
    ) -> None:
        """Take over a connection to the store's analyst file, and copy what is needed."""
        self.store = store
        self.run = run
        self.organisation_id: int | None = None  # that sees it; None: it has what all of them have
        self._expiry = expiry
        self._history = f"({history(store, expiry)})"
        self._connection = connection  # statements that may take long each get a cursor of it
        # A function instead of a method: an old snapshot is freed at once, not when Python collects cycles.
        both = f"({self._history} UNION ALL BY NAME {after_runs(store, expiry)})"
        self._read_history: Callable[..., tuple[Row, ...]] = partial(_history, store, connection, both)
        self._histories = lru_cache(_KEPT_HISTORIES)(self._read_history)
        self._events = _events(connection, "events" if analyses else "conjunctions")
        self._superseded: tuple[str, EventTable] | None = None
        for table in _COPIED:
            connection.execute(f"CREATE TABLE memory.{table} AS FROM {table}")
        connection.execute(
            "CREATE TABLE memory.windows AS "
            "SELECT run_id, historic, synthetic, window_start, window_end, threshold_km, trajectories "
            "FROM runs"
        )
        connection.execute(f"CREATE TABLE memory.manoeuvres AS {_recent(store, run, expiry)}")
        connection.execute("USE memory")
        connection.execute("DETACH skysieve")
        # The only one that sees `events`, one statement at a time; made when it is first needed.
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._lock = Lock()

    @classmethod
    def load(cls, store: Path, *, analyses: bool = True) -> Self | None:
        """Copy the store's newest run into memory, with or without the analyses since.

        Returns None while a run is being published: its file exists but is not yet current.

        Raises:
            StoreError: there is no run, or the store is damaged.
        """
        store = store.resolve()
        found = current(store)
        connection = connect(store)
        try:
            with store_faults(store):
                verify_all((*store.glob(ANALYSIS_FILES), *store.glob(MANOEUVRE_FILES)))
                connection.execute("SET threads = 1")  # the cores are for requests
                # Returns the 40 MB used for reading to the system within seconds instead of never.
                connection.execute("SET allocator_background_threads = true")
                if connection.execute("SELECT run_id FROM elements LIMIT 1").fetchone() != (found.run_id,):
                    connection.close()
                    return None
                run = _run(connection, found.run_id)
                return cls(store, run, found.expiry, connection, analyses=analyses)
        except BaseException:
            connection.close()
            raise

    def with_analyses(self, parts: Mapping[Hashable, pa.Table]) -> Self:
        """Return a snapshot of the run with these parts of the table `analyses`, if it is newer.

        Parts that are here already, by their keys, are not read again; those that are not given are dropped.
        All but the events is shared with this one.
        """
        newer = copy.copy(self)
        finished = pa.scalar(self.run.finished, pa.timestamp("us"))
        fresh = {
            key: rows.filter(pc.greater_equal(rows["computed_at"], finished))
            for key, rows in parts.items()
            if key not in self._events.part_keys
        }
        newer._events = self._events.with_parts({**parts, **fresh})
        origins = {origin for rows in fresh.values() for origin in rows["origin"].unique().to_pylist()}
        if {SECOND_LOOK, FLEET} & origins or not self._events.part_keys <= newer._events.part_keys:
            newer._histories = lru_cache(_KEPT_HISTORIES)(self._read_history)
        newer._cursor, newer._superseded, newer._lock = None, None, Lock()
        return newer

    def seen_by(self, organisation_id: int, parts: Mapping[Hashable, pa.Table]) -> Self:
        """Return a snapshot as an organisation sees it: with these of the parts that this one has."""
        own = self.with_analyses(parts)
        own.organisation_id = organisation_id
        return own

    def events(self, query: EventQuery) -> EventPage:
        """Return one page of events."""
        return self._events.page(query)

    @property
    def all_events(self) -> EventTable:
        """The events of this run."""
        return self._events

    def table(self, run_id: str) -> EventTable | None:
        """Return the events of this run, or of another from its file; None if that is gone or expired.

        The last such run stays in memory for the next page.
        """
        if run_id == self.run.run_id:
            return self._events
        with self._lock:
            if self._superseded is None or self._superseded[0] != run_id:
                file = run_folder(self.store, run_id) / RUN_FILES["conjunctions"]
                if run_id < self._expiry.runs_from or not file.is_file():
                    return None
                with store_faults(self.store):
                    verify_all(conjunction_files(self.store), ())  # DuckDB does not name an unreadable file
                    verify_parquet(file)
                    source = f"{self._history} WHERE run_id = {quoted(run_id)}"
                    self._superseded = run_id, _events(self._connection.cursor(), source)
            return self._superseded[1]

    def event(self, event_id: int, *, restricted: bool = False) -> Row | None:
        """Return one event, a row of EVENT_COLUMNS, or None if there is none of that id.

        Only if `restricted` one known only from messages that must not be shared.
        """
        row = self._events.event(event_id)
        return row if row is None or restricted or row[_ORIGIN] != RESTRICTED_MESSAGE else None

    def history(self, event_id: int) -> list[Row]:
        """Return the rows of an event from each catalogue run up to this one, by run, with second looks.

        It reads the files of all runs, 0.3 s for 120; the histories last used stay in memory.
        """
        return list(self._histories(event_id))

    def histories(self, event_ids: Sequence[int]) -> dict[int, list[Row]]:
        """Return the histories of many events by their ids, as `history` does: the files are read once."""
        found: dict[int, list[Row]] = {event_id: [] for event_id in event_ids}
        for row in self._read_history(*event_ids):
            found[cast("int", row[_EVENT_ID])].append(row)
        return found

    def former_probabilities(
        self, event_ids: Sequence[int]
    ) -> list[tuple[int, str, datetime, datetime, float]]:
        """Return what the runs before this one said of events: id, run, computed at, TCA, probability.

        The one that counts, where it was known; by event and run. It reads the files of all runs: 0.04 CPU-s
        for 27 of 27,000 events each.
        """
        with store_faults(self.store):
            verify_all(conjunction_files(self.store), ("event_id", "run_id"))
        rows = self.rows(
            f"SELECT event_id, run_id, computed_at, tca, {DECISIVE_PROBABILITY} AS p FROM {self._history} "  # noqa: S608
            "WHERE event_id IN (SELECT unnest(?)) AND run_id IN (SELECT run_id FROM windows) "
            "AND run_id < ? AND p IS NOT NULL ORDER BY event_id, run_id",
            [list(event_ids), self.run.run_id],
        )
        return cast("list[tuple[int, str, datetime, datetime, float]]", rows)

    def historic_since(self) -> dict[str, datetime]:
        """Return when the windows of historic runs begin, by the ids of these runs; UTC."""
        rows = self.rows("SELECT run_id, window_start FROM windows WHERE historic", [])
        return {cast("str", run_id): cast("datetime", start) for run_id, start in rows}

    def run_before(self) -> SearchedRun | None:
        """Return the run before this one of the same kind, if its events are kept.

        What is historic or synthetic is not compared with what is not.
        """
        before = "run_id < ? AND run_id >= ? ORDER BY 1 DESC LIMIT 1"
        found = self._run_of_kind(before, [self.run.run_id, self._expiry.runs_from])
        if found and (run_folder(self.store, found.run_id) / RUN_FILES["conjunctions"]).is_file():
            return found
        return None

    def run_of_same_kind(self, run_id: str) -> SearchedRun | None:
        """Return what a run has searched; None: not known any more, or of another kind than this one."""
        return self._run_of_kind("run_id = ?", [run_id])

    def _run_of_kind(self, where: str, values: Sequence[object]) -> SearchedRun | None:
        rows = self.rows(
            "SELECT run_id, window_start, window_end, threshold_km FROM windows "  # noqa: S608
            f"WHERE historic = ? AND synthetic = ? AND {where}",
            [self.run.historic, self.run.synthetic, *values],
        )
        return SearchedRun(*cast("tuple[str, datetime, datetime, float]", rows[0])) if rows else None

    def proximities(
        self, norad_id: int | None = None, limit: int = 1000, offset: int = 0
    ) -> tuple[list[Row], int]:
        """Return a page of the proximities, rows of schema.PROXIMITIES, nearest first, and their total.

        With `norad_id` only those of one object; at most `limit` after the first `offset`.
        """
        names = ", ".join(column.name for column in schema.PROXIMITIES.columns)
        where = "" if norad_id is None else "WHERE ? IN (primary_norad_id, secondary_norad_id)"
        of = [] if norad_id is None else [norad_id]
        rows = self.rows(
            f"SELECT {names} FROM proximities {where} "  # noqa: S608
            "ORDER BY min_distance_m, primary_norad_id, secondary_norad_id LIMIT ? OFFSET ?",
            [*of, limit, offset],
        )
        total = self.rows(f"SELECT count(*) FROM proximities {where}", of)[0][0]  # noqa: S608
        return rows, cast("int", total)

    def objects(self, fields: Sequence[str], norad_ids: Sequence[int] | None = None) -> list[Row]:
        """Return fields of OBJECT_COLUMNS for all objects, or for those given, sorted by norad_id.

        Only for JSON, which takes them for UTC, times are without a zone: to give 27,000 one costs 40 ms.
        """
        where = "" if norad_ids is None else "WHERE norad_id IN (SELECT unnest(?))"
        sql = f"SELECT {', '.join(fields)} FROM {rows_with(fields)} {where} ORDER BY norad_id"  # noqa: S608
        with store_faults(self.store), self._connection.cursor() as cursor:
            return cursor.execute(sql, [] if norad_ids is None else [list(norad_ids)]).fetchall()

    def rejections(self, limit: int) -> list[Row]:
        """Return the first rejected records: line, record and reason."""
        return self.rows("SELECT line, record, reason FROM rejections ORDER BY line LIMIT ?", [limit])

    def columns(self, sql: str) -> dict[str, npt.NDArray[np.generic]]:
        """Run a statement and return its columns, masked where NULL.

        It sees the tables events (where a NULL number is a NaN), proximities, elements, objects.
        """
        with self._seeing_events() as cursor:
            return cast("dict[str, npt.NDArray[np.generic]]", cursor.execute(sql).fetchnumpy())

    def arrow(self, sql: str) -> pa.Table:
        """Run a statement that sees the same tables and return its rows."""
        with self._seeing_events() as cursor:
            return cursor.sql(sql).to_arrow_table()

    @contextmanager
    def _seeing_events(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock, store_faults(self.store):
            if self._cursor is None:
                self._cursor = self._connection.cursor()
                self._cursor.register("events", self._events.arrow())
            yield self._cursor

    def rows(self, sql: str, values: Sequence[object]) -> list[Row]:
        """Run a statement on proximities, elements, objects, recent manoeuvres, files; return its rows."""
        return _rows(self.store, self._connection, sql, values)


def newest_snapshot(store: Path, *, analyses: bool = True) -> Snapshot:
    """Copy the store's newest run into memory; wait for a run that is just being published.

    Raises:
        StoreError: there is no run, or the store is damaged.
    """
    snapshot = Snapshot.load(store, analyses=analyses)
    if snapshot is None:
        with store_lock(store, _PLACING_S):  # its publisher holds the lock
            snapshot = Snapshot.load(store, analyses=analyses)
    assert snapshot is not None, "no other process publishes a run"
    return snapshot


def stamp(store: Path) -> Stamp | None:
    """Return a stamp that changes whenever a snapshot of the store would, cheap enough for twice a second.

    None if the store holds no run.
    """
    with store_faults(store):
        try:
            made = (store / CURRENT).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            analysed = (store / ANALYSES).stat().st_mtime_ns
        except FileNotFoundError as error:
            raise StoreError(
                f"{store / ANALYSES} is missing: create the folder again, or let the next run do so."
            ) from error
        return (made.st_ino, made.st_mtime_ns, made.st_size, analysed)


def _recent(store: Path, run: Run, expiry: Expiry) -> str:
    """Return the query of recent manoeuvres; a replay has those that had been found."""
    since = datetime64_us(run.window_start - _MANOEUVRES_BEFORE)
    wanted = f"\"to\" >= TIMESTAMP '{since}'"
    if run.replay:
        wanted += f" AND found_at <= TIMESTAMP '{datetime64_us(run.finished)}'"
    return f'SELECT norad_id, "from", "to", "at", dv_m_s FROM ({manoeuvres(store, expiry, wanted)})'  # noqa: S608


def _run(connection: duckdb.DuckDBPyConnection, run_id: str) -> Run:
    found = connection.execute("FROM runs WHERE run_id = ?", [run_id])
    names = [column[0] for column in found.description or ()]
    (row,) = fetched_utc(found)
    return run_from_row(dict(zip(names, row, strict=True)))


def _events(connection: duckdb.DuckDBPyConnection, source: str) -> EventTable:
    found = connection.sql(f"SELECT {_EVENTS} FROM {source}")  # noqa: S608
    return EventTable.read(found.to_arrow_reader(BATCH_ROWS))


def _history(
    store: Path, connection: duckdb.DuckDBPyConnection, source: str, *event_ids: int
) -> tuple[Row, ...]:
    with store_faults(store):
        later = [path for kind in (SECOND_LOOK, FLEET) for path in store.glob(f"{ANALYSES}/{kind}-*.parquet")]
        files = [*conjunction_files(store), *later]
        verify_all(files, ("event_id", "run_id"))
        rows = _rows(
            store,
            connection,
            f"SELECT {_EVENTS} FROM {source} "  # noqa: S608
            "WHERE event_id IN (SELECT unnest(?)) AND run_id IN (SELECT run_id FROM windows) "
            "ORDER BY run_id, computed_at",
            [event_ids],
        )
        run_ids = {row[_RUN_ID] for row in rows}
        runs = {f"{kind}{run_id}" for kind in _NAMED_BY_RUN for run_id in run_ids}
        verify_all(path for path in files if path.parent.name in runs or path.stem in runs)
    return tuple(rows)


def _rows(
    store: Path, connection: duckdb.DuckDBPyConnection, sql: str, values: Sequence[object]
) -> list[Row]:
    with store_faults(store), connection.cursor() as cursor:
        return fetched_utc(cursor.execute(sql, list(values)))
