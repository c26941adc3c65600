"""GCAT of a server that changes, errs and breaks off: new bodies count, and what is wrong changes nothing."""

import logging
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from flows.runs.fact_update import Updated, update_facts
from flows.settings import FlowSettings
from flows.sources.download import Web
from screening.orbits.texts.catalogue import parse_catalogue
from storage.bodies.table import bodies_with, shipped_bodies
from storage.reading.known_objects import known_objects
from storage.state.object_facts import read_facts
from tests.flows.made_up_catalogue import catalogue_csv, gcat_tsv
from tests.flows.misbehaving_server import Answer, MisbehavingServer, by_path, of_length, tagged, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
WEEK = timedelta(days=7)
OBJECTS = 100
NEW = "S{number}    \t{number}\tP\tMade up 90001\t-\t-\tTEST\tUS\t{kg}\t \t{m}\t \t{m}\t \t{m}\t \tSphere\n"
pytestmark = pytest.mark.timeout(60)


def update(settings: FlowSettings, weeks: int = 0) -> Updated:
    found = update_facts(settings, NOW + weeks * WEEK, Web(lambda _seconds: None))
    return next(each for each in found if each.kind == "bodies")


def serve(server: MisbehavingServer, answer: Answer) -> None:
    server.answer = by_path({"/gcat.tsv": answer})


@pytest.fixture
def imported(server: MisbehavingServer, settings: FlowSettings) -> FlowSettings:
    serve(server, tagged(gcat_tsv(OBJECTS), '"first"'))
    assert not update(settings).failed
    return settings


def test_what_it_says_of_an_object_replaces_the_table_of_the_package(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    changed, new = (NEW.format(number=number, kg=3, m=0.16) for number in ("00005", 90_001))
    serve(server, text(gcat_tsv(OBJECTS) + f"{changed}{new}".encode()))
    found = update(settings)
    assert "101 imported, 0 blank, 0 rejected; 1 new, 100 changed." in found.said
    said = "5: radius_m 0.05 -> 0.08, bounding_radius_m 0.05 -> 0.08, mass_kg 2 -> 3"
    assert found.changes[0].startswith(said)
    objects = known_objects(
        settings.store, parse_catalogue(catalogue_csv(20), source_name="made up").elements
    )
    assert objects["hard_body_radius_m"][4] == pytest.approx(0.08)
    assert objects["mass_kg"][4] == pytest.approx(3.0)
    bodies = bodies_with(read_facts(settings.store).bodies)
    assert len(bodies) == len(shipped_bodies()) + 1
    assert (np.diff(bodies["norad_id"]) > 0).all()


def test_one_that_has_not_changed_is_neither_sent_nor_imported_again(
    server: MisbehavingServer, imported: FlowSettings
) -> None:
    assert "nothing new" in update(imported).said
    assert "nothing newer" in update(imported, weeks=1).said
    _, request = [each for each in server.requests if each.path == "/gcat.tsv"]  # none within the week
    assert request.headers["if-none-match"] == '"first"'


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (gcat_tsv(OBJECTS)[:-30], "cut off"),
        (gcat_tsv(OBJECTS // 2), "50 objects, more than 10 % fewer than the 100"),
        (gcat_tsv(OBJECTS).replace(b"\tDiameter\t", b"\tWidth\t"), "columns lack Diameter"),
        (gcat_tsv(OBJECTS, metre=0.01), "in metres? For 74 objects already in the store"),
        (gcat_tsv(OBJECTS, kilogram=0.001), "in kilograms? For 93 objects already in the store"),
        (b"<html>busy</html>\n", "is not a file of object facts"),
        (b"", "is not a file of object facts"),
    ],
    ids=["cut", "half", "columns", "centimetres", "grams", "busy", "empty"],
)
def test_what_is_wrong_is_refused_and_the_bodies_stay(
    server: MisbehavingServer,
    imported: FlowSettings,
    caplog: pytest.LogCaptureFixture,
    wrong: bytes,
    said: str,
) -> None:
    before = read_facts(imported.store).bodies
    serve(server, text(wrong))
    with caplog.at_level(logging.WARNING):
        found = update(imported, weeks=1)
    assert found.failed
    assert said in f"{found.said} {caplog.text}"
    assert read_facts(imported.store).bodies.tobytes() == before.tobytes()


def test_a_connection_that_breaks_off_leaves_the_bodies(
    server: MisbehavingServer, imported: FlowSettings
) -> None:
    before = read_facts(imported.store).bodies
    serve(server, of_length(1_000_000, gcat_tsv(OBJECTS)))
    assert update(imported, weeks=1).failed
    assert read_facts(imported.store).bodies.tobytes() == before.tobytes()


@pytest.mark.parametrize(
    "row",
    [NEW.format(number=90_001, kg=3, m=4000), NEW.format(number=90_001, kg="1e9", m=1), "S90001\t90001\n"],
)
def test_one_absurd_row_is_counted_and_left_out(
    server: MisbehavingServer, settings: FlowSettings, row: str
) -> None:
    serve(server, text(gcat_tsv(OBJECTS) + row.encode()))
    assert "100 imported, 0 blank, 1 rejected" in update(settings).said
    assert 90_001 not in read_facts(settings.store).bodies["norad_id"]
