"""Facts about objects in a run: they come with a service's catalogue, and never stop a run."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from flows.runs.attempt import take_facts
from flows.runs.fact_update import update_facts
from flows.settings import FlowSettings
from flows.sources.catalogues import Source
from flows.sources.download import Web
from flows.sources.newest_text import Decision
from screening.orbits.elements import Catalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.vocabulary import OBJECT_TYPES
from storage.bodies.table import shipped_bodies
from storage.reading.known_objects import known_objects
from storage.state.database import SERVICE_STATE, count_attempts, newest_attempts
from storage.state.object_facts import override_radius, read_facts, stored_facts
from tests.flows.made_up_catalogue import catalogue_csv, gcat_tsv, listing_json, radii_csv, satcat_csv
from tests.flows.misbehaving_server import Answer, MisbehavingServer, by_path, status, tagged, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
TABLE = "HBR_Mass_Estimates_20261101_ForDistribution.csv"
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def server(server: MisbehavingServer) -> MisbehavingServer:
    server.answer = published(satcat_csv(1000))
    return server


def published(satcat: bytes, radii: Answer | None = None) -> Answer:
    return by_path(
        {
            "/pub/satcat.csv": tagged(satcat, f'"{hash(satcat)}"'),
            "/listing": text(listing_json(TABLE)),
            f"/files/{TABLE}": radii or tagged(radii_csv(10), '"radii"'),
            "/gcat.tsv": tagged(gcat_tsv(20), '"gcat"'),
        }
    )


def catalogue() -> Catalogue:
    return parse_catalogue(catalogue_csv(20), source_name="made up")


def take(settings: FlowSettings, source: str, now: datetime = NOW, decision: Decision = "downloaded") -> None:
    taken = Source(source, "", catalogue(), decision)
    take_facts(taken, source, settings, now, Web(lambda _seconds: None))


def assert_radii(objects: np.ndarray, expected_m: list[float]) -> None:
    """Compare radii where the numbers 1 to 20 are not those of Vanguards, whose dimensions are published."""
    bodies = shipped_bodies()
    place = np.searchsorted(bodies["norad_id"], objects["norad_id"])
    published = bodies["norad_id"][place] == objects["norad_id"]
    assert objects["norad_id"][published].tolist() == [5, 11, 20]
    wanted_m = np.where(published, bodies["radius_m"][place], expected_m)
    assert objects["hard_body_radius_m"] == pytest.approx(wanted_m)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["celestrak", "celestrak:stations", "spacetrack"])
def test_a_catalogue_of_a_service_brings_satcat_and_radii(settings: FlowSettings, source: str) -> None:
    take(settings, source)
    assert len(read_facts(settings.store).satcat) == 1000
    objects = known_objects(settings.store, catalogue().elements)
    assert set(objects["status"]) == {"active"}
    assert_radii(objects, [1.5] * 10 + [2.0] * 10)
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
    take(settings, "celestrak", NOW + WEEK)  # 304
    assert stored_facts(settings.store, 7).satcat_imported_at == NOW


def test_a_new_one_is_imported(server: MisbehavingServer, settings: FlowSettings) -> None:
    take(settings, "celestrak")
    server.answer = published(satcat_csv(1000).replace(b",7,PAY,+", b",7,DEB,-"))
    take(settings, "celestrak", NOW + DAY)  # not asked for yet
    assert stored_facts(settings.store, 7).object_type == "payload"
    take(settings, "celestrak", NOW + WEEK)
    found = stored_facts(settings.store, 7)
    assert found[:6] == ("debris", "nonoperational", None, None, "satcat", NOW + WEEK)
    objects = known_objects(settings.store, catalogue().elements)
    seventh = objects[objects["norad_id"] == 7]
    assert [OBJECT_TYPES[code] for code in seventh["object_type"]] == ["debris"]


@pytest.mark.parametrize("radii", [status("403 Forbidden"), text(b"ObjectID,HBR,HBRSource\n5,500,x\n")])
def test_a_failure_is_recorded_and_the_facts_stay(
    server: MisbehavingServer, settings: FlowSettings, caplog: pytest.LogCaptureFixture, radii: Answer
) -> None:
    take(settings, "celestrak")
    before = read_facts(settings.store)
    server.answer = published(satcat_csv(1000), radii)
    with caplog.at_level(logging.WARNING):
        take(settings, "celestrak", NOW + WEEK)
    (attempt,) = newest_attempts(settings.store, 10)
    assert (attempt.source, attempt.stage, attempt.outcome) == ("radii", "radii", "skipped")
    assert (attempt.started, attempt.decision) == (NOW + WEEK, "last_good")
    assert str(attempt.reason) in caplog.text
    assert "failed" not in count_attempts(settings.store)  # it is no failed run
    assert [a.tobytes() for a in read_facts(settings.store)] == [b.tobytes() for b in before]


def test_without_a_network_a_run_has_what_it_has(
    server: MisbehavingServer, settings: FlowSettings, caplog: pytest.LogCaptureFixture
) -> None:
    take(settings, "celestrak")
    server.close()
    take(settings, "celestrak", NOW + WEEK)
    assert caplog.text.count("cannot be reached") == 3
    objects = known_objects(settings.store, catalogue().elements)
    assert_radii(objects, [1.5] * 10 + [2.0] * 10)


def test_one_that_fails_does_not_keep_the_other_away(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = by_path({"/pub/satcat.csv": text(satcat_csv(1000))})
    assert [found.failed for found in update_facts(settings, NOW, Web(lambda _seconds: None))] == [
        False,
        True,
        True,
    ]
    assert len(read_facts(settings.store).satcat) == 1000


def test_a_damaged_state_stops_neither_the_import_nor_the_run(
    settings: FlowSettings, caplog: pytest.LogCaptureFixture
) -> None:
    override_radius(settings.store, 7, 50.0, NOW)
    (settings.store / SERVICE_STATE).write_bytes(b"not a database" * 1000)
    with caplog.at_level(logging.WARNING):
        take(settings, "celestrak")
        objects = known_objects(settings.store, catalogue().elements)
    assert caplog.text.count(str(settings.store / SERVICE_STATE)) >= 2
    assert_radii(objects, [2.0] * 20)
