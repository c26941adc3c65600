"""Find the texts of messages in files and zip archives, one after the other."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from screening.errors import InputError
from screening.risk.messages.read import MAX_BYTES

# What an archive may hold: 100,000 messages of 10 kB are 1 GB. What is unpacked counts, not what it says.
MAX_UNPACKED_BYTES = 2_000_000_000
MAX_ENTRIES = 200_000
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # with files, and without
_PIECE_BYTES = 1 << 20


class MessageFile(NamedTuple):
    """The content of a file, or why it cannot be read."""

    name: str
    data: bytes
    error: str = ""


def files_of(data: bytes, name: str) -> Iterator[MessageFile]:
    """Yield a file, or those in it if it is a zip archive.

    Raises InputError for an archive that unpacks to more than MAX_UNPACKED_BYTES, or to a file of more than
    MAX_BYTES, when that is reached.
    """
    if data.startswith(_ZIP):
        yield from _in_archive(io.BytesIO(data), name)
    else:
        yield MessageFile(name, data)


def read_files(paths: Iterable[Path]) -> Iterator[MessageFile]:
    """Yield the content of files, of zip archives that of those in them; a file may be unreadable."""
    for path in paths:
        name = str(path)
        try:
            with path.open("rb") as stream:
                begin, size = stream.read(len(_ZIP[0])), path.stat().st_size
                stream.seek(0)
                if begin in _ZIP:
                    yield from _in_archive(stream, name)
                elif size > MAX_BYTES:
                    yield MessageFile(name, b"", _too_large(name, size))
                else:
                    yield MessageFile(name, stream.read())
        except OSError as error:
            yield MessageFile(name, b"", f"{path.absolute()} cannot be read: {error.strerror or error}.")


def _in_archive(stream: BinaryIO, name: str) -> Iterator[MessageFile]:
    try:
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        yield MessageFile(name, b"", f"{name} is a damaged zip archive ({error}).")
        return
    with archive:
        yield from _unpacked_files(archive, name)


def _unpacked_files(archive: zipfile.ZipFile, name: str) -> Iterator[MessageFile]:
    left = MAX_UNPACKED_BYTES
    inside = [one for one in archive.infolist() if not one.is_dir()]
    if len(inside) > MAX_ENTRIES:
        raise InputError(
            f"{name} holds {len(inside):,} files; at most {MAX_ENTRIES:,} are allowed. Divide it."
        )
    if not inside:
        yield MessageFile(name, b"", f"{name} is a zip archive without files.")
    for one in inside:
        called = f"{name}: {one.filename}"
        try:
            data = _unpacked(archive, one, min(left, MAX_BYTES))
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
            yield MessageFile(called, b"", f"{called} is damaged in its archive ({error}).")
            continue
        except (RuntimeError, NotImplementedError) as error:  # encrypted; packed in a way that is not known
            yield MessageFile(called, b"", f"{called} cannot be unpacked ({error}).")
            continue
        if data is None:
            raise InputError(_too_large(called) if left > MAX_BYTES else _too_much(name))
        left -= len(data)
        if data.startswith(_ZIP):
            yield MessageFile(called, b"", f"{called} is an archive within an archive; unpack it first.")
        else:
            yield MessageFile(called, data)


def _unpacked(archive: zipfile.ZipFile, one: zipfile.ZipInfo, most: int) -> bytes | None:
    """Return the content of a file in an archive, None if there is more than `most` of it.

    Of one that begins with a piece of blanks only these: no reader goes further.
    """
    pieces, count = [], 0
    with archive.open(one) as stream:
        while piece := stream.read(_PIECE_BYTES):
            count += len(piece)
            if count > most:
                return None
            pieces.append(piece)
            if count == len(piece) == _PIECE_BYTES and piece.isspace():
                break
    return b"".join(pieces)


def _too_large(name: str, size: int | None = None) -> str:
    has = "has more than that" if size is None else f"has {size / 1e6:,.0f} MB"
    return f"A file of messages may have {MAX_BYTES / 1e6:.0f} MB; {name} {has}."


def _too_much(name: str) -> str:
    return f"{name} unpacks to more than {MAX_UNPACKED_BYTES / 1e9:.0f} GB, more than is allowed. Divide it."
