"""A source that goes back in time is not believed: the newer text stays the last good one."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from flows.sources.catalogues import Source, fetch_catalogue
from flows.sources.download import Web
from storage.disk.downloads import history_path
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import MisbehavingServer, status, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
NO_WAIT = Web(wait=lambda _seconds: None)


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(store=store, celestrak_url=server.url)


def of(epoch: datetime) -> bytes:
    return catalogue_csv(100, epoch=epoch.isoformat(timespec="microseconds"))


def fetch(settings: FlowSettings, now: datetime) -> Source:
    return fetch_catalogue("celestrak", settings, now, NO_WAIT)


def test_an_answer_ten_days_old_is_refused(server: MisbehavingServer, settings: FlowSettings) -> None:
    """It counted as downloaded, replaced the last good text, and three runs looked ten days back."""
    server.answer = text(of(NOW - 2 * HOUR))
    good = fetch(settings, NOW)
    server.answer = text(of(NOW - timedelta(days=10)))
    stale = fetch(settings, NOW + 6 * HOUR)
    assert (stale.decision, stale.sha256) == ("last_good", good.sha256)
    assert "goes back in time" in stale.reason
    assert "of 2026-11-11T06:00:00Z, those of the last good one of 2026-11-21T04:00:00Z" in stale.reason
    server.answer = status(500)
    assert fetch(settings, NOW + 12 * HOUR).sha256 == good.sha256, "the newer one stays the last good one"
    server.answer = text(of(NOW + 16 * HOUR))
    assert fetch(settings, NOW + 18 * HOUR).decision == "downloaded"


@pytest.mark.parametrize(("hours", "decision"), [(11.9, "downloaded"), (12.1, "last_good")])
def test_a_few_hours_back_are_usual(
    server: MisbehavingServer, settings: FlowSettings, hours: float, decision: str
) -> None:
    server.answer = text(of(NOW))
    fetch(settings, NOW)
    server.answer = text(of(NOW - hours * HOUR))
    assert fetch(settings, NOW + 6 * HOUR).decision == decision


def test_epochs_ahead_of_the_clock_do_not_block_what_comes_later(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = text(of(NOW + timedelta(days=20)))
    fetch(settings, NOW)
    server.answer = text(of(NOW + 4 * HOUR))
    assert fetch(settings, NOW + 6 * HOUR).decision == "downloaded"


def test_an_old_catalogue_may_come_first(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(of(NOW - timedelta(days=700)))
    assert fetch(settings, NOW).decision == "downloaded"


def test_a_history_of_an_earlier_release_is_read(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(of(NOW))
    fetch(settings, NOW)
    path = history_path(settings.store, f"{server.url}/pub/on-orbit.csv")
    history = json.loads(path.read_text())
    for one in history["texts"]:
        del one["epoch"]
    del history["crc32"]
    path.write_text(json.dumps(history))
    server.answer = text(of(NOW + 5 * HOUR))
    assert fetch(settings, NOW + 6 * HOUR).decision == "downloaded"
