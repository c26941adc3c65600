"""`Accept-Encoding` with its weights, and the streams that are made."""

import gzip
import zlib

import pyarrow as pa
import pytest

from api.http.codings import CODINGS, Coding, packed, packer, wanted_coding

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


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ([], None),
        ([""], None),
        (["identity"], None),
        (["br"], None),
        (["gzip"], "gzip"),
        (["GZip"], "gzip"),
        (["x-gzip"], "gzip"),
        (["gzip, deflate, br, zstd"], "zstd"),
        (["gzip", "zstd"], "zstd"),  # in two fields
        (["gzip;q=1.0, zstd;q=0.5"], "gzip"),
        (["gzip ; Q=0.2 , zstd;q=0.1"], "gzip"),
        (["gzip;q=0"], None),
        (["gzip;q=0.000, *;q=1"], None),
        (["zstd;q=0, gzip"], "gzip"),
        (["*"], "gzip"),
        (["*;q=0"], None),
        (["identity;q=0.5, gzip;q=0.2"], None),
        (["identity;q=0.5, gzip;q=0.5"], "gzip"),
        (["gzip;q=nonsense"], None),
        (["gzip;q=-1"], None),
        (["gzip;q=inf"], None),
    ],
)
def test_the_coding_that_a_client_wants_most_is_taken(accepted: list[str], coding: Coding | None) -> None:
    assert wanted_coding(accepted) == coding


def test_only_what_is_there_is_offered() -> None:
    assert wanted_coding(["zstd, gzip;q=0.1"], ("gzip",)) == "gzip"
    assert wanted_coding(["zstd"], ("gzip",)) is None


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
