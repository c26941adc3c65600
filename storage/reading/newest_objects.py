"""What the newest run has of objects whose trajectories come in: numbers, element sets, error laws."""

from pathlib import Path
from typing import Any

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.ephemeris_checks.check import ElementSet
from screening.risk.objects.error_law import laws_of
from storage.disk.current import read_current
from storage.disk.faults import store_faults
from storage.reading.newest_run import connect
from storage.reading.object_errors import OF_THE_OBJECT, known_of
from storage.rows.elements import sets_of_rows
from storage.times import fetched_utc
from storage.trajectories.incoming import designator

_NOTHING = dict.fromkeys(OF_THE_OBJECT)
_BY_DESIGNATOR = r"regexp_replace(upper(object_id), '[^A-Z0-9]', '', 'g') = ?"


class NewestRun:
    """The objects of a store's newest run; a store without one has none."""

    def __init__(self, store: Path) -> None:
        """Remember the store; nothing is read before it is needed."""
        self._store = store

    def number_of(self, object_id: str) -> int:
        """Return the catalogue number of an international designator; 0: the run has no such object."""
        rows = self._rows(f"SELECT norad_id FROM elements WHERE {_BY_DESIGNATOR}", [designator(object_id)])  # noqa: S608
        return int(rows[0][0]) if rows else 0

    def set_of(self, norad_id: int) -> ElementSet | None:
        """Return the element set of an object; None: no catalogue has it."""
        wanted = "WHERE norad_id = ? AND trajectory IS DISTINCT FROM 'ephemeris'"
        found = self._rows(sets_of_rows("FROM elements", wanted), [norad_id])
        return self.with_law(np.array(found, ELEMENT_DTYPE)) if found else None

    def with_law(self, elements: ElementArray) -> ElementSet:
        """Return an element set (1,) with the law of its errors, by what the run knows of its object."""
        number = int(elements["norad_id"][0])
        rows = self._rows(f"SELECT {', '.join(OF_THE_OBJECT)} FROM objects WHERE norad_id = ?", [number])  # noqa: S608
        known = known_of(dict(zip(OF_THE_OBJECT, rows[0], strict=True)) if rows else _NOTHING)
        return ElementSet(elements, laws_of(elements, known))

    def _rows(self, query: str, values: list[object]) -> list[tuple[Any, ...]]:
        if read_current(self._store) is None:
            return []
        with store_faults(self._store), connect(self._store) as connection:
            return fetched_utc(connection.execute(query, values))
