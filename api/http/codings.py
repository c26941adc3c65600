"""The content codings that the service can send: zstd and gzip."""

import zlib
from io import BytesIO
from typing import Literal, Protocol, cast

import pyarrow as pa
from isal import isal_zlib

Coding = Literal["zstd", "gzip"]
CODINGS: tuple[Coding, ...] = ("zstd", "gzip")  # the smaller and cheaper one first

# Of ISA-L: smaller than zlib's level 1 in less than a quarter of its time.
_GZIP_LEVEL = 2
_GZIP_WINDOW = 16 + zlib.MAX_WBITS  # 16: with a gzip header


class Packer(Protocol):
    """Compresses one stream, a part at a time."""

    def add(self, part: bytes) -> bytes:
        """Add a part; return the bytes from which everything added so far can be read."""

    def end(self) -> bytes:
        """Return the rest of the stream."""


class _Gzip:
    def __init__(self) -> None:
        self._stream = isal_zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)

    def add(self, part: bytes) -> bytes:
        return self._stream.compress(part) + self._stream.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        return self._stream.flush()


class _Zstd:
    """Arrow's zstd at level 1; its window of 512 kB is within the 8 MB that RFC 9659 allows."""

    def __init__(self) -> None:
        self._made = _Kept()
        self._stream = pa.CompressedOutputStream(self._made, "zstd")

    def add(self, part: bytes) -> bytes:
        self._stream.write(part)
        self._stream.flush()
        return self._made.taken()

    def end(self) -> bytes:
        self._stream.close()
        return self._made.taken()


class _Kept(BytesIO):
    """Holds what was written until it is taken; closing it loses nothing."""

    def taken(self) -> bytes:
        made = self.getvalue()
        self.seek(0)
        self.truncate()
        return made

    def close(self) -> None:
        return


def packer(coding: Coding) -> Packer:
    """Return a packer for one stream."""
    return _Zstd() if coding == "zstd" else _Gzip()


def packed(body: bytes, coding: Coding) -> bytes:
    """Return a body compressed as a whole."""
    if coding == "zstd":
        return cast("bytes", pa.compress(body, codec="zstd", asbytes=True))
    stream = isal_zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)
    return stream.compress(body) + stream.flush()
