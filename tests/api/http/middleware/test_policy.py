"""What every answer tells browsers and caches: of all routes, so that a new one cannot forget it."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from fastapi.routing import iter_route_contexts

from api.access.page_session import COOKIE
from storage.state.credentials import create_credential
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, header, serving

# Files of the page, the same for everybody. Whatever else there is, or will be, is for whoever asked.
FOR_ALL = "/assets/{name}"
CREDENTIALS = {"authorization", "x-api-key", "cookie"}
PLACES = {f"{{{name}}}": ["1", "x"] for name in ("id", "feed_id", "link_id", "plan")}
PLACES["{name}"] = ["icon.svg", "nothing"]


def listed(answer: httpx.Response, name: str) -> set[str]:
    """Return the members of a header that is a list, in small letters."""
    return {part.strip().lower() for part in answer.headers.get(name, "").split(",")} - {""}


def addresses(client: Client) -> list[tuple[str, str]]:
    """Return method and path of all routes, those outside the OpenAPI document too, parameters filled in."""
    found = []
    for route in iter_route_contexts(client.app.routes):
        assert route.path is not None
        paths = [route.path]
        for place, values in PLACES.items():
            paths = [path.replace(place, value) for path in paths for value in values]
        assert "{" not in "".join(paths), f"say above what {route.path} may be asked for"
        found += [(method, path) for path in sorted(set(paths)) for method in sorted(route.methods or ())]
    assert {"/conjunctions", "/v1/positions", "/openapi.json", "/docs", "/"} <= {path for _, path in found}
    return found


@pytest.fixture(scope="module")
def brought(served_store: Path, client: Client) -> dict[str, dict[str, str]]:
    """Give the headers of all kinds of clients."""
    key = header("api-key", create_credential(served_store, "api-key", "key", NOW).secret)
    cookie = SimpleCookie(client.request("POST", "/session").headers["Set-Cookie"])[COOKIE].value
    return {
        "nothing": {},
        "token": dict(client.headers),
        "key": key,
        "both": {**client.headers, **key},
        "broken": header("bearer", "broken"),
        "session": {"Cookie": f"{COOKIE}={cookie}"},
        "csv": {**client.headers, "Accept": "text/csv"},
        "arrays": {**key, "Accept": "application/octet-stream"},
    }


def answers(client: Client, headers: dict[str, str]) -> Iterator[httpx.Response]:
    """Ask every route, rightly and wrongly, and what is no route."""
    asking = Client(client.app, headers)
    for method, path in [*addresses(client), ("GET", "/nothing"), ("PUT", "/conjunctions")]:
        if method == "DELETE":
            continue  # ends the session; it is asked for below
        for query in ("", "?limit=1", "?nothing=1"):
            yield asking.request(method, path + query)


KINDS = ["nothing", "token", "key", "both", "broken", "session", "csv", "arrays"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
def test_no_cache_gives_an_answer_to_another_client(
    client: Client, brought: dict[str, dict[str, str]], kind: str
) -> None:
    statuses = set()
    for answer in answers(client, brought[kind]):
        statuses.add(answer.status_code)
        where = f"{answer.request.method} {answer.request.url.path}: {answer.status_code}"
        if answer.request.url.path.startswith("/assets/") and answer.status_code == 200:
            continue
        assert {"no-store", "private"} & listed(answer, "Cache-Control"), where
        assert "public" not in listed(answer, "Cache-Control"), where
        assert listed(answer, "Vary") >= CREDENTIALS, where
    assert 404 in statuses
    assert (401 if kind in ("nothing", "broken") else 200) in statuses


def test_what_depends_on_what_is_taken_says_so(client: Client, brought: dict[str, dict[str, str]]) -> None:
    every = client.without_credential()
    assert "accept" in listed(every.get("/metrics"), "Vary")
    for headers in (brought["token"], brought["csv"]):
        assert "accept" in listed(every.get("/conjunctions", headers=headers), "Vary")
    for headers in (brought["key"], brought["arrays"]):
        found = listed(every.get("/positions?limit=1", headers=headers), "Vary")
        assert found >= {"accept", "accept-encoding"}


def test_refused_for_their_number_they_are_nobody_elses_either(served_store: Path) -> None:
    with serving(served_store, Clock(), rate_limit_per_minute=1) as client:
        for headers in (client.headers, header("bearer", "broken")):
            asking = Client(client.app, headers)
            asking.get("/runs/current")
            answer = asking.get("/runs/current")
            assert answer.status_code == 429
            assert "no-store" in listed(answer, "Cache-Control")
            assert listed(answer, "Vary") >= CREDENTIALS


def test_a_crash_is_nobody_elses_either(served_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from api.routes import runs

    with serving(served_store) as client:
        monkeypatch.setattr(runs, "json_response", lambda *_: 1 / 0)
        answer = client.get("/runs/current")
    assert answer.status_code == 500
    assert "no-store" in listed(answer, "Cache-Control")
    assert listed(answer, "Vary") >= CREDENTIALS
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["nothing", "token", "session"])
def test_no_answer_is_framed_guessed_at_or_runs_anything(
    client: Client, brought: dict[str, dict[str, str]], kind: str
) -> None:
    pages = set()
    for answer in answers(client, brought[kind]):
        headers, where = answer.headers, str(answer.request.url)
        policy = headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff", where
        assert headers["Referrer-Policy"] == "no-referrer", where
        assert headers["X-Frame-Options"] == "DENY", where
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", where
        assert "default-src 'none'" in policy, where
        assert "frame-ancestors 'none'" in policy, where
        assert "unsafe" not in policy, where
        assert "http" not in policy, where
        assert len(headers.get_list("Content-Security-Policy")) == 1, where
        if "html" in headers.get("Content-Type", ""):
            pages.add(answer.request.url.path)
        else:
            assert "script-src" not in policy or where.startswith("http://localhost/assets/"), where
    assert pages == {"/", "/docs"}


def test_signing_out_is_kept_by_no_cache(client: Client) -> None:
    answer = client.request("DELETE", "/session", headers={"X-Requested-With": "test"})
    assert answer.status_code == 204
    assert "no-store" in listed(answer, "Cache-Control")
    assert listed(answer, "Vary") >= CREDENTIALS
