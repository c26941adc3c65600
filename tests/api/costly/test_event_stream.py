"""Answers as Server-Sent Events: what is told, in which order, and what becomes of faults and of the gone."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request, Response
from starlette.types import Message

from api.costly.event_stream import Progress, in_events
from api.errors import BadParameter, ClientGone
from api.live.service import CurrentService
from api.models.responses import Problem
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.slow_work import LONG_S, Analysis, begun, never
from tests.event_streams import Told, events_of

Work = Callable[[Progress], bytes]
LONG_TEXT = b'{"long":"' + b"x" * 100_000 + b'"}'


def answering(app: FastAPI, work: Work, heartbeat_s: float = LONG_S) -> None:
    async def answer(request: Request, service: CurrentService) -> Response:
        await request.body()
        return await in_events(request, service.costly, work, "analysis", heartbeat_s)

    app.add_api_route("/told", answer, methods=["POST"])


@pytest.fixture
def client(served_store: Path) -> Iterator[Client]:
    with serving(served_store, analyses_at_once=1) as client:
        yield client


def steps(tell: Progress) -> bytes:
    tell({"done": 0, "words": "two\nlines"})
    tell({"done": 1})
    return LONG_TEXT


def test_progress_comes_before_the_result(client: Client) -> None:
    answering(client.app, steps)
    answer = client.request("POST", "/told", headers={"Accept-Encoding": "zstd, gzip"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert "Content-Encoding" not in answer.headers  # a packer would hold events back
    assert "Accept" in answer.headers["Vary"].split(", ")
    assert events_of(answer.content) == [
        Told("progress", {"done": 0, "words": "two\nlines"}),
        Told("progress", {"done": 1}),
        Told("result", {"long": "x" * 100_000}),
    ]


def test_work_that_tells_nothing_has_a_result_all_the_same(client: Client) -> None:
    answering(client.app, lambda _tell: b"{}")
    assert events_of(client.request("POST", "/told").content) == [Told("result", {})]


def test_a_refusal_before_the_first_step_has_its_own_status(client: Client) -> None:
    def work(_tell: Progress) -> bytes:
        raise BadParameter("id", "No.")

    answering(client.app, work)
    answer = client.request("POST", "/told")
    assert answer.status_code == 422
    assert Problem.model_validate_json(answer.content).detail == "No."


def test_a_refusal_later_is_an_event(client: Client) -> None:
    def work(tell: Progress) -> bytes:
        tell({"done": 0})
        raise BadParameter("id", "No.")

    answering(client.app, work)
    answer = client.request("POST", "/told")
    assert answer.status_code == 200
    _, (name, data) = events_of(answer.content)
    assert name == "problem"
    problem = Problem.model_validate(data)
    assert (problem.status, problem.detail, problem.type) == (
        422,
        "No.",
        "urn:skysieve:problem:invalid-request",
    )
    assert problem.request_id == answer.headers["X-Request-ID"]


@pytest.mark.slow
def test_work_that_takes_too_long_is_an_event_that_says_so(served_store: Path) -> None:
    def work(tell: Progress) -> bytes:
        tell({"done": 0})
        while True:
            tell({"done": 1})

    with serving(served_store) as client:
        client.app.state.service.costly.longest_s = 1.0
        answering(client.app, work)
        *_, (name, data) = events_of(client.request("POST", "/told").content)
    assert name == "problem"
    assert data["status"] == 503
    assert "longer than the 1 s allowed" in data["detail"]


def test_a_fault_is_an_event_without_details_and_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    def work(tell: Progress) -> bytes:
        tell({"done": 0})
        raise ZeroDivisionError("inner matters")

    answering(client.app, work)
    *_, (name, data) = events_of(client.request("POST", "/told").content)
    assert (name, data["status"]) == ("problem", 500)
    assert "inner matters" not in str(data)
    assert "inner matters" in caplog.text


SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "path": "/told",
    "headers": [(b"host", b"localhost")],
    "query_string": b"",
}


async def asked(app: FastAPI, leaving: asyncio.Event, heard: "asyncio.Queue[bytes]") -> None:
    """Ask as a server does that notices when its client leaves."""
    body: list[Message] = [{"type": "http.request", "body": b""}]

    async def receive() -> Message:
        if body:
            return body.pop()
        await leaving.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message.get("body"):
            heard.put_nowait(message["body"])

    await app(SCOPE, receive, send)


def test_while_it_waits_its_turn_comments_keep_the_connection(client: Client) -> None:
    first = Analysis()
    answering(client.app, steps, heartbeat_s=0.01)

    async def scenario() -> bytes:
        queue = client.app.state.service.costly
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        request = asyncio.create_task(asked(client.app, asyncio.Event(), heard))
        told = [await asyncio.wait_for(heard.get(), LONG_S) for _ in range(3)]
        assert set(told) == {b": waiting\n\n"}
        assert queue.waiting("analysis") == 1
        first.ending.set()
        await running
        await asyncio.wait_for(request, LONG_S)
        return b"".join(heard.get_nowait() for _ in range(heard.qsize()))

    assert [name for name, _ in events_of(asyncio.run(scenario()))] == ["progress", "progress", "result"]


@pytest.mark.parametrize("heartbeat_s", [0.01, LONG_S])
def test_who_leaves_while_waiting_is_not_waited_for(client: Client, heartbeat_s: float) -> None:
    first = Analysis()
    answering(client.app, steps, heartbeat_s)

    async def scenario() -> None:
        queue = client.app.state.service.costly
        running = asyncio.create_task(queue.run("analysis", 1, first, never()))
        await begun(first)
        leaving = asyncio.Event()
        request = asyncio.create_task(asked(client.app, leaving, asyncio.Queue()))
        while not queue.waiting("analysis"):
            await asyncio.sleep(0)
        leaving.set()
        await asyncio.wait_for(request, LONG_S)
        assert queue.waiting("analysis") == 0
        first.ending.set()
        await running

    asyncio.run(scenario())


def test_work_stops_when_its_client_leaves_in_the_midst(client: Client) -> None:
    stopped = asyncio.Event()

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[bytes] = asyncio.Queue()

        def work(tell: Progress) -> bytes:
            never = threading.Event()
            try:
                while not never.wait(0.001):  # without a pause, news would crowd out the client's leaving
                    tell({"done": 0})
            except ClientGone:
                loop.call_soon_threadsafe(stopped.set)
                raise
            return b""

        answering(client.app, work)
        leaving = asyncio.Event()
        request = asyncio.create_task(asked(client.app, leaving, heard))
        assert (await asyncio.wait_for(heard.get(), LONG_S)).startswith(b"event: progress")
        leaving.set()
        await asyncio.wait_for(stopped.wait(), LONG_S)
        await asyncio.wait_for(request, LONG_S)

    asyncio.run(scenario())
