"""Space-Track's announced decays: fetched once an hour, from where the last visit ended, each stored once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from flows.runs.message_update import ANNOUNCED, Updated, update_announced
from flows.settings import FlowSettings
from flows.sources.download import Web
from storage.sky.announced import newest_announced
from storage.state.database import newest_attempts
from tests.flows import space_track
from tests.flows.misbehaving_server import MisbehavingServer, by_path, text
from tests.flows.space_track import PASSWORD, USER, SpaceTrack
from tests.storage.sky.test_announced import ROW

NOW = datetime(2024, 8, 14, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def service(server: MisbehavingServer) -> SpaceTrack:
    stand_in = SpaceTrack(server, NOW)
    stand_in.announced = [ROW]
    return stand_in


@pytest.fixture
def settings(store: Path) -> FlowSettings:
    return FlowSettings(store=store, spacetrack_login=SecretStr(f"{USER}:{PASSWORD}"))


def update(settings: FlowSettings, service: SpaceTrack, now: datetime) -> Updated:
    service.now = now
    return update_announced(settings, now, Web(lambda _seconds: None))


def test_what_is_new_comes_once_an_hour(settings: FlowSettings, service: SpaceTrack) -> None:
    assert update(settings, service, NOW) == Updated("Announced decays: 1 new messages.")
    asked = len(service.server.requests)
    assert "the next request is allowed" in update(settings, service, NOW + HOUR / 2).said
    assert len(service.server.requests) == asked
    later = {**ROW, "MSG_EPOCH": "2024-08-14 12:30:00", "WINDOW": "60"}
    service.announced.append(later)
    assert update(settings, service, NOW + 2 * HOUR) == Updated("Announced decays: 1 new messages.")
    assert newest_announced(settings.store, [43012])[43012]["window_minutes"] == 60.0
    assert newest_attempts(settings.store, 5) == []


def test_a_page_instead_of_a_list_leaves_what_there_is(
    settings: FlowSettings, service: SpaceTrack, server: MisbehavingServer
) -> None:
    update(settings, service, NOW)
    server.answer = by_path(
        {space_track.LOGIN: text(b'""'), space_track.ANNOUNCED: text(b"<html>maintenance</html>")}
    )
    failed = update(settings, service, NOW + 2 * HOUR)
    assert failed.failed
    assert "a web page" in failed.said
    assert newest_announced(settings.store, [43012])[43012]["window_minutes"] == 720.0
    assert [one.source for one in newest_attempts(settings.store, 5)] == [ANNOUNCED]
