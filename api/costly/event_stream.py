"""Answers as Server-Sent Events: progress while they are made, then the result or the problem."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

from fastapi import Request
from fastapi.responses import StreamingResponse

from api.costly.fair_queue import FairQueue, GoOn, Kind, in_turn
from api.errors import ClientGone
from api.http.json_answers import json_bytes
from api.http.problems import PROBLEMS, crash_answer, refusal_answer

EVENT_STREAM = "text/event-stream"
HEARTBEAT_S = 5.0  # proxies cut what is silent for a minute or less

Progress = Callable[[Mapping[str, object]], None]  # tells something; raises if the work should stop


async def in_events(
    request: Request,
    queue: FairQueue,
    work: Callable[[Progress], bytes],
    kind: Kind = "answer",
    heartbeat_s: float = HEARTBEAT_S,
) -> StreamingResponse:
    """Run `work` in turn, and return an answer that reports its progress, then its result.

    `work` is called on a thread; it calls its argument before each of its steps, and returns JSON. While
    there is no progress, comments keep the connection open. The answer begins with the first of them.

    Raises what `work` or the queue raises before any progress: so a refusal has its own status.
    """
    news: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def followed(go_on: GoOn) -> bytes:
        def tell(progress: Mapping[str, object]) -> None:
            go_on()
            loop.call_soon_threadsafe(news.put_nowait, _event("progress", json_bytes(progress)))

        return work(tell)

    making = asyncio.create_task(in_turn(request, queue, followed, kind))
    making.add_done_callback(lambda task: task.cancelled() or task.exception())  # handled below
    making.add_done_callback(lambda _: news.put_nowait(None))
    try:
        first = await _told(news, heartbeat_s)
        if first is None:
            await making  # raises its refusal
    except BaseException:
        making.cancel()
        raise
    parts = _sent(request, first, news, making, heartbeat_s)
    headers = {"Vary": "Accept", "X-Accel-Buffering": "no"}  # nginx would hold events back
    return StreamingResponse(parts, headers=headers, media_type=EVENT_STREAM)


async def _sent(
    request: Request,
    first: bytes | None,
    news: "asyncio.Queue[bytes | None]",
    making: "asyncio.Task[bytes]",
    heartbeat_s: float,
) -> AsyncIterator[bytes]:
    part = first
    try:
        while part is not None:
            yield part
            part = await _told(news, heartbeat_s)
        try:
            yield _event("result", await making)
        except ClientGone:
            return
        except tuple(PROBLEMS) as error:
            yield _event("problem", bytes(refusal_answer(request, error).body))
        except Exception:
            yield _event("problem", bytes(crash_answer(request).body))
            raise  # to the log, with all of it
    finally:
        making.cancel()


async def _told(news: "asyncio.Queue[bytes | None]", heartbeat_s: float) -> bytes | None:
    """Return the next progress, a comment if that takes long; None: there is no more."""
    try:
        async with asyncio.timeout(heartbeat_s):  # wait_for of Python 3.11 may swallow a cancellation
            return await news.get()
    except TimeoutError:
        return b": waiting\n\n"


def _event(name: str, json: bytes) -> bytes:
    """Return an event; JSON has no line breaks outside of its texts, and these are escaped."""
    return b"event: " + name.encode() + b"\ndata: " + json + b"\n\n"
