"""Analyses that wait: how many run at once, in which order, how long they wait, for whom."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from fastapi import Request
from starlette.types import Message

from api.load import AnalysisQueue, client_gone
from api.models import Problem
from api.problems import Busy, ClientGone
from api.service import CurrentService
from tests.api.client import Client
from tests.api.conftest import serving

LONG_S = 60.0


class Analysis:
    """Work that begins when it is its turn and goes on until it is told to end."""

    def __init__(self) -> None:
        self.begun = Event()
        self.ending = Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.ending.wait(LONG_S)
        return "result"


async def never() -> None:
    await asyncio.Event().wait()


async def begun(analysis: Analysis) -> None:
    assert await asyncio.to_thread(analysis.begun.wait, LONG_S)


@pytest.fixture
def first() -> Iterator[Analysis]:
    """Give an analysis that ends at the latest with the test."""
    analysis = Analysis()
    yield analysis
    analysis.ending.set()


def test_so_many_at_once_the_others_in_their_order(first: Analysis) -> None:
    async def scenario() -> None:
        queue = AnalysisQueue(2, LONG_S)
        analyses = [first, *(Analysis() for _ in range(3))]
        tasks = [asyncio.create_task(queue.run(analysis, never())) for analysis in analyses]
        await begun(analyses[0])
        await begun(analyses[1])
        assert (queue.running, queue.waiting) == (2, 2)
        assert not analyses[2].begun.is_set()
        analyses[1].ending.set()
        await begun(analyses[2])
        assert not analyses[3].begun.is_set()
        for analysis in analyses:
            analysis.ending.set()
        assert await asyncio.gather(*tasks) == ["result"] * 4
        assert (queue.running, queue.waiting) == (0, 0)
        queue.close()

    asyncio.run(scenario())


def test_who_waits_too_long_is_told_when_to_come_again(first: Analysis) -> None:
    async def scenario() -> None:
        queue = AnalysisQueue(1, 0.01)
        running = asyncio.create_task(queue.run(first, never()))
        await begun(first)
        second = Analysis()
        with pytest.raises(Busy, match=r"0\.01 s") as raised:
            await queue.run(second, never())
        assert raised.value.headers == {"Retry-After": "1"}
        assert (queue.running, queue.waiting) == (1, 0)
        first.ending.set()
        assert await running == "result"  # it had its turn, so it may take longer
        third = Analysis()
        third.ending.set()
        assert await queue.run(third, never()) == "result"
        assert not second.begun.is_set()
        queue.close()

    asyncio.run(scenario())


def test_what_nobody_waits_for_any_more_is_dropped(first: Analysis) -> None:
    async def scenario() -> None:
        queue = AnalysisQueue(1, LONG_S)
        running = asyncio.create_task(queue.run(first, never()))
        await begun(first)
        left, second = asyncio.Event(), Analysis()

        async def gone() -> None:
            await left.wait()

        waiting = asyncio.create_task(queue.run(second, gone()))
        third = Analysis()
        third.ending.set()
        behind = asyncio.create_task(queue.run(third, never()))
        left.set()
        with pytest.raises(ClientGone):
            await waiting
        first.ending.set()
        assert await asyncio.gather(running, behind) == ["result", "result"]
        assert not second.begun.is_set()
        assert (queue.running, queue.waiting) == (0, 0)
        queue.close()

    asyncio.run(scenario())


def test_what_was_begun_is_brought_to_its_end(first: Analysis) -> None:
    async def scenario() -> None:
        queue = AnalysisQueue(1, LONG_S)
        left, noticed = asyncio.Event(), asyncio.Event()

        async def gone() -> None:
            await left.wait()
            noticed.set()

        task = asyncio.create_task(queue.run(first, gone()))
        await begun(first)
        left.set()
        await noticed.wait()
        first.ending.set()
        assert await task == "result"
        queue.close()

    asyncio.run(scenario())


def test_what_fails_leaves_its_place() -> None:
    def broken() -> None:
        raise ZeroDivisionError

    async def scenario() -> None:
        queue = AnalysisQueue(1, LONG_S)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await queue.run(broken, never())
        assert (queue.running, queue.waiting) == (0, 0)
        queue.close()

    asyncio.run(scenario())


@pytest.fixture
def slow_client(served_store: Path, first: Analysis) -> Iterator[Client]:
    """Give a client of a service where an analysis goes on until the test ends it."""

    async def analyze(request: Request, service: CurrentService) -> str:
        await request.body()
        return await service.analyses.run(first, client_gone(request))

    with serving(served_store, analyses_at_once=1, analysis_wait_s=0.01) as client:
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
    slow_client.app.state.service.analyses._wait_s = LONG_S
    messages: list[Message] = [{"type": "http.request", "body": b""}, {"type": "http.disconnect"}]
    scope = {"type": "http", "method": "POST", "path": "/slow", "headers": [], "query_string": b""}

    async def scenario() -> None:
        async def send(_: Any) -> None:
            return

        async def receive() -> Message:
            return messages.pop(0)

        queue = slow_client.app.state.service.analyses
        running = asyncio.create_task(queue.run(first, never()))
        await begun(first)
        await slow_client.app(scope, receive, send)
        assert queue.waiting == 0
        first.ending.set()
        await running

    asyncio.run(scenario())
    assert "POST /slow 499" in caplog.text
