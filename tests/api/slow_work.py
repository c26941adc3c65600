"""Work that goes on until a test ends it."""

import asyncio
from threading import Event

from api.costly.fair_queue import GoOn

LONG_S = 60.0


class Analysis:
    """Work that begins when it is its turn and goes on until it is told to end."""

    def __init__(self) -> None:
        self.begun = Event()
        self.ending = Event()

    def __call__(self, _go_on: GoOn = lambda: None) -> str:
        self.begun.set()
        assert self.ending.wait(LONG_S)
        return "result"


async def never() -> None:
    await asyncio.Event().wait()


async def begun(analysis: Analysis) -> None:
    assert await asyncio.to_thread(analysis.begun.wait, LONG_S)
