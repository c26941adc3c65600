"""Decode the bytes of a catalogue, as downloaded or stored, to text."""

import gzip
import io
import zlib
from collections.abc import Iterator

from screening.errors import InputError, UnreadableCatalogue

DEFAULT_MAX_BYTES = 512 * 1024**2  # the whole public catalogue is 4 MB as CSV, 60 MB as XML

GZIP_MAGIC = b"\x1f\x8b"
_PIECE_BYTES = 1024**2
_END_OF_FILE = "\x1a"  # with which files of old systems end


def catalogue_text(data: bytes | str, *, max_bytes: int, source_name: str) -> str:
    """Return the text with lines that end in a line feed.

    gzip is recognised by its first bytes. UTF-8 with or without a byte order mark, UTF-16 with one; anything
    else is decoded as Latin-1, which always succeeds. Raises InputError if there are more than `max_bytes`
    bytes (characters of a str), decompressed if compressed; UnreadableCatalogue if the compressed data are
    damaged.
    """
    if isinstance(data, bytes) and data.startswith(GZIP_MAGIC):
        data = _decompressed(data, max_bytes, source_name)
    elif len(data) > max_bytes:
        raise InputError(f"{source_name} has {len(data)} bytes; at most {max_bytes} are allowed.")
    return _decoded(data).removesuffix(_END_OF_FILE).replace("\r\n", "\n").replace("\r", "\n")


def beginning(data: bytes, most: int) -> str:
    """Return the first `most` bytes as text, decompressed if compressed; of damaged ones what there is."""
    if not data.startswith(GZIP_MAGIC):
        return _decoded(data[:most])
    try:
        return _decoded(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, most))
    except zlib.error:
        return ""


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text one after the other: a list of them may take forty times its memory."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _decompressed(data: bytes, max_bytes: int, source_name: str) -> bytes:
    try:
        # Measured before it is kept, so that a decompression bomb cannot fill the memory.
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            fits = _has_at_most(stream, max_bytes)
        if fits:
            return gzip.decompress(data)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UnreadableCatalogue(
            f"Cannot read element sets from {source_name}: its gzip data are damaged or cut off ({error})."
        ) from error
    raise InputError(
        f"{source_name} has {len(data)} bytes that decompress to more than the {max_bytes} allowed."
    )


def _has_at_most(stream: gzip.GzipFile, max_bytes: int) -> bool:
    count = 0
    while piece := stream.read(_PIECE_BYTES):
        count += len(piece)
        if count > max_bytes:
            return False
    return True


def _decoded(data: bytes | str) -> str:
    if isinstance(data, str):
        # Half a surrogate pair cannot be written to any file.
        return data.encode("utf-8", "replace").decode("utf-8").removeprefix("\ufeff")
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")
