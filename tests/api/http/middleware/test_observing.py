"""Request ids, the log, and what a client sees of a crash."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.responses import StreamingResponse
from starlette.types import Message

from api.access.rights import RIGHTS
from api.models.responses import Problem
from api.server.process import JsonFormatter, PlainFormatter
from storage.state.credentials import create_credential
from tests.api.client import Client
from tests.api.conftest import NOW, header, serving
from tests.api.running import running
from tests.made_up_run import make_run, publish

SECRET = "a secret"


def broken() -> None:
    raise ZeroDivisionError(SECRET)


async def breaking_off() -> StreamingResponse:
    async def parts() -> AsyncIterator[bytes]:
        yield b"the first part"
        raise ZeroDivisionError(SECRET)

    return StreamingResponse(parts())


@pytest.fixture(scope="module")
def client(served_store: Path) -> Iterator[Client]:
    """Give a client of a service with two routes that crash."""
    with serving(served_store) as client:
        client.app.add_api_route("/broken/{name}", broken)
        client.app.add_api_route("/breaking-off", breaking_off)
        yield client


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """Return what was logged, as the service writes it."""
    return [json.loads(JsonFormatter().format(record)) for record in caplog.records]


def test_every_answer_has_an_id_of_its_own(client: Client) -> None:
    answers = [client.get(path) for path in ("/health", "/health", "/nothing", "/conjunctions?limit=0")]
    ids = [answer.headers["X-Request-ID"] for answer in answers]
    assert len(set(ids)) == 4
    assert all(re.fullmatch("[0-9a-f]{32}", request_id) for request_id in ids)
    assert [answer.json()["request_id"] for answer in answers[2:]] == ids[2:]


@pytest.mark.parametrize("given", ["a", "5f0c-3e1b", "1-67891233:abc", "x" * 100])
def test_an_id_that_the_client_gives_is_kept(client: Client, given: str) -> None:
    answer = client.get("/nothing", headers={"X-Request-ID": given})
    assert answer.headers["X-Request-ID"] == answer.json()["request_id"] == given


@pytest.mark.parametrize("given", ["", "x" * 101, "two words", "<script>", '"', "a\\nb", "\xe4"])
def test_an_id_that_is_not_sane_is_replaced(client: Client, given: str) -> None:
    answer = client.get("/health", headers={"X-Request-ID": given.encode("latin-1")})
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["X-Request-ID"])


def test_a_crash_shows_an_id_and_the_log_has_the_rest(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "skysieve")
    answer = client.get("/broken/x?token=abc")
    assert answer.status_code == 500
    assert f"request id {answer.json()['request_id']}." in answer.json()["detail"]
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = Problem.model_validate_json(answer.content)
    assert problem.request_id == answer.headers["X-Request-ID"]
    for told in (SECRET, "ZeroDivision", "test_observing", "Traceback"):
        assert told not in answer.text
    crash, answered = lines(caplog)
    assert crash["request_id"] == answered["request_id"] == problem.request_id
    assert (crash["level"], crash["route"]) == ("error", "/broken/{name}")
    assert f"ZeroDivisionError: {SECRET}" in str(crash["exception"])
    assert "in broken" in str(crash["exception"])
    assert (answered["status"], answered["route"]) == (500, "/broken/{name}")


def test_a_crash_within_an_answer_cuts_it_off(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    async def ask() -> None:
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as asking:
            await asking.get("/breaking-off")

    with pytest.raises(ZeroDivisionError):  # a server closes the connection
        asyncio.run(ask())
    assert "ZeroDivisionError" in caplog.text


def test_what_is_logged_of_a_request(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "skysieve")
    client.get("/v1/conjunctions/17?a=b", headers={**client.headers, "X-Request-ID": "mine"})
    client.without_credential().request("BREW", "/tea/../pot")
    first, second = lines(caplog)
    milliseconds = first.pop("duration_ms")
    assert isinstance(milliseconds, float)
    assert 0 < milliseconds < 60_000
    assert first.pop("time") is not None
    message = str(first.pop("message"))
    assert first == {
        "level": "info",
        "logger": "skysieve.api",
        "request_id": "mine",
        "method": "GET",
        "route": "/conjunctions/{id}",
        "credential": 1,
        "status": 422,
    }
    assert message.startswith("GET /conjunctions/{id} 422, ")
    assert (second["method"], second["route"], second["status"]) == ("BREW", "none", 404)
    assert second["credential"] is None


@pytest.mark.processes
def test_the_log_of_a_process_is_json_lines_without_secrets(store: Path) -> None:
    publish(store, make_run())
    secret = create_credential(store, "bearer", "desk", NOW).secret
    with running(store) as service:
        for headers in (header("bearer", secret), header("bearer", secret[:-1] + "?"), {}):
            httpx.get(f"{service.url}/conjunctions?limit=1&token={secret}", headers=headers, timeout=60)
    logged = [json.loads(line) for line in service.log.splitlines()]
    assert [line["status"] for line in logged if "status" in line] == [422, 401, 401]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in logged)
    assert secret.split("_", 3)[-1][:-1] not in json.dumps(logged)


def test_on_a_terminal_a_line_is_for_people() -> None:
    record = logging.LogRecord("skysieve.api", logging.INFO, "", 0, "GET %s", ("/health",), None)
    record.created = 1795255200.25
    assert PlainFormatter().format(record) == "2026-11-21T10:00:00.250Z INFO GET /health"


def test_a_client_that_leaves_while_it_sends_is_no_crash(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """An upload that broke off stood in the log as a crash, and in the metrics as an error of the service."""
    caplog.set_level("INFO", "skysieve")
    bodies = {"application/json": b"{", "application/octet-stream": b"CCSDS_CDM_VERS", "text/plain": b"CCSDS"}
    sending = [one.split() for one in RIGHTS if one.startswith(("PATCH", "POST", "PUT"))]
    assert ["POST", "/inbox"] in sending

    async def sent(_: Message) -> None:
        return

    for method, path in sending:
        for kind, body in bodies.items():
            asyncio.run(client.app(_scope(client, method, path, kind), _breaking_off(body), sent))
    told = lines(caplog)
    left = {(str(line["method"]), str(line["route"])) for line in told if line.get("status") == 499}
    assert [line for line in told if "exception" in line or line["level"] != "info"] == []
    assert {("POST", "/inbox"), ("POST", "/trajectories"), ("POST", "/conjunctions/analyze")} <= left


def _scope(client: Client, method: str, path: str, kind: str) -> dict[str, object]:
    fields = {"Host": "localhost", "Content-Type": kind, "Content-Length": "1000", **client.headers}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": b"source=a" if path in ("/inbox", "/trajectories") else b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
    }


def _breaking_off(body: bytes) -> Callable[[], Awaitable[Message]]:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": True}]

    async def receive() -> Message:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    return receive
