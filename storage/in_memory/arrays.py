"""Read a snapshot's element sets and rated events as record arrays."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.conjunctions import HARD_BODY_SOURCES, NO_CODE
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.vocabulary import RISK_LEVELS
from storage.in_memory.snapshot import Snapshot

RatedEventArray = npt.NDArray[np.void]

RATED_EVENT_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i8"),
        ("secondary_norad_id", "i8"),
        ("until", "M8[us]"),  # UTC: TCA, or for slow events the end of the time inside the threshold
        ("risk_level", "i1"),  # position in RISK_LEVELS
    ]
)


def element_sets(snapshot: Snapshot) -> ElementArray:
    """Return the element sets (n,) of the snapshot's run, exactly as screened, sorted by norad_id."""
    names = ", ".join(ELEMENT_DTYPE.names or ())
    columns = snapshot.columns(f"SELECT {names} FROM elements ORDER BY norad_id")  # noqa: S608
    return _records(columns, ELEMENT_DTYPE)


def rated_events(snapshot: Snapshot) -> RatedEventArray:
    """Return the objects, end and risk of the snapshot's events (m,), in any order."""
    columns = snapshot.columns(
        "SELECT primary_norad_id, secondary_norad_id, greatest(tca, inside_to) AS until, "  # noqa: S608
        f"list_position({list(RISK_LEVELS)}, risk_level) - 1 AS risk_level FROM events"
    )
    return _records(columns, RATED_EVENT_DTYPE)


def object_knowledge(snapshot: Snapshot) -> ObjectKnowledge:
    """Return what scoring needs to know of the snapshot's objects, in the order of its element sets."""
    factors = [f"covariance_factor_{axis}" for axis in "rtn"]
    source = f"list_position({list(HARD_BODY_SOURCES)}, hard_body_source) - 1 AS source"
    columns = snapshot.columns(
        f"SELECT hard_body_radius_m, {source}, {', '.join(factors)} FROM objects ORDER BY norad_id"  # noqa: S608
    )
    radius_m, *factors_rtn = (np.ma.filled(columns[n], np.nan) for n in ("hard_body_radius_m", *factors))
    sources = np.ma.filled(columns["source"], NO_CODE).astype(np.int8)
    return ObjectKnowledge(HardBodies(radius_m, sources, rejected=0), np.stack(factors_rtn, axis=1))


def _records(columns: dict[str, npt.NDArray[np.generic]], dtype: np.dtype[np.void]) -> npt.NDArray[np.void]:
    names = dtype.names or ()
    records = np.empty(len(columns[names[0]]), dtype)
    for name in names:
        records[name] = columns[name]
    return records
