"""Take messages into the store: read, scored, and all that can be taken kept in one step, or nothing.

Reading and scoring take most of the time, so they go without the lock, into a file without a name that dies
with its process. With the lock, what the store does not have yet is copied into a batch file.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.risk.messages.read import FARTHEST_TCA, ReadMessage, each_with_text
from screening.risk.messages.texts.entries import GoOn, UnreadableMessage, unreadable
from storage.disk.faults import store_faults
from storage.disk.layout import MESSAGES, STAGED_SUFFIX, message_file, new_parquet
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.message_schema import MESSAGES as TABLE
from storage.message_schema import STORED
from storage.messages.encounters import Approach, own_encounter_ids
from storage.messages.files import MessageFile, files_of
from storage.messages.kept import columns_of, count_joined, ids_in
from storage.messages.known_objects import KnownObjects, known_objects
from storage.messages.refusals import Refused
from storage.messages.rows import Row, content_id, row_of, table_of
from storage.messages.shown import show_told
from storage.times import datetime64_us, time_text
from storage.upkeep.upgrade import opened_for_writing
from storage.vocabulary import EVERYBODY, FIRST_ORGANISATION

# Batch files: the messages of one import in one Parquet file, which is there whole or not at all.

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


def add_batch(store: Path, held: BinaryIO, received: datetime, organisation_id: int) -> Added:
    """Copy the rows of a Parquet file that the store does not have into a batch file. Needs the lock.

    What other organisations have received places none of them.
    """
    folder = store / MESSAGES
    for left_behind in folder.glob(f"*{STAGED_SUFFIX}"):
        left_behind.unlink()
    known = columns_of(store, _PLACED_BY, organisation_id)
    with pq.ParquetFile(held) as file:
        new = _without(file.read(columns=list(_PLACED_BY), use_threads=False), known["id"])
        if not len(new):
            return Added([], 0)
        placed = new.select(["id"])
        placed = placed.append_column("own_encounter_id", pa.array(_encounters(new, known)))
        placed = placed.append_column("conflicts_with", pa.array(_conflicts(new, known), pa.string()))
        path = folder / message_file(f"{stamp(received)}-{new['id'][0].as_py()}", organisation_id)
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


LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two
ROWS_AT_A_TIME = 1_000  # 10 MB of texts, of which one is found by reading all


class Taken(NamedTuple):
    """What became of the messages of an import."""

    new: int
    known: int  # the store had them, or they were in the import before
    conflicting: int  # of the new: another message has their originator and id; both are kept
    joined: int  # of the new: a run has their encounter
    refused: list[Refused]
    ids: list[str]  # of the new


class _Import(NamedTuple):
    """What holds for all messages of an import."""

    objects: KnownObjects
    received: datetime
    restricted: bool | None  # None: what each tells
    organisation_id: int


def take(
    store: Path,
    data: bytes,
    source: str,
    received: datetime,
    organisation_id: int = FIRST_ORGANISATION,
    *,
    restricted: bool | None = None,
) -> Taken:
    """Store the messages of a text (KVN, XML, JSON; one or more; gzip) or of a zip archive of texts.

    Messages that cannot be read are refused, the others kept. `restricted` says whether the terms
    of the source forbid sharing them, None: as each message says.

    Raises:
        InputError: an archive unpacks to more than is taken; nothing is stored.
        StoreError: the store cannot be written, or another process holds it for long; nothing is stored.
    """
    return take_files(store, files_of(data, source), received, organisation_id, restricted=restricted)


def take_files(
    store: Path,
    files: Iterable[MessageFile],
    received: datetime,
    organisation_id: int = FIRST_ORGANISATION,
    *,
    restricted: bool | None = None,
    on_message: Callable[[], None] = lambda: None,
    go_on: GoOn = lambda: None,
) -> Taken:
    """Store the messages of many files in one step, as an organisation's; as `take`.

    `on_message` is called after each; `go_on` within them too, and may raise to end it: nothing is stored.
    """
    store = store.resolve()
    with store_faults(store):
        if not (store / MESSAGES).is_dir():
            with opened_for_writing(store, LOCK_TIMEOUT_S):
                pass  # its folders are made
        common = _Import(known_objects(store), received, restricted, organisation_id)
        with TemporaryFile(dir=store / MESSAGES) as held:
            refused: list[Refused] = []
            reading = _Reading(files, common, ids_in(store), refused, on_message, go_on)
            _hold(reading.new_rows(), held)
            added = _added(store, held, received, organisation_id) if reading.new else Added([], 0)
        joined = count_joined(store, added.ids)
    known = reading.known + reading.new - len(added.ids)  # another import may have been quicker
    return Taken(len(added.ids), known, added.conflicting, joined, refused, added.ids)


def _added(store: Path, held: BinaryIO, received: datetime, organisation_id: int) -> Added:
    with opened_for_writing(store, LOCK_TIMEOUT_S):
        added = add_batch(store, held, received, organisation_id)
        show_told(store)
    return added


class _Reading:
    """Goes through the messages of an import once, and counts them."""

    def __init__(
        self,
        files: Iterable[MessageFile],
        common: _Import,
        known_ids: set[str],
        refused: list[Refused],
        on_message: Callable[[], None],
        go_on: GoOn,
    ) -> None:
        self._files, self._common, self._seen = files, common, known_ids
        self._refused, self._on_message, self._go_on = refused, on_message, go_on
        self._number = 0
        self.new = self.known = 0

    def new_rows(self) -> Iterator[Row]:
        """Yield the rows of the messages that are new."""
        for file in self._files:
            self._go_on()
            if file.error:
                self._number += 1
                self._refused.append(Refused(self._number, file.error, 0, ""))
                continue
            for read in each_with_text(file.data, source_name=file.name, go_on=self._go_on):
                self._go_on()
                self._number += 1
                self._on_message()
                if isinstance(read, UnreadableMessage):
                    self._refused.append(Refused(self._number, str(read), read.line, read.keyword))
                elif self._ids_of(read) & self._seen:
                    self.known += 1
                elif (refused := _too_far(read, self._common.received)) is not None:
                    self._refused.append(Refused(self._number, str(refused), refused.line, refused.keyword))
                else:
                    self._seen.add(content_id(read.entries, self._common.organisation_id))
                    self.new += 1
                    common = self._common
                    yield row_of(
                        read,
                        common.objects,
                        file.name,
                        common.received,
                        common.organisation_id,
                        restricted=common.restricted,
                    )

    def _ids_of(self, read: ReadMessage) -> set[str]:
        """Return the ids under which the organisation may have a message: its own copy, or everybody's."""
        return {content_id(read.entries, whose) for whose in (EVERYBODY, self._common.organisation_id)}


def _too_far(read: ReadMessage, received: datetime) -> UnreadableMessage | None:
    """Return why a message without CREATION_DATE, TCA long after its receipt, is refused; None: it is not."""
    message = read.message
    if not np.isnat(message.creation_date) or message.tca - datetime64_us(received) <= FARTHEST_TCA:
        return None
    tca = next(one for one in read.entries if one.keyword == "TCA")
    latest = f"at most {FARTHEST_TCA} after its receipt, {time_text(received, 'seconds')}"
    why = f"without CREATION_DATE, TCA must be {latest}"
    return unreadable("what was received", why, tca.line, tca.text, tca.keyword)


def _hold(rows: Iterable[Row], held: BinaryIO) -> None:
    """Write rows into a file, as a Parquet file with some rows at a time."""
    with pq.ParquetWriter(held, STORED, compression="zstd") as writer:
        for table in _tables(rows):
            writer.write_table(table)


def _tables(rows: Iterable[Row]) -> Iterator[pa.Table]:
    some: list[Row] = []
    for row in rows:
        some.append(row)
        if len(some) == ROWS_AT_A_TIME:
            yield table_of(some)
            some = []
    if some:
        yield table_of(some)
