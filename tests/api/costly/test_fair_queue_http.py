"""Costly answers over HTTP: who waits too long, and whose client has left."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import Request
from starlette.types import Message

from api.costly.fair_queue import in_turn
from api.live import service
from api.live.service import CurrentService
from api.models.responses import Problem
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.slow_work import LONG_S, Analysis, begun, never


@pytest.fixture
def first() -> Iterator[Analysis]:
    """Give an analysis that ends at the latest with the test."""
    analysis = Analysis()
    yield analysis
    analysis.ending.set()


@pytest.fixture
def slow_client(served_store: Path, first: Analysis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Give a client of a service where an analysis goes on until the test ends it."""

    async def analyze(request: Request, service: CurrentService) -> str:
        await request.body()
        return await in_turn(request, service.costly, first, "analysis")

    monkeypatch.setattr(service, "WAIT_S", 0.01)
    with serving(served_store, analyses_at_once=1) as client:
        client.app.add_api_route("/slow", analyze, methods=["POST"])
        yield client


def test_over_http_it_is_503(slow_client: Client, first: Analysis) -> None:
    async def scenario() -> list[httpx.Response]:
        transport = httpx.ASGITransport(slow_client.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            running = asyncio.create_task(client.post("/slow", timeout=LONG_S))
            await begun(first)
            refused = await client.post("/slow")
            first.ending.set()
            return [refused, await running]

    refused, finished = asyncio.run(scenario())
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "1"
    assert Problem.model_validate_json(refused.content).type == "urn:skysieve:problem:busy"
    assert finished.json() == "result"


def test_over_http_a_client_that_left_is_not_waited_for(
    slow_client: Client, first: Analysis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "skysieve")
    slow_client.app.state.service.costly._wait_s = LONG_S
    messages: list[Message] = [{"type": "http.request", "body": b""}, {"type": "http.disconnect"}]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/slow",
        "headers": [(b"host", b"localhost")],
        "query_string": b"",
    }

    async def scenario() -> None:
        async def send(_: Any) -> None:
            return

        async def receive() -> Message:
            return messages.pop(0)

        queue = slow_client.app.state.service.costly
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        await slow_client.app(scope, receive, send)
        assert queue.waiting("analysis") == 0
        first.ending.set()
        await running

    asyncio.run(scenario())
    assert "POST /slow 499" in caplog.text
