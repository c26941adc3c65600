"""Answers compressed on their way out: which, how, and what of them is in memory while a client reads."""

import asyncio
import csv
import io
import weakref
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message

from api.http.codings import CODINGS, Coding, packed
from api.http.metrics import Metrics
from api.http.middleware.compressing import HELD_BYTES, LEAST_BYTES, Compressed
from api.server.connections import Connections, Limits, Proxies
from api.server.protocol import PART_BYTES, bounded_protocol
from tests.api.client import Client
from tests.api.http.test_codings import TEXT, plain

PARTS = [b"a,b\n", TEXT, TEXT, b""]


class Weak(Response):
    """An answer of which one can tell whether it is still in memory."""

    made: "weakref.ref[Weak] | None" = None


async def answer(request: Request) -> Response:
    kind = request.path_params["kind"]
    if kind == "stream":
        return StreamingResponse(in_parts(), media_type="text/csv")
    if kind == "empty":
        return Response(status_code=304, headers={"ETag": '"1"'})
    body = {"small": TEXT[: LEAST_BYTES - 1], "packed": packed(TEXT, "gzip")}.get(kind, TEXT)
    headers = {"ETag": '"1"', **({"Content-Encoding": "gzip"} if kind == "packed" else {})}
    media = "application/octet-stream" if kind == "binary" else "application/json"
    found = Weak(body, 206 if kind == "part" else 200, headers, media)
    Weak.made = weakref.ref(found)
    return found


async def in_parts() -> AsyncIterator[bytes]:
    for part in PARTS:
        yield part


APP = Compressed(Starlette(routes=[Route("/{kind}", answer)]))


def sent(kind: str, accepted: str, method: str = "GET") -> tuple[Mapping[str, str], list[Message]]:
    """Return the header and the parts that are sent."""
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(dict(message))

    asyncio.run(APP(scope_of(kind, accepted, method), receive, send))
    return httpx.Headers(messages[0]["headers"]), messages[1:]


def scope_of(kind: str, accepted: str, method: str = "GET") -> dict[str, Any]:
    headers = [(b"accept-encoding", accepted.encode())]
    return {
        "type": "http", "method": method, "path": f"/{kind}", "raw_path": b"", "query_string": b"",
        "headers": headers, "asgi": {"version": "3.0", "spec_version": "2.4"}, "root_path": "",
    }  # fmt: skip


async def receive() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


@pytest.mark.parametrize("coding", CODINGS)
def test_what_is_large_is_compressed_and_its_etag_is_weak(coding: Coding) -> None:
    headers, parts = sent("large", coding)
    (part,) = parts
    assert plain(part["body"], coding) == TEXT
    assert headers["Content-Encoding"] == coding
    assert headers["Content-Length"] == str(len(part["body"]))
    assert headers["ETag"] == 'W/"1"'
    assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("kind", "accepted"),
    [
        ("small", "gzip"),
        ("large", ""),
        ("large", "gzip;q=0"),
        ("binary", "gzip"),
        ("part", "gzip"),
        ("empty", "gzip"),
    ],
)
def test_other_answers_go_as_they_are(kind: str, accepted: str) -> None:
    headers, parts = sent(kind, accepted)
    body = b"".join(part["body"] for part in parts)
    assert "Content-Encoding" not in headers
    assert headers["ETag"] == '"1"'
    assert headers.get("Content-Length", "0") == str(len(body))
    assert headers["Vary"] == "Accept-Encoding"  # a cache must know, whichever it has


def test_what_is_packed_already_is_not_packed_again() -> None:
    headers, parts = sent("packed", "zstd, gzip")
    assert headers["Content-Encoding"] == "gzip"
    assert plain(b"".join(part["body"] for part in parts), "gzip") == TEXT


def test_head_tells_the_length_of_the_plain_answer() -> None:
    headers, _ = sent("large", "gzip", "HEAD")
    assert "Content-Encoding" not in headers
    assert headers["Content-Length"] == str(len(TEXT))


@pytest.mark.parametrize("coding", CODINGS)
def test_a_stream_is_compressed_part_by_part(coding: Coding) -> None:
    headers, parts = sent("stream", coding)
    assert "Content-Length" not in headers
    assert [part["more_body"] for part in parts] == [True, True, True, True, False]
    assert plain(b"".join(part["body"] for part in parts), coding) == b"".join(PARTS)
    # Its plain part is in memory as long as it is sent, and counts.
    assert all(
        part[HELD_BYTES] >= len(plain_part) for part, plain_part in zip(parts[:-1], PARTS, strict=True)
    )


def test_while_a_client_reads_the_plain_body_is_gone() -> None:
    held: list[bool] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            assert Weak.made is not None
            held.append(Weak.made() is not None)

    asyncio.run(APP(scope_of("large", "zstd"), receive, send))
    assert held == [False]


def test_the_register_counts_what_a_compressed_part_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    # 4 MB of plain CSV behind 100 bytes of stream are 4 MB that a slow client keeps in memory.
    limits = Limits(connections=4, per_network=4, request_s=20, send_s=30, unsent_bytes=10**9)
    register = Connections(limits, Proxies("127.0.0.1"), Metrics())
    protocol = bounded_protocol(register)
    one: Any = protocol.__new__(protocol)
    counted: list[int] = []

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send(
            {"type": "http.response.body", "body": b"x" * 100, "more_body": True, HELD_BYTES: 4_000_000}
        )
        await send(
            {"type": "http.response.body", "body": b"x" * 100, "more_body": True, HELD_BYTES: PART_BYTES}
        )

    async def send(message: Any) -> None:
        counted.append(sum(register._unsent.values()))
        assert len(message["body"]) == 100
        assert message["more_body"]

    one._register, one._application = register, application
    monkeypatch.setattr(protocol, "blocked_since_s", lambda _self, _now_s: None)
    asyncio.run(one._answer({}, receive, send))
    assert counted == [4_000_000, 0]


@pytest.mark.parametrize("accept", ["application/json", "text/csv"])
@pytest.mark.parametrize("coding", CODINGS)
def test_lists_are_the_same_in_a_fraction_of_the_bytes(client: Client, accept: str, coding: Coding) -> None:
    path, headers = "/conjunctions?limit=200", {**client.headers, "Accept": accept}
    as_it_is = client.get(path, headers={**headers, "Accept-Encoding": "identity"})
    answer = raw(client, path, {**headers, "Accept-Encoding": coding})
    assert answer.headers["Content-Encoding"] == coding
    assert plain(answer.extensions["sent"], coding) == as_it_is.content
    assert len(answer.extensions["sent"]) < len(as_it_is.content) / 2
    assert {"Accept", "Accept-Encoding", "Authorization"} <= set(answer.headers["Vary"].split(", "))


def test_all_events_as_csv_come_compressed_and_whole(client: Client) -> None:
    answer = client.get("/conjunctions", headers={**client.headers, "Accept": "text/csv"})
    assert answer.headers["Content-Encoding"] == "gzip"  # which httpx asks for by itself, and undoes
    assert len(list(csv.DictReader(io.StringIO(answer.text)))) == 3000


def test_an_etag_holds_in_any_coding_and_in_a_list(client: Client) -> None:
    tag = client.get("/objects", headers={**client.headers, "Accept-Encoding": "identity"}).headers["ETag"]
    assert tag.startswith("W/")
    for given in (tag, f'"other", {tag}', "*"):
        kept = client.get(
            "/objects", headers={**client.headers, "If-None-Match": given, "Accept-Encoding": "gzip"}
        )
        assert (kept.status_code, kept.content) == (304, b""), given
        assert "Accept-Encoding" in kept.headers["Vary"]


def raw(client: Client, path: str, headers: Mapping[str, str]) -> httpx.Response:
    """Return an answer, with the bytes that were sent beside."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(client.app)
        async with (
            httpx.AsyncClient(transport=transport, base_url="http://localhost") as tab,
            tab.stream("GET", path, headers=headers) as answer,
        ):
            answer.extensions["sent"] = b"".join([part async for part in answer.aiter_raw()])
        return answer

    return asyncio.run(ask())
