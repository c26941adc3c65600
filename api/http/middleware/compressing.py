"""Compress large answers of all routes, for clients that accept it."""

import asyncio

from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.codings import CODINGS, Packer, packed, packer
from api.http.negotiation import wanted_coding, weak

LEAST_BYTES = 4_096  # smaller answers fit in three packets
# Numbers in binary (positions as arrays) become 7 % smaller, for more CPU time than it takes to make them.
_TEXTS = ("application/json", "application/problem+json", "application/atom+xml", "text/")
# Its events must arrive when they happen; a packer holds them back until it has enough.
_NEVER = "text/event-stream"
_AT_ONCE_BYTES = 16_384  # 0.2 ms: handing it to a thread takes as long
_THREADS = 2  # a page of 10,000 events takes 0.2 s: never use all cores
# Key in a part of a body: how many bytes wait in memory until it is sent, if more than the part has.
HELD_BYTES = "skysieve.held_bytes"


class Compressed:
    """Sends zstd or gzip to clients that accept it; small or already compressed bodies are sent unchanged."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._threads = asyncio.Semaphore(_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on.

        A body in one piece is sent after the application has returned: it then no longer holds the plain
        body, ten times as large, while a slow client reads.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(scope, send, self._threads)
        await self.app(scope, receive, answer.send)
        await answer.end()


class _Answer:
    def __init__(self, scope: Scope, send: Send, threads: asyncio.Semaphore) -> None:
        self._send = send
        self._threads = threads
        accepted = Headers(scope=scope).getlist("Accept-Encoding")
        # An answer to HEAD has no body, and the headers that GET would have without compression.
        self._coding = None if scope["method"] == "HEAD" else wanted_coding(accepted, CODINGS)
        self._start: Message | None = None  # held back until it is known whether the body is compressed
        self._stream: Packer | None = None
        self._at_the_end: bytes | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = {**message, "headers": list(message["headers"])}
            MutableHeaders(scope=self._start).add_vary_header("Accept-Encoding")
        elif self._start is not None:
            await self._first(self._start, message)
        elif self._stream is not None:
            await self._packed_part(self._stream, message)
        else:
            await self._send(message)

    async def end(self) -> None:
        """Send what was held back until the application returned."""
        if self._at_the_end is not None:
            await self._send({"type": "http.response.body", "body": self._at_the_end})

    async def _first(self, start: Message, message: Message) -> None:
        self._start = None
        body, more = message.get("body", b""), message.get("more_body", False)
        headers = MutableHeaders(scope=start)
        coding = self._coding if _can_be_packed(start["status"], headers) else None
        if coding is None or not (more or len(body) >= LEAST_BYTES):
            await self._send(start)
            await self._send(message)
            return
        headers["Content-Encoding"] = coding
        tag = headers.get("ETag")
        if tag is not None:
            headers["ETag"] = weak(tag)
        if more:
            del headers["Content-Length"]
            self._stream = packer(coding)
            await self._send(start)
            await self._packed_part(self._stream, message)
            return
        if len(body) > _AT_ONCE_BYTES:
            async with self._threads:
                self._at_the_end = await run_in_threadpool(packed, body, coding)
        else:
            self._at_the_end = packed(body, coding)
        headers["Content-Length"] = str(len(self._at_the_end))
        await self._send(start)

    async def _packed_part(self, stream: Packer, message: Message) -> None:
        plain, more = message.get("body", b""), message.get("more_body", False)

        def part() -> bytes:
            return (stream.add(plain) if plain else b"") + (b"" if more else stream.end())

        if len(plain) <= _AT_ONCE_BYTES:
            body = part()
        else:
            async with self._threads:
                body = await run_in_threadpool(part)
        await self._send({**message, "body": body, HELD_BYTES: len(plain) + len(body)})


def _can_be_packed(status: int, headers: MutableHeaders) -> bool:
    # Parts of a body (206) are parts of the uncompressed body.
    kind = headers.get("Content-Type", "")
    fits = kind.startswith(_TEXTS) and not kind.startswith(_NEVER)
    return status != 206 and "Content-Encoding" not in headers and fits
