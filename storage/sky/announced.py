"""Announced decays (TIP messages): taken into the store, each once, and the newest of each object."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from screening.decay.tip import read_tip
from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import TIP_FILE, replace_parquet
from storage.disk.whole_files import sync_folder
from storage.sky_schema import ANNOUNCED
from storage.times import utc_rows
from storage.upkeep.upgrade import opened_for_writing

Row = dict[str, Any]

SPACE_TRACK = "Space-Track"
KEPT = timedelta(days=400)  # after the decay
LOCK_TIMEOUT_S = 60.0
_SAME = ("norad_id", "source", "message_epoch", "decay")


class Taken(NamedTuple):
    """What became of the messages of a text."""

    new: int
    known: int
    refused: list[str]


def take_announced(store: Path, text: bytes, source: str, now: datetime) -> Taken:
    """Take the messages of a text into the store; `now` is UTC, before which old ones are removed.

    Raises:
        InputError: the text is not a list of messages.
        StoreError: the store cannot be written, or another process holds it for long.
    """
    read = read_tip(text)
    rows = [{**one._asdict(), "source": source} for one in read.messages]
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        kept = {_key(row): row for row in _rows(store)}
        before = len(kept)
        for row in rows:
            kept.setdefault(_key(row), row)
        new = len(kept) - before
        if new:
            fresh = [row for row in kept.values() if row["decay"] > now - KEPT]
            path = store / TIP_FILE
            path.parent.mkdir(exist_ok=True)
            replace_parquet(pa.Table.from_pylist(fresh, ANNOUNCED.arrow), path)
            sync_folder(path.parent)
    return Taken(new, len(rows) - new, read.refused)


def newest_announced(store: Path, norad_ids: Sequence[int]) -> dict[int, Row]:
    """Return the newest message about each of some objects, by number.

    Raises:
        StoreError: the file is damaged or cannot be read.
    """
    wanted = set(norad_ids)
    with store_faults(store):
        rows = sorted(_rows(store), key=lambda row: (row["message_epoch"], row["decay"]))
    return {row["norad_id"]: row for row in rows if row["norad_id"] in wanted}


def _rows(store: Path) -> list[Row]:
    path = store / TIP_FILE
    if not path.is_file():
        return []
    verify_parquet(path)
    return utc_rows(pq.read_table(path, use_threads=False))


def _key(row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in _SAME)
