"""How many requests are allowed: of a credential, of an address without one, over restarts."""

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from api.models.responses import Problem
from storage.state.credentials import create_credential
from storage.state.database import SERVICE_STATE, service_state
from storage.state.rate_counters import RateCounters
from storage.state.tables import ServiceStateError
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, header, serving
from tests.api.running import running
from tests.made_up_run import make_run, publish

PATH = "/conjunctions?limit=1"
WRONG = header("bearer", f"skysieve_bearer_1_{'A' * 43}")


@pytest.fixture(scope="module")
def published(module_store: Path) -> Path:
    publish(module_store, make_run())
    return module_store


@pytest.fixture
def store(published: Path) -> Path:
    """Give a store in which nothing was counted yet."""
    with service_state(published) as state:
        state.execute("DELETE FROM recent_requests")
    return published


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(store: Path, clock: Clock) -> Iterator[Client]:
    """Give a client of a service with the usual limit."""
    with serving(store, clock, rate_limit_per_minute=60) as client:
        yield client


def refused(answer: httpx.Response, retry_after: int) -> Problem:
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == str(retry_after)
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = Problem.model_validate_json(answer.content)
    assert problem.type == "urn:skysieve:problem:too-many-requests"
    return problem


def test_sixty_requests_a_minute_and_no_more(client: Client, clock: Clock) -> None:
    for number in range(60):
        answer = client.get(PATH)
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == '"credential";q=60;w=60'
        more_in = 60 - number // 2
        assert answer.headers["RateLimit"] == f'"credential";r={59 - number};t={more_in}'
        clock.time += timedelta(seconds=0.5)
    answer = client.get(PATH)
    problem = refused(answer, 30)
    assert "60 times a minute" in problem.detail
    assert answer.headers["RateLimit"] == '"credential";r=0;t=30'
    clock.time = NOW + timedelta(seconds=59.9)
    refused(client.get(PATH), 1)
    clock.time = NOW + timedelta(seconds=60)
    assert client.get(PATH).status_code == 200
    refused(client.get(PATH), 1)  # only the first one is a minute old


def test_refused_requests_do_not_count(client: Client, clock: Clock) -> None:
    for _ in range(70):
        client.get(PATH)
    clock.time += timedelta(minutes=1)
    assert client.get(PATH).headers["RateLimit"].startswith('"credential";r=59;')


def test_every_answer_to_a_credential_counts_and_says_so(client: Client) -> None:
    statuses = [
        client.get(path).status_code
        for path in ("/v1/proximities", "/conjunctions/1", "/conjunctions?limit=0", "/runs/current")
    ]
    assert statuses == [200, 404, 422, 200]
    token = client.headers["Authorization"].removeprefix("Bearer ")
    assert client.without_credential().get("/positions", headers=header("bearer", token)).status_code == 403
    assert client.get(PATH).headers["RateLimit"].startswith('"credential";r=54;')


@pytest.mark.slow
def test_credentials_have_limits_of_their_own(client: Client, store: Path) -> None:
    few = header("bearer", create_credential(store, "bearer", "few", NOW, per_minute=2).secret)
    many = header("bearer", create_credential(store, "bearer", "many", NOW, per_minute=90).secret)
    client.app.state.service.credentials._read_at_s = -float("inf")
    assert [client.get(PATH, headers=few).status_code for _ in range(3)] == [200, 200, 429]
    assert {client.get(PATH, headers=many).status_code for _ in range(90)} == {200}
    assert client.get(PATH, headers=many).status_code == 429
    assert client.get(PATH).headers["RateLimit-Policy"] == '"credential";q=60;w=60'


@pytest.mark.slow
def test_what_is_open_to_all_is_not_limited(client: Client) -> None:
    answers = [client.without_credential().get("/health") for _ in range(61)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit" not in answers[-1].headers


def test_the_limit_is_the_settings_of_now_and_outlives_the_service(store: Path, clock: Clock) -> None:
    with serving(store, clock, rate_limit_per_minute=5) as client:
        assert [client.get(PATH).status_code for _ in range(6)] == [200] * 5 + [429]
    # Another process, another setting, the same credential.
    with serving(store, clock, rate_limit_per_minute=6) as other:
        other.headers = client.headers
        clock.time += timedelta(seconds=12)
        assert other.get(PATH).status_code == 200
        refused(other.get(PATH), 48)


@pytest.mark.slow
def test_the_61st_request_is_refused_by_a_process_and_by_the_one_after_it(store: Path) -> None:
    bearer = header("bearer", create_credential(store, "bearer", "desk", NOW).secret)
    with running(store) as service, httpx.Client(base_url=service.url, headers=bearer, timeout=60) as client:
        assert [client.get(PATH).status_code for _ in range(61)] == [200] * 60 + [429]
    with running(store) as service:
        answer = httpx.get(service.url + PATH, headers=bearer, timeout=60)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 60


@pytest.mark.slow
def test_failures_of_an_address_are_limited_and_lock_out_nobody(client: Client, clock: Clock) -> None:
    stranger = client.without_credential()
    statuses = [stranger.get(PATH, headers=WRONG if i % 2 else {}).status_code for i in range(61)]
    assert statuses == [401] * 60 + [429]
    answer = stranger.get("/positions", headers={"X-API-Key": "x"})
    refused(answer, 60)
    assert answer.headers["RateLimit"] == '"failed";r=0;t=60'
    assert client.get(PATH).status_code == 200  # from the same address
    assert stranger.get("/health").status_code == 200
    clock.time += timedelta(seconds=60)
    assert stranger.get(PATH, headers=WRONG).status_code == 401


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:3::4", True),  # one client has all of these
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),  # IPv4 clients of a socket for both
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("<script>", "x" * 9000, True),  # as a proxy may pass on
    ],
)
def test_what_is_one_address(store: Path, clock: Clock, one: str, other: str, together: bool) -> None:
    with serving(store, clock, rate_limit_per_minute=1) as client:
        first, second = (Client(client.app, {}, (address, 50_000)) for address in (one, other))
        assert [first.get(PATH).status_code for _ in range(2)] == [401, 429]
        assert second.get(PATH).status_code == (429 if together else 401)


@pytest.mark.processes
def test_behind_a_proxy_the_address_is_its_clients(store: Path) -> None:
    with running(store, SKYSIEVE_RATE_LIMIT_PER_MINUTE="1") as service:

        def status(forwarded: str) -> int:
            # What a client writes there itself comes before what the proxy adds.
            headers = {"X-Forwarded-For": forwarded}
            return httpx.get(service.url + PATH, headers=headers, timeout=60).status_code

        assert [status("192.0.2.1"), status("10.9.8.7, 192.0.2.1")] == [401, 429]
        assert status("192.0.2.2") == 401


def test_without_the_file_it_counts_in_memory_and_says_so_once(
    store: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise ServiceStateError("the disk is full")

    with serving(store, rate_limit_per_minute=3) as client:
        with monkeypatch.context() as patched:
            patched.setattr(client.app.state.service.limits._in_store, "take", full)
            assert [client.get(PATH).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert caplog.text.count("the disk is full") == 1
        # Later it tries the file again, which knows of none of these.
        client.app.state.service.limits._store_again_at_s = 0.0
        assert client.get(PATH).status_code == 200


@pytest.mark.slow
def test_a_file_that_another_process_keeps_locked_delays_one_request_only(store: Path) -> None:
    with serving(store) as client:
        assert client.get(PATH).status_code == 200
        limits = client.app.state.service.limits
        credential = next(iter(client.app.state.service.credentials._known.values()))
        blocking = sqlite3.connect(store / SERVICE_STATE, isolation_level=None)
        blocking.execute("BEGIN IMMEDIATE")
        try:
            quotas = [limits.request(credential).taken.remaining for _ in range(3)]
        finally:
            blocking.close()
    assert quotas == [999_999, 999_998, 999_997]  # in memory, from the first on


def test_counters_of_a_store_that_is_read_only(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counters = RateCounters.of_store(store)
    counters.take("a", 3, lambda: NOW)
    counters._open().execute("PRAGMA query_only = ON")  # as root, file modes stop nobody
    with pytest.raises(ServiceStateError, match="readonly"):
        counters.take("a", 3, lambda: NOW)
    counters.close()
