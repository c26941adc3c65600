"""What received messages give as rated conjunctions: the rows that were computed when they were taken in."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from storage.disk.faults import store_faults
from storage.message_schema import AS_EVENT, MESSAGES, TEXT
from storage.messages.kept import batches_of, columns_of
from storage.times import utc_rows

AsEvent = Mapping[str, Any]  # the columns storage.message_schema.EVENT_COLUMNS


def as_events(store: Path, ids: Sequence[str]) -> dict[str, AsEvent]:
    """Return the rows of some messages by their ids; those of damaged files, which are logged, are not there.

    Of many batches only the ids are read.
    """
    wanted = pa.array(ids, pa.string())
    found: dict[str, AsEvent | None] = {}
    if not ids:
        return {}
    with store_faults(store):
        for batch in batches_of(store, wanted, (AS_EVENT,)):
            found |= dict(zip(batch["id"].to_pylist(), batch[AS_EVENT].to_pylist(), strict=True))
    return {one: row for one, row in found.items() if row is not None}


def newest_of(
    store: Path, encounter: int, organisation_id: int | None, *, restricted: bool
) -> tuple[Mapping[str, Any], AsEvent] | None:
    """Return the newest message of an encounter that no run has, as in RECEIVED, and its row; None: no such.

    Of those that an organisation sees; None: of all.

    One that may be shared comes before any that may not, which counts only if `restricted`. Messages without
    both catalogue numbers or without a miss tell no event.
    """
    with store_faults(store):
        names = [column.name for column in MESSAGES.columns if column.name != TEXT]
        rows = columns_of(store, names, organisation_id)
        about = utc_rows(rows.filter(pc.equal(rows["own_encounter_id"], encounter)))
    told = [
        row
        for row in about
        if (restricted or not row["restricted"])
        and None not in (row["primary_norad_id"], row["secondary_norad_id"], row["miss_distance_m"])
    ]
    if not told:
        return None
    told.sort(key=lambda row: (not row["restricted"], row["creation_date"] or row["received_at"]))
    newest = told[-1] | {"event_id": None, "encounter_id": encounter}
    return newest, as_events(store, [newest["id"]]).get(newest["id"], {})
