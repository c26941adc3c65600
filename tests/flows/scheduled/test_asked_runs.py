"""Runs that are asked for: the schedule begins each once, also after Prefect's server was away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from flows.scheduled import deployment
from storage.state.database import ask_for_run, asked_run

ID = uuid4()


class Server:
    """A Prefect server that refuses connections at first."""

    def __init__(self, refused: int) -> None:
        self.refused, self.asked = refused, 0
        self.begun: list[UUID] = []

    async def create_flow_run_from_deployment(self, number: UUID, name: str) -> None:
        assert name.startswith("asked-for-")
        self.asked += 1
        if self.asked <= self.refused:
            raise httpx.ConnectError("refused")
        self.begun.append(number)


@pytest.mark.parametrize("refused", [0, 2])
def test_a_run_that_is_asked_for_is_begun_once(
    store: Path, monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    server = Server(refused)

    @asynccontextmanager
    async def client() -> AsyncIterator[Server]:
        yield server

    monkeypatch.setattr(deployment, "get_client", client)
    monkeypatch.setattr(deployment, "LOOK_EVERY_S", 0.001)

    async def asked_twice() -> None:
        looking = asyncio.create_task(deployment._begin_asked(store, ID))
        for count in (1, 2):
            await asyncio.to_thread(ask_for_run, store, datetime.now(UTC))
            async with asyncio.timeout(30):
                while await asyncio.to_thread(asked_run, store, waiting=True) is not None:
                    await asyncio.sleep(0.001)
            assert server.begun == [ID] * count
        looking.cancel()

    asyncio.run(asked_twice())
    assert server.asked == 2 + refused
    last = asked_run(store)
    assert last is not None
    assert last.begun is not None
