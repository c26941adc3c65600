"""Look up single objects in a snapshot: the element set behind an event, and facts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.objects.bodies.right_of_way import Mover, mover
from screening.vocabulary import CanManoeuvre
from storage.disk.checksums import verify_all
from storage.disk.layout import ELEMENT_FILES, quoted_glob
from storage.fleets.manoeuvre_classes import ByOperator, said_by_message
from storage.in_memory.snapshot import Snapshot
from storage.rows.elements import sets_of_rows
from storage.rows.words.whom import NOBODY
from storage.times import datetime64_us


class ObjectDetails(NamedTuple):
    """What the newest run knows of an object besides its element set; None if unknown."""

    object_id: str | None = None
    object_type: str | None = None
    status: str | None = None
    can_manoeuvre: CanManoeuvre | None = None
    can_manoeuvre_reason: str | None = None
    last_manoeuvre: datetime | None = None  # UTC
    hard_body_radius_m: float | None = None
    hard_body_source: str | None = None
    radius_m: float | None = None  # of its mean shadow
    bounding_radius_m: float | None = None
    mass_kg: float | None = None
    body_source: str | None = None
    owner: str | None = None  # in GCAT
    state: str | None = None


def mover_of(
    norad_id: int,
    name: str,
    known: ObjectDetails,
    operators: ByOperator,
    messages: Sequence[Mapping[str, Any]],
) -> Mover:
    """Return how an object can change its path, by its operator, `messages` about it and the newest run."""
    return mover(
        name,
        known.status,
        known.can_manoeuvre,
        known.can_manoeuvre_reason or "not in the newest run",
        steered=known.object_type not in NOBODY,
        seen=known.last_manoeuvre is not None,
        operator=operators(norad_id, name),
        message=said_by_message(messages, norad_id),
    )


def element_sets_at(snapshot: Snapshot, norad_id: int, epoch: datetime) -> ElementArray:
    """Return the element sets (k,) of an object with an epoch, UTC to the microsecond.

    One, if the newest run was screened with it. Otherwise those that the store still has from earlier runs:
    none, or several if a set was published again with the same epoch.
    """
    wanted, values = "WHERE norad_id = ? AND epoch = ?", [norad_id, datetime64_us(epoch)]
    found = snapshot.rows(sets_of_rows("FROM elements", wanted), values)
    if not found:
        verify_all(snapshot.store.glob(ELEMENT_FILES), (*(ELEMENT_DTYPE.names or ()), "epoch"))
        files = quoted_glob(snapshot.store, ELEMENT_FILES)
        found = snapshot.rows(
            sets_of_rows(f"FROM read_parquet({files}, union_by_name = true)", wanted), values
        )
    return np.array(found, ELEMENT_DTYPE)


def newest_element_sets(snapshot: Snapshot, norad_id: int) -> ElementArray:
    """Return the element set (1,) of an object in the newest run; none (0,) of one that no catalogue has."""
    wanted = "WHERE norad_id = ? AND trajectory IS DISTINCT FROM 'ephemeris'"
    return np.array(snapshot.rows(sets_of_rows("FROM elements", wanted), [norad_id]), ELEMENT_DTYPE)


def object_details(snapshot: Snapshot, norad_id: int) -> ObjectDetails:
    """Return what the newest run knows of an object; all None if it does not have the object."""
    columns = ", ".join(ObjectDetails._fields)
    rows: list[Any] = snapshot.rows(f"SELECT {columns} FROM objects WHERE norad_id = ?", [norad_id])  # noqa: S608
    return ObjectDetails(*(None if value == "" else value for value in rows[0])) if rows else ObjectDetails()
