"""`skysieve messages fetch`, as users and scripts call it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner, Result

from flows.settings import FlowSettings
from flows.sources.messages import tracss_login
from skysieve.command_line import app
from tests.flows.misbehaving_server import MisbehavingServer, status
from tests.flows.space_track import PASSWORD, USER, SpaceTrack, row
from tests.flows.tracss import CLIENT, SECRET, Tracss

HOUR = timedelta(hours=1)
Fetch = Callable[[], Result]


@pytest.fixture
def service(server: MisbehavingServer) -> SpaceTrack:
    now = datetime.now(UTC)
    stand_in = SpaceTrack(server, now)
    stand_in.rows = [row(n, now - n * HOUR, now + 24 * HOUR) for n in range(1, 6)]
    return stand_in


@pytest.fixture
def fetch(settings: FlowSettings, service: SpaceTrack, monkeypatch: pytest.MonkeyPatch) -> Fetch:
    monkeypatch.setenv("SKYSIEVE_SPACETRACK_LOGIN", f"{USER}:{PASSWORD}")
    return lambda: CliRunner().invoke(app, ["messages", "fetch", "--store", str(settings.store)])


@pytest.mark.slow
def test_three_times_a_day_it_asks_and_then_says_when_it_may(fetch: Fetch, service: SpaceTrack) -> None:
    first = fetch()
    assert first.exit_code == 0
    assert first.stdout == "5 new (a run has the encounters of 0), 0 known.\n"
    assert [fetch().exit_code for _ in range(2)] == [0, 0]
    fourth = fetch()
    assert fourth.exit_code == 1
    assert (
        "Space-Track allows 3 queries a day for public messages; the next may be sent at 2" in fourth.stderr
    )
    assert (service.logins(), len(service.queries())) == (3, 3)


@pytest.mark.slow
def test_a_refused_login_is_told(fetch: Fetch, service: SpaceTrack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYSIEVE_SPACETRACK_LOGIN", f"{USER}:wrong secret")
    refused = fetch()
    assert refused.exit_code == 1
    assert "refused the login" in refused.stderr
    assert "wrong secret" not in refused.output
    monkeypatch.setenv("SKYSIEVE_SPACETRACK_LOGIN", f"{USER}:{PASSWORD}")
    assert fetch().exit_code == 0


def test_without_a_login_it_says_what_to_set(
    fetch: Fetch, service: SpaceTrack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SKYSIEVE_SPACETRACK_LOGIN")
    refused = fetch()
    assert refused.exit_code == 1
    assert "SKYSIEVE_SPACETRACK_LOGIN" in refused.stderr
    assert service.server.requests == []


def test_a_stop_is_told_with_the_time_until_which_it_lasts(fetch: Fetch, service: SpaceTrack) -> None:
    service.answer = status("429 Too Many Requests", retry_after="7200")
    assert "429 Too Many Requests" in fetch().stderr
    again = fetch()
    assert again.exit_code == 1
    assert "said stop" in again.stderr
    assert "2 h later" in again.stderr
    assert len(service.queries()) == 1


@pytest.mark.slow
def test_with_a_login_at_tracss_alone_only_that_is_asked(
    settings: FlowSettings, server: MisbehavingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    civil = Tracss(server)
    monkeypatch.setenv("SKYSIEVE_TRACSS_LOGIN", f"{CLIENT}:{SECRET}")
    command = ["messages", "fetch", "--store", str(settings.store)]
    first = CliRunner().invoke(app, command)
    assert (first.exit_code, first.stdout) == (0, "TraCSS has no new ones.\n")
    civil.add(1, 2)
    assert CliRunner().invoke(app, command).stdout.startswith("TraCSS: 2 new ")
    civil.answer = status("500 Internal Server Error")
    failed = CliRunner().invoke(app, command)
    assert failed.exit_code == 1
    assert "500 Internal Server Error" in failed.stderr
    assert not any("basicspacedata" in path for path in server.paths())


def test_both_are_asked_and_one_that_fails_does_not_stop_the_other(
    fetch: Fetch, service: SpaceTrack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each service has a host of its own: one that says stop is left alone by name."""
    with MisbehavingServer() as other:
        url = other.url.replace("127.0.0.1", "localhost")
        monkeypatch.setattr(tracss_login, "TRACSS_URL", url)
        monkeypatch.setattr(tracss_login, "LOGIN_URL", f"{url}/oauth2/v1/token")
        Tracss(other)
        monkeypatch.setenv("SKYSIEVE_TRACSS_LOGIN", f"{CLIENT}:{SECRET}")
        service.answer = status("503 Service Unavailable")
        found = fetch()
    assert found.exit_code == 1
    assert "503" in found.stderr
    assert "TraCSS has no new ones." in found.stdout
