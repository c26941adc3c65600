"""Streamed answers: made a part at a time, as the client reads them."""

from collections.abc import AsyncIterator, Iterator, Mapping

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from api.costly.fair_queue import FairQueue, GoOn, at_once_or_in_turn, nobody_leaves
from api.http.request_notes import exchange_of


async def in_parts(
    request: Request,
    queue: FairQueue | None,
    parts: Iterator[bytes],
    media_type: str,
    headers: Mapping[str, str],
) -> StreamingResponse:
    """Return an answer whose parts are made one by one, each in turn and when its client has room.

    The first part, a few bytes, is made at once.

    Raises:
        Busy: the second part did not get its turn; later ones wait as long as necessary.
    """

    def following(_go_on: GoOn) -> bytes | None:
        return next(parts, None)

    head = next(parts)
    part = await at_once_or_in_turn(request, queue, following)
    whose = exchange_of(request).credential

    async def sent() -> AsyncIterator[bytes]:
        following_part = part
        yield head
        while following_part is not None:
            yield following_part
            if queue is None:
                following_part = await run_in_threadpool(next, parts, None)
            else:
                following_part = await queue.run("answer", whose, following, nobody_leaves(), begun=True)

    return StreamingResponse(sent(), media_type=media_type, headers=headers)
