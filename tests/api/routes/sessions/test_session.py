"""Sessions of the web page: what a cookie opens, what it does not, and when it ends."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from api.access.page_session import COOKIE
from api.live import known_credentials
from storage.state.credentials import list_credentials, revoke_credential
from storage.state.database import query_state
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, header, plausible, serving
from tests.made_up_run import make_run, publish

PAGE = {"X-Requested-With": "test"}


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime.now(UTC).replace(microsecond=0))


@pytest.fixture
def desk(store: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Give a client with a token; what the service knows of credentials is read anew each time."""
    monkeypatch.setattr(known_credentials, "MAX_AGE_S", -1.0)
    publish(store, plausible(make_run()))
    with serving(store, clock) as client:
        yield client


def cookie_of(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return SimpleCookie(answer.headers["Set-Cookie"])[COOKIE].value


def signed_in(desk: Client) -> Client:
    return Client(desk.app, {"Cookie": f"{COOKIE}={cookie_of(desk.request('POST', '/session'))}"})


def test_a_token_becomes_a_cookie_that_no_script_reads(desk: Client, store: Path, clock: Clock) -> None:
    answer = desk.request("POST", "/session")
    cookie = SimpleCookie(answer.headers["Set-Cookie"])[COOKIE]
    assert cookie["httponly"] is True
    assert cookie["samesite"].lower() == "strict"
    assert cookie["path"] == "/"
    assert cookie["max-age"] == str(12 * 3600)
    assert answer.json()["name"] == "test"
    assert datetime.fromisoformat(answer.json()["expires"]) == clock.time + timedelta(hours=12)
    ((stored,),) = query_state(store, "SELECT secret_sha256 FROM sessions")
    assert cookie.value.encode() not in stored


@pytest.mark.slow
def test_over_https_the_cookie_stays_there(desk: Client) -> None:
    answer = desk.request("POST", "https://localhost/session")
    assert SimpleCookie(answer.headers["Set-Cookie"])[COOKIE]["secure"] is True


@pytest.mark.parametrize("path", ["/conjunctions", "/runs/current", "/positions", "/objects", "/proximities"])
def test_it_opens_what_may_be_read(desk: Client, path: str) -> None:
    assert signed_in(desk).get(path).status_code == 200


def test_its_requests_count_as_the_tokens(desk: Client) -> None:
    page = signed_in(desk)
    left = [page.get("/runs/current").headers["RateLimit"].split(";")[1] for _ in range(2)]
    assert int(left[0][2:]) - int(left[1][2:]) == 1


@pytest.mark.parametrize("version", ["", "/v1"])
def test_it_asks_what_stores_nothing_with_its_header_only(desk: Client, version: str) -> None:
    """A form or a page of another site can send the cookie, but not the header."""
    page, question = signed_in(desk), {"search": True}
    path = f"{version}/conjunctions/12345/manoeuvres"
    assert page.request("POST", path, json=question).status_code == 401
    foreign = {**PAGE, "Sec-Fetch-Site": "same-site"}
    assert page.request("POST", path, json=question, headers=foreign).status_code == 401
    answer = page.request("POST", path, json=question, headers=PAGE)
    assert answer.status_code == 404
    assert "12345" in answer.json()["detail"]
    analysis = {"primary_norad_id": 25544}  # stores what it finds
    assert page.request("POST", "/conjunctions/analyze", json=analysis, headers=PAGE).status_code == 401


def test_it_changes_nothing(desk: Client) -> None:
    page = signed_in(desk)
    assert page.request("POST", "/session").status_code == 401
    assert page.request("DELETE", "/session").status_code == 422  # as another site's form could send it
    assert page.get("/session").json()["signed_in"] is True


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_origin_opens_and_ends_nothing_with_it(desk: Client, site: str) -> None:
    page = signed_in(desk)
    foreign = {**page.headers, "Sec-Fetch-Site": site}
    for path in ("/conjunctions", "/positions", "/runs/current"):
        assert page.get(path, headers=foreign).status_code == 401
    assert page.get("/session", headers=foreign).json()["signed_in"] is False
    for method, path in (("POST", "/session"), ("POST", "/conjunctions/analyze")):
        assert page.request(method, path, headers={**foreign, **PAGE}).status_code == 401
    page.request("DELETE", "/session", headers={**foreign, **PAGE})
    assert page.get("/session").json()["signed_in"] is True


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_page_itself_and_an_address_typed_in_open_with_it(desk: Client, site: str) -> None:
    page = signed_in(desk)
    assert page.get("/runs/current", headers={**page.headers, "Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_no_origin_is_allowed_to_end_a_session(store: Path, method: str) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": method}
    with serving(store, cors_origins="https://example.org") as client:
        answer = client.request("OPTIONS", "/session", headers=asked)
        assert answer.status_code == 400
        wanted = {
            **asked,
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "x-requested-with",
        }
        assert client.request("OPTIONS", "/session", headers=wanted).status_code == 400
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_signing_out_ends_it_for_good(desk: Client, store: Path) -> None:
    page = signed_in(desk)
    answer = page.request("DELETE", "/session", headers={**page.headers, **PAGE})
    assert answer.status_code == 204
    assert 'skysieve_session=""' in answer.headers["Set-Cookie"]
    assert page.get("/conjunctions").status_code == 401
    assert query_state(store, "SELECT count(*) FROM sessions") == [(0,)]


def test_it_ends_after_twelve_hours(desk: Client, clock: Clock) -> None:
    page = signed_in(desk)
    clock.time += timedelta(hours=11, minutes=59)
    assert page.get("/conjunctions").status_code == 200
    clock.time += timedelta(minutes=1)
    answer = page.get("/conjunctions")
    assert answer.status_code == 401
    assert "sign in again" in answer.json()["detail"]
    assert page.get("/session").json()["signed_in"] is False


@pytest.mark.slow
def test_it_ends_with_its_token(desk: Client, store: Path) -> None:
    page = signed_in(desk)
    (token,) = list_credentials(store)
    revoke_credential(store, token.id, datetime.now(UTC))
    assert page.get("/conjunctions").status_code == 401
    assert page.get("/session").json()["signed_in"] is False


def test_sessions_that_are_over_are_forgotten(desk: Client, store: Path, clock: Clock) -> None:
    signed_in(desk)
    clock.time += timedelta(hours=13)
    signed_in(desk)
    assert query_state(store, "SELECT count(*) FROM sessions") == [(1,)]


@pytest.mark.parametrize("cookie", ["", "x", "A" * 43])
def test_a_made_up_cookie_opens_nothing(desk: Client, cookie: str) -> None:
    page = Client(desk.app, {"Cookie": f"{COOKIE}={cookie}"})
    assert page.get("/conjunctions").status_code == 401


def test_an_api_key_makes_no_session(desk: Client, store: Path) -> None:
    from storage.state.credentials import create_credential

    key = create_credential(store, "api-key", "globe", NOW).secret
    answer = Client(desk.app, header("api-key", key)).request("POST", "/session")
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


def test_a_token_beside_the_cookie_decides(desk: Client) -> None:
    page = signed_in(desk)
    broken = {**page.headers, "Authorization": "Bearer broken"}
    assert page.get("/conjunctions", headers=broken).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Requested-With": ""},
        {"X-Requested-With": "page", "Origin": "https://evil.example"},
        {"X-Requested-With": "page", "Origin": "http://localhost:9999"},
        {"X-Requested-With": "page", "Origin": "null"},
    ],
)
def test_an_empty_header_or_another_origin_changes_nothing(desk: Client, headers: dict[str, str]) -> None:
    page = signed_in(desk)
    fleet = {"name": "MINE", "objects": [{"norad_id": 1}]}
    answer = page.request("POST", "/fleets", json=fleet, headers={**page.headers, **headers})
    assert answer.status_code == 401
    own = {"X-Requested-With": "page", "Origin": "http://localhost"}
    assert page.request("POST", "/fleets", json=fleet, headers={**page.headers, **own}).status_code != 401
