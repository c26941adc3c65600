"""By which names the service may be asked: a page whose name points here after it was loaded is refused."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.models.responses import Problem
from api.settings import ApiSettings
from screening.errors import UsageError
from storage.settings import load_settings
from tests.api.client import Client
from tests.api.conftest import serving


@pytest.fixture(scope="module")
def named(served_store: Path) -> Iterator[Client]:
    """Serve with a name of its own."""
    with serving(served_store, hosts="sky.example.org, Api") as client:
        yield client


def asked_as(client: Client, host: str, path: str = "/runs/current") -> int:
    return client.get(path, headers={**client.headers, "Host": host}).status_code


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:7373",
        "localhost.:7373",
        "desk.localhost:7373",  # browsers take it for this machine, whoever says otherwise
        "127.0.0.1:7373",
        "10.1.2.3:7373",  # a probe, or Prometheus, that asks by address
        "[::1]:7373",
        "[2001:db8::7]",
        socket.gethostname(),
        "sky.example.org",
        "SKY.example.org:443",
        "api:7373",
    ],
)
def test_by_its_names_and_by_any_address_it_answers(named: Client, host: str) -> None:
    assert asked_as(named, host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7373",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "notlocalhost",
        "sky.example.org.evil.example",
        "evil.sky.example.org",
    ],
)
@pytest.mark.parametrize(
    "path", ["/runs/current", "/", "/docs", "/health", "/metrics", "/assets/icon.svg", "/nothing"]
)
def test_by_a_name_that_is_not_its_own_it_tells_nothing(named: Client, host: str, path: str) -> None:
    answer = named.get(path, headers={**named.headers, "Host": host})
    assert answer.status_code == 421
    problem = Problem.model_validate_json(answer.content)
    assert "SKYSIEVE_HOSTS" in problem.detail
    assert host.partition(":")[0] in problem.detail
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Request-ID"] == problem.request_id


@pytest.mark.parametrize(
    "host", ["", "a b", "[::1", "localhost:x", "a@localhost", "localhost/x", "x" * 300, "\xff"]
)
def test_what_is_no_name_is_refused(named: Client, host: str) -> None:
    headers = {"Host": host.encode("latin-1")}
    answer = named.get("/health", headers=headers)
    assert answer.status_code == 400
    assert len(answer.content) < 500


def test_what_a_proxy_or_a_page_says_of_the_name_counts_nothing(named: Client) -> None:
    lies = {"X-Forwarded-Host": "localhost", "Forwarded": "host=localhost", "Origin": "http://localhost"}
    answer = named.get("/health", headers={"Host": "evil.example", **lies})
    assert answer.status_code == 421


def test_a_preflight_is_refused_as_well(served_store: Path) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET", "Host": "evil.example"}
    with serving(served_store, cors_origins="https://example.org") as client:
        assert client.request("OPTIONS", "/conjunctions", headers=asked).status_code == 421


def status_of(client: Client, version: str, hosts: list[bytes]) -> int:
    """Return the status of a request as a server hands it on, with any number of Host fields."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": version,
        "method": "GET",
        "scheme": "http",
        "path": "/health",
        "raw_path": b"/health",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", host) for host in hosts],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 7373),
    }
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    asyncio.run(client.app(scope, receive, send))  # type: ignore[arg-type]
    return int(str(sent[0]["status"]))


@pytest.mark.slow
def test_a_name_is_said_once(named: Client) -> None:
    assert status_of(named, "1.1", [b"localhost"]) == 200
    assert status_of(named, "1.1", [b"localhost", b"localhost"]) == 400
    assert status_of(named, "1.1", []) == 400
    assert status_of(named, "1.0", []) == 200  # probes of old; no browser asks like that


def test_the_name_that_it_listens_at_is_its_own(served_store: Path) -> None:
    with serving(served_store, host="desk.example.org") as client:
        assert asked_as(client, "desk.example.org:7373") == 200
        assert asked_as(client, "sky.example.org:7373") == 421


@pytest.mark.parametrize(
    "name", ["https://sky.example.org", "sky.example.org:443", "*", "*.example.org", "a b", "/"]
)
def test_a_setting_that_is_not_a_name_is_reported(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("SKYSIEVE_HOSTS", name)
    with pytest.raises(UsageError, match="SKYSIEVE_HOSTS"):
        load_settings(ApiSettings)
