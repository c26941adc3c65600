"""One event with its history, proximities, the run; new runs; health and readiness."""

import shutil
from datetime import timedelta
from pathlib import Path
from unittest.mock import ANY

import pytest
from pydantic import TypeAdapter

from api.models.messages import ConjunctionWithHistory
from api.models.responses import Health, ProximityList, Readiness, Run
from storage.disk.layout import CURRENT
from storage.reading.read_only_sql import query
from storage.shell.output import plain
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, serving
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

NO_MESSAGES = {"messages": [], "restricted_messages": 0}


@pytest.mark.slow
def test_one_event_with_its_history(store: Path) -> None:
    first = publish(store, make_run())
    again = make_run(hours_later=6)
    again.conjunctions["miss_distance_m"] += 1.0
    second = publish(store, again)
    with serving(store) as client:
        event = client.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
        answer = client.get(f"/conjunctions/{event['id']}")
        ConjunctionWithHistory.model_validate_json(answer.content)
        history = answer.json()["history"]
        never = dict.fromkeys(("primary_manoeuvred_at", "secondary_manoeuvred_at"))
        assert {
            **event,
            **never,
            "words": ANY,
            **dict.fromkeys(("intents", "origins", "side_by_side"), ANY),
            "history": history,
            "acknowledgements": [],
            **NO_MESSAGES,
        } == answer.json()
        assert [found["run_id"] for found in history] == [first, second]
        assert [found["id"] for found in history] == [event["id"]] * 2
        assert history[1] == event
        assert history[1]["miss_distance_m"] - history[0]["miss_distance_m"] == pytest.approx(1.0)


@pytest.mark.slow
def test_an_event_that_the_newest_run_lacks(store: Path) -> None:
    first = publish(store, make_run(seed=1))
    with serving(store) as client:
        event = client.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
        newest = publish(store, make_run(seed=2, hours_later=6))
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        answer = client.get(f"/conjunctions/{event['id']}").json()
        told = {"words": ANY, "history": [event], "acknowledgements": []}
        told |= {"intents": [], "origins": ANY, "side_by_side": None}
        never = dict.fromkeys(("primary_manoeuvred_at", "secondary_manoeuvred_at"))
        assert answer == {**event, **never, **told, **NO_MESSAGES}
        assert answer["run_id"] == first


@pytest.mark.parametrize("number", ["1", "0", "-1", str(2**60), str(10**30)])
def test_an_event_that_never_was(client: Client, number: str) -> None:
    assert client.get(f"/conjunctions/{number}").status_code == 404


def test_an_id_that_is_no_number(client: Client) -> None:
    answer = client.get("/conjunctions/abc")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "id"


def test_proximities(client: Client, served_store: Path) -> None:
    answer = client.get("/proximities")
    TypeAdapter(ProximityList).validate_json(answer.content)
    columns, rows = query(served_store, "FROM proximities ORDER BY min_distance_m")
    stored = [dict(zip(columns, map(plain, row), strict=True)) for row in rows]
    assert answer.json() == {"proximities": stored, "total": 4}
    number = stored[0]["secondary_norad_id"]
    some = client.get("/proximities", params={"norad_id": number}).json()["proximities"]  # type: ignore[dict-item]
    assert some == [p for p in stored if number in (p["primary_norad_id"], p["secondary_norad_id"])]
    assert 0 < len(some) < 4


def test_proximities_come_a_page_at_a_time(client: Client) -> None:
    whole = client.get("/proximities").json()["proximities"]
    for offset in (0, 3, 4):
        page = client.get("/proximities", params={"limit": 3, "offset": offset})  # type: ignore[dict-item]
        assert page.json() == {"proximities": whole[offset : offset + 3], "total": 4}
    assert client.get("/proximities?limit=10001").status_code == 422


def test_the_current_run(client: Client, served_store: Path) -> None:
    answer = client.get("/runs/current")
    Run.model_validate_json(answer.content)
    columns, rows = query(served_store, "FROM runs")
    assert answer.json() == dict(zip(columns, map(plain, next(rows)), strict=True))
    assert answer.json()["failed_by_code"] == {"1": 2, "6": 1}


@pytest.mark.parametrize("path", ["/runs/current", "/conjunctions/1", "/health", "/ready"])
def test_parameters_that_are_not_there(client: Client, path: str) -> None:
    answer = client.get(path, params={"verbose": 1})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "verbose"


@pytest.mark.slow
def test_before_the_first_run_and_when_it_comes(store: Path) -> None:
    with serving(store) as client:
        for path in ("/conjunctions", "/conjunctions/1", "/proximities", "/runs/current", "/ready"):
            answer = client.get(path)
            assert answer.status_code == 503
            assert "holds no run yet" in answer.json()["detail"]
        TypeAdapter(Health).validate_json(client.get("/health").content)
        run_id = publish(store, make_run())
        wait_until(lambda: client.get("/runs/current").status_code == 200)
        assert client.get("/runs/current").json()["run_id"] == run_id


@pytest.mark.slow
def test_no_answer_mixes_runs_while_one_replaces_another(store: Path) -> None:
    publish(store, make_run(conjunctions=60))
    with serving(store) as client:
        newest = publish(store, make_run(conjunctions=90, seed=5, hours_later=6))
        seen: list[tuple[int, int, frozenset[str]]] = []

        def replaced() -> bool:
            answer = client.get("/conjunctions", params={"limit": 1000})
            assert answer.status_code == 200
            events = answer.json()["conjunctions"]
            runs = frozenset(event["run_id"] for event in events)
            seen.append((len(events), answer.json()["total"], runs))
            return runs == {newest}

        wait_until(replaced)
        assert {(count, total, len(runs)) for count, total, runs in seen} <= {(60, 60, 1), (90, 90, 1)}


@pytest.mark.slow
def test_a_damaged_store_is_served_as_it_was_and_says_so_once(
    store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    publish(store, make_run())
    with serving(store) as client:
        (store / CURRENT).write_text("{")
        wait_until(lambda: "is damaged" in caplog.text)
        assert client.get("/conjunctions").json()["total"] == 60
        (store / CURRENT).unlink()
        newest = publish(store, make_run(hours_later=6))
        wait_until(lambda: client.get("/runs/current").json().get("run_id") == newest)
    assert caplog.text.count("is damaged") == 1


@pytest.mark.slow
def test_a_lasting_fault_is_logged_once(
    store: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It was told twice a second, with its traceback.
    publish(store, make_run())
    with serving(store) as client:
        met = 0

        def broken() -> None:
            nonlocal met
            met += 1
            raise ZeroDivisionError("a bug")

        monkeypatch.setattr(client.app.state.service.events, "refresh", broken)
        wait_until(lambda: met >= 3, within_s=10)
        assert client.get("/conjunctions").json()["total"] == 60
    assert caplog.text.count("ZeroDivisionError: a bug") == 1


@pytest.mark.slow
def test_a_run_without_events(store: Path) -> None:
    publish(store, make_run(conjunctions=0))
    with serving(store) as client:
        for order in ("risk", "tca", "miss_distance", "probability", "fragments"):
            answer = client.get("/conjunctions", params={"order": order, "risk_level": "high", "norad_id": 5})
            assert answer.json() == {"conjunctions": [], "total": 0, "next": None}
        assert client.get("/conjunctions/5").status_code == 404


@pytest.mark.slow
def test_a_store_that_is_taken_away_is_not_served_from_memory(store: Path) -> None:
    publish(store, make_run())
    with serving(store) as client:
        shutil.move(store, store.with_name("elsewhere"))
        wait_until(lambda: client.get("/ready").status_code == 503)


def test_ready_means_recent(store: Path) -> None:
    publish(store, make_run())
    clock = Clock()
    with serving(store, clock, refresh_hours=2.0) as client:
        answer = client.get("/ready")
        assert answer.status_code == 200
        assert TypeAdapter(Readiness).validate_json(answer.content).age_s == 3596.0
        clock.time = NOW + timedelta(hours=3, seconds=3)
        assert client.get("/ready").status_code == 200
        clock.time += timedelta(seconds=1)
        answer = client.get("/ready")
        assert answer.status_code == 503
        assert "less than 4 hours" in answer.json()["detail"]
        assert client.get("/health").status_code == 200


def test_a_run_from_the_future_makes_nothing_ready(store: Path) -> None:
    publish(store, make_run())
    clock = Clock()
    with serving(store, clock) as client:
        assert client.get("/ready").status_code == 200
        clock.time -= timedelta(days=30)
        answer = client.get("/ready")
        assert answer.status_code == 503
        assert "hours from now: a clock is or was wrong" in answer.json()["detail"]
