"""The messages of a store: read with what joins them to encounters, found by their ids, removed."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.errors import InputError
from storage.analyst_file.tables_and_views import messages
from storage.disk.checksums import DamagedFile, verify_all, verify_parquet
from storage.disk.connections import file_reader
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ANALYSIS_FILES,
    CURRENT,
    MESSAGE_FILES,
    STAGED_SUFFIX,
    conjunction_files,
    new_parquet,
    whose_told,
)
from storage.disk.run_ids import start_of
from storage.disk.whole_files import put_in_place
from storage.message_schema import MESSAGES, RECEIVED, STORED, TEXT, with_columns
from storage.messages.refusals import NotKnown
from storage.messages.shown import show_told
from storage.times import utc_rows
from storage.upkeep.upgrade import opened_for_writing
from storage.vocabulary import EVERYBODY

LOCK_TIMEOUT_S = 60.0
_SHORTEST_PREFIX = 4
_PAIR = ("primary_norad_id", "secondary_norad_id")
_SHOWN_BY = ("id", *_PAIR, "tca", "creation_date", "received_at", "own_encounter_id")  # joined and in order
_EXPIRES_BY = ("tca", "received_at")  # the later of both
JOINED_BY = ("event_id", "primary_norad_id", "secondary_norad_id", "tca", "run_id")

log = logging.getLogger("skysieve")


def received(store: Path, organisation_id: int | None = None) -> pa.Table:
    """Return all messages that have not expired as rows of RECEIVED, without their texts, oldest first.

    Those that an organisation sees: its own, and what runs receive for everybody; None: of all.

    Damaged files are logged and left out.
    """
    store = store.resolve()
    with store_faults(store):
        names = [column.name for column in MESSAGES.columns if column.name != TEXT]
        return _joined(store, columns_of(store, names, organisation_id))


def message(store: Path, wanted: str) -> dict[str, object]:
    """Return the row of RECEIVED, text included, of an id, or of the only one that begins so.

    Raises:
        InputError: there is none, or more than one.
    """
    store = store.resolve()
    with store_faults(store):
        path, found = _place_of(store, wanted)
        shown = _joined(store, _row(path, found))
        if not len(shown):  # expired
            raise _not_known(store, wanted)
        record: dict[str, object] = utc_rows(shown)[0]
    return record


def texts(store: Path) -> Iterator[pa.Table]:
    """Yield the ids and texts of all messages, some at a time; of one in two files twice."""
    for path in _paths(store.resolve()):
        rows = _read(path, ("id",))
        if rows is None:
            continue
        verify_parquet(path)
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                yield file.read_row_group(group, ["id", TEXT], use_threads=False)


def text_of(store: Path, wanted: str) -> str:
    """Return the text of a message, found as by `message`, as it was received."""
    store = store.resolve()
    with store_faults(store):
        return str(_row(*_place_of(store, wanted))[TEXT][0])


def remove_message(store: Path, wanted: str) -> str:
    """Remove a message, found as by `message`, and return its id."""
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        _, found = _place_of(store, wanted)
        for path in _paths(store):
            rows = _read(path, ("id",))
            if rows is not None and found in rows["id"].to_pylist():
                _write_without(path, found)
        show_told(store)
    return found


def ids_in(store: Path) -> set[str]:
    """Return the ids of the messages of a store."""
    return set(columns_of(store, ("id",))["id"].to_pylist())


def columns_of(store: Path, names: Sequence[str], organisation_id: int | None = None) -> pa.Table:
    """Return some columns of the messages that have not expired, and that an organisation sees, or of all.

    Damaged files are logged and left out.
    """
    shape = pa.schema([MESSAGES.arrow.field(name) for name in names])
    border = expiry_of(read_current(store)).analyses_from
    parts = []
    for path in _paths(store, organisation_id):
        rows = _read(path, list(dict.fromkeys([*names, *_EXPIRES_BY])))
        if rows is not None:
            parts.append((_not_expired(rows, border) if border else rows).select(list(names)).cast(shape))
    return pa.concat_tables([shape.empty_table(), *parts]).unify_dictionaries()


def _not_expired(rows: pa.Table, border: str) -> pa.Table:
    ended = pc.max_element_wise(*(rows[name] for name in _EXPIRES_BY))
    return rows.filter(pc.greater_equal(ended, pa.scalar(start_of(border), ended.type)))


def count_joined(store: Path, ids: Sequence[str]) -> int:
    """Return of how many messages a run has the encounter."""
    if not ids:
        return 0
    rows = columns_of(store, _SHOWN_BY)
    shown = _joined(store, rows.filter(pc.is_in(rows["id"], pa.array(ids, pa.string()))))
    return len(shown) - int(shown["event_id"].null_count)


Stamp = tuple[tuple[str, int, int], ...]


def stamp(store: Path) -> Stamp:
    """Return what changes whenever the messages of a store, or the events that they join, may have."""
    with store_faults(store):
        files = (*_paths(store), *sorted(store.glob(ANALYSIS_FILES)), store / CURRENT)
        found = []
        for path in files:
            try:
                status = path.stat()
            except FileNotFoundError:
                continue
            found.append((path.name, status.st_mtime_ns, status.st_size))
        return tuple(found)


def _joined(store: Path, rows: pa.Table) -> pa.Table:
    """Return rows of MESSAGES as the view `messages` shows them."""
    if not len(rows):
        names = [*rows.schema.names, "event_id", "encounter_id"]
        return pa.schema([RECEIVED.arrow.field(name) for name in names]).empty_table()
    verify_all(conjunction_files(store), JOINED_BY)
    verify_all(store.glob(ANALYSIS_FILES), JOINED_BY)
    expiry = expiry_of(read_current(store))
    with file_reader() as connection:
        connection.register("given", rows)
        query = messages(store, expiry, rows="FROM given")
        return connection.sql(
            f"FROM ({query}) ORDER BY coalesce(creation_date, received_at), tca, id"
        ).to_arrow_table()


def batches_of(store: Path, wanted: pa.Array, names: Sequence[str]) -> Iterator[pa.Table]:
    """Yield ids and some columns of those messages of each batch that are wanted, by their ids."""
    for path in _paths(store.resolve()):
        here = _read(path, ("id",))
        if here is not None and pc.any(mask := pc.is_in(here["id"], wanted)).as_py():
            rows = _read(path, ("id", *names))
            if rows is not None:
                yield rows.filter(mask)


def _paths(store: Path, organisation_id: int | None = None) -> list[Path]:
    """Return the files of the messages that an organisation sees; None: all."""
    found = sorted(store.glob(MESSAGE_FILES))
    if organisation_id is None:
        return found
    return [path for path in found if whose_told(path.name) in (EVERYBODY, organisation_id)]


def _read(path: Path, names: Sequence[str]) -> pa.Table | None:
    """Return some columns of a batch; None if it is damaged, which is logged, or has been removed."""
    try:
        verify_parquet(path, names)
        with pq.ParquetFile(path) as file:
            return with_columns(file.read(columns=list(names), use_threads=False), names)
    except FileNotFoundError:
        return None
    except (DamagedFile, pa.ArrowException) as error:
        log.warning("A file of messages is not used: %s", error)
        return None


def _place_of(store: Path, wanted: str) -> tuple[Path, str]:
    """Return the file in which a message is, and its id."""
    found = dict(_places(store, wanted)) if len(wanted) >= _SHORTEST_PREFIX else {}
    if not found:
        raise _not_known(store, wanted)
    if len(found) > 1:
        raise InputError(
            f"The ids of {len(found)} messages begin with {wanted!r}: {', '.join(sorted(found)[:10])}."
        )
    ((one, path),) = found.items()
    return path, one


def _places(store: Path, wanted: str) -> Iterator[tuple[str, Path]]:
    for path in _paths(store):
        rows = _read(path, ("id",))
        if rows is not None:
            matches = rows["id"].filter(pc.starts_with(rows["id"], wanted))
            yield from ((one, path) for one in matches.to_pylist())


def _not_known(store: Path, wanted: str) -> NotKnown:
    return NotKnown(
        f"There is no message {wanted!r} in {store}; `skysieve messages list` lists them. An id "
        f"may be shortened to its first {_SHORTEST_PREFIX} digits."
    )


def _row(path: Path, one: str) -> pa.Table:
    """Return the row of a message, reading only its group of rows."""
    verify_parquet(path)
    with pq.ParquetFile(path) as file:
        place = file.read(["id"], use_threads=False)["id"].index(one).as_py()
        for group in range(file.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if 0 <= place < count:
                rows = file.read_row_group(group, use_threads=False)
                return with_columns(rows.slice(place, 1), MESSAGES.arrow.names)
            place -= count
    return MESSAGES.arrow.empty_table()


def _write_without(path: Path, one: str) -> None:
    """Replace a batch by one without a message, in one step."""
    staged = path.with_suffix(STAGED_SUFFIX)
    with pq.ParquetFile(path) as file:
        shape = STORED.with_metadata(file.schema_arrow.metadata)
        with new_parquet(staged, shape) as writer:
            for group in range(file.num_row_groups):
                rows = file.read_row_group(group, use_threads=False)
                kept = rows.filter(pc.not_equal(rows["id"], one))
                writer.write_table(with_columns(kept, STORED.names).cast(shape))
    put_in_place(staged, path)
