"""Bytes to text: encodings, compression, and what is too much."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from screening.errors import InputError, UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.decoding import catalogue_text

# The bomb itself and one decompressed piece, far below what the bomb would fill.
SMALL_MEMORY_BYTES = 20_000_000

TEXT = "OBJECT_NAME\nSÃO PAULO\n"


def decoded(data: bytes | str, max_bytes: int = 1000) -> str:
    return catalogue_text(data, max_bytes=max_bytes, source_name="gp.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_decodes(encoding: str) -> None:
    data = TEXT.encode(encoding)
    assert decoded(data) == decoded(gzip.compress(data)) == TEXT


def test_takes_text_as_it_is_but_for_what_no_file_can_hold() -> None:
    assert decoded("\ufeff" + TEXT) == TEXT
    assert decoded("A\ud800B") == "A?B"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_lines_in_a_line_feed(end: str) -> None:
    assert decoded(TEXT.replace("\n", end).encode()) == TEXT


def test_takes_utf_16_that_is_cut_off_for_bytes() -> None:
    assert decoded(b"\xff\xfeA") == "ÿþA"


def test_reads_compressed_parts_one_after_the_other(five: list[dict[str, str]]) -> None:
    lines = [",".join(five[0]), *(",".join(record.values()) for record in five)]
    text = "\n".join(lines).encode()
    parts = gzip.compress(text[:300]) + gzip.compress(text[300:])  # as `cat a.gz b.gz` leaves them
    catalogue = parse_catalogue(parts)
    assert catalogue.text_format == "omm-csv"
    assert catalogue.elements.tobytes() == parse_catalogue(text).elements.tobytes()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-4],
        lambda data: data[:4],
        lambda data: data[:20] + b"\x00\xff" + data[22:],
        lambda data: data[:-8] + bytes(8),
        lambda data: data + b"x",
    ],
)
def test_refuses_damaged_gzip(damage: Callable[[bytes], bytes]) -> None:
    with pytest.raises(UnreadableCatalogue, match=r"gp\.csv: its gzip data are damaged or cut off"):
        decoded(damage(gzip.compress(TEXT.encode())))


def test_refuses_what_is_too_long() -> None:
    data = TEXT.encode()
    size = len(data)
    assert decoded(data, size) == decoded(gzip.compress(data), size) == TEXT
    with pytest.raises(InputError, match=rf"gp\.csv has {size} bytes; at most {size - 1} are allowed"):
        decoded(data, size - 1)
    with pytest.raises(InputError, match=f"decompress to more than the {size - 1}"):
        decoded(gzip.compress(data), size - 1)
    with pytest.raises(InputError, match=f"has {len(TEXT)} bytes; at most 3 are allowed"):
        decoded(TEXT, 3)


@pytest.mark.slow
def test_refuses_a_gzip_bomb_without_holding_it() -> None:
    compressor = zlib.compressobj(9, wbits=31)
    piece = bytes(1_000_000)
    bomb = b"".join(compressor.compress(piece) for _ in range(300)) + compressor.flush()
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="decompress to more than the 200000000"):
            parse_catalogue(bomb, max_bytes=200_000_000)
        assert tracemalloc.get_traced_memory()[1] < SMALL_MEMORY_BYTES
    finally:
        tracemalloc.stop()
