"""Requests that are too long are refused before anything is made of them, and with a short answer."""

import asyncio
import sys
from collections.abc import Callable
from urllib.parse import urlencode

import httpx
import pytest
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.types import Message

from api.http.parameters import _refuse_repeated
from api.models.responses import Problem
from tests.api.client import Client

SHORT_BYTES = 1_000  # of an answer that says what is wrong once


def distinct(count: int) -> str:
    """Return a query of distinct names without values, four characters each."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return "&".join(f"{a}{b}{c}" for a in letters for b in letters for c in letters[:25])[: 4 * count - 1]


def refused(answer: httpx.Response, status: int) -> Problem:
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert len(answer.content) < SHORT_BYTES
    assert answer.headers["X-Request-ID"]
    return Problem.model_validate_json(answer.content)


def calls(work: Callable[[], object]) -> int:
    """Return how many Python functions are called: what grows with it is no noise of a busy machine."""
    count = 0

    def counting(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("path", ["/conjunctions", "/positions", "/objects", "/health", "/nothing", "/docs"])
def test_16000_parameters_once_took_9_s_and_were_answered_with_a_megabyte(client: Client, path: str) -> None:
    problem = refused(client.get(f"{path}?{distinct(16_000)}"), 414)
    assert "16,384 bytes" in problem.detail
    problem = refused(client.get(f"{path}?{distinct(51)}"), 414)
    assert "51 parameters" in problem.detail
    assert "norad_id=25544,20580" in problem.detail


def test_fifty_parameters_and_16_kilobytes_are_looked_at(client: Client) -> None:
    answer = client.get(f"/conjunctions?{distinct(50)}")
    assert answer.status_code == 422
    query = urlencode({"cursor": "A" * (16_384 - len("cursor="))})
    assert client.get(f"/conjunctions?{query}").status_code == 422
    assert client.get(f"/conjunctions?{query}A").status_code == 414


def test_to_refuse_a_longer_query_takes_no_more_calls(client: Client) -> None:
    statuses: list[int] = []

    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    def refusal(count: int) -> int:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": "/conjunctions",
            "query_string": distinct(count).encode(),
            "headers": [(b"host", b"localhost")],
        }
        return calls(lambda: asyncio.run(client.app(scope, nothing, noted)))

    refusal(51)
    few, many = refusal(100), refusal(4_000)
    assert statuses == [414, 414, 414]  # without a header it was 500, and the calls those of a traceback
    assert few < 2_000
    assert many < 1.2 * few


class Name(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("count", [1_000, 4_000])
def test_repeated_parameters_are_found_without_comparing_each_with_each(count: int) -> None:
    """Comparisons grew with the square of the names: 16 million of 4,000."""
    request = Request({"type": "http"})
    request._query_params = QueryParams([(Name(number), "") for number in range(count)])
    Name.compared = 0
    _refuse_repeated(request, frozenset())
    assert Name.compared < 10 * count


def test_paths_and_headers_have_a_length(client: Client) -> None:
    assert "1,024 bytes" in refused(client.get("/conjunctions/" + "9" * 60_000), 414).detail
    many = [(f"X-{number}", "1") for number in range(101)]
    answer = client.get("/conjunctions", headers=[*client.headers.items(), *many])
    assert "100 header fields" in refused(answer, 431).detail


@pytest.mark.parametrize("path", ["/conjunctions", "/objects"])
def test_a_thousand_objects_go_into_one_parameter(client: Client, path: str) -> None:
    numbers = [str(999_000_000 + number) for number in range(999)]
    known = str(client.get("/conjunctions?limit=1").json()["conjunctions"][0]["primary_norad_id"])
    answer = client.get(path, params={"norad_id": ",".join([*numbers, known])})
    if path == "/conjunctions":
        assert answer.json()["total"] == client.get(f"{path}?norad_id={known}").json()["total"] > 0
        cursor = client.get(path, params={"norad_id": ",".join([*numbers, known]), "limit": 1}).json()["next"]
        assert client.get(path, params={"cursor": cursor, "limit": 1}).status_code == 200
    else:
        assert answer.status_code == 404  # none but one is there
    too_many = client.get(path, params={"norad_id": ",".join(["5", *numbers, known])})
    assert too_many.status_code == 422
    assert "1,000" in too_many.json()["detail"]


@pytest.mark.parametrize("path", ["/conjunctions", "/objects"])
def test_commas_and_repetition_mean_the_same(client: Client, path: str) -> None:
    first = client.get("/conjunctions?limit=1").json()["conjunctions"][0]
    pair = (first["primary_norad_id"], first["secondary_norad_id"])
    repeated = client.get(f"{path}?norad_id={pair[0]}&norad_id={pair[1]}").json()
    assert repeated["total"] > 0
    for query in (
        f"norad_id={pair[0]},{pair[1]}",
        f"norad_id={pair[0]}%2C{pair[1]}",
        f"norad_id={pair[0]},{pair[1]}&norad_id={pair[0]}",
    ):
        answer = client.get(f"{path}?{query}").json()
        assert answer | {"next": None} == repeated | {"next": None}  # which repeats the parameters
    answer = client.get(f"{path}?norad_id={pair[0]},0")
    assert [error["field"] for error in answer.json()["errors"]] == ["norad_id.1"]
    assert client.get(f"{path}?norad_id={pair[0]},,").status_code == 422


def test_many_wrong_values_are_answered_with_the_first_ten(client: Client) -> None:
    answer = client.get("/conjunctions?norad_id=" + ",".join(["x"] * 1000))
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) == 10
    assert "and 990 more" in answer.json()["detail"]
    body = "{" + ",".join(f'"{number:04d}":1' for number in range(6_000)) + "}"
    answer = client.request(
        "POST",
        "/conjunctions/analyze",
        content=body,
        headers={**client.headers, "Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) == 10


@pytest.mark.slow
def test_the_document_has_lists_of_numbers_with_commas(client: Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    for path in ("/conjunctions", "/objects", "/positions"):
        (numbers,) = [p for p in paths[path]["get"]["parameters"] if p["name"] == "norad_id"]
        assert (numbers["style"], numbers["explode"]) == ("form", False)
