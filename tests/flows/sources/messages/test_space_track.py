"""Space-Track's public conjunction messages: what is asked, how often, and which answers are refused."""

import json
import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from flows.settings import FlowSettings
from flows.sources.catalogues import fetch_catalogue
from flows.sources.download import Web
from flows.sources.errors import NotAsked, SourceError, Stopped, TooSoon, Unreachable
from flows.sources.messages.space_track import fetch_public_messages
from flows.sources.spacetrack import MOST_MESSAGES, REQUEST_LIMITS
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import MAX_MESSAGES, each_message
from storage.state.database import claim_request
from tests.flows.misbehaving_server import (
    Answer,
    MisbehavingServer,
    chunks_cut,
    of_length,
    reset,
    status,
    text,
    without_length,
)
from tests.flows.space_track import PASSWORD, USER, VIOLATED, SpaceTrack, row

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def service(server: MisbehavingServer) -> SpaceTrack:
    stand_in = SpaceTrack(server, NOW)
    stand_in.rows = [row(n, NOW - n * HOUR, NOW + (30 - n) * HOUR) for n in range(1, 61)]
    return stand_in


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(
        store=store,
        spacetrack_login=SecretStr(f"{USER}:{PASSWORD}"),
    )


def fetch(
    settings: FlowSettings,
    service: SpaceTrack,
    now: datetime = NOW,
    newest: datetime | None = None,
    *,
    at_once: bool = False,
) -> bytes:
    service.now = now
    return fetch_public_messages(settings, newest, now, Web(lambda _seconds: None), at_once=at_once)


def numbers(body: bytes) -> list[int]:
    return [int(one["CDM_ID"]) for one in json.loads(body)]


def test_first_those_of_approaches_to_come_are_asked_for(settings: FlowSettings, service: SpaceTrack) -> None:
    body = fetch(settings, service)
    assert numbers(body) == list(range(30, 0, -1))  # of those with a larger number TCA is over
    messages = list(each_message(body))
    assert len(messages) == 30
    for message in messages:
        assert isinstance(message, ConjunctionMessage)
    first = messages[0]
    assert isinstance(first, ConjunctionMessage)
    assert (first.message_id, first.miss_distance_m, first.probability) == ("30", 886.0, 0.000173503)
    assert str(first.creation_date) == "2026-11-20T00:00:00.000000"
    assert str(first.tca) == "2026-11-21T06:00:00.235000"
    assert (first.primary.designator, first.secondary.designator) == ("3740", "87650")


def test_an_answer_has_no_more_than_is_read() -> None:
    assert MOST_MESSAGES == MAX_MESSAGES


def test_later_what_was_created_since_with_an_overlap(settings: FlowSettings, service: SpaceTrack) -> None:
    fetch(settings, service, NOW - 9 * HOUR)
    found = numbers(fetch(settings, service, NOW, newest=NOW - 10 * HOUR))
    assert set(range(1, 11)) < set(found)  # all since
    assert found in (
        list(range(15, 0, -1)),
        list(range(16, 0, -1)),
    )  # and six hours: some come into view late


def test_a_newest_one_from_the_future_asks_for_no_less(settings: FlowSettings, service: SpaceTrack) -> None:
    assert numbers(fetch(settings, service, newest=NOW + DAY)) == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(("days", "asked_for"), [(6.9, "CREATED"), (7.1, "TCA")])
def test_after_a_week_those_to_come_suffice(
    settings: FlowSettings, service: SpaceTrack, days: float, asked_for: str
) -> None:
    fetch(settings, service, newest=NOW - days * DAY)
    assert service.queries()[0].startswith(f"{asked_for}/>now")


def test_no_messages_are_an_answer(settings: FlowSettings, service: SpaceTrack) -> None:
    service.rows = []
    assert fetch(settings, service) == b""


def test_eight_hours_lie_between_two_queries(
    server: MisbehavingServer, settings: FlowSettings, service: SpaceTrack
) -> None:
    fetch(settings, service)
    for later in (timedelta(0), HOUR, 8 * HOUR - MINUTE):
        with pytest.raises(TooSoon, match=r"8 h later, at 2026-11-21T14:00:00Z"):
            fetch(settings, service, NOW + later)
    assert len(server.requests) == 2  # not even a login
    fetch(settings, service, NOW + 8 * HOUR)
    assert len(service.queries()) == 2


def test_at_once_three_are_allowed_a_day(
    server: MisbehavingServer, settings: FlowSettings, service: SpaceTrack
) -> None:
    for minutes in range(3):
        fetch(settings, service, NOW + minutes * MINUTE, at_once=True)
    asked = len(server.requests)
    with pytest.raises(TooSoon, match=r"3 queries a day.*2026-11-22T06:00:00Z"):
        fetch(settings, service, NOW + HOUR, at_once=True)
    with pytest.raises(TooSoon, match=r"3 queries a day.*2026-11-22T06:00:00Z"):
        fetch(settings, service, NOW + 10 * HOUR)
    assert len(server.requests) == asked
    fetch(settings, service, NOW + DAY)


@pytest.mark.slow
def test_the_limits_of_a_day_hold_for_weeks_of_runs(settings: FlowSettings, service: SpaceTrack) -> None:
    """A run every hour for a week, and somebody who asks at once every five: the service never complains."""
    told, hours = 0, 7 * 24
    for hour in range(hours):
        for at_once in [False, True] if hour % 5 == 0 else [False]:
            try:
                fetch(settings, service, NOW + hour * HOUR, NOW + (hour - 1) * HOUR, at_once=at_once)
            except TooSoon:
                told += 1
    assert 3 * 7 - 1 <= len(service.queries()) <= 3 * 7
    assert told + len(service.queries()) == hours + len(range(0, hours, 5))


def test_element_sets_and_messages_share_the_limits_of_all_requests(
    settings: FlowSettings, service: SpaceTrack
) -> None:
    for _ in range(29):
        claim_request(settings.store, "spacetrack", NOW, REQUEST_LIMITS)
    with pytest.raises(TooSoon, match="30 requests a minute"):
        fetch(settings, service)
    assert (service.logins(), service.queries()) == (1, [])


def test_a_stop_to_element_sets_is_one_to_messages(
    settings: FlowSettings, service: SpaceTrack, server: MisbehavingServer
) -> None:
    with pytest.raises(Stopped, match="404"):
        fetch_catalogue("spacetrack", settings, NOW, Web(lambda _seconds: None))
    asked = len(server.requests)
    with pytest.raises(TooSoon, match=r"said stop.*404.*07:00:00Z"):
        fetch(settings, service, NOW + HOUR - MINUTE)
    assert len(server.requests) == asked
    fetch(settings, service, NOW + HOUR)


def test_a_refused_login_is_told_and_corrected_at_once(
    settings: FlowSettings, service: SpaceTrack, server: MisbehavingServer
) -> None:
    wrong = FlowSettings.model_validate({**settings.model_dump(), "spacetrack_login": f"{USER}:wrong secret"})
    with pytest.raises(NotAsked, match=r"refused the login of 'me@example\.org'") as refused:
        fetch(wrong, service)
    assert "wrong secret" not in str(refused.value)
    assert len(server.requests) == 1
    assert len(numbers(fetch(settings, service))) == 30


@pytest.mark.parametrize("half", [USER, f"{USER}:", f":{PASSWORD}"])
def test_half_a_login_is_told(settings: FlowSettings, half: str) -> None:
    with pytest.raises(ValidationError, match="spacetrack_login"):
        FlowSettings.model_validate({**settings.model_dump(), "spacetrack_login": half})


@pytest.mark.parametrize(
    ("retry_after", "hours"),
    [
        ({}, 1.0),
        ({"retry_after": "60"}, 1.0),
        ({"retry_after": "86400"}, 24.0),
        ({"retry_after": format_datetime(NOW + 12 * HOUR)}, 12.0),
        ({"retry_after": "99999999999999"}, 7 * 24.0),
        ({"retry_after": "Sat, 99 Nov 2026"}, 1.0),
        ({"retry_after": "soon"}, 1.0),
    ],
)
def test_a_stop_is_a_stop(
    settings: FlowSettings,
    service: SpaceTrack,
    server: MisbehavingServer,
    retry_after: dict[str, str],
    hours: float,
) -> None:
    service.answer = status("429 Too Many Requests", b"slow down", **retry_after)
    with pytest.raises(Stopped, match="429 Too Many Requests: slow down"):
        fetch(settings, service)
    asked = len(server.requests)
    over = NOW + timedelta(hours=hours)
    for at_once in (False, True):
        with pytest.raises(TooSoon, match=r"said stop.*429"):
            fetch(settings, service, over - MINUTE, at_once=at_once)
    if hours < 8.0:
        with pytest.raises(TooSoon, match="was asked"):
            fetch(settings, service, over)
    assert len(server.requests) == asked
    service.answer = None
    fetch(settings, service, over, at_once=True)


def test_a_violated_limit_is_told_in_the_words_of_the_service(
    settings: FlowSettings, service: SpaceTrack
) -> None:
    service.asked_at = [NOW, NOW, NOW]  # by another program with the same login
    with pytest.raises(Stopped, match=r"500 Internal Server Error.*violated your query rate limit"):
        fetch(settings, service)


def test_a_server_that_is_gone_was_not_asked(settings: FlowSettings, service: SpaceTrack) -> None:
    """It may come back any time: nothing is counted."""
    service.server.close()
    for _ in range(2):
        with pytest.raises(Unreachable):
            fetch(settings, service)


def whole(rows: Iterable[object]) -> bytes:
    return json.dumps(list(rows)).encode()


FIVE = [row(n, NOW - n * HOUR, NOW + HOUR) for n in range(5)]
CUT = whole(FIVE)[:-40]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (of_length(len(CUT) + 40, CUT), "cut off"),
        (chunks_cut(CUT), "cut off"),
        (reset, "cut off"),
        (text(CUT), "cut off"),
        (without_length(CUT), "cut off"),
        (without_length(whole(FIVE)[:-1]), "cut off"),
        (text(b""), "cut off"),
        (text(b"<!DOCTYPE html><html><title>Login</title>"), "a web page"),
        (text(b"NO RESULTS RETURNED"), "NO RESULTS RETURNED"),
        (text(b"\xff\xfe\x00"), "no valid JSON"),
        (text(b"[" * 100_000), "no valid JSON"),
        (text(b'{"error": "gone"}'), 'did not send a list of messages: {"error": "gone"}'),
        (text(b"12"), "did not send a list"),
        (text(VIOLATED), "answered with an error: You've violated your query rate limit"),
        (text(b"[1, 2]"), "5 of 2|2 of 2; in the first of these instead of an object there is 1"),
        (
            text(whole({"CDM_ID": "1"} for _ in FIVE)),
            "CREATED, TCA, MIN_RNG, PC, SAT_1_ID, SAT_2_ID are missing",
        ),
        (
            text(whole({k: v for k, v in one.items() if k != "MIN_RNG"} for one in FIVE)),
            "MIN_RNG is missing",
        ),
        (text(whole({**one, "MIN_RNG": 0.886} for one in FIVE)), "MIN_RNG is not text"),
        (text(whole({**one, "TCA": {"value": 1}, "PC": []} for one in FIVE)), "TCA, PC is not text"),
        (text(bytes(70_000_000)), "64,000,000 bytes are allowed"),
    ],
)
def test_what_is_no_whole_list_of_messages_is_refused(
    settings: FlowSettings, service: SpaceTrack, answer: Answer, told: str
) -> None:
    service.answer = answer
    with pytest.raises(SourceError, match=told):
        fetch(settings, service)
    service.answer = None
    with pytest.raises(TooSoon):  # it was asked, so eight hours count
        fetch(settings, service, NOW + HOUR)
    assert len(numbers(fetch(settings, service, NOW + HOUR, at_once=True))) > 0


def test_single_rows_that_differ_are_left_to_the_reader(settings: FlowSettings, service: SpaceTrack) -> None:
    broken = {k: v for k, v in FIVE[0].items() if k != "MIN_RNG"}
    rows = [row(n, NOW - HOUR, NOW + HOUR, PC=None) for n in range(11)]  # type: ignore[arg-type]
    service.answer = text(whole([*rows, broken]))
    read = list(each_message(fetch(settings, service)))
    assert [isinstance(one, ConjunctionMessage) for one in read] == [True] * 11 + [False]


def test_the_password_is_told_to_nobody(
    settings: FlowSettings, service: SpaceTrack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.answer = text(json.dumps({"you": PASSWORD}).encode())
    with pytest.raises(SourceError) as error:
        fetch(settings, service)
    assert PASSWORD not in str(error.value)
    assert PASSWORD not in caplog.text
    files = [path for path in settings.store.rglob("*") if path.is_file()]
    assert files
    assert all(b"battery" not in path.read_bytes() for path in files)
