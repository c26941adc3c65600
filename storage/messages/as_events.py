"""What received messages give as rated conjunctions: the rows that were computed when they were taken in."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from storage.disk.faults import store_faults
from storage.message_schema import AS_EVENT
from storage.messages.kept import batches_of

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
