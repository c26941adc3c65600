"""Space-Track: login, limits over restarts, and a password that is never shown."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from pydantic import SecretStr

from flows.settings import FlowSettings, name_and_secret
from flows.sources.catalogues import Source, fetch_catalogue
from flows.sources.download import Web
from flows.sources.errors import NotAsked, SourceError, Stopped, TooSoon
from flows.sources.spacetrack import REQUEST_LIMITS
from screening.errors import UsageError
from storage.settings import load_settings
from storage.state.database import SERVICE_STATE, claim_request
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import Answer, Exchange, MisbehavingServer, by_path, status, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
LATER = NOW + timedelta(hours=6)
PASSWORD = "correct horse battery"
LOGIN, QUERY = "/ajaxauth/login", "/basicspacedata/query/class/gp/"
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def server(server: MisbehavingServer) -> MisbehavingServer:
    server.answer = service(text(catalogue_csv(1000)))
    return server


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(
        store=store,
        spacetrack_login=SecretStr(f"me@example.org:{PASSWORD}"),
    )


def service(answer: Answer) -> Answer:
    """Let in who knows the password, and answer queries of those who were let in."""

    def login(exchange: Exchange) -> None:
        form = parse_qs(exchange.request.body.decode())
        known = form == {"identity": ["me@example.org"], "password": [PASSWORD]}
        reply = text(b'""', set_cookie="chocolatechip=abc; path=/") if known else text(b'{"Login":"Failed"}')
        reply(exchange)

    def query(exchange: Exchange) -> None:
        inside = exchange.request.headers.get("cookie") == "chocolatechip=abc"
        (answer if inside else status("401 Unauthorized"))(exchange)

    return by_path({LOGIN: login, QUERY: query})


def fetch(settings: FlowSettings, now: datetime = NOW) -> Source:
    return fetch_catalogue("spacetrack", settings, now, Web(lambda _seconds: None))


def test_a_login_and_a_query_bring_the_catalogue(server: MisbehavingServer, settings: FlowSettings) -> None:
    fetched = fetch(settings)
    assert (fetched.name, fetched.decision) == ("spacetrack", "downloaded")
    assert fetched.sha256 == hashlib.sha256(catalogue_csv(1000)).hexdigest()
    login, query = server.requests
    assert (login.method, login.path, query.method) == ("POST", LOGIN, "GET")
    for part in ("decay_date/null-val", "epoch/%3Enow-30", "format/csv"):
        assert part in query.path


def test_user_and_password_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYSIEVE_SPACETRACK_LOGIN", f"me@example.org:{PASSWORD}")
    settings = load_settings(FlowSettings)
    assert name_and_secret(settings.spacetrack_login) == ("me@example.org", PASSWORD)
    assert PASSWORD not in f"{settings!r} {settings} {settings.model_dump_json()}"


@pytest.mark.slow
def test_without_a_login_nobody_is_asked(server: MisbehavingServer, settings: FlowSettings) -> None:
    empty = FlowSettings.model_validate({**settings.model_dump(), "spacetrack_login": ""})
    with pytest.raises(UsageError, match="SKYSIEVE_SPACETRACK_LOGIN"):
        fetch(empty)
    assert server.requests == []
    assert fetch(settings).decision == "downloaded"


def test_a_refused_login_is_reported_and_can_be_corrected_at_once(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    """A refused login has status 200."""
    wrong = FlowSettings.model_validate(
        {**settings.model_dump(), "spacetrack_login": "me@example.org:wrong secret"}
    )
    with pytest.raises(NotAsked, match=r"refused the login of 'me@example\.org'") as refused:
        fetch(wrong)
    assert "wrong secret" not in str(refused.value)
    assert [request.path for request in server.requests] == [LOGIN]
    assert fetch(settings).decision == "downloaded"


def test_the_password_is_nowhere_in_the_store(server: MisbehavingServer, settings: FlowSettings) -> None:
    fetch(settings)
    files = [path for path in settings.store.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert all(b"battery" not in path.read_bytes() for path in files)


def test_one_query_an_hour(server: MisbehavingServer, settings: FlowSettings) -> None:
    first = fetch(settings)
    early = fetch(settings, NOW + timedelta(minutes=59))
    assert (early.decision, early.sha256) == ("too_soon", first.sha256)
    assert len(server.requests) == 2  # the login of the second would have been one too many
    assert fetch(settings, NOW + timedelta(hours=1)).decision == "downloaded"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (text(b'[{"error": "You have violated your query rate limit."}]'), "violated your query rate limit"),
        (status("500 Internal Server Error", b"violated your query rate limit"), "500"),
        (text(b"<html>maintenance</html>"), "web page"),
        (text(catalogue_csv(10)), "10 objects"),
    ],
)
def test_a_failing_query_leaves_the_last_good_one(
    server: MisbehavingServer, settings: FlowSettings, answer: Answer, told: str
) -> None:
    fetch(settings)
    server.answer = service(answer)
    fetched = fetch(settings, LATER)
    assert (fetched.decision, len(fetched.content.elements)) == ("last_good", 1000)
    assert told in fetched.reason


def test_a_login_page_that_stops_is_reported(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = status("503 Service Unavailable")
    with pytest.raises(Stopped, match="/ajaxauth/login answered 503"):
        fetch(settings)


def test_a_login_that_never_ends_is_bounded(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(bytes(100_000))
    with pytest.raises(SourceError, match="announces 100,000 bytes"):
        fetch(settings)


def test_requests_of_earlier_processes_count(server: MisbehavingServer, settings: FlowSettings) -> None:
    for _ in range(29):
        claim_request(settings.store, "spacetrack", NOW, REQUEST_LIMITS)
    with pytest.raises(TooSoon, match="2026-11-21T06:01:00Z"):
        fetch(settings)
    assert [request.path for request in server.requests] == [LOGIN]  # the thirtieth
    assert fetch(settings, NOW + timedelta(minutes=1)).decision == "downloaded"


@pytest.mark.slow
def test_the_limit_of_an_hour_holds_too(server: MisbehavingServer, settings: FlowSettings) -> None:
    for minute in range(10):
        for _ in range(30):
            claim_request(settings.store, "spacetrack", NOW + minute * timedelta(minutes=1), REQUEST_LIMITS)
    with pytest.raises(TooSoon, match="2026-11-21T07:00:00Z"):
        fetch(settings, NOW + timedelta(minutes=30))
    assert server.requests == []


def test_without_a_count_nobody_is_asked(server: MisbehavingServer, settings: FlowSettings) -> None:
    good = fetch(settings)
    (settings.store / SERVICE_STATE).write_bytes(b"not a database" * 1000)
    asked = len(server.requests)
    fetched = fetch(settings, LATER)
    assert (fetched.decision, fetched.sha256) == ("last_good", good.sha256)
    assert SERVICE_STATE in fetched.reason
    assert len(server.requests) == asked
