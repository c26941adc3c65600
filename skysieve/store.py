"""Read the store from Python: tables of runs and the answers to SQL, as DataFrames or Arrow tables."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

from screening.errors import InputError, StoreError, UsageError
from skysieve.notebook import MOST_LISTED, listed, table
from skysieve.tables import to_dataframe, with_found_nulls
from storage.disk.faults import store_faults
from storage.disk.layout import CURRENT, RUNS, SHOWN
from storage.reading.newest_run import current
from storage.reading.read_only_sql import query_arrow
from storage.reading.run_tables import TableOfRun, TableOfStore, run_columns, store_table, with_columns
from storage.rows.danger import MOST_DANGEROUS_FIRST
from storage.rows.words.numbers import minute
from storage.schema import CONJUNCTIONS, TABLES
from storage.settings import StoreSettings, load_settings
from storage.state.database import SERVICE_STATE
from storage.vocabulary import RESTRICTED_MESSAGE

# What computes the geometry of an event needs numba, which reading a store does not.
if TYPE_CHECKING:
    from skysieve.event import Event

_HISTORY = "FROM conjunction_history WHERE event_id = ? ORDER BY run_id"
_DANGEROUS = f"FROM events WHERE origin <> ? ORDER BY {MOST_DANGEROUS_FIRST} LIMIT ?"


@dataclass(frozen=True)
class Store:
    """A folder of runs; `skysieve.open_store` returns one.

    Each call opens the store and closes it again: it sees the newest run, and any number of threads and
    processes may read at the same time, also while a run is being published. DataFrames belong to their
    caller. Columns and units: `docs/schema.md`.

    Every method raises StoreError if the store cannot be read.
    """

    path: Path
    """Absolute path of the folder."""

    def _repr_html_(self) -> str:
        (run,) = self.sql_arrow("FROM runs ORDER BY run_id DESC LIMIT 1").to_pylist()
        (count,) = self.sql_arrow("SELECT count(*) AS runs FROM runs").to_pylist()
        start, end = (minute(run[name]) for name in ("window_start", "window_end"))
        rows = [
            ("runs", f"{count['runs']:,}, the newest {run['run_id']}"),
            ("window", f"{start} to {end} UTC, nearer than {run['threshold_km']:g} km"),
            ("objects", f"{run['objects']:,}"),
            ("conjunctions", f"{run['conjunctions']:,}"),
        ]
        newest = self.sql_arrow(_DANGEROUS, [RESTRICTED_MESSAGE, MOST_LISTED]).to_pylist()
        return table(f"Store {self.path}", rows, events=listed(newest))

    def conjunctions(self, run: str | None = None) -> pd.DataFrame:
        """Return the conjunctions that the newest run found, or the run with this id.

        Of an expired run they are the critical and high ones. What was found or evaluated again since, by
        analyses, second looks and around fleets, is in the view `events`: `store.sql("FROM events")`.

        Raises:
            InputError: the store has no such run.
        """
        return to_dataframe(run_columns(self.path, "conjunctions", run))

    def proximities(self, run: str | None = None) -> pd.DataFrame:
        """Return the pairs that stayed together in the newest run, or in the run with this id.

        Raises:
            InputError: the store has no such run.
        """
        return to_dataframe(run_columns(self.path, "proximities", run))

    def objects(self) -> pd.DataFrame:
        """Return the objects that the newest run screened."""
        return to_dataframe([store_table(self.path, "objects")])

    def runs(self) -> pd.DataFrame:
        """Return the records of all runs, oldest first: windows, counts, sources, times."""
        return to_dataframe([store_table(self.path, "runs")])

    def history(self, event_id: int) -> pd.DataFrame:
        """Return an event as each run found it, oldest first; empty if no run has an event of this id.

        Raises:
            InputError: the id is not a whole number.
        """
        rows = query_arrow(self.path, _HISTORY, [_whole(event_id)])
        return to_dataframe([with_columns(rows, CONJUNCTIONS.arrow)])

    def event(self, event_id: int, *, seen_from: int | None = None) -> "Event":
        """Return one event as it is known now, with its history: `skysieve.plot` draws it.

        `seen_from`: the catalogue number of the object that is its primary; by default as stored.

        Raises:
            InputError: the id is not a whole number, or the store has no such event.
            UsageError: the object `seen_from` is neither of its two.
        """
        from skysieve.event import Event

        return Event(self.path, _whole(event_id), seen_from)

    def sql(
        self, query: str, parameters: Sequence[object] | Mapping[str, object] | None = None
    ) -> pd.DataFrame:
        """Run one reading SQL statement and return its rows.

        `parameters` stand for each ? of the query, or by name for each $name. The tables and views are those
        of `skysieve.duckdb`. An integer or a yes or no becomes Int64 or boolean if a NULL occurs, and a text
        stays one, except `risk_level`, `probability_level` and `near_level`: these become ordered
        categories. Times of the answer are taken as UTC: turn them to another zone in pandas,
        `dt.tz_convert`, not in SQL. Give times as parameters, not as texts, in which DuckDB ignores a zone.

        >>> import skysieve
        >>> store = skysieve.open_store("skysieve-store")
        >>> near = "SELECT count(*) AS near FROM conjunctions WHERE miss_distance_m < $m"
        >>> int(store.sql(near, {"m": 0.0})["near"].iloc[0])
        0

        Raises:
            UsageError: it is not exactly one statement, or it writes; or `parameters` is neither a list nor
                a dictionary.
            InputError: DuckDB refuses it; the message is DuckDB's.
        """
        return to_dataframe([with_found_nulls(self.sql_arrow(query, parameters))])

    def sql_arrow(
        self, query: str, parameters: Sequence[object] | Mapping[str, object] | None = None
    ) -> pa.Table:
        """Run one reading SQL statement like `sql` and return its rows as an Arrow table.

        Raises:
            UsageError: it is not exactly one statement, or it writes.
            InputError: DuckDB refuses it; the message is DuckDB's.
        """
        return query_arrow(self.path, query, _plain(parameters))

    def to_arrow(self, table: TableOfRun | TableOfStore, run: str | None = None) -> pa.Table:
        """Return a table as an Arrow table: conjunctions, proximities, objects or runs.

        Times in it are UTC without a zone. `run` selects a run as in `conjunctions`.

        Raises:
            InputError: there is no such table, or the store has no such run.
        """
        if table == "conjunctions" or table == "proximities":
            parts = list(run_columns(self.path, table, run))
            arrays = [column for part in parts for column in part.columns]
            return pa.Table.from_arrays(arrays, schema=TABLES[table].arrow)
        if table == "objects" or table == "runs":
            if run is not None:
                raise InputError(f"The store has one table {table!r}, not one for each run: leave out `run`.")
            return store_table(self.path, table)
        raise InputError(
            f"There is no table {table!r} to return whole; allowed are conjunctions, proximities, objects "
            "and runs. `sql_arrow` reads all others."
        )


def open_store(path: str | os.PathLike[str] | None = None) -> Store:
    """Return the store in a folder; without one that of SKYSIEVE_STORE, as the commands do.

    >>> import skysieve
    >>> store = skysieve.open_store("skysieve-store")
    >>> store.conjunctions()["tca"].dtype
    datetime64[us, UTC]

    Raises:
        StoreError: the folder is not a store, holds no run yet, or was written by a newer release.
    """
    given = None if path is None else Path(path)
    folder = load_settings(StoreSettings, store=given).store
    with store_faults(folder):
        _refuse_what_is_none(folder if given is None else given, folder)
    current(folder)
    return Store(folder)


def _refuse_what_is_none(given: Path, folder: Path) -> None:
    if given.is_file():
        raise StoreError(
            f"{given} is a file: the store is the folder that holds it, {given.absolute().parent}."
        )
    if not folder.exists():
        raise StoreError(f"There is no store in {folder}: expected the folder in which runs were published.")
    if not any((folder / name).exists() for name in (CURRENT, RUNS, SHOWN, SERVICE_STATE)):
        raise StoreError(
            f"{folder} is not a skysieve store: it has no {CURRENT}, which names the newest run. Expected "
            "the folder in which runs were published."
        )


def _whole(event_id: float) -> int:
    """Return an id as an integer; where some of a column are missing, pandas has made doubles of it."""
    try:
        whole = int(event_id)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"event_id is {event_id!r}; it must be a whole number.") from error
    if whole != event_id:
        raise InputError(f"event_id is {event_id!r}; it must be a whole number.")
    return whole


def _plain(
    parameters: Sequence[object] | Mapping[str, object] | None,
) -> Sequence[object] | Mapping[str, object] | None:
    """Return parameters as DuckDB takes them: Python's numbers for numpy's."""
    if parameters is None:
        return None
    if isinstance(parameters, str | bytes) or not isinstance(parameters, Iterable):
        raise UsageError(
            f"parameters is {parameters!r}; expected a list with a value for each ? of the query, or a "
            "dictionary with one for each $name."
        )
    if isinstance(parameters, Mapping):
        return {name: _plain_value(value) for name, value in parameters.items()}
    return [_plain_value(value) for value in parameters]


def _plain_value(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    return value.tolist() if isinstance(value, pd.Series | pd.Index) else value
