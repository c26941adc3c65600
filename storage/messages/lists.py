"""Select and describe messages of a store."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from storage.message_schema import TEXT
from storage.times import utc_rows

_BOTH = ("primary_norad_id", "secondary_norad_id")
_ENCOUNTER = ("event_id", "encounter_id", "own_encounter_id")


class Wanted(NamedTuple):
    """Which messages are wanted; None: any."""

    norad_ids: Sequence[int] | None = None  # on either side
    event_id: int | None = None  # of a run, or of an encounter that no run has
    originator: str | None = None
    since: datetime | None = None  # received then or later
    restricted: bool = True  # also those whose sources forbid sharing them


def places(rows: pa.Table, wanted: Wanted) -> npt.NDArray[np.intp]:
    """Return where in the rows of `kept.received` the wanted messages are, the newest first."""
    masks = []
    if wanted.norad_ids is not None:
        numbers = pa.array(wanted.norad_ids, pa.int64())
        masks.append(pc.or_(*(pc.is_in(rows[name], numbers) for name in _BOTH)))
    if wanted.event_id is not None:
        of_any = [pc.fill_null(pc.equal(rows[name], wanted.event_id), False) for name in _ENCOUNTER]
        masks.append(pc.or_(pc.or_(of_any[0], of_any[1]), of_any[2]))
    if wanted.originator is not None:
        written = pc.utf8_upper(rows["originator"].cast(pa.string()))
        masks.append(pc.equal(written, wanted.originator.upper()))
    if wanted.since is not None:
        since = pa.scalar(wanted.since, rows["received_at"].type)
        masks.append(pc.greater_equal(rows["received_at"], since))
    if not wanted.restricted:
        masks.append(pc.invert(rows["restricted"]))
    found = np.ones(len(rows), np.bool_)
    for mask in masks:
        found &= mask.to_numpy()
    return np.flatnonzero(found)[::-1]


def records(rows: pa.Table, where: npt.NDArray[np.intp]) -> list[dict[str, Any]]:
    """Return the facts about the messages at some places."""
    return [record(row) for row in utc_rows(rows.take(pa.array(where)))]


def record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts about a message, without its text; remarks are a list."""
    told = {name: value for name, value in row.items() if name != TEXT}
    return told | {"remarks": row["remarks"].split("\n") if row["remarks"] else []}
