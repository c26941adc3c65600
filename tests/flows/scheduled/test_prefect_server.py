"""Prefect's server answers nobody whom a page in a browser sends."""

import asyncio

import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from flows.scheduled.prefect_server import OF_THIS_MACHINE, guarded, why_refused

NAMES = (*OF_THIS_MACHINE, "prefect")


def headers(*pairs: tuple[str, str]) -> Headers:
    return Headers(raw=[(name.encode(), value.encode("latin-1")) for name, value in pairs])


@pytest.mark.parametrize(
    "host", ["127.0.0.1:4200", "localhost", "LOCALHOST:4200", "[::1]:4200", "[::1]", "prefect:4200"]
)
def test_own_names_are_answered(host: str) -> None:
    assert why_refused(headers(("host", host)), NAMES) is None
    assert why_refused(headers(("host", host), ("origin", f"http://{host.lower()}")), NAMES) is None


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1.evil.example:4200", "127.0.0.1:4200:1", "prefect.", "[::2]:4200"]
)
def test_other_names_are_not(host: str) -> None:
    assert why_refused(headers(("host", host)), NAMES) is not None


def test_two_hosts_or_none_are_not() -> None:
    assert why_refused(headers(), NAMES) is not None
    assert why_refused(headers(("host", "localhost"), ("host", "localhost")), NAMES) is not None


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://localhost:7373", "http://localhost.evil.example:4200"],
)
def test_pages_of_other_origins_are_not(origin: str) -> None:
    assert why_refused(headers(("host", "localhost:4200"), ("origin", origin)), NAMES) is not None


@pytest.mark.parametrize(
    ("kind", "refused_by"), [("http", "http.response.start"), ("websocket", "websocket.close")]
)
def test_what_is_refused_does_not_reach_the_server(kind: str, refused_by: str) -> None:
    reached, sent = list[str](), list[Message]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["type"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    own = guarded(app, NAMES)
    for host in (b"evil.example", b"localhost"):
        asyncio.run(own({"type": kind, "headers": [(b"host", host)]}, receive, send))
    asyncio.run(own({"type": "lifespan"}, receive, send))
    assert reached == [kind, "lifespan"]
    assert sent[0]["type"] == refused_by
    assert sent[0].get("status", 403) == 403
