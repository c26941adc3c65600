"""`GET /positions` over HTTP: parameters, credentials, what is kept for the second, compression."""

import asyncio
import gzip
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from api.answers.positions.at_a_time import current_positions
from api.app import create_app
from api.costly.body_cache import BodyCache
from api.costly.fair_queue import FairQueue
from api.errors import ClientGone
from api.live import positions as live_positions
from api.models.positions import PositionList
from api.settings import ApiSettings
from screening.orbits.elements import ElementArray
from storage.state.credentials import create_credential
from tests.api.real_objects import START, forty_objects, publish_objects

NOON = datetime(2024, 11, 1, 12, 0, 0, 123_456, tzinfo=UTC)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


class Client:
    """Asks an application in this process, with an API key, and takes answers as they are sent."""

    def __init__(self, app: FastAPI, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = dict(headers)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        return asyncio.run(self._get(path, {**self.headers, **(headers or {})}))

    async def _get(self, path: str, headers: Mapping[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(self.app)
        async with (
            httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
            client.stream("GET", path, headers=headers) as answer,
        ):
            sent = b"".join([part async for part in answer.aiter_raw()])
        # Content-Encoding is kept beside, so that the body is not decompressed in passing.
        kept = [(name, value) for name, value in answer.headers.items() if name != "content-encoding"]
        as_sent = httpx.Response(answer.status_code, headers=kept, content=sent)
        as_sent.headers["X-Encoding"] = answer.headers.get("Content-Encoding", "")
        return as_sent


@pytest.fixture(scope="module")
def elements(catalogue_lines: list[str]) -> ElementArray:
    return forty_objects(catalogue_lines)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(store: Path, elements: ElementArray, clock: Clock) -> Iterator[Client]:
    publish_objects(store, elements)
    with served(store, clock) as client:
        yield client


@contextmanager
def served(store: Path, clock: Clock) -> Iterator[Client]:
    app = create_app(ApiSettings(store=store), clock)
    key = create_credential(store, "api-key", "tests", START).secret
    try:
        yield Client(app, {"X-API-Key": key, "Accept-Encoding": "identity"})
    finally:
        app.state.service.stop()


def positions(client: Client, query: str = "") -> Any:
    answer = client.get(f"/positions{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.slow
def test_the_answer_is_what_the_documentation_says(client: Client, elements: ElementArray) -> None:
    answer = client.get("/positions")
    listed = TypeAdapter(PositionList).validate_json(answer.content)
    assert answer.headers["Content-Type"] == "application/json"
    assert [satellite.norad_id for satellite in listed.satellites] == elements["norad_id"].tolist()
    assert client.get("/v1/positions").content == answer.content
    documented = client.get("/openapi.json").json()["paths"]["/positions"]["get"]
    assert {p["name"] for p in documented["parameters"]} >= {"limit", "norad_id", "at"}


@pytest.mark.slow
def test_they_hold_for_this_second(client: Client, clock: Clock) -> None:
    first = positions(client)
    assert first["timestamp"] == "2024-11-01T12:00:00Z"
    clock.time += timedelta(seconds=0.8)
    assert positions(client) == first
    clock.time += timedelta(seconds=0.2)
    second = positions(client)
    assert second["timestamp"] == "2024-11-01T12:00:01Z"
    assert second["satellites"] != first["satellites"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "at",
    [
        "2024-11-01T06:30:00Z",
        "2024-11-01T06:30:00",
        "2024-11-01T07:30:00%2B01:00",
        "2024-11-01T07:30:00+01:00",
    ],
)
def test_at_an_instant(client: Client, at: str) -> None:
    assert positions(client, f"?at={at}")["timestamp"] == "2024-11-01T06:30:00Z"


@pytest.mark.slow
def test_a_historic_store_answers_for_its_own_time(store: Path, elements: ElementArray, clock: Clock) -> None:
    publish_objects(store, elements, historic=True)
    clock.time = datetime(2026, 11, 21, tzinfo=UTC)
    with served(store, clock) as client:
        answer = positions(client)
        assert (answer["timestamp"], answer["historic"]) == ("2024-11-01T00:00:00Z", True)
        later = positions(client, "?at=2024-11-01T06:00:00Z")
        assert (later["timestamp"], later["historic"]) == ("2024-11-01T06:00:00Z", True)


@pytest.mark.slow
def test_some_objects(client: Client, elements: ElementArray) -> None:
    numbers = elements["norad_id"].tolist()
    assert [s["norad_id"] for s in positions(client, "?limit=3")["satellites"]] == numbers[:3]
    query = f"?norad_id={numbers[5]}&norad_id={numbers[2]}&norad_id={numbers[5]}"
    assert [s["norad_id"] for s in positions(client, query)["satellites"]] == [numbers[2], numbers[5]]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=1000001", "limit"),
        ("limit=all", "limit"),
        ("limit=1&limit=2", "limit"),
        ("norad_id=0", "norad_id"),
        ("norad_id=5&norad_id=1000000000", "norad_id.1"),
        ("at=tomorrow", "at"),
        ("at=1730419200", "at"),
        ("at=1956-12-31", "at"),
        ("at=2101-01-01", "at"),
        ("at=2024-11-01&at=2024-11-02", "at"),
        ("when=now", "when"),
    ],
)
def test_what_is_not_allowed_is_named(client: Client, query: str, field: str) -> None:
    answer = client.get(f"/positions?{query}")
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("at", "allowed"),
    [
        ("2024-10-01T23:59:59Z", False),
        ("2024-10-02T00:00:00Z", True),
        ("2024-12-02T00:00:00Z", True),
        ("2024-12-02T00:00:01Z", False),
    ],
)
def test_an_instant_far_from_the_window_is_not_answered(client: Client, at: str, allowed: bool) -> None:
    # Three objects in the year 2100 took 13 CPU-s, by an integration in steps of 12 hours.
    answer = client.get(f"/positions?at={at}&limit=1")
    assert answer.status_code == (200 if allowed else 422)
    if not allowed:
        assert [error["field"] for error in answer.json()["errors"]] == ["at"]
        assert "from 2024-10-02T00:00:00Z to 2024-12-02T00:00:00Z" in answer.json()["detail"]


@pytest.mark.slow
def test_long_after_the_last_run_there_are_no_positions_of_now(client: Client, clock: Clock) -> None:
    clock.time += timedelta(days=31)
    answer = client.get("/positions")
    assert answer.status_code == 503
    assert "from 2024-10-02T00:00:00Z to 2024-12-02T00:00:00Z" in answer.json()["detail"]
    assert len(positions(client, "?at=2024-11-30")["satellites"]) > 0


@pytest.mark.slow
def test_an_unknown_object_is_not_found(client: Client) -> None:
    answer = client.get("/positions?norad_id=999999999")
    assert answer.status_code == 404
    assert "999999999" in answer.json()["detail"]


@pytest.mark.slow
def test_it_needs_an_api_key(client: Client, store: Path) -> None:
    token = create_credential(store, "bearer", "tests", START).secret
    assert client.get("/positions", headers={"X-API-Key": "wrong"}).status_code == 401
    del client.headers["X-API-Key"]
    assert client.get("/positions", headers={"Authorization": f"Bearer {token}"}).status_code == 403
    assert client.get("/positions").status_code == 401


@pytest.mark.slow
def test_the_same_answer_is_not_sent_again(client: Client, clock: Clock) -> None:
    answer = client.get("/positions?limit=5")
    tag = answer.headers["ETag"]
    again = client.get("/positions?limit=5", headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert client.get("/positions?limit=6", headers={"If-None-Match": tag}).status_code == 200
    assert client.get("/positions", headers={"If-None-Match": tag}).status_code == 200
    clock.time += timedelta(seconds=1)
    assert client.get("/positions?limit=5", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip", "gzip"), ("br;q=1.0, gzip;q=0.8", "gzip"), ("gzip;q=0", ""), ("identity", ""), ("br", "")],
)
def test_it_is_compressed_for_those_who_take_it(client: Client, accepted: str, encoding: str) -> None:
    plain = client.get("/positions").content
    answer = client.get("/positions", headers={"Accept-Encoding": accepted})
    assert answer.headers["X-Encoding"] == encoding
    assert answer.headers["Vary"].startswith("Accept, Accept-Encoding, ")
    assert (gzip.decompress(answer.content) if encoding else answer.content) == plain


@pytest.mark.slow
def test_within_a_second_it_is_computed_once(
    client: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[np.datetime64] = []

    def counted(
        objects: Any,
        instant: np.datetime64,
        *question: Any,
        ask: Callable[..., Any] = current_positions,
        **others: Any,
    ) -> Any:
        computed.append(instant)
        return ask(objects, instant, *question, **others)

    positions(client)  # prepares the objects
    monkeypatch.setattr(live_positions, "current_positions", counted)
    clock.time += timedelta(seconds=1)
    for _ in range(3):
        positions(client)
        client.get("/positions", headers={"Accept-Encoding": "gzip"})
    assert len(computed) == 1


@pytest.mark.slow
def test_a_new_run_is_seen_at_once(client: Client, store: Path, elements: ElementArray) -> None:
    before = client.get("/positions")
    publish_objects(store, elements[:7])
    client.app.state.service.events.refresh()
    after = client.get("/positions", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert len(after.json()["satellites"]) == 7


@pytest.mark.slow
def test_answers_with_many_objects_wait_for_their_turn(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Side by side they are no faster, and hold up everybody else.
    positions(client)  # prepares the objects
    monkeypatch.setattr(live_positions, "_MANY", 39)  # of 40
    queue: FairQueue = client.app.state.service.costly
    most, together = 0, Semaphore(0)

    def noting(*question: Any, **others: Any) -> Any:
        nonlocal most
        most = max(most, queue.running("answer"))
        together.acquire(timeout=0.05)  # time for another one to begin
        return current_positions(*question, **others)

    monkeypatch.setattr(live_positions, "current_positions", noting)
    queries = [f"/positions?at=2024-11-01T{hour:02d}:00:00Z" for hour in range(8)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(client.get, queries))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert most == 1
    assert client.get(queries[0]).content == answers[0].content


def test_a_question_that_its_first_client_left_is_answered_for_the_next() -> None:
    bodies, given_up = BodyCache(1000), Event()

    def left() -> bytes:
        assert given_up.wait(60.0)
        raise ClientGone

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(bodies.get, "key", left)
        while bodies.made("key") is None:
            pass
        second = threads.submit(bodies.get, "key", lambda: b"body")
        given_up.set()
        with pytest.raises(ClientGone):
            first.result()
        assert second.result() == b"body"
