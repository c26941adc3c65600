"""Bodies: their length, their kind, and strictly what the model says."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

import httpx
import pytest
from fastapi import Depends

from api.access.credentials import require_bearer
from api.access.rights import RIGHTS, Right
from api.http.json_bodies import MAX_BODY_BYTES, documented_body, json_body
from api.http.problems import documented
from api.models.requests import AnalysisRequest
from api.models.responses import Problem
from tests.api.client import Client
from tests.api.conftest import serving

ISS = {"primary_norad_id": 25544}
JSON = {"Content-Type": "application/json"}


async def own(body: Annotated[AnalysisRequest, Depends(json_body(AnalysisRequest))]) -> AnalysisRequest:
    """Send back the body."""
    return body


async def of_fastapi(body: AnalysisRequest) -> AnalysisRequest:
    return body


@pytest.fixture(scope="module")
def client(served_store: Path) -> Iterator[Client]:
    """Give a client of a service with two routes that send back the body."""
    with serving(served_store) as client:
        client.app.add_api_route(
            "/own",
            own,
            methods=["POST"],
            dependencies=[Depends(require_bearer)],
            responses=documented(*map(HTTPStatus, (413, 415, 422, 429))),
            openapi_extra=documented_body(AnalysisRequest),
        )
        client.app.add_api_route("/of-fastapi", of_fastapi, methods=["POST"])
        with pytest.MonkeyPatch.context() as patched:
            patched.setitem(RIGHTS, "POST /own", Right("viewer", "everybody"))
            patched.setitem(RIGHTS, "POST /of-fastapi", Right(None, "everybody"))
            yield client


def problem(answer: httpx.Response, status: int) -> Problem:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    return Problem.model_validate_json(answer.content)


@pytest.mark.slow
def test_defaults(client: Client) -> None:
    answer = client.request("POST", "/own", json=ISS)
    assert answer.json() == {"primary_norad_id": 25544, "look_ahead_hours": 24, "threshold_km": 10.0}


@pytest.mark.parametrize(
    "body",
    [
        {"primary_norad_id": 1, "look_ahead_hours": 1, "threshold_km": 0.1},
        {"primary_norad_id": 999_999_999, "look_ahead_hours": 168, "threshold_km": 100},
        {"primary_norad_id": 25544.0, "look_ahead_hours": 24.0, "threshold_km": 10},
    ],
)
def test_what_is_just_allowed(client: Client, body: dict[str, object]) -> None:
    assert client.request("POST", "/own", json=body).json() == body


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"primary_norad_id": "25544"}, "primary_norad_id"),
        ({"primary_norad_id": 25544.5}, "primary_norad_id"),
        ({"primary_norad_id": True}, "primary_norad_id"),
        ({"primary_norad_id": None}, "primary_norad_id"),
        ({"primary_norad_id": 0}, "primary_norad_id"),
        ({"primary_norad_id": 1_000_000_000}, "primary_norad_id"),
        ({"primary_norad_id": 10**400}, "primary_norad_id"),
        ({}, "primary_norad_id"),
        ({**ISS, "look_ahead_hours": 24.5}, "look_ahead_hours"),
        ({**ISS, "look_ahead_hours": "24"}, "look_ahead_hours"),
        ({**ISS, "look_ahead_hours": 0}, "look_ahead_hours"),
        ({**ISS, "look_ahead_hours": 169}, "look_ahead_hours"),
        ({**ISS, "threshold_km": 0.09}, "threshold_km"),
        ({**ISS, "threshold_km": 100.1}, "threshold_km"),
        ({**ISS, "threshold_km": "10"}, "threshold_km"),
        ({**ISS, "threshold_km": [10]}, "threshold_km"),
        ({**ISS, "threshold_km": float("nan")}, "threshold_km"),
        ({**ISS, "threshold_km": float("inf")}, "threshold_km"),
        ({**ISS, "hours": 24}, "hours"),
        ([ISS], "body"),
        (None, "body"),
    ],
)
def test_bodies_are_strict_and_the_field_is_named(client: Client, body: object, field: str) -> None:
    answer = client.request("POST", "/own", content=json.dumps(body), headers={**client.headers, **JSON})
    errors = problem(answer, 422).errors
    assert errors is not None
    assert [error.field for error in errors] == [field]


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 60_000, b'{"primary_norad_id": 01}', b"{} {}"])
def test_what_is_no_json_at_all(client: Client, text: bytes) -> None:
    answer = client.request("POST", "/own", content=text, headers={**client.headers, **JSON})
    problem(answer, 422)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/jsonp"},
        {"Content-Type": "json"},
        {"Content-Type": "; charset=utf-8"},
        {**JSON, "Content-Encoding": "gzip"},
    ],
)
def test_another_kind_of_body(client: Client, headers: dict[str, str]) -> None:
    answer = client.request("POST", "/own", content=json.dumps(ISS), headers={**client.headers, **headers})
    assert problem(answer, 415).type == "urn:skysieve:problem:not-json"


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", "application/a+json"]
)
def test_other_ways_to_say_json(client: Client, kind: str) -> None:
    headers = {**client.headers, "Content-Type": kind}
    assert client.request("POST", "/own", content=json.dumps(ISS), headers=headers).status_code == 200


def test_without_a_credential_nothing_is_said_about_the_body(client: Client) -> None:
    stranger = client.without_credential()
    for content in ("{", json.dumps(ISS), "x" * MAX_BODY_BYTES * 2):
        problem(stranger.request("POST", "/own", content=content, headers=JSON), 401)


@pytest.mark.parametrize("path", ["/own", "/of-fastapi"])
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_may_have_64_kib(client: Client, path: str, announced: bool) -> None:
    text = json.dumps(ISS).encode()

    async def parts(length: int) -> AsyncIterator[bytes]:
        body = text.ljust(length)
        for begin in range(0, length, 10_000):
            yield body[begin : begin + 10_000]

    def answer(length: int) -> httpx.Response:
        content = text.ljust(length) if announced else parts(length)
        return client.request("POST", path, content=content, headers={**client.headers, **JSON})

    assert answer(MAX_BODY_BYTES).status_code == 200
    assert problem(answer(MAX_BODY_BYTES + 1), 413).type == "urn:skysieve:problem:body-too-long"


def test_a_body_without_end_is_not_read_to_its_end(client: Client) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 10_000
            yield b" " * 10_000

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers={**client.headers, **JSON}
        ) as asking:
            return await asking.post("/own", content=endless())

    problem(asyncio.run(asyncio.wait_for(ask(), timeout=60)), 413)
    assert sent <= MAX_BODY_BYTES + 20_000


@pytest.mark.slow
def test_the_documentation_shows_the_body(client: Client) -> None:
    operation = client.get("/openapi.json").json()["paths"]["/own"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["primary_norad_id"]
    assert schema["properties"]["look_ahead_hours"]["maximum"] == 168
    assert set(operation["responses"]) >= {"413", "415", "422", "429"}
