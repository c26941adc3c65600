"""Facts about objects in a run: the SATCAT comes with a service's catalogue, and never stops a run."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from flows.runs.attempt import take_satcat
from flows.runs.known_objects import known_objects
from flows.settings import FlowSettings
from flows.sources.catalogues import Source
from flows.sources.download import Web
from flows.sources.newest_text import Decision
from screening.orbits.elements import Catalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.vocabulary import OBJECT_TYPES
from storage.state.database import SERVICE_STATE
from storage.state.object_facts import override_radius, read_facts, stored_facts
from tests.flows.made_up_catalogue import catalogue_csv, satcat_csv
from tests.flows.misbehaving_server import MisbehavingServer, status, tagged

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
DAY = timedelta(days=1)
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def server(server: MisbehavingServer) -> MisbehavingServer:
    server.answer = tagged(satcat_csv(1000), '"one"')
    return server


def catalogue() -> Catalogue:
    return parse_catalogue(catalogue_csv(20), source_name="made up")


def take(settings: FlowSettings, source: str, now: datetime = NOW, decision: Decision = "downloaded") -> None:
    taken = Source(source, "", catalogue(), decision)
    take_satcat(taken, source, settings, now, Web(lambda _seconds: None))


@pytest.mark.parametrize("source", ["celestrak", "celestrak:stations", "spacetrack"])
def test_a_catalogue_of_a_service_brings_the_satcat(settings: FlowSettings, source: str) -> None:
    take(settings, source)
    assert len(read_facts(settings.store).satcat) == 1000
    objects = known_objects(settings.store, catalogue().elements)
    assert set(objects["status"]) == {"operational"}
    assert stored_facts(settings.store, 7)[:6] == ("payload", "operational", None, None, "satcat", NOW)


@pytest.mark.parametrize("decision", ["downloaded", "generated"])
def test_other_catalogues_do_not(
    server: MisbehavingServer, settings: FlowSettings, tmp_path: Path, decision: Decision
) -> None:
    file = tmp_path / "gp.csv"
    file.write_bytes(catalogue_csv(20))
    sources = [str(file), f"{server.url}/gp.csv"] if decision == "downloaded" else ["celestrak", "synthetic"]
    for source in sources:
        take(settings, source, decision=decision)
    assert server.requests == []
    assert not settings.store.exists()


def test_one_that_has_not_changed_is_not_imported_again(settings: FlowSettings) -> None:
    take(settings, "celestrak")
    take(settings, "celestrak", NOW + 2 * DAY)  # 304
    assert stored_facts(settings.store, 7).satcat_imported_at == NOW


def test_a_new_one_is_imported(server: MisbehavingServer, settings: FlowSettings) -> None:
    take(settings, "celestrak")
    server.answer = tagged(satcat_csv(1000).replace(b",7,PAY,+", b",7,DEB,-"), '"two"')
    take(settings, "celestrak", NOW + DAY)
    found = stored_facts(settings.store, 7)
    assert found[:6] == ("debris", "nonoperational", None, None, "satcat", NOW + DAY)
    objects = known_objects(settings.store, catalogue().elements)
    seventh = objects[objects["norad_id"] == 7]
    assert [OBJECT_TYPES[code] for code in seventh["object_type"]] == ["debris"]


def test_a_server_that_refuses_stops_nothing(
    server: MisbehavingServer, settings: FlowSettings, caplog: pytest.LogCaptureFixture
) -> None:
    server.answer = status("403 Forbidden")
    take(settings, "celestrak")
    assert "403" in caplog.text
    assert len(read_facts(settings.store).satcat) == 0


def test_a_damaged_state_stops_neither_the_import_nor_the_run(
    settings: FlowSettings, caplog: pytest.LogCaptureFixture
) -> None:
    override_radius(settings.store, 7, 50.0, NOW)
    (settings.store / SERVICE_STATE).write_bytes(b"not a database" * 1000)
    with caplog.at_level(logging.WARNING):
        take(settings, "celestrak")
        objects = known_objects(settings.store, catalogue().elements)
    assert caplog.text.count(str(settings.store / SERVICE_STATE)) == 2
    assert np.array_equal(objects["hard_body_radius_m"], np.full(20, 2.0))
