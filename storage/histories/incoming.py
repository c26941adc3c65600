"""Import published element sets of the past into a store: part by part, each there whole or not at all."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.texts.dated import DatedSets, read_dated_sets
from storage.disk.faults import store_faults
from storage.disk.layout import ELEMENTS, STAGED_SUFFIX, imported_file, new_parquet
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.histories.archives import file_name, opened
from storage.histories.dates import epochs_of, with_dates
from storage.histories.known import KnownSets
from storage.histories.pieces import pieces_of
from storage.histories.refused import Refusals, Skipped
from storage.rows.elements import element_table
from storage.rows.records import conform
from storage.schema import ELEMENT_HISTORY
from storage.times import datetime64_us
from storage.upkeep.upgrade import opened_for_writing, settle

LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two
SETS_OF_A_PART = 200_000  # 90 MB as records
_ROWS_OF_A_GROUP = 32_768  # so that the sets of one object are found in a few pieces of a file


class Imported(NamedTuple):
    """What became of the sets of an import."""

    new: int
    known: int  # the store had them, or they occurred before
    earlier: int  # of the known: the store now has an earlier time at which they were known
    backwards: int  # of all: older than a set of the object that was known before; they are kept
    skipped: list[Skipped]
    files: int
    unreadable: list[str]  # why files could not be read, or only in part; the first of them
    unreadable_files: int


class _Counts:
    def __init__(self) -> None:
        self.new = self.known = self.earlier = self.backwards = self.files = 0


def import_histories(
    store: Path,
    paths: Iterable[Path],
    now: datetime,
    *,
    on_bytes: Callable[[int], None] = lambda _read: None,
    on_sets: Callable[[int], None] = lambda _count: None,
) -> Imported:
    """Add the element sets of files and archives to the store's history; `now` is UTC.

    Each set is kept once, as known from the earliest time that any file tells. What cannot be used is
    counted. After every 200,000 sets they are safe: an import that was killed is continued by another.

    Raises:
        StoreError: the store cannot be written, a file of it is damaged, or another process holds it for
            long; what is imported stays.
    """
    store = store.resolve()
    refusals, counts = Refusals(), _Counts()
    with store_faults(store):
        with opened_for_writing(store, LOCK_TIMEOUT_S):
            for left_behind in (store / ELEMENTS).glob(f"*{STAGED_SUFFIX}"):
                left_behind.unlink()
        settle(store)
        known = KnownSets(store)
        known.refresh()
        for name, sets in _parts(_sets_of(paths, refusals, counts, datetime64_us(now), on_bytes)):
            one_object = refusals.without_others(sets, name)
            counts.backwards += _backwards(one_object)
            _add(store, one_object, known, counts, now)
            on_sets(counts.new + counts.known)
    return Imported(
        counts.new,
        counts.known,
        counts.earlier,
        counts.backwards,
        refusals.skipped(),
        counts.files,
        refusals.files,
        refusals.file_count,
    )


def _sets_of(
    paths: Iterable[Path],
    refusals: Refusals,
    counts: _Counts,
    now: np.datetime64,
    on_bytes: Callable[[int], None],
) -> Iterator[tuple[str, DatedSets]]:
    """Yield the usable sets of all files, each with the name of its file."""
    for path in paths:
        for one in opened(path, on_bytes):
            counts.files += 1
            if one.stream is None:
                refusals.file(one.problem)
                continue
            read = _read(one.stream, one.name, refusals)
            for sets in with_dates(read, file_name(one.name)):
                yield one.name, refusals.without_future(sets, one.name, now)


def _read(stream: BinaryIO, name: str, refusals: Refusals) -> Iterator[DatedSets]:
    """Yield the sets of a stream; note the records, and the pieces, that cannot be read."""
    try:
        for piece in pieces_of(stream, name):
            for sets in read_dated_sets(piece.text, source_name=name):
                placed = [one._replace(line=one.line + piece.line - 1) for one in sets.rejected]
                refusals.records(placed, sets.more_rejected, name)
                yield sets
    except InputError as error:
        refusals.file(str(error))


def _parts(found: Iterable[tuple[str, DatedSets]]) -> Iterator[tuple[str, DatedSets]]:
    """Yield the sets of many files together, some hundred thousand at a time."""
    held: list[DatedSets] = []
    count, name = 0, ""
    for name, sets in found:
        held.append(sets)
        count += len(sets.elements)
        if count >= SETS_OF_A_PART:
            yield name, _joined(held)
            held, count = [], 0
    if count:
        yield name, _joined(held)


def _joined(held: list[DatedSets]) -> DatedSets:
    elements = np.concatenate([one.elements for one in held])
    known_at = np.concatenate([one.known_at for one in held])
    held.clear()
    return DatedSets(elements, known_at, ())


def _backwards(sets: DatedSets) -> int:
    """Return how many sets are older than the set of the same object that became known just before."""
    epochs, numbers = epochs_of(sets.elements), sets.elements["norad_id"]
    order = np.lexsort((epochs, sets.known_at, numbers))
    same = np.diff(numbers[order]) == 0
    return int((same & (np.diff(epochs[order]) < np.timedelta64(0))).sum())


def _add(store: Path, sets: DatedSets, known: KnownSets, counts: _Counts, now: datetime) -> None:
    """Write what the store lacks of some sets into a file of its own."""
    rows = _rows(sets.elements, sets.known_at)
    hashes, first_seen = rows["content_hash"].to_numpy(), rows["first_seen"].to_numpy().astype("M8[us]")
    with opened_for_writing(store, LOCK_TIMEOUT_S):
        known.refresh()
        before = known.of(hashes)
        earlier = before.known & (first_seen < before.first_seen)
        wanted = np.flatnonzero(~before.imported | earlier)
        counts.new += int((~before.known).sum())
        counts.known += len(sets.elements) - int((~before.known).sum())
        counts.earlier += int(earlier.sum())
        if not len(wanted):
            return
        seen = np.fmin(first_seen, before.first_seen)[wanted]
        columns = dict(zip(rows.column_names, rows.take(pa.array(wanted)).columns, strict=True))
        columns |= {"run_id": before.run_ids.take(pa.array(wanted)), "first_seen": pa.array(seen)}
        table = conform(columns, ELEMENT_HISTORY, "element_history")
        path = _free_name(store, now)
        staged = path.with_suffix(STAGED_SUFFIX)
        with new_parquet(staged, ELEMENT_HISTORY.arrow) as file:
            file.write_table(table, row_group_size=_ROWS_OF_A_GROUP)
        staged.replace(path)
        sync_folder(path.parent)
    known.note(path.name, hashes[wanted], seen)


def _rows(elements: ElementArray, known_at: npt.NDArray[np.datetime64]) -> pa.Table:
    """Return sets as rows, each content once, as it was known first; sorted by object and epoch."""
    table = element_table(elements, run_id="").append_column("first_seen", pa.array(known_at))
    hashes = table["content_hash"].to_numpy()
    by_content = np.lexsort((known_at, hashes))
    once = by_content[np.append(True, np.diff(hashes[by_content]) != 0)]
    epochs, numbers = (table[name].to_numpy()[once] for name in ("epoch", "norad_id"))
    return table.take(pa.array(once[np.lexsort((epochs, numbers))]))


def _free_name(store: Path, now: datetime) -> Path:
    number = 1
    while (path := imported_file(store, f"{stamp(now)}-{number:04d}")).exists():
        number += 1
    return path
