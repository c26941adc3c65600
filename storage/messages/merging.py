"""Merge small batches of messages into one file: each import makes one, and every reader opens them all.

Readers may have listed the folder: a merged file says in place of which files it is, and these stay for a
while. Until they are emptied, a message is in two files; the view shows it once.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq

from storage.disk.checksums import verify_parquet
from storage.disk.layout import (
    MESSAGE_FILES,
    MESSAGES,
    STAGED_SUFFIX,
    message_file,
    new_parquet,
    replace_parquet,
    whose_told,
)
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.message_schema import STORED, with_columns
from storage.upkeep.expired_files import LONGEST_QUERY

MOST_BATCHES = 32
SMALL_BYTES = 4_000_000  # 1,500 messages of 10 kB
_IN_PLACE_OF = b"in_place_of"


def merge_batches(store: Path, now: datetime) -> int:
    """Merge small batches of each organisation if there are many; empty those merged long ago.

    Return how many were merged.

    Needs the lock. It can be killed at any point, and continues the next time.

    Raises:
        DamagedFile: one of them is damaged.
    """
    _empty_replaced(store, now)
    replaced = {name for _, names in _merged(store) for name in names}
    of_each: dict[int, list[Path]] = {}
    for path in sorted(store.glob(MESSAGE_FILES)):
        if path.name not in replaced and path.stat().st_size <= SMALL_BYTES and _rows(path):
            of_each.setdefault(whose_told(path.name), []).append(path)
    merged = {whose: small for whose, small in of_each.items() if len(small) > MOST_BATCHES}
    for whose, small in merged.items():
        _write_merged(store, small, now, whose)
    return sum(map(len, merged.values()))


def _write_merged(store: Path, small: list[Path], now: datetime, organisation_id: int) -> None:
    folder = store / MESSAGES
    first = small[0].stem.partition("-of-")[0][-16:]
    path = folder / message_file(f"{stamp(now)}-merged-{first}", organisation_id)
    staged = path.with_suffix(STAGED_SUFFIX)
    known = {_IN_PLACE_OF: json.dumps([one.name for one in small]).encode()}
    shape = STORED.with_metadata(known)
    with new_parquet(staged, shape) as writer:
        for one in small:
            verify_parquet(one)
            with pq.ParquetFile(one) as file:
                rows = with_columns(file.read(use_threads=False), STORED.names)
                writer.write_table(rows.cast(shape))
    staged.replace(path)
    sync_folder(folder)


def _empty_replaced(store: Path, now: datetime) -> None:
    """Empty the files that were merged so long ago that no query reads them any more."""
    border_s = (now - LONGEST_QUERY).timestamp()
    for path, names in _merged(store):
        if path.stat().st_mtime > border_s:
            continue
        for one in (store / MESSAGES / name for name in names):
            if one.exists() and _rows(one):
                replace_parquet(STORED.empty_table(), one)


def _merged(store: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield each merged file, and the names of those in place of which it is."""
    for path in sorted(store.glob(MESSAGE_FILES)):
        known = _metadata(path).get(_IN_PLACE_OF)
        if known is not None:
            yield path, json.loads(known)


def _metadata(path: Path) -> dict[bytes, bytes]:
    verify_parquet(path, ())
    return pq.read_schema(path).metadata or {}


def _rows(path: Path) -> int:
    rows: int = pq.read_metadata(path).num_rows
    return rows
