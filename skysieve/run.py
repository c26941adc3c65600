"""What a screening has found, as tables in memory."""

from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import pyarrow as pa

from screening.errors import UsageError
from skysieve.notebook import MOST_LISTED, listed, table
from storage.times import time_text

# For the types alone: DataFrames are made when they are asked for.
if TYPE_CHECKING:
    import pandas as pd

TableName = Literal["conjunctions", "proximities", "objects"]


class RunFacts(NamedTuple):
    """Facts about a run."""

    run_id: str
    window_start: datetime  # UTC
    window_end: datetime  # UTC, exclusive
    threshold_km: float
    store: Path | None
    summary: str


class Run:
    """What a screening has found; it stays in memory, whatever becomes of the store.

    `conjunctions`, `proximities` and `objects` are DataFrames with the columns of the store's tables of the
    same names (docs/schema.md). Each is made when it is first asked for, and kept: copy it before you change
    it. `to_arrow` gives the same as Arrow tables, in which times have no zone and are UTC.
    """

    def __init__(self, facts: RunFacts, tables: "dict[TableName, pa.Table]") -> None:
        """Hold what a run has found; `screen` makes one."""
        self._facts = facts
        self._tables = tables

    @cached_property
    def conjunctions(self) -> "pd.DataFrame":
        """Close approaches below the threshold, rated, most dangerous first."""
        return self._frame("conjunctions")

    @cached_property
    def proximities(self) -> "pd.DataFrame":
        """Pairs that stay close to each other: docked, in formation, or with the same element set."""
        return self._frame("proximities")

    @cached_property
    def objects(self) -> "pd.DataFrame":
        """The objects of the catalogue with their facts: type, radius, regime, errors."""
        return self._frame("objects")

    def to_arrow(self, name: TableName = "conjunctions") -> pa.Table:
        """Return a table: conjunctions, proximities or objects."""
        if name not in self._tables:
            raise UsageError(f"There is no table {name!r}: expected {', '.join(get_args(TableName))}.")
        return self._tables[name]

    @property
    def run_id(self) -> str:
        """The id of the run: when it started, UTC."""
        return self._facts.run_id

    @property
    def window_start(self) -> datetime:
        """The first instant that was screened, UTC."""
        return self._facts.window_start

    @property
    def window_end(self) -> datetime:
        """The first instant after the window, UTC."""
        return self._facts.window_end

    @property
    def threshold_km(self) -> float:
        """Approaches closer than this are kept."""
        return self._facts.threshold_km

    @property
    def store(self) -> Path | None:
        """The store in which the run was published; None if it was not kept."""
        return self._facts.store

    @property
    def summary(self) -> str:
        """What the command `skysieve screen` says at its end: objects, window, what was found, and time."""
        return self._facts.summary

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(table):,} {name}" for name, table in self._tables.items())
        start, end = (time_text(one, "seconds") for one in (self.window_start, self.window_end))
        return f"<Run {self.run_id}: {counts}; {start} to {end}, {self.threshold_km:g} km>"

    def _repr_html_(self) -> str:
        start, end = (time_text(one, "seconds") for one in (self.window_start, self.window_end))
        rows = [("window", f"{start} to {end}, nearer than {self.threshold_km:g} km")]
        rows += [(name, f"{len(found):,}") for name, found in self._tables.items()]
        events = self._tables["conjunctions"].slice(0, MOST_LISTED).to_pylist()
        return table(f"Run {self.run_id}", rows, events=listed(events))

    def _frame(self, name: TableName) -> "pd.DataFrame":
        from skysieve.tables import to_dataframe

        return to_dataframe([self._tables[name]])
