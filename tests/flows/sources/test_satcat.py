"""SATCAT: once a day, and never a reason for a run to fail."""

import logging
from datetime import UTC, datetime, timedelta

import pytest

from flows.settings import FlowSettings
from flows.sources.download import Web
from flows.sources.satcat import fetch_satcat
from storage.disk.downloads import CATALOGUES, history_path
from storage.state.database import SERVICE_STATE, count_attempts, newest_attempts
from tests.flows.made_up_catalogue import catalogue_csv, satcat_csv
from tests.flows.misbehaving_server import MisbehavingServer, status, tagged, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def server(server: MisbehavingServer) -> MisbehavingServer:
    server.answer = tagged(satcat_csv(1000), '"one"')
    return server


def fetch(settings: FlowSettings, now: datetime = NOW) -> bytes | None:
    return fetch_satcat(settings, now, Web(lambda _seconds: None))


def test_it_is_asked_for_once_a_day(server: MisbehavingServer, settings: FlowSettings) -> None:
    for hours in (0, 6, 12, 18, 23):
        assert fetch(settings, NOW + hours * HOUR) == satcat_csv(1000)
    assert server.paths() == ["/pub/satcat.csv"]
    assert fetch(settings, NOW + DAY) == satcat_csv(1000)  # 304
    assert fetch(settings, NOW + DAY + 23 * HOUR) == satcat_csv(1000)
    assert len(server.requests) == 2
    server.answer = tagged(satcat_csv(1001), '"two"')
    assert fetch(settings, NOW + 2 * DAY) == satcat_csv(1001)
    assert newest_attempts(settings.store, 10) == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (status("403 Forbidden"), "403"),
        (text(b"<html>"), "NORAD_CAT_ID, OBJECT_TYPE, OPS_STATUS_CODE are missing"),
        (text(catalogue_csv(1000)), "OBJECT_TYPE, OPS_STATUS_CODE are missing"),
        (text(satcat_csv(0)), "no records"),
        (text(satcat_csv(800)), "800 objects"),
        (text(b"\xff\xfe\x00"), "are missing"),
        (text(satcat_csv(1) + b'"' + b"x" * 200_000), "field larger"),
    ],
)
def test_a_failure_is_recorded_and_the_last_one_used(
    server: MisbehavingServer, settings: FlowSettings, answer, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    fetch(settings)
    server.answer = answer
    with caplog.at_level(logging.WARNING):
        assert fetch(settings, NOW + DAY) == satcat_csv(1000)
    (attempt,) = newest_attempts(settings.store, 10)
    assert (attempt.source, attempt.stage, attempt.outcome) == ("satcat", "satcat", "skipped")
    assert (attempt.started, attempt.finished, attempt.decision) == (NOW + DAY, NOW + DAY, "last_good")
    assert told in str(attempt.reason)
    assert told in caplog.text
    assert "failed" not in count_attempts(settings.store)  # it is no failed run


def test_without_any_there_is_none(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.close()
    assert fetch(settings) is None
    (attempt,) = newest_attempts(settings.store, 10)
    assert "cannot be reached" in str(attempt.reason)


@pytest.mark.parametrize("damaged", ["service state", "history", "folder", "all"])
def test_a_damaged_store_raises_nothing(
    server: MisbehavingServer, settings: FlowSettings, damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    fetch(settings)
    server.answer = status("500 Internal Server Error")
    if damaged in ("service state", "all"):
        (settings.store / SERVICE_STATE).write_bytes(b"not a database" * 1000)
    if damaged in ("history", "all"):
        history_path(settings.store, f"{server.url}/pub/satcat.csv").write_bytes(b"{")
    if damaged == "folder":
        folder = settings.store / CATALOGUES
        folder.rename(settings.store / "away")
        folder.write_text("in the way")
    with caplog.at_level(logging.WARNING):
        found = fetch(settings, NOW + DAY)
    assert found == (satcat_csv(1000) if damaged == "service state" else None)
    assert str(settings.store) in caplog.text
