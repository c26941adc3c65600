"""Post JSON to an address, signed by Standard Webhooks 1.0.0, and return what its server answers."""

import base64
import ssl
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib import metadata
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import httpcore
from standardwebhooks import Webhook

from flows.alerts.channels.network import CheckedNetwork, RefusedAddress, Resolve, resolved
from flows.sources.time_limit import TimeLimit
from screening.orbits.texts.unreadable import shown
from storage.addresses import without_secrets
from storage.times import in_utc

TOTAL_S = 20.0
_CONNECT_S = 10.0
_READ_BYTES = 4096  # of what a server says when it refuses
_SHOWN_CHARACTERS = 200
_REDIRECTS = range(300, 400)
_TAKEN = range(200, 300)


class Answered(NamedTuple):
    """The answer of a receiver, or why there is none."""

    status: int | None  # of HTTP or SMTP; None: no answer came
    error: str = ""  # empty: it was taken
    retry_after: str = ""  # as the receiver wrote it: seconds, or a date
    is_final: bool = False  # trying again would end the same

    @property
    def was_taken(self) -> bool:
        """Tell whether the receiver has taken the message."""
        return not self.error


class Wire(NamedTuple):
    """What a delivery goes over, replaceable in tests."""

    tls: ssl.SSLContext
    allow_private: bool = False
    resolve: Resolve = resolved
    total_s: float = TOTAL_S


def signed_headers(message_id: str, body: str, secrets: Sequence[str], attempted: datetime) -> dict[str, str]:
    """Return the headers of one attempt.

    Args:
        message_id: id of the message, the same for all attempts.
        body: what is sent.
        secrets: `whsec_...`; each signs, so that a receiver may change from one to the next.
        attempted: the time of this attempt; receivers refuse old ones.
    """
    at = in_utc(attempted)  # the library ignores the zone
    signatures = [Webhook(secret).sign(message_id, at, body) for secret in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def post(url: str, body: bytes, headers: Mapping[str, str], wire: Wire, limit: TimeLimit) -> Answered:
    """Post a body as JSON and return what came of it; only a status 2xx means that it was taken.

    Redirects are not followed, nothing is decompressed, and of an answer no more than 4 kB are read. `limit`
    is entered by the caller, and may be ended at any time.
    """
    parts = urlsplit(url)
    network = CheckedNetwork(wire.resolve, wire.total_s, allow_private=wire.allow_private)
    timeouts = {"connect": _CONNECT_S, "read": wire.total_s, "write": wire.total_s, "pool": wire.total_s}
    try:
        with (
            httpcore.ConnectionPool(wire.tls, max_connections=1, network_backend=network) as pool,
            pool.stream(
                "POST",
                _without_user(url),
                headers=list({**_headers(url), **headers}.items()),
                content=body,
                extensions={"timeout": timeouts, "trace": limit.follow},
            ) as response,
        ):
            return _answered(response, parts.hostname or "")
    except RefusedAddress as error:
        return Answered(None, str(error))
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
        if limit.over or isinstance(error, httpcore.TimeoutException):
            return Answered(None, f"{parts.hostname} did not answer in time.")
        why = (str(error) or type(error).__name__).rstrip(".")
        return Answered(None, f"{parts.hostname} gave no answer: {why}.")


def _answered(response: httpcore.Response, host: str) -> Answered:
    status = response.status
    if status in _TAKEN:
        return Answered(status)
    headers = {name.lower(): value.decode("latin-1") for name, value in response.headers}
    if status in _REDIRECTS:
        pointed = _host_of(headers.get(b"location", ""))
        said = f"redirects are not followed{f', to {shown(pointed)}' if pointed else ''}"
    else:
        said = _said(response)
    error = f"{host} answered {status}" + (f": {said}" if said else "")
    return Answered(status, error.rstrip(".") + ".", headers.get(b"retry-after", ""))


def _host_of(location: str) -> str:
    """Return the host that a redirect names, empty if it names none."""
    try:
        return urlsplit(location).hostname or ""
    except ValueError:
        return ""


def _said(response: httpcore.Response) -> str:
    """Return the beginning of a server's plain-text message, empty if there is none."""
    text = b""
    try:
        for piece in response.iter_stream():
            text += piece[:_READ_BYTES]
            if len(text) >= _READ_BYTES:
                break
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        return ""  # the status is known, which is what matters
    start = text.decode("utf-8", "replace").strip()
    return "" if start.startswith("<") else without_secrets(shown(start, _SHOWN_CHARACTERS))


def _headers(url: str) -> dict[str, str]:
    parts = urlsplit(url)
    headers = {
        "Host": parts.netloc.rpartition("@")[2],
        "User-Agent": f"skysieve/{metadata.version('skysieve')} (conjunction alerts)",
        "Content-Type": "application/json",
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(login).decode()}"
    return headers


def _without_user(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
