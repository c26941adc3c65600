"""Messages of TraCSS in the store: each once, none lost, whatever a visit ends with."""

import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.runs.attempt import take_messages
from flows.runs.message_update import TRACSS, Updated, update_tracss
from flows.settings import FlowSettings
from flows.sources.download import Web
from flows.sources.files import Source
from flows.sources.messages import tracss
from screening.orbits.texts.catalogue import parse_catalogue
from storage.messages.kept import received
from storage.messages.origins import origins
from storage.state.database import newest_attempts
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import (
    Answer,
    MisbehavingServer,
    chunks_cut,
    of_length,
    reset,
    status,
    text,
)
from tests.flows.tracss import CLIENT, LOGIN, SECRET, TOKEN, Tracss, record

NOW = datetime(2024, 11, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def service(server: MisbehavingServer) -> Tracss:
    stand_in = Tracss(server)
    stand_in.end = 204_518_000
    return stand_in


@pytest.fixture
def settings(service: Tracss, store: Path) -> FlowSettings:
    """Settings of a store that has visited the stream once."""
    made = FlowSettings.model_validate({"store": store, "tracss_login": f"{CLIENT}:{SECRET}"})
    assert update(made, NOW) == Updated("TraCSS has no new ones.")
    return made


def update(settings: FlowSettings, now: datetime, *, at_once: bool = True) -> Updated:
    return update_tracss(settings, now, Web(lambda _seconds: None), at_once=at_once)


def stored(settings: FlowSettings) -> list[int]:
    return sorted(int(one) for one in received(settings.store)["message_id"].to_pylist())


def test_what_came_since_the_first_visit_is_stored_as_it_is(settings: FlowSettings, service: Tracss) -> None:
    service.add(1, 2, 3, others=500)
    assert update(settings, NOW + HOUR).said == "TraCSS: 3 new (a run has the encounters of 0), 0 known."
    rows = received(settings.store)
    assert set(rows["source"].to_pylist()) == {TRACSS}
    assert rows["restricted"].to_pylist() == [True] * 3
    assert rows["originator"].to_pylist() == ["TRACSS"] * 3
    assert rows["miss_distance_m"].to_pylist() == pytest.approx([1000.0] * 3)
    assert rows["claimed_probability"].to_pylist() == [1.5e-5] * 3
    assert rows["primary_sigma_t_m"].to_pylist() == pytest.approx([100.0] * 3)
    assert stored(settings) == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize("says_reached", [True, False])
def test_pages_go_on_where_the_last_ended_while_others_come_in_between(
    settings: FlowSettings, service: Tracss, monkeypatch: pytest.MonkeyPatch, says_reached: bool
) -> None:
    """The stream grows by three messages, and by others', whenever a page has been sent."""
    monkeypatch.setattr(tracss, "AT_ONCE", 4)
    service.says_reached = says_reached
    service.add(*range(10), others=7)
    numbers = iter(range(10, 1000))
    page = service._page

    def growing(exchange: object) -> None:
        page(exchange)  # type: ignore[arg-type]
        if service.asked_from()[-1] < 204_518_030:
            service.add(next(numbers), next(numbers), next(numbers), others=2)

    service._page = growing  # type: ignore[method-assign,assignment]
    update(settings, NOW + HOUR)
    service._page = page  # type: ignore[method-assign]
    update(settings, NOW + 2 * HOUR)
    count = next(numbers)
    assert count > 15
    assert stored(settings) == list(range(count))
    begins = service.asked_from()
    assert begins == sorted(begins)  # nothing was read again


def test_a_message_that_comes_twice_is_stored_once(settings: FlowSettings, service: Tracss) -> None:
    service.add(1, 2)
    service.add(1)
    assert update(settings, NOW + HOUR).said.startswith("TraCSS: 2 new ")
    service.add(2, 3)
    assert update(settings, NOW + 2 * HOUR).said.startswith("TraCSS: 1 new ")
    assert stored(settings) == [1, 2, 3]


CUT = json.dumps({"cdm_v2": [record(7, 204_518_000)]}).encode()


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (of_length(len(CUT), CUT[:2000]), "cut off"),
        (chunks_cut(CUT[:2000]), "cut off"),
        (text(CUT[:2000]), "no valid JSON, or cut off"),
        (reset, "cut off"),
        (text(b"<html>Sign in</html>"), "a web page"),
        (text(b"[]"), "did not send a list 'cdm_v2'"),
        (text(b'{"cdm_v3": []}'), "did not send a list 'cdm_v2'"),
        (text(b'{"cdm_v2": [{"messageId": "1"}]}'), "has no number (offset)"),
        (text(b'{"cdm_v2": [{"offset": "204518000"}]}'), "has no number (offset)"),
        (text(b'{"cdm_v2": [{"offset": 5}]}'), "sent message 5; those from 204,518,000 on were requested"),
        (text(CUT.replace(b'"tca"', b'"timeOfClosestApproach"')), "tca is missing"),
        (text(CUT.replace(b'"12345"', b"12345").replace(b'"000012345"', b"12345")), "is not text"),
        (status("500 Internal Server Error", b"unknown error"), "500 Internal Server Error"),
        (status("400 Bad Request", b"no such parameter: topic"), "no such parameter"),
        (status("401 Unauthorized", b"expired"), "refused its own token"),
    ],
)
def test_a_useless_answer_loses_nothing(
    settings: FlowSettings, service: Tracss, answer: Answer, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    service.add(1, 2)
    service.answer = answer
    with caplog.at_level(logging.WARNING):
        failed = update(settings, NOW + HOUR)
    assert failed.failed
    assert told in failed.said
    assert SECRET not in failed.said + caplog.text
    assert TOKEN not in failed.said + caplog.text
    (attempt,) = newest_attempts(settings.store, 5)
    assert (attempt.source, attempt.outcome, attempt.reason) == (TRACSS, "skipped", failed.said)
    answered = origins(settings.store).tracss
    assert answered.answered_at == NOW
    service.answer = None
    assert update(settings, NOW + 3 * HOUR).said.startswith("TraCSS: 2 new ")
    assert stored(settings) == [1, 2]


@pytest.mark.slow
def test_a_visit_that_breaks_off_goes_on_behind_the_last_page(
    settings: FlowSettings, service: Tracss, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracss, "AT_ONCE", 2)
    service.add(*range(6), others=3)
    service.after_page = of_length(len(CUT), CUT[:500])
    failed = update(settings, NOW + HOUR)
    assert failed.failed
    assert "Before that: 2 new " in failed.said
    assert stored(settings) == [0, 1]
    service.after_page = None
    assert update(settings, NOW + 2 * HOUR).said.startswith("TraCSS: 4 new ")
    assert service.asked_from().count(204_518_000) == 2  # the first visit, and the first page: never again
    assert stored(settings) == list(range(6))


def test_the_service_is_left_alone_as_long_as_it_wishes(settings: FlowSettings, service: Tracss) -> None:
    service.add(1)
    service.answer = status("429 Too Many Requests", b"slow down", retry_after="7200")
    assert "429 Too Many Requests" in update(settings, NOW + HOUR).said
    service.answer = None
    requests = len(service.server.requests)
    waiting = update(settings, NOW + 2 * HOUR)
    assert waiting.failed
    assert "2 h later" in waiting.said
    assert len(service.server.requests) == requests
    assert update(settings, NOW + 4 * HOUR).said.startswith("TraCSS: 1 new ")


def test_a_run_asks_once_an_hour(settings: FlowSettings, service: Tracss) -> None:
    service.add(1)
    early = update(settings, NOW + HOUR / 2, at_once=False)
    assert not early.failed
    assert "the next request is allowed 1 h later" in early.said
    assert update(settings, NOW + HOUR, at_once=False).said.startswith("TraCSS: 1 new ")


@pytest.mark.parametrize("now", [NOW - 400 * DAY, NOW + 20 * DAY])
def test_a_wrong_clock_loses_nothing(settings: FlowSettings, service: Tracss, now: datetime) -> None:
    service.add(1)
    update(settings, now)
    service.add(2)
    update(settings, NOW + HOUR)
    assert stored(settings) == [1, 2]


def test_messages_that_the_service_no_longer_has_are_said_to_be_lost(
    settings: FlowSettings, service: Tracss
) -> None:
    service.add(1, 2, others=1000)
    service.stream.clear()
    service.begin = service.end - 10
    told = update(settings, NOW + DAY)
    assert told.failed
    assert "no longer has messages 204,518,000 to 204,519,001 of its stream" in told.said
    assert origins(settings.store).tracss.since == NOW + DAY
    service.add(3)
    assert not update(settings, NOW + DAY + HOUR).failed
    assert stored(settings) == [3]


def test_one_that_cannot_be_read_is_named_and_the_others_are_stored(
    settings: FlowSettings, service: Tracss
) -> None:
    service.add(*range(12))
    service.stream[5]["object1XValue"] = "far"
    told = update(settings, NOW + HOUR)
    assert told.failed
    assert told.said.startswith("TraCSS: 11 new ")
    assert "1 cannot be read; the first: " in told.said
    assert "object1XValue" in told.said


def test_a_refused_login_is_told_and_no_stop(settings: FlowSettings, service: Tracss) -> None:
    wrong = FlowSettings.model_validate({"store": settings.store, "tracss_login": f"{CLIENT}:other secret"})
    refused = update(wrong, NOW + HOUR)
    assert refused.failed
    assert "TraCSS refused the login: check SKYSIEVE_TRACSS_LOGIN" in refused.said
    assert "other secret" not in refused.said
    assert origins(settings.store).tracss.asked_at == NOW
    service.add(1)
    assert update(settings, NOW + HOUR).said.startswith("TraCSS: 1 new ")


def test_who_has_no_messages_is_answered(settings: FlowSettings, service: Tracss) -> None:
    """Others' messages alone: 204. That is an answer, and it is not read again."""
    service.add(others=5000)
    assert update(settings, NOW + HOUR) == Updated("TraCSS has no new ones.")
    assert update(settings, NOW + 2 * HOUR) == Updated("TraCSS has no new ones.")
    assert service.asked_from() == [204_518_000, 204_518_000, 204_523_000]
    found = origins(settings.store)
    assert (found.tracss.asked_at, found.tracss.answered_at, found.tracss.since) == (
        NOW + 2 * HOUR,
        NOW + 2 * HOUR,
        NOW,
    )
    assert found.directory is not None
    assert found.directory[12345].organization == "MADE UP SATELLITES"
    assert found.directory[55555].contacts == "Duty officer, ops@example.org, +1 555 0100"
    assert 67890 not in found.directory
    assert found.space_track.asked_at is None


def test_a_run_takes_them_where_there_is_a_login(settings: FlowSettings, service: Tracss) -> None:
    service.add(1)
    catalogue = Source("a file", "", parse_catalogue(catalogue_csv(20), source_name="made up"), "file")
    web = Web(lambda _seconds: None)
    logins = service.server.paths().count(LOGIN)
    assert take_messages(catalogue, FlowSettings(store=settings.store), NOW + HOUR, web) == []
    assert service.server.paths().count(LOGIN) == logins
    assert take_messages(catalogue, settings, NOW + HOUR, web) == [
        "TraCSS: 1 new (a run has the encounters of 0), 0 known."
    ]


def test_who_may_not_read_the_directory_still_gets_messages(settings: FlowSettings, service: Tracss) -> None:
    service.directory = status("403 Forbidden", b"no role")
    service.route()
    service.add(1)
    told = update(settings, NOW + 2 * HOUR)
    assert not told.failed
    assert told.said.startswith("TraCSS: 1 new ")
    assert "TraCSS's directory of operators was not read" in told.said
    service.add(2)
    assert update(settings, NOW + 2 * HOUR).said.startswith("TraCSS: 1 new ")
    assert stored(settings) == [1, 2]


@pytest.mark.parametrize(
    "directory", [text(b"[{}]"), text(b"{}"), text(b"[]"), text(b'[{"organization": "A", "noradId'), reset]
)
def test_a_useless_directory_leaves_the_last_one(
    settings: FlowSettings, service: Tracss, directory: Answer
) -> None:
    service.directory = directory
    service.route()
    service.add(1)
    told = update(settings, NOW + 2 * HOUR)
    assert told.failed
    assert told.said.startswith("TraCSS: 1 new ")
    found = origins(settings.store).directory
    assert found is not None
    assert found[12345].organization == "MADE UP SATELLITES"
    assert stored(settings) == [1]
    assert SECRET not in told.said
