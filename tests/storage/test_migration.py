"""A store that release 0.1.0 has written is read, written and kept whole by this one."""

import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pytest

from flows.runs.run import Outcome, Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.catalogues import Source
from screening.orbits.elements import Catalogue
from storage.in_memory.arrays import element_sets, object_knowledge, rated_events
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.export import export
from storage.reading.newest_run import connect, status
from storage.reading.object_errors import object_errors
from storage.state.credentials import list_credentials, recognise
from storage.writing.retention import Retention, compact
from tests.earlier_stores import unpacked
from tests.runs import SILENT

TOKEN = "skysieve_bearer_1_QA-DNP0mSEoC2Vw5vkI6lMIuBd1pZq8Wp3TugGqvtcg"
START = np.datetime64("2026-11-20T06:00:00", "us")
FIRST, SECOND = "20261122T025106Z", "20261122T025114Z"
NOW = datetime(2026, 11, 22, 6, tzinfo=UTC)
# As release 0.1.0 counted them.
ROWS = {
    "runs": 2,
    "events": 85,
    "conjunctions": 85,
    "conjunction_history": 170,
    "element_history": 318,
    "elements": 300,
    "objects": 300,
    "analyses": 4,
    "rejections": 0,
    "proximities": 0,
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The store of release 0.1.0, unpacked."""
    return unpacked("0.1.0", tmp_path)


def rows(store: Path, query: str) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(query).fetchall()


def counted(store: Path) -> dict[str, int]:
    with connect(store) as connection:
        return {view: len(connection.execute(f"FROM {view}").fetchall()) for view in ROWS}


def new_run(store: Path) -> Outcome:
    """Make a run of this release: the same catalogue, the same hour."""
    elements = element_sets(newest_snapshot(store))
    source = Source("b.csv", "0" * 64, Catalogue(elements, [], 0, "omm-csv"), "file")
    settings = FlowSettings(store=store, workers=1)
    return run_catalogue(source, Request(START, 1.0, 100.0), settings, Stages(SILENT.stage), SILENT)


@pytest.mark.slow
def test_every_view_has_what_it_had(store: Path) -> None:
    assert counted(store) == ROWS
    assert rows(store, "SELECT run_id FROM runs ORDER BY run_id") == [(FIRST,), (SECOND,)]
    found = status(store)
    assert (found.runs, found.run.run_id, found.run.versions["skysieve"]) == (2, SECOND, "0.1.0")
    assert rows(store, "SELECT risk_level, count(*) FROM conjunctions GROUP BY 1 ORDER BY 1") == [
        ("high", 1),
        ("low", 84),
    ]


@pytest.mark.slow
def test_columns_that_it_does_not_have_are_null(store: Path) -> None:
    snapshot = newest_snapshot(store)
    page = snapshot.events(EventQuery(limit=None))
    assert len(page.rows) == ROWS["conjunctions"]
    words = ("primary_trajectory", "secondary_trajectory", "probability_level")
    for name in ("primary_manoeuvring", "secondary_manoeuvring", *words):
        assert {row[EVENT_COLUMNS.index(name)] for row in page.rows} == {None}
    for name in ("primary_age_days", "secondary_correlation_rt"):
        numbers = [row[EVENT_COLUMNS.index(name)] for row in page.rows]
        assert np.isnan(np.array(numbers, float)).all(), "in memory the NULL of a number"
    (event_id,) = {row[EVENT_COLUMNS.index("event_id")] for row in page.rows[:1]}
    history = snapshot.history(int(str(event_id)))
    assert [row[EVENT_COLUMNS.index("primary_age_days")] for row in history] == [None, None]
    columns = ["regime", "error_class", "manoeuvring", "trajectory"]
    assert set(snapshot.objects(columns)) == {(None,) * len(columns)}
    assert snapshot.run.trajectories is None
    # What an analysis needs of them follows from what the release stored.
    assert len(object_knowledge(snapshot, element_sets(snapshot)).error_classes) == ROWS["objects"]


def test_status_and_who_can_manoeuvre_follow_from_what_it_has(store: Path) -> None:
    found = rows(
        store,
        "SELECT object_type, status, can_manoeuvre, can_manoeuvre_reason, count(*) FROM objects GROUP BY ALL "
        "ORDER BY ALL",
    )
    assert found == [
        ("debris", "inactive", "no", "debris", 128),
        ("payload", "unknown", "unknown", "nothing says whether it has thrusters", 149),
        ("rocket_body", "inactive", "no", "a rocket body", 23),
    ]


@pytest.mark.slow
def test_the_words_of_satcat_that_it_wrote_become_a_status(store: Path) -> None:
    with duckdb.connect(str(store / "skysieve.duckdb")) as file:
        payloads = file.execute(
            "SELECT norad_id FROM objects WHERE object_type = 'payload' LIMIT 3"
        ).fetchall()
        for (number,), word in zip(payloads, ("spare", "nonoperational", "decayed"), strict=True):
            file.execute("UPDATE objects SET status = ? WHERE norad_id = ?", [word, number])
    found = [
        rows(
            store,
            f"SELECT status, can_manoeuvre, can_manoeuvre_reason FROM objects WHERE norad_id = {number}",
        )
        for (number,) in payloads
    ]
    assert found == [
        [("active", "unknown", "nothing says whether it has thrusters")],
        [("inactive", "no", "out of use")],
        [("inactive", "no", "out of use")],
    ]


@pytest.mark.slow
def test_errors_of_its_objects_follow_from_what_it_has(store: Path) -> None:
    found = object_errors(store, 900000002)
    assert found.regime == "leo"
    assert found.errors[0].sigma_t_m < found.errors[-1].sigma_t_m


@pytest.mark.slow
def test_the_service_reads_it_and_its_token_opens_it(store: Path) -> None:
    snapshot = newest_snapshot(store)
    assert len(element_sets(snapshot)) == ROWS["elements"]
    assert len(rated_events(snapshot)) == ROWS["conjunctions"]
    known = {credential.id: credential for credential in list_credentials(store)}
    assert recognise(TOKEN, known, NOW).name == "release 0.1.0"


@pytest.mark.slow
def test_a_new_run_keeps_the_ids_of_events_and_loses_nothing(store: Path) -> None:
    before = rows(store, "SELECT event_id, run_id FROM conjunction_history ORDER BY ALL")
    elements = rows(store, "FROM element_history ORDER BY ALL")
    analyses = rows(store, "FROM analyses ORDER BY ALL")
    run_id = new_run(store).run_id
    history = rows(store, "SELECT event_id, run_id FROM conjunction_history ORDER BY ALL")
    assert [row for row in history if row[1] != run_id] == before
    assert sorted(event for event, run in history if run == run_id) == sorted(
        event for event, run in before if run == SECOND
    )
    assert Counter(Counter(event for event, _ in history).values()) == {3: ROWS["events"]}
    assert rows(store, "FROM element_history ORDER BY ALL") == elements  # no set is new
    assert rows(store, "FROM analyses ORDER BY ALL") == analyses
    assert [credential.name for credential in list_credentials(store)] == ["release 0.1.0"]


@pytest.mark.slow
def test_what_expires_goes_and_the_rest_stays(store: Path) -> None:
    month = Retention(timedelta(days=30), timedelta(days=90))
    assert not any(compact(store, NOW, month))
    assert compact(store, NOW + timedelta(days=31), month).runs == 1  # the newest one never expires
    assert rows(store, "SELECT run_id, count(*) FROM conjunction_history GROUP BY 1 ORDER BY 1") == [
        (FIRST, 1),  # its one high event
        (SECOND, ROWS["conjunctions"]),
    ]


@pytest.mark.slow
def test_it_is_exported_whole(store: Path, tmp_path: Path) -> None:
    target = export(store, tmp_path / "all.duckdb", force=False, on_table=lambda _name: None)
    with duckdb.connect(str(target), read_only=True) as connection:
        for view, count in ROWS.items():
            assert connection.execute(f"SELECT count(*) FROM {view}").fetchone() == (count,), view
        for view in ("conjunctions", "conjunction_history", "analyses", "events"):
            assert connection.execute(f"SELECT DISTINCT primary_manoeuvring FROM {view}").fetchall() == [
                (None,)
            ]


@pytest.mark.processes
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("status", SECOND),
        ("events --risk high", "\thigh\t"),
        ("trajectories list", "Departs"),
        ("sql 'SELECT count(*) AS events FROM conjunction_history'", "170"),
        ("tokens list", "release 0.1.0"),
        ("analyze 900000002 --hours 1", "covered until"),
    ],
)
def test_commands_read_it(command: str, said: str, store: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m skysieve {command} --store "{store}"'],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout + done.stderr
