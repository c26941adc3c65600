"""Read one answer of a server within limits of time and size."""

import gzip
import io
import logging
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib import metadata
from typing import NamedTuple

import httpx
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from flows.sources.errors import SourceError, Stopped, Unreachable
from flows.sources.time_limit import TimeLimit
from screening.orbits.texts.unreadable import shown

CONNECTION_ATTEMPTS = 3
_PIECE_BYTES = 65536
_SHOWN_BYTES = 300  # shown of a server's message when it refuses


class Limits(NamedTuple):
    """Limits of a download."""

    connect_s: float = 10.0
    silence_s: float = 30.0
    total_s: float = 300.0
    max_bytes: int = 256_000_000  # as sent, and decompressed


class Web(NamedTuple):
    """The network, replaceable in tests."""

    wait: Callable[[float], None] = time.sleep
    transport: httpx.BaseTransport | None = None
    limits: Limits = Limits()


class Answer(NamedTuple):
    """The answer of a server: of a good status, or 304 if unchanged."""

    status: int
    text: bytes  # empty if it was not requested
    etag: str
    last_modified: str
    offset_reached: str = ""  # of TraCSS: up to which message of a stream it looked


def open_client(limits: Limits, web: Web, login: tuple[str, str] | None = None) -> httpx.Client:
    """Make a client that identifies itself and follows no redirects."""
    logging.getLogger("httpx").setLevel(logging.WARNING)  # below WARNING it logs addresses, keys included
    return httpx.Client(
        headers={
            "User-Agent": f"skysieve/{metadata.version('skysieve')} (conjunction screening; httpx)",
            "Accept": "*/*",
            "Accept-Encoding": "gzip",
        },
        auth=login,
        timeout=httpx.Timeout(limits.silence_s, connect=limits.connect_s),
        follow_redirects=False,
        transport=web.transport,
    )


def ask(
    client: httpx.Client,
    request: httpx.Request,
    limits: Limits,
    web: Web,
    *,
    body_wanted: bool = True,
    good: Sequence[int] = (httpx.codes.OK,),
    attempts: int = CONNECTION_ATTEMPTS,
    before_each: Callable[[], None] = lambda: None,
) -> Answer:
    """Send a request, and return the answer if its status is `good`, or 304 to a conditional request.

    Only a connection that fails before the answer begins is retried, after a second or more.
    `before_each` is called before each try. An unwanted body stays unread. Memory is bounded by the
    limit of size, time by the limit of time plus the attempts to connect.

    Raises:
        Unreachable: no connection came about.
        Stopped: any other status; the text says where it points to, and what the server says.
        SourceError: the answer is too large, cut off, damaged, or takes too long.
    """

    def send() -> httpx.Response:
        before_each()
        return client.send(request, stream=True)

    with TimeLimit(limits.total_s) as limit:
        request.extensions["trace"] = limit.follow
        retrying = Retrying(
            sleep=web.wait,
            stop=stop_after_attempt(attempts),
            wait=wait_exponential_jitter(initial=1, max=10),
            retry=retry_if_exception(lambda error: _is_connection_failure(error) and not limit.over),
            reraise=True,
        )
        try:
            with closing(retrying(send)) as response:
                answer = _answer(response, limits.max_bytes, body_wanted, good)
        except (httpx.TransportError, EOFError, gzip.BadGzipFile, zlib.error) as error:
            if not limit.over:
                raise _failure(request.url, error, limits) from error
        if limit.over:  # without an error, a body without a length ends like this too
            raise SourceError(f"{request.url} did not answer within {limits.total_s:g} s.")
    return answer


def _is_connection_failure(error: BaseException) -> bool:
    return isinstance(error, (httpx.NetworkError, httpx.ConnectTimeout))


def _failure(url: httpx.URL, error: Exception, limits: Limits) -> SourceError:
    match error:
        case httpx.ConnectTimeout():
            return Unreachable(f"{url.host} cannot be reached: no connection within {limits.connect_s:g} s.")
        case httpx.ConnectError() | httpx.ProxyError():
            return Unreachable(f"{url.host} cannot be reached: {error}.")
        case httpx.TimeoutException():
            return SourceError(f"{url} sent nothing for {limits.silence_s:g} s.")
        case httpx.TransportError():
            return SourceError(f"The answer of {url} was cut off, or is not HTTP: {error}.")
        case _:
            return SourceError(f"The answer of {url} is damaged or cut off: its gzip data: {error}.")


def _answer(response: httpx.Response, max_bytes: int, body_wanted: bool, good: Sequence[int]) -> Answer:
    headers = response.headers
    if response.status_code not in good:
        conditional = any(name in response.request.headers for name in ("If-None-Match", "If-Modified-Since"))
        if response.status_code != httpx.codes.NOT_MODIFIED or not conditional:
            raise Stopped(_refusal(response), response.status_code, headers.get("Retry-After", ""))
        body_wanted = False
    text = _body(response, max_bytes) if body_wanted else b""
    # What is not ASCII could not be sent back.
    etag, last_modified = (
        value if value.isascii() else ""
        for value in (headers.get("ETag", ""), headers.get("Last-Modified", ""))
    )
    return Answer(response.status_code, text, etag, last_modified, headers.get("Offset-Reached", ""))


def _refusal(response: httpx.Response) -> str:
    pointing = (
        f" and points to {shown(response.headers['Location'], _SHOWN_BYTES)}"
        if "Location" in response.headers
        else ""
    )
    status = f"{response.status_code} {response.reason_phrase}".strip()
    said = _said(response)
    return f"{response.url} answered {status}{pointing}" + (f": {said}" if said else ".")


def _said(response: httpx.Response) -> str:
    """Return the beginning of a server's plain-text message, empty if there is none."""
    if "Content-Encoding" in response.headers:
        return ""
    try:
        start = next(response.iter_raw(_SHOWN_BYTES), b"").decode("utf-8", "replace").strip()
    except httpx.TransportError:
        return ""  # the status is known, which is what matters
    return "" if start.startswith("<") else shown(start, _SHOWN_BYTES)


def _body(response: httpx.Response, max_bytes: int) -> bytes:
    url = response.url
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        raise SourceError(
            f"{url} sends its response encoded as {encoding!r}; only gzip or none was requested."
        )
    announced = response.headers.get("Content-Length", "")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise _too_large(url, f"announces {int(announced):,} bytes", max_bytes)
    pieces = _within(max_bytes, response.iter_raw(_PIECE_BYTES), url, "sends too much")
    if encoding != "identity":
        pieces = _within(max_bytes, _decompressed(pieces), url, "sends data that decompress to too much")
    text = io.BytesIO()
    for piece in pieces:
        text.write(piece)
    return text.getvalue()


def _within(max_bytes: int, pieces: Iterator[bytes], url: httpx.URL, what: str) -> Iterator[bytes]:
    count = 0
    for piece in pieces:
        count += len(piece)
        if count > max_bytes:
            raise _too_large(url, what, max_bytes)
        yield piece


def _too_large(url: httpx.URL, what: str, max_bytes: int) -> SourceError:
    return SourceError(f"{url} {what}; {max_bytes:,} bytes are allowed.")


def _decompressed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Decompress gzip piece by piece, so that memory stays within the limit."""
    with gzip.GzipFile(fileobj=io.BufferedReader(_Stream(pieces))) as stream:
        while piece := stream.read(_PIECE_BYTES):
            yield piece


class _Stream(io.RawIOBase):
    """Presents incoming pieces as a file to read from."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count
