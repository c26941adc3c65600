"""Batch files: the messages of one import in one Parquet file, which is there whole or not at all."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.disk.layout import MESSAGES, STAGED_SUFFIX, new_parquet
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.message_schema import MESSAGES as TABLE
from storage.message_schema import STORED
from storage.messages.encounters import Approach, own_encounter_ids
from storage.messages.kept import columns_of

_PAIR = (
    "primary_norad_id",
    "secondary_norad_id",
    "primary_designator",
    "secondary_designator",
)
# What places a message among those that the store has.
_PLACED_BY = ("id", "originator", "message_id", *_PAIR, "tca", "own_encounter_id")
_NO_IDS = ("", "0")  # what senders write who give no ids


class Added(NamedTuple):
    """What was added."""

    ids: list[str]
    conflicting: int


def add_batch(store: Path, held: BinaryIO, received: datetime) -> Added:
    """Copy the rows of a Parquet file that the store does not have into a batch file. Needs the lock."""
    folder = store / MESSAGES
    for left_behind in folder.glob(f"*{STAGED_SUFFIX}"):
        left_behind.unlink()
    known = columns_of(store, _PLACED_BY)
    with pq.ParquetFile(held) as file:
        new = _without(file.read(columns=list(_PLACED_BY), use_threads=False), known["id"])
        if not len(new):
            return Added([], 0)
        placed = new.select(["id"])
        placed = placed.append_column("own_encounter_id", pa.array(_encounters(new, known)))
        placed = placed.append_column("conflicts_with", pa.array(_conflicts(new, known), pa.string()))
        path = folder / f"{stamp(received)}-{new['id'][0].as_py()}.parquet"
        staged = path.with_suffix(STAGED_SUFFIX)
        with new_parquet(staged, STORED) as writer:
            for rows in _with_places(file, placed):
                writer.write_table(rows)
    staged.replace(path)
    sync_folder(folder)
    return Added(new["id"].to_pylist(), len(placed) - placed["conflicts_with"].null_count)


def _without(rows: pa.Table, known: pa.ChunkedArray) -> pa.Table:
    return rows.filter(pc.invert(pc.is_in(rows["id"], known.combine_chunks())))


def _with_places(file: pq.ParquetFile, placed: pa.Table) -> Iterator[pa.Table]:
    """Yield the held rows that are placed, with what depends on the store's other messages."""
    ids, first = placed["id"].combine_chunks(), 0
    for group in range(file.num_row_groups):
        rows = file.read_row_group(group, use_threads=False)
        rows = rows.filter(pc.is_in(rows["id"], ids))
        here, first = placed.slice(first, len(rows)), first + len(rows)
        for name in ("own_encounter_id", "conflicts_with"):
            rows = rows.set_column(rows.schema.get_field_index(name), TABLE.arrow.field(name), here[name])
        yield rows.cast(STORED)


def _encounters(new: pa.Table, known: pa.Table) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    known_ids = known["own_encounter_id"].to_numpy()
    return own_encounter_ids(_approaches(new), _approaches(known), known_ids)


def _approaches(rows: pa.Table) -> list[Approach]:
    first, second, designator, other = (rows[name].to_pylist() for name in _PAIR)
    times = rows["tca"].to_numpy()
    return [Approach((first[k], second[k]), (designator[k], other[k]), times[k]) for k in range(len(rows))]


def _conflicts(new: pa.Table, known: pa.Table) -> list[str | None]:
    """Return for each new message the id of the first one with its originator and message id, if any."""
    first: dict[tuple[str, str], str] = {}
    for rows in (known, new):
        for key, one in _named(rows):
            first.setdefault(key, one)
    return [first[key] if key[1] not in _NO_IDS and first[key] != one else None for key, one in _named(new)]


def _named(rows: pa.Table) -> Iterator[tuple[tuple[str, str], str]]:
    columns = (rows[name].to_pylist() for name in ("originator", "message_id", "id"))
    for originator, message_id, one in zip(*columns, strict=True):
        yield (originator, message_id), one
