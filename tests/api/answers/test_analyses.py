"""Analyses on demand: what they find, how they are stored and listed, over HTTP and from the shell."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import ANY

import numpy as np
import pytest
from typer.testing import CliRunner

from api.routes import analyses as routes
from screening.vocabulary import RISK_LEVELS
from skysieve.command_line import app
from storage.analyses.stored import analysis_files, read_analysis
from storage.in_memory.arrays import rated_events
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot, newest_snapshot
from storage.reading.newest_run import connect
from tests.api.answers.asking import EPHEMERIS_HOURS, FULL, QUICK, RUN_HOURS, ask
from tests.api.client import Client
from tests.api.conftest import serving

TOLERANCES = {FULL: (timedelta(seconds=0.01), 1.0), QUICK: (timedelta(seconds=0.1), 500.0)}

Event = dict[str, object]


@pytest.fixture
def store(store_with_run: Path, tmp_path: Path) -> Path:
    """Give a copy of a store with one run of the small catalogue over two hours."""
    copy = tmp_path / "store"
    shutil.copytree(store_with_run, copy)
    return copy


@pytest.fixture
def client(store: Path) -> Iterator[Client]:
    with serving(store) as client:
        yield client


def listed(client: Client, norad_id: int) -> list[Event]:
    return client.get(f"/conjunctions?norad_id={norad_id}&limit=1000").json()["conjunctions"]


def tca(event: Event) -> datetime:
    return datetime.fromisoformat(str(event["tca"]))


@pytest.mark.slow
@pytest.mark.parametrize("path", [QUICK, FULL])
def test_the_events_are_those_of_the_run_with_the_object_as_primary(
    client: Client, busiest: int, path: str
) -> None:
    of_run = {event["id"]: event for event in listed(client, busiest)}
    assert of_run
    answer = ask(client, path, busiest)
    assert answer["primary_norad_id"] == busiest
    assert answer["total_candidates"] >= len(answer["events"])
    assert {event["id"] for event in answer["events"]} == set(of_run)
    largest_off, largest_off_m = TOLERANCES[path]
    for event in answer["events"]:
        expected = of_run[event["id"]]
        assert event["primary_norad_id"] == busiest
        assert abs(tca(event) - tca(expected)) <= largest_off
        assert abs(event["miss_distance_m"] - expected["miss_distance_m"]) <= largest_off_m
        assert event["origin"] == ("quick" if path == QUICK else "full")
        if path == QUICK:
            assert event["probability"] is event["probability_max"] is event["hard_body_radius_m"] is None
            assert event["risk_basis"] == "distance"
        else:
            assert event["probability"] == pytest.approx(expected["probability"], rel=0.01)
            assert event["hard_body_radius_m"] == expected["hard_body_radius_m"]
    distances = [event["miss_distance_m"] for event in answer["events"]]
    assert distances == sorted(distances)


@pytest.mark.slow
def test_the_window_is_that_of_the_historic_run(client: Client, busiest: int) -> None:
    run = client.get("/runs/current").json()
    assert run["historic"]
    answer = ask(client, FULL, busiest)
    assert answer["covered_until"] == run["window_end"]


@pytest.mark.slow
def test_a_window_beyond_the_ephemeris_is_answered_as_far_as_it_goes(client: Client, busiest: int) -> None:
    start = datetime.fromisoformat(client.get("/runs/current").json()["window_start"])
    answer = ask(client, QUICK, busiest, look_ahead_hours=168)
    covered = datetime.fromisoformat(answer["covered_until"]) - start
    assert timedelta(hours=EPHEMERIS_HOURS) <= covered < timedelta(hours=EPHEMERIS_HOURS + 0.5)
    in_full = ask(client, FULL, busiest, look_ahead_hours=EPHEMERIS_HOURS)
    assert len(answer["events"]) >= len(in_full["events"]) > 0


@pytest.mark.slow
def test_what_was_analysed_is_listed_at_once(client: Client, busiest: int) -> None:
    answer = ask(client, FULL, busiest, look_ahead_hours=24, threshold_km=60.0)
    shown = {event["id"]: event for event in listed(client, busiest)}
    assert {event["id"] for event in answer["events"]} == set(shown)
    assert {event["origin"] for event in shown.values()} == {"full"}
    new = next(event for event in answer["events"] if tca(event) > datetime(2024, 11, 1, 2, tzinfo=UTC))
    one = client.get(f"/conjunctions/{new['id']}").json()
    unseen = {
        "history": [],
        "messages": [],
        "restricted_messages": 0,
        "acknowledgements": [],
        "intents": [],
        "side_by_side": None,
    }  # no run has found it
    never = dict.fromkeys(("primary_manoeuvred_at", "secondary_manoeuvred_at"))
    assert one == {**new, **never, "words": ANY, "origins": ANY, **unseen}


@pytest.mark.slow
def test_a_row_without_probability_never_hides_one_that_has_it(client: Client, busiest: int) -> None:
    ask(client, FULL, busiest)
    ask(client, QUICK, busiest)
    assert {event["origin"] for event in listed(client, busiest)} == {"full"}


@pytest.mark.slow
def test_of_many_events_the_nearest_are_kept_and_the_others_counted(
    store: Path, busiest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 168 h at 100 km in a crowd: 27 MB, and each such analysis made the list longer by thousands.
    asked = {"look_ahead_hours": 24, "threshold_km": 60.0}
    with serving(store) as client:
        whole = ask(client, FULL, busiest, **asked)
    assert (whole["truncated"], whole["total_events"]) == (False, len(whole["events"]))
    for file in (store / "analyses").glob("full-*.parquet"):
        file.unlink()
    monkeypatch.setattr(routes, "MOST_EVENTS", 3)
    with serving(store) as client:
        before = {event["id"] for event in listed(client, busiest)}
        answer = ask(client, FULL, busiest, **asked)
        after = {event["id"] for event in listed(client, busiest)}
    assert (answer["truncated"], answer["total_events"]) == (True, whole["total_events"])
    nearest = [event["id"] for event in whole["events"][:3]]
    assert [event["id"] for event in answer["events"]] == nearest
    assert after == before | set(nearest)


@pytest.mark.slow
def test_what_an_analysis_lost_is_not_kept_in_memory(
    client: Client, store: Path, busiest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = client.app.state.service.events
    ask(client, FULL, busiest, look_ahead_hours=24, threshold_km=60.0)
    assert any(len(analysis.rows) for analysis in events._analyses.values())
    (file,) = (store / "analyses").glob("full-*.parquet")
    file.unlink()
    monkeypatch.setattr(Snapshot, "load", None)  # nothing is read anew
    events.refresh()
    assert not any(len(analysis.rows) for analysis in events._analyses.values())
    assert {row["origin"] for row in listed(client, busiest)} == {"run"}


@pytest.mark.slow
def test_repeats_do_not_pile_up(client: Client, store: Path, busiest: int) -> None:
    for _ in range(3):
        ask(client, FULL, busiest)
        ask(client, QUICK, busiest)
    assert len(list((store / "analyses").glob("*-*.parquet"))) == 2
    with connect(store) as connection:
        rows, events = connection.execute(
            "SELECT count(*), count(DISTINCT event_id) FROM analyses"
        ).fetchall()[0]
    assert rows == 2 * events


@pytest.mark.slow
def test_an_analysis_that_another_process_stored_is_listed(client: Client, store: Path, busiest: int) -> None:
    command = ["analyze", str(busiest), "--store", str(store), "--hours", "24", "--threshold-km", "60"]
    done = CliRunner().invoke(app, [*command, "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    client.app.state.service.events.refresh()  # as its own thread does twice a second
    assert {event["id"] for event in answer["events"]} == {event["id"] for event in listed(client, busiest)}


@pytest.mark.slow
def test_the_answer_of_the_shell_is_that_of_http(client: Client, store: Path, busiest: int) -> None:
    over_http = ask(client, FULL, busiest)
    command = ["analyze", str(busiest), "--store", str(store), "--hours", str(RUN_HOURS), "--json"]
    in_shell = json.loads(CliRunner().invoke(app, command).stdout)
    for answer in (over_http, in_shell):
        answer.pop("analyzed_at")
        for event in answer["events"]:
            event.pop("computed_at")
    assert in_shell == over_http


def test_the_shell_shows_a_table(store: Path, busiest: int) -> None:
    done = CliRunner().invoke(app, ["analyze", str(busiest), "--store", str(store), "--mode", "quick"])
    assert done.exit_code == 0, done.output
    assert str(busiest) in done.stdout
    assert "searched for 24 h within 10 km; covered until 2024-11-01T14:" in done.stderr


def test_an_unknown_object(client: Client) -> None:
    answer = client.request("POST", FULL, json={"primary_norad_id": 999_999_998})
    assert answer.status_code == 404
    assert "999999998" in answer.json()["detail"]
    assert "600 objects" in answer.json()["detail"]


def test_without_a_credential(client: Client) -> None:
    for path in (QUICK, FULL):
        assert client.without_credential().request("POST", path, content=b"nonsense").status_code == 401


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"primary_norad_id": "25544"}, "primary_norad_id"),
        ({"primary_norad_id": 25544, "look_ahead_hours": 169}, "look_ahead_hours"),
        ({"primary_norad_id": 25544, "threshold_km": 0.05}, "threshold_km"),
        ({"primary_norad_id": 25544, "hours": 3}, "hours"),
    ],
)
def test_bodies_are_strict(client: Client, body: dict, field: str) -> None:
    for path in (QUICK, FULL):
        answer = client.request("POST", path, json=body)
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["field"] == field


@pytest.mark.slow
def test_without_an_ephemeris_full_still_answers(store: Path, busiest: int) -> None:
    shutil.rmtree(store / "ephemeris")
    with serving(store) as client:
        answer = client.request("POST", QUICK, json={"primary_norad_id": busiest})
        assert answer.status_code == 503
        assert "full" in answer.json()["detail"]
        assert ask(client, FULL, busiest)["events"]


@pytest.mark.slow
def test_a_stored_question_whose_answer_shrank(client: Client, store: Path, busiest: int) -> None:
    """Events that stand in no file any more are listed no more."""
    events = client.app.state.service.events
    ask(client, FULL, busiest, look_ahead_hours=24, threshold_km=60.0)
    before = len(listed(client, busiest))
    (file,) = (store / "analyses").glob("full-*.parquet")
    file.unlink()
    events.refresh()
    assert len(listed(client, busiest)) < before
    assert {event["origin"] for event in listed(client, busiest)} == {"run"}


@pytest.mark.slow
def test_the_snapshot_with_an_analysis_is_that_of_the_store(store: Path, busiest: int) -> None:
    """What is added in memory is what the view `events` makes of it."""
    before = newest_snapshot(store)
    command = ["analyze", str(busiest), "--store", str(store), "--hours", "24", "--threshold-km", "60"]
    for mode in ("quick", "full", "quick"):
        CliRunner().invoke(app, [*command, "--mode", mode])
    in_memory, parts = before, {}
    for name in analysis_files(store):
        parts[name] = read_analysis(store, name)
        in_memory = in_memory.with_analyses(parts)
    from_store = newest_snapshot(store)
    for order in ("risk", "tca", "miss_distance", "probability", "fragments"):
        query = EventQuery(order=order, limit=None)
        # As text: a NULL number is a NaN in memory, which equals nothing.
        assert repr(in_memory.events(query).rows) == repr(from_store.events(query).rows)
        assert before.events(query).total < from_store.events(query).total
    for sql in ("SELECT sum(event_id) AS x FROM events", "SELECT max(tca) AS x FROM events"):
        assert in_memory.columns(sql)["x"] == from_store.columns(sql)["x"]
    naive = in_memory.arrow(
        "SELECT primary_norad_id, secondary_norad_id, epoch_us(greatest(tca, inside_to)) AS until, "
        f"list_position({list(RISK_LEVELS)}, risk_level) - 1 AS risk_level FROM events ORDER BY ALL"
    )
    assert np.sort(rated_events(in_memory)).tolist() == [
        (one, other, np.datetime64(until, "us").item(), level)
        for one, other, until, level in zip(*naive.to_pydict().values(), strict=True)
    ]
