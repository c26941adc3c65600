"""A store of release 0.2.0 has what it had: runs, a fleet, its alert, a message, a trajectory."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.catalogues import Source
from screening.orbits.elements import Catalogue
from storage.in_memory.arrays import element_sets
from storage.in_memory.snapshot import newest_snapshot
from storage.manoeuvres.lists import Wanted, listed
from storage.manoeuvres.whole_history import find_in_history
from storage.reading.newest_run import connect
from storage.state.alerts.alerts import alerts
from storage.state.credentials import list_credentials, recognise
from storage.state.fleets import fleets
from storage.trajectories.kept import trajectories
from tests.earlier_stores import unpacked
from tests.runs import SILENT

TOKEN = "skysieve_bearer_1_XUS47baIfbd_bpqTN3JgjNsPvnJxkeN07XhaBGRoV8s"
OBJECT = 900000176
RUNS = ["20261126T215233Z", "20261126T215510Z"]
START = np.datetime64("2026-11-20T06:00:00", "us")
ROWS = {
    "runs": 2,
    "events": 87,
    "conjunctions": 86,
    "conjunction_history": 172,
    "element_history": 320,
    "elements": 300,
    "objects": 300,
    "analyses": 1,
    "messages": 1,
    "fleet_events": 4,
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The store of release 0.2.0, unpacked."""
    return unpacked("0.2.0", tmp_path)


def counted(store: Path) -> dict[str, int]:
    with connect(store) as connection:
        return {view: len(connection.execute(f"FROM {view}").fetchall()) for view in ROWS}


@pytest.mark.slow
def test_every_view_has_what_it_had(store: Path) -> None:
    assert counted(store) == ROWS
    with connect(store) as connection:
        found = connection.execute("SELECT run_id, versions['skysieve'] FROM runs ORDER BY 1").fetchall()
    assert found == [(run, "0.2.0") for run in RUNS]


def test_what_people_have_set_up_is_there(store: Path) -> None:
    (fleet,) = fleets(store)
    assert (fleet.name, [one.norad_id for one in fleet.objects]) == ("mine", [OBJECT])
    (alert,) = alerts(store)
    assert (alert.level, alert.near_m) == ("low", 500.0)
    (trajectory,) = trajectories(store)
    assert (trajectory.about.kind, trajectory.norad_id) == ("hypothetical", OBJECT)


@pytest.mark.slow
def test_manoeuvres_may_be_listed_and_are_none(store: Path) -> None:
    assert listed(store, Wanted(), 10) == ([], 0), "before it is brought up to date"
    with connect(store) as connection:
        assert connection.execute("FROM manoeuvres").fetchall() == []
    assert newest_snapshot(store).rows("FROM manoeuvres", []) == []
    assert find_in_history(store, datetime(2026, 11, 27, tzinfo=UTC)).new == 0


def test_its_token_opens_it(store: Path) -> None:
    known = {credential.id: credential for credential in list_credentials(store)}
    assert recognise(TOKEN, known, datetime.now(UTC)).name == "release 0.2.0"


@pytest.mark.slow
def test_a_run_of_today_knows_its_events_again(store: Path) -> None:
    elements = element_sets(newest_snapshot(store))
    with connect(store) as connection:
        before = connection.execute("SELECT event_id FROM conjunctions ORDER BY 1").fetchall()
    source = Source("b.csv", "0" * 64, Catalogue(elements, [], 0, "omm-csv"), "file")
    settings = FlowSettings(store=store, workers=1)
    run_catalogue(source, Request(START, 1.0, 100.0), settings, Stages(SILENT.stage), SILENT)
    with connect(store) as connection:
        assert connection.execute("SELECT event_id FROM conjunctions ORDER BY 1").fetchall() == before
