"""Space-Track's messages in the store: what is new is taken once, nothing is lost, and no run is stopped."""

import json
import logging
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from flows.runs.attempt import take_messages
from flows.runs.message_update import SOURCE, Updated, update_messages
from flows.settings import FlowSettings
from flows.sources.download import Web
from flows.sources.files import Decision, Source
from screening.orbits.texts.catalogue import parse_catalogue
from skysieve.command_line import app
from storage.messages.kept import message, received
from storage.state.database import SERVICE_STATE, count_attempts, newest_attempts
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import MisbehavingServer, status, text
from tests.flows.space_track import PASSWORD, USER, SpaceTrack, row

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def service(server: MisbehavingServer) -> SpaceTrack:
    stand_in = SpaceTrack(server, NOW)
    stand_in.rows = [row(n, NOW - n * HOUR, NOW + DAY) for n in range(1, 11)]
    return stand_in


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(
        store=store,
        spacetrack_login=SecretStr(f"{USER}:{PASSWORD}"),
    )


def update(
    settings: FlowSettings, service: SpaceTrack, now: datetime = NOW, *, at_once: bool = False
) -> Updated:
    service.now = now
    return update_messages(settings, now, Web(lambda _seconds: None), at_once=at_once)


def stored(settings: FlowSettings) -> list[int]:
    return sorted(int(one) for one in received(settings.store)["message_id"].to_pylist())


def test_the_rows_of_the_service_are_stored_as_they_are(settings: FlowSettings, service: SpaceTrack) -> None:
    assert update(settings, service) == Updated("10 new (a run has the encounters of 0), 0 known.")
    table = received(settings.store)
    assert set(table["source"].to_pylist()) == {SOURCE}
    assert table["restricted"].to_pylist() == [True] * 10
    assert set(table["received_at"].to_pylist()) == {NOW.replace(tzinfo=None)}
    one = message(settings.store, table["id"][0].as_py())
    assert (one["message_id"], one["claimed_probability"], one["miss_distance_m"]) == (
        "10",
        0.000173503,
        886.0,
    )
    assert (one["primary_norad_id"], one["secondary_norad_id"]) == (3740, 87650)
    assert json.loads(str(one["text"])) == service.rows[9]


@pytest.mark.slow
def test_the_same_answer_stores_nothing_twice(settings: FlowSettings, service: SpaceTrack) -> None:
    update(settings, service)
    again = update(settings, service, NOW + MINUTE, at_once=True)
    assert again.said.startswith("0 new ")
    assert stored(settings) == list(range(1, 11))
    assert service.queries()[1].startswith("CREATED/>now-0.29")  # the newest is an hour old, and six more


def test_within_eight_hours_a_run_asks_nothing_and_warns_of_nothing(
    settings: FlowSettings, service: SpaceTrack, caplog: pytest.LogCaptureFixture
) -> None:
    update(settings, service)
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        told = update(settings, service, NOW + 7 * HOUR)
    assert not told.failed
    assert "the next request is allowed 8 h later, at 2026-11-21T14:00:00Z" in told.said
    assert (caplog.text, newest_attempts(settings.store, 5)) == ("", [])
    assert len(service.queries()) == 1
    asked = update(settings, service, NOW + HOUR, at_once=True)
    assert not asked.failed
    update(settings, service, NOW + HOUR, at_once=True)
    told = update(settings, service, NOW + HOUR, at_once=True)
    assert told.failed  # who asks for it is told so
    assert "3 queries a day for public messages; the next may be sent at 2026-11-22T06:00:00Z" in told.said


def test_no_news_are_no_failure(settings: FlowSettings, service: SpaceTrack) -> None:
    service.rows = []
    assert update(settings, service) == Updated("Space-Track has no new ones.")


@pytest.mark.slow
def test_over_days_with_failures_none_is_lost(settings: FlowSettings, service: SpaceTrack) -> None:
    """A message an hour, each about an approach two days later; the service fails four times of ten.

    One message comes into view five hours late, and one claims to have been created next year.
    """
    all_rows = [row(hour, NOW + hour * HOUR, NOW + hour * HOUR + 2 * DAY) for hour in range(5 * 24)]
    all_rows[30]["CREATED"] = "2027-11-22 12:00:00.000000"
    failing = [
        status("503 Service Unavailable"),
        text(b"<html>Login</html>"),
        text(b'[{"CDM_ID": "1", "CREATED": "2'),
        text(b'[{"CDM_ID": "1"}]'),
    ]
    for visit in range(1, 16):
        now = NOW + visit * 8 * HOUR
        service.rows = [
            one for hour, one in enumerate(all_rows) if NOW + (hour + 5 * (hour == 50)) * HOUR <= now
        ]
        service.answer = failing[visit % 5] if visit % 5 < len(failing) and visit < 14 else None
        told = update(settings, service, now)
        assert told.failed == (service.answer is not None)
    assert stored(settings) == list(range(5 * 24))


@pytest.mark.slow
def test_what_cannot_be_stored_is_asked_for_again(
    settings: FlowSettings, service: SpaceTrack, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing says that a batch was taken but the batch itself."""
    update(settings, service)
    folder = settings.store / "messages"
    shutil.move(folder, settings.store / "elsewhere")
    folder.write_text("in the way")
    service.rows.append(row(11, NOW + HOUR, NOW + DAY))
    with caplog.at_level(logging.WARNING):
        failed = update(settings, service, NOW + 8 * HOUR)
    assert failed.failed
    assert str(folder) in failed.said
    folder.unlink()
    shutil.move(settings.store / "elsewhere", folder)
    assert update(settings, service, NOW + 16 * HOUR).said.startswith("1 new ")
    assert stored(settings) == list(range(1, 12))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'[{"CDM_ID": "1", "CREATED": ', "cut off"),
        (b"<html>Login</html>", "a web page"),
        (b'[{"CDM_ID": "1"}]', "CREATED, TCA, MIN_RNG, PC, SAT_1_ID, SAT_2_ID are missing"),
    ],
)
def test_a_useless_answer_is_a_warning_and_a_skipped_attempt(
    settings: FlowSettings, service: SpaceTrack, caplog: pytest.LogCaptureFixture, body: bytes, told: str
) -> None:
    update(settings, service)
    service.answer = text(body)
    with caplog.at_level(logging.WARNING):
        failed = update(settings, service, NOW + 8 * HOUR)
    assert failed.failed
    (attempt,) = newest_attempts(settings.store, 5)
    assert (attempt.source, attempt.outcome, attempt.started) == (SOURCE, "skipped", NOW + 8 * HOUR)
    assert told in str(attempt.reason)
    assert str(attempt.reason) in caplog.text
    assert "failed" not in count_attempts(settings.store)  # it is no failed run
    shown = CliRunner().invoke(app, ["status", "--store", str(settings.store)]).output
    assert told in " ".join(shown.split())
    assert stored(settings) == list(range(1, 11))


def test_one_that_cannot_be_read_is_told_and_the_others_kept(
    settings: FlowSettings, service: SpaceTrack
) -> None:
    service.rows[3]["MIN_RNG"] = "near"
    found = update(settings, service)
    assert found.failed
    assert found.said.startswith("9 new ")
    assert "1 cannot be read; the first: " in found.said
    assert "MIN_RNG" in found.said
    (attempt,) = newest_attempts(settings.store, 5)
    assert "MIN_RNG" in str(attempt.reason)


def test_two_at_once_ask_once(settings: FlowSettings, service: SpaceTrack) -> None:
    with ThreadPoolExecutor(2) as pool:
        told = [one.said for one in pool.map(lambda _: update(settings, service), range(2))]
    assert len(service.queries()) == 1
    assert sorted("the next request is allowed 8 h later" in said for said in told) == [False, True]
    assert stored(settings) == list(range(1, 11))


def test_a_run_takes_them_where_there_is_a_login_and_its_catalogue_is_real(
    settings: FlowSettings, service: SpaceTrack, server: MisbehavingServer
) -> None:
    def take(decision: Decision, **changed: str) -> list[str]:
        catalogue = parse_catalogue(catalogue_csv(20), source_name="made up")
        given = FlowSettings.model_validate({**settings.model_dump(), **changed})
        return take_messages(
            Source("a file", "", catalogue, decision), given, NOW, Web(lambda _seconds: None)
        )

    assert take("generated") == []
    assert take("file", spacetrack_login="") == []
    assert server.requests == []
    assert newest_attempts(settings.store, 5) == []
    assert take("too_soon") == [
        "10 new (a run has the encounters of 0), 0 known.",
        "Announced decays: 0 new messages.",
    ]


def test_a_damaged_state_asks_nobody_and_raises_nothing(
    settings: FlowSettings, service: SpaceTrack, server: MisbehavingServer
) -> None:
    settings.store.mkdir()
    (settings.store / SERVICE_STATE).write_bytes(b"not a database" * 1000)
    found = update(settings, service)
    assert found.failed
    assert SERVICE_STATE in found.said
    assert server.requests == []
