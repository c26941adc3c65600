"""What a snapshot knows of single objects: the element set behind an event, and facts."""

from datetime import datetime

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from storage import schema
from storage.disk.checksums import verify_all
from storage.disk.layout import ELEMENT_FILES, quoted_glob
from storage.in_memory.snapshot import Snapshot

_SET = ", ".join(ELEMENT_DTYPE.names or ())
_FACTS = tuple(column.name for column in schema.OBJECTS.columns)


def element_sets_at(snapshot: Snapshot, norad_id: int, epoch: datetime) -> ElementArray:
    """Return the element sets (k,) of an object with an epoch, UTC to the microsecond.

    One, if the newest run was screened with it. Else those that the store still has of earlier runs: none, or
    several, where a set was published again with the same epoch.
    """
    wanted = "WHERE norad_id = ? AND epoch = ?"
    found = snapshot.rows(f"SELECT {_SET} FROM elements {wanted}", [norad_id, epoch])  # noqa: S608
    if not found:
        verify_all(snapshot.store.glob(ELEMENT_FILES), (*(ELEMENT_DTYPE.names or ()), "epoch"))
        files = quoted_glob(snapshot.store, ELEMENT_FILES)
        found = snapshot.rows(
            f"SELECT {_SET} FROM read_parquet({files}, union_by_name = true) {wanted}",  # noqa: S608
            [norad_id, epoch],
        )
    return np.array(found, ELEMENT_DTYPE)


def object_facts(snapshot: Snapshot, norad_id: int) -> dict[str, object]:
    """Return what the newest run knows of an object: a row of the table `objects`, empty if it has none."""
    rows = snapshot.rows(f"SELECT {', '.join(_FACTS)} FROM objects WHERE norad_id = ?", [norad_id])  # noqa: S608
    return dict(zip(_FACTS, rows[0], strict=True)) if rows else {}
