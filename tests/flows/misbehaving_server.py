"""A real HTTP server on 127.0.0.1 that answers as badly as a test wants.

An answer is a function of an `Exchange`; the functions below make the usual ones. Whatever an answer waits
for ends when the server is closed, and what it sends without end has a limit, so that no test can hang on it.
"""

import gzip
import io
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Self

MOST_SENT_BYTES = 4_000_000_000
PACE_S = 0.005  # between the bytes of a slow answer; ends early when the server is closed


class Request(NamedTuple):
    """What a client sent."""

    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes


class Exchange(NamedTuple):
    """One request, and the connection to answer it on."""

    request: Request
    connection: socket.socket
    closing: threading.Event

    def send(self, content: bytes) -> None:
        self.connection.sendall(content)

    def send_head(self, status: str, **headers: object) -> None:
        """Send the status line and headers; `content_length` becomes Content-Length."""
        lines = [f"{name.replace('_', '-').title()}: {value}" for name, value in headers.items()]
        self.send("\r\n".join([f"HTTP/1.1 {status}", *lines, "Connection: close", "", ""]).encode("latin-1"))


Answer = Callable[[Exchange], None]


class MisbehavingServer:
    """The server; use it as a context manager. Requests are kept in the order they came."""

    def __init__(self, *, listening: bool = True, tls: ssl.SSLContext | None = None) -> None:
        self.answer: Answer = status("404 Not Found")
        self.requests: list[Request] = []
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler(), bind_and_activate=False)
        self._server.server_bind()  # without listening, connections to the port are refused
        self._thread: threading.Thread | None = None
        self.port = int(self._server.server_address[1])
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        if tls is not None:  # the handshake takes place in the thread of the request
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        if listening:
            self.listen()

    def listen(self) -> None:
        self._server.server_activate()
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self) -> None:
        """End all answers and wait for their threads."""
        self._closing.set()
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._thread = None
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, body)
                outer.requests.append(request)
                outer.answer(Exchange(request, self.connection, outer._closing))
                self.close_connection = True

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # closing waits for them

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle is what the tests are about."""


def status(line: str, body: bytes = b"", **headers: object) -> Answer:
    """Answer in full."""

    def answer(exchange: Exchange) -> None:
        exchange.send_head(line, content_length=len(body), **headers)
        exchange.send(body)

    return answer


def text(body: bytes, **headers: object) -> Answer:
    return status("200 OK", body, **headers)


def tagged(body: bytes, etag: str) -> Answer:
    """Answer 304 to who has it already."""

    def answer(exchange: Exchange) -> None:
        if exchange.request.headers.get("if-none-match") == etag:
            exchange.send_head("304 Not Modified", etag=etag)
        else:
            text(body, etag=etag)(exchange)

    return answer


def by_path(answers: dict[str, Answer]) -> Answer:
    """Answer by the beginning of the path."""

    def answer(exchange: Exchange) -> None:
        found = (one for path, one in answers.items() if exchange.request.path.startswith(path))
        next(found, status("404 Not Found"))(exchange)

    return answer


def of_length(announced: int, body: bytes) -> Answer:
    """Announce a length, send another and close."""

    def answer(exchange: Exchange) -> None:
        exchange.send_head("200 OK", content_length=announced)
        exchange.send(body)

    return answer


def chunks_cut(body: bytes) -> Answer:
    """Send one chunk, and close without the last one."""

    def answer(exchange: Exchange) -> None:
        exchange.send_head("200 OK", transfer_encoding="chunked")
        exchange.send(f"{len(body):x}\r\n".encode() + body + b"\r\n")

    return answer


def without_length(body: bytes) -> Answer:
    """Send a body that ends where the connection does."""

    def answer(exchange: Exchange) -> None:
        exchange.send_head("200 OK")
        exchange.send(body)

    return answer


def compressed(stream: bytes) -> Answer:
    return text(stream, content_encoding="gzip")


def zeros_compressed(size: int) -> bytes:
    """Return gzip data, a thousandth of the zeros that they stand for, made without holding these."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb") as stream:
        for _ in range(size // 1_000_000):
            stream.write(bytes(1_000_000))
    return file.getvalue()


def silent(exchange: Exchange) -> None:
    """Take the request and say nothing."""
    exchange.closing.wait()


def silent_after_head(announced: int) -> Answer:
    def answer(exchange: Exchange) -> None:
        exchange.send_head("200 OK", content_length=announced)
        exchange.closing.wait()

    return answer


def drip(head: bytes) -> Answer:
    """Send a head, then a byte at a time without end."""

    def answer(exchange: Exchange) -> None:
        exchange.send(head)
        while not exchange.closing.wait(PACE_S):
            exchange.send(b"a")

    return answer


DRIPPING_BODY = drip(b"HTTP/1.1 200 OK\r\n\r\n")
DRIPPING_HEAD = drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")


def endless(exchange: Exchange) -> None:
    """Send as fast as the client reads."""
    exchange.send_head("200 OK")
    piece = bytes(65536)
    for _ in range(MOST_SENT_BYTES // len(piece)):
        if exchange.closing.is_set():
            break
        exchange.send(piece)


def reset(exchange: Exchange) -> None:
    """Break the connection off, so that the client gets an error and no end."""
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.connection.close()
