"""A snapshot's element sets and rated events as record arrays."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.conjunctions import RISK_LEVELS
from storage.snapshot import Snapshot

RatedEventArray = npt.NDArray[np.void]

RATED_EVENT_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i8"),
        ("secondary_norad_id", "i8"),
        ("until", "M8[us]"),  # UTC: TCA, or the end of the time inside the threshold of a slow one
        ("risk_level", "i1"),  # position in RISK_LEVELS
    ]
)


def element_sets(snapshot: Snapshot) -> ElementArray:
    """Return the element sets (n,) of the snapshot's run, exactly as they were screened, by norad_id."""
    names = ", ".join(ELEMENT_DTYPE.names or ())
    columns = snapshot.columns(f"SELECT {names} FROM elements ORDER BY norad_id")  # noqa: S608
    return _records(columns, ELEMENT_DTYPE)


def rated_events(snapshot: Snapshot) -> RatedEventArray:
    """Return what is needed to know which risks lie ahead: the snapshot's events (m,), in any order."""
    columns = snapshot.columns(
        "SELECT primary_norad_id, secondary_norad_id, greatest(tca, inside_to) AS until, "  # noqa: S608
        f"list_position({list(RISK_LEVELS)}, risk_level) - 1 AS risk_level FROM events"
    )
    return _records(columns, RATED_EVENT_DTYPE)


def _records(columns: dict[str, npt.NDArray[np.generic]], dtype: np.dtype[np.void]) -> npt.NDArray[np.void]:
    names = dtype.names or ()
    records = np.empty(len(columns[names[0]]), dtype)
    for name in names:
        records[name] = columns[name]
    return records
