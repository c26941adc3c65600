"""An answer is made as its client reads it, and no more is made when the client is gone."""

import asyncio
from urllib.parse import urlencode

import orjson
import pytest
from starlette.types import Message

from storage.in_memory.event_table import EventTable
from tests.api.client import Client

SOON_S = 30.0
PART_BYTES = 750_000  # 250 rows have 550 kB


class Reader:
    """A client that reads nothing behind the first part of a body until it is told to."""

    def __init__(self, path: str, headers: dict[str, str], query: dict[str, object]) -> None:
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": urlencode(query).encode(),
            "headers": [
                (name.lower().encode(), value.encode())
                for name, value in {"Host": "127.0.0.1", **headers}.items()
            ],
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 7373),
        }
        self.body = b""
        self.stopped, self.reads, self.gone = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        assert message.get("status", 200) == 200
        self.body += message.get("body", b"")
        if len(self.body) > 1_000:
            self.stopped.set()
            await self.reads.wait()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the list of how many rows were made at a time."""
    counts: list[int] = []
    rows = EventTable._rows

    def counted(table: EventTable, indices: object) -> object:
        found = rows(table, indices)  # type: ignore[arg-type]
        if len(found) > 1:  # one row alone is asked for by its id, not by the list
            counts.append(len(found))
        return found

    monkeypatch.setattr(EventTable, "_rows", counted)
    # What the service does beside, once it has been asked, makes rows too.
    monkeypatch.setattr("api.answers.geometry.load_kernels", lambda _snapshot: None)
    return counts


def test_rows_are_made_as_they_are_read(client: Client, made: list[int]) -> None:
    async def read() -> Reader:
        reader = Reader("/conjunctions", dict(client.headers), {"limit": 3000})
        answering = asyncio.create_task(client.app(reader.scope, reader.receive, reader.send))
        await asyncio.wait_for(reader.stopped.wait(), SOON_S)
        assert sum(made) <= 500
        assert len(reader.body) < PART_BYTES
        reader.reads.set()
        await answering
        return reader

    answer = orjson.loads(asyncio.run(read()).body)
    assert sum(made) == 3000
    assert set(made) == {250}
    assert len(answer["conjunctions"]) == answer["total"] == 3000
    assert answer["next"] is None
    ids = [event["id"] for event in answer["conjunctions"]]
    pages, cursor = [], {}
    while len(pages) < 3000:
        page = client.get("/conjunctions", params={"limit": 1000, **cursor}).json()
        pages += [event["id"] for event in page["conjunctions"]]
        cursor = {"cursor": page["next"]}
    assert ids == pages


def test_when_the_client_is_gone_no_more_is_made(client: Client, made: list[int]) -> None:
    async def leave() -> None:
        reader = Reader("/conjunctions", dict(client.headers), {"limit": 3000})
        answering = asyncio.create_task(client.app(reader.scope, reader.receive, reader.send))
        await asyncio.wait_for(reader.stopped.wait(), SOON_S)
        reader.gone.set()
        await answering

    asyncio.run(leave())
    assert sum(made) <= 500


def test_a_part_of_a_csv_is_small(client: Client) -> None:
    async def read() -> int:
        headers = {**client.headers, "Accept": "text/csv"}
        reader = Reader("/conjunctions", headers, {"order": "tca"})
        answering = asyncio.create_task(client.app(reader.scope, reader.receive, reader.send))
        await asyncio.wait_for(reader.stopped.wait(), SOON_S)
        first = len(reader.body)
        reader.reads.set()
        await answering
        return first

    assert asyncio.run(read()) < 1_000_000


@pytest.mark.slow
def test_lists_at_the_borders_of_parts(client: Client) -> None:
    for limit in (1, 250, 251, 999, 1000, 1001, 1250):
        answer = client.get("/conjunctions", params={"limit": limit}).json()
        assert len(answer["conjunctions"]) == limit
        assert list(answer) == ["conjunctions", "total", "next"]
