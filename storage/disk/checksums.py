"""Checksums in the store's own files: a bit flipped on the disk is found before its number is used.

A Parquet file gets one for each column, one for everything before its footer, and one for the footer, in a
block before the footer: Parquet finds everything by offsets, so other readers skip it. Page checksums are
written too, for readers that check them; DuckDB does not. A JSON file has one among its values. Files of
release 0.1.0 have none and are read without.
"""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, NamedTuple

from screening.errors import StoreError

# pyarrow is imported where it is used, as in storage/disk/layout.py.

ASIDE = ".damaged"  # suffix of damaged files that were set aside; nothing reads or removes them

_MAGIC = b"SKYCRC\x00\x01"
_FOOTER_END = struct.Struct("<I4s")  # length of the footer, PAR1
_BLOCK_END = struct.Struct("<III8s")  # CRC of all before, number of columns, CRC of block and footer, magic
_AT_ONCE = 1 << 20
_WHOLE_BELOW = 1 << 20  # bytes; smaller files are always verified as a whole
_KEY = "crc32"
_REMEMBERED = 100_000  # files


class DamagedFile(StoreError):
    """A file of the store that is not what was written."""

    def __init__(self, path: Path, what: str, remedy: str = "") -> None:
        remedy = remedy or (
            f"Restore it from a backup. Without one, rename it to {path.name}{ASIDE}, and the store works "
            "without it."
        )
        super().__init__(f"{path} is damaged ({what}). {remedy}")
        self.path = path
        self.what = what


class _Checks(NamedTuple):
    body_end: int  # where the block begins
    body: int
    columns: list[int]
    footer: bytes


_verified: dict[Path, tuple[tuple[int, ...], frozenset[str] | None]] = {}
_lock = Lock()


def add_checks(file: BinaryIO) -> None:
    """Add the checksums to a Parquet file that was just written and is still open."""
    size = file.seek(0, 2)
    file.seek(size - _FOOTER_END.size)
    length, _ = _FOOTER_END.unpack(file.read())
    body_end = size - _FOOTER_END.size - length
    file.seek(body_end)
    footer = file.read()
    columns = [crc_of(file, begin, length) for _, begin, length in _chunks(footer)]
    body = crc_of(file, 0, body_end)
    block = struct.pack(f"<{len(columns)}I", *columns)
    sealed = zlib.crc32(block + struct.pack("<II", body, len(columns)) + footer)
    file.seek(body_end)
    file.write(block + _BLOCK_END.pack(body, len(columns), sealed, _MAGIC) + footer)


def verify_parquet(path: Path, columns: Iterable[str] | None = None) -> bool:
    """Verify some columns of a Parquet file, or all of it, and say whether it has checksums.

    This process verifies nothing twice, unless the file has changed since.

    Raises:
        DamagedFile: it is not what was written.
        OSError: it cannot be read.
    """
    wanted = None if columns is None else frozenset(columns)
    with path.open("rb") as file:
        stamp = stamp_of(path)
        known = _verified.get(path)
        if known is not None and known[0] == stamp:
            if known[1] is None or (wanted is not None and wanted <= known[1]):
                return True
            wanted = None if wanted is None else wanted | known[1]
        checks = _read_checks(path, file)
        if checks is None:
            return False
        if wanted is None or checks.body_end < _WHOLE_BELOW:
            wanted = None
            fits = crc_of(file, 0, checks.body_end) == checks.body
        else:
            parts = zip(_chunks(checks.footer), checks.columns, strict=True)
            fits = all(crc_of(file, *part[1:]) == crc for part, crc in parts if part[0] in wanted)
    if not fits:
        raise DamagedFile(path, "its checksum does not match")
    with _lock:
        if len(_verified) >= _REMEMBERED:
            _verified.clear()
        _verified[path] = stamp, wanted
    return True


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return what changes when a file is written or replaced."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def verify_all(paths: Iterable[Path], columns: Iterable[str] | None = None) -> None:
    """Verify some columns, or all, of some Parquet files, skipping files that have disappeared meanwhile."""
    wanted = None if columns is None else frozenset(columns)
    for path in paths:
        try:
            verify_parquet(path, wanted)
        except FileNotFoundError:
            continue


def _read_checks(path: Path, file: BinaryIO) -> _Checks | None:
    """Return the checksums of a Parquet file, None if it has none."""
    size = file.seek(0, 2)
    tail = _tail(file, size, _AT_ONCE)
    if len(tail) < _FOOTER_END.size:
        raise DamagedFile(path, "it is not a Parquet file")
    length, magic = _FOOTER_END.unpack(tail[-_FOOTER_END.size :])
    if magic != b"PAR1" or length + _FOOTER_END.size > size:
        raise DamagedFile(path, "it is not a Parquet file")
    if length > _AT_ONCE // 2:  # many row groups; the block before it is shorter
        tail = _tail(file, size, 2 * length)
    tail_at, footer_at = size - len(tail), len(tail) - _FOOTER_END.size - length
    block_end = tail[max(footer_at - _BLOCK_END.size, 0) : max(footer_at, 0)]
    if not block_end.endswith(_MAGIC):
        if _MAGIC in tail:  # it has checksums, and the length of its footer has changed
            raise DamagedFile(path, "its footer is not where it was written")
        return None
    body, count, sealed, _ = _BLOCK_END.unpack(block_end)
    begin = footer_at - _BLOCK_END.size - 4 * count
    footer = tail[footer_at:]
    if begin < 0 or sealed != zlib.crc32(tail[begin : begin + 4 * count] + block_end[:8] + footer):
        raise DamagedFile(path, "the checksum of its footer does not match")
    columns = list(struct.unpack(f"<{count}I", tail[begin : begin + 4 * count]))
    return _Checks(begin + tail_at, body, columns, footer)


def _tail(file: BinaryIO, size: int, length: int) -> bytes:
    file.seek(max(size - length, 0))
    return file.read()


def _chunks(footer: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield the column's name, the offset and the length of each column chunk."""
    import pyarrow as pa  # an idle service does not need it
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(pa.BufferReader(b"PAR1" + footer))
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for place in range(metadata.num_columns):
            chunk = row_group.column(place)
            begin = chunk.dictionary_page_offset or chunk.data_page_offset
            name = chunk.path_in_schema.split(".")[0]
            yield name, min(begin, chunk.data_page_offset), chunk.total_compressed_size


def crc_of(file: BinaryIO, begin: int, length: int) -> int:
    """Return the CRC-32 of a part of a file: 3.7 GB/s."""
    file.seek(begin)
    crc, left = 0, length
    while left > 0:
        part = file.read(min(left, _AT_ONCE))
        if not part:
            break
        crc = zlib.crc32(part, crc)
        left -= len(part)
    return crc


def crc_of_file(path: Path) -> int:
    """Return the CRC-32 of a file."""
    with path.open("rb") as file:
        return crc_of(file, 0, path.stat().st_size)


def sealed_json(record: dict[str, Any]) -> str:
    """Return a record as JSON with its own checksum among its values."""
    return json.dumps(record | {_KEY: _crc_of_record(record)}, indent=1) + "\n"


def opened_json(text: bytes) -> dict[str, Any]:
    """Read a record from JSON, verify its checksum if it has one, and return it without.

    Raises ValueError if it is not a record, or its checksum does not match.
    """
    record = json.loads(text.decode("utf-8"))
    if not isinstance(record, dict):
        raise ValueError("it holds no record")  # noqa: TRY004 - reported with the file, like the others
    if _KEY in record:
        crc = record.pop(_KEY)
        if crc != _crc_of_record(record):
            raise ValueError("its checksum does not match")
    return record


def has_checksum(text: bytes) -> bool:
    """Return whether the JSON text of a record has a checksum."""
    return _KEY in json.loads(text)


def _crc_of_record(record: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(record, sort_keys=True).encode())
