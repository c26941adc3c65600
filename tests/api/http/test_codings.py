"""The streams that are made."""

import gzip
import zlib

import pyarrow as pa
import pytest

from api.http.codings import CODINGS, Coding, packed, packer

TEXT = b'{"norad_id": 25544, "name": "ISS (ZARYA)"}\n' * 3000


def plain(body: bytes, coding: Coding) -> bytes:
    """Return what a client reads."""
    if coding == "gzip":
        return gzip.decompress(body)
    whole: bytes = pa.CompressedInputStream(pa.BufferReader(body), "zstd").read()
    return whole


def read_so_far(body: bytes, coding: Coding, count: int) -> bytes:
    """Return the bytes that a client can read of the begin of a stream."""
    if coding == "gzip":
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body, count)
    found: bytes = pa.CompressedInputStream(pa.BufferReader(body), "zstd").read(count)
    return found


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_is_the_same_when_it_is_read(coding: Coding) -> None:
    body = packed(TEXT, coding)
    assert plain(body, coding) == TEXT
    assert len(body) < len(TEXT) / 20


@pytest.mark.parametrize("coding", CODINGS)
def test_each_part_of_a_stream_can_be_read_when_it_is_sent(coding: Coding) -> None:
    stream = packer(coding)
    first = stream.add(b"id,tca\n")
    assert read_so_far(first, coding, 7) == b"id,tca\n"
    rest = stream.add(TEXT) + stream.end()
    assert plain(first + rest, coding) == b"id,tca\n" + TEXT
