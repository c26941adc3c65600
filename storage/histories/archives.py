"""Open the catalogues in files and archives as streams, one after the other."""

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, cast

from screening.errors import InputError
from screening.orbits.texts.decoding import GZIP_MAGIC
from storage.machine.found_files import is_hidden

# Element sets shrink to a third or less, by gzip to a tenth at best; a bomb to a thousandth.
MOST_TIMES = 100
_SURELY_FINE_BYTES = 64 << 20  # unpacked
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # with files, and without
_TAR = slice(257, 262), b"ustar"
_HEAD_BYTES = 512
_BUFFER_BYTES = 1 << 20
_MOST_LAYERS = 3  # such as .tle.gz in .tar.gz
# What the libraries raise for damaged, encrypted and unknown data.
_FAULTS = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
)


class UnreadableStream(InputError):
    """A file, or one in an archive, that cannot be read to its end."""


class Opened(NamedTuple):
    """A catalogue's stream, which is open until the next is asked for, or why there is none."""

    name: str
    stream: BinaryIO | None
    problem: str = ""


class _Unpacked(io.RawIOBase):
    """A stream whose faults are UnreadableStream, as is more than its packed size can stand for."""

    def __init__(self, stream: BinaryIO, packed: Callable[[], int], name: str) -> None:
        super().__init__()
        self._stream, self._packed, self._name, self._count = stream, packed, name, 0

    def readable(self) -> bool:
        """Return that it is; io.BufferedReader asks."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer, all of it unless the stream ends."""
        count = 0
        while count < len(buffer):
            try:
                piece = self._stream.read(len(buffer) - count)
            except _FAULTS as error:
                raise UnreadableStream(f"{self._name} cannot be read: {_why(error)}.") from error
            if not piece:
                break
            buffer[count : count + len(piece)] = piece
            count += len(piece)
        self._count += count
        if self._count > max(_SURELY_FINE_BYTES, MOST_TIMES * self._packed()):
            raise UnreadableStream(
                f"{self._name} unpacks to more than {MOST_TIMES} times its size; no catalogue does that."
            )
        return count


def opened(path: Path, on_bytes: Callable[[int], None] = lambda _read: None) -> Iterator[Opened]:
    """Yield the stream of a file, or of each file in it: zip, tar, gzip, and these in tar and zip.

    `on_bytes` is told how many bytes of the file were read since it was told last.
    """
    name = str(path)
    try:
        raw = path.open("rb")
    except OSError as error:
        yield Opened(name, None, f"{path.absolute()} cannot be read: {_why(error)}.")
        return
    with raw:
        told = 0
        for one in _inside(raw, raw.tell, name, 0):
            yield one
            on_bytes(raw.tell() - told)
            told = raw.tell()


def _inside(raw: BinaryIO, packed: Callable[[], int], name: str, layers: int) -> Iterator[Opened]:
    """Yield what is in a stream: itself, unless it is packed."""
    stream = io.BufferedReader(_Unpacked(raw, packed, name), _BUFFER_BYTES)
    try:
        head = stream.peek(_HEAD_BYTES)
    except UnreadableStream as error:
        yield Opened(name, None, str(error))
        return
    if head.startswith(_ZIP):
        yield from _in_zip(raw, name, layers)
    elif head.startswith(GZIP_MAGIC) and layers < _MOST_LAYERS:
        unpacked: BinaryIO = gzip.GzipFile(fileobj=stream)  # type: ignore[assignment]
        yield from _inside(unpacked, packed, name, layers + 1)
    elif head[_TAR[0]] == _TAR[1] and layers < _MOST_LAYERS:
        yield from _in_tar(stream, packed, name, layers)
    else:
        yield Opened(name, cast("BinaryIO", stream))


def _in_zip(raw: BinaryIO, name: str, layers: int) -> Iterator[Opened]:
    if layers:
        yield Opened(name, None, f"{name} is a zip archive within an archive; unpack it first.")
        return
    try:
        archive = zipfile.ZipFile(raw)
    except _FAULTS as error:
        yield Opened(name, None, f"{name} is a damaged zip archive: {_why(error)}.")
        return
    found = False
    with archive:
        for one in archive.infolist():
            if one.is_dir() or is_hidden(Path(one.filename)):
                continue
            found, called = True, f"{name}: {one.filename}"
            try:
                stream = archive.open(one)
            except _FAULTS as error:
                yield Opened(called, None, f"{called} cannot be unpacked: {_why(error)}.")
                continue
            with stream:
                packed_bytes = one.compress_size
                yield from _inside(stream, lambda size=packed_bytes: size, called, layers + 1)  # type: ignore[arg-type, misc]
    if not found:
        yield Opened(name, None, f"{name} is an archive without files.")


def _in_tar(stream: BinaryIO, packed: Callable[[], int], name: str, layers: int) -> Iterator[Opened]:
    found = False
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for one in archive:
                if not one.isfile() or is_hidden(Path(one.name)):
                    continue
                found, called = True, f"{name}: {one.name}"
                inside = archive.extractfile(one)
                assert inside is not None  # a file
                yield from _inside(inside, packed, called, layers + 1)  # type: ignore[arg-type]
    except UnreadableStream as error:
        yield Opened(name, None, str(error))
        return
    except _FAULTS as error:
        yield Opened(name, None, f"{name} is a damaged tar archive: {_why(error)}.")
        return
    if not found:
        yield Opened(name, None, f"{name} is an archive without files.")


def file_name(name: str) -> str:
    """Return the last part of an opened stream's name, within its archive if it is in one."""
    return PurePosixPath(name.rpartition(": ")[2]).name


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).rstrip(".") or type(error).__name__
