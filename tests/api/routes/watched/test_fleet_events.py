"""What is inside the volumes of a fleet over HTTP: filters, pages, and satellites without events."""

import csv
import fnmatch
import io
from collections import Counter
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from storage.rows.danger import level_of
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, plausible, serving
from tests.made_up_run import make_run, publish
from tests.naive_order import naive_key
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet


class Desk(NamedTuple):
    client: Client
    fleet: str
    events: list[dict[str, Any]]  # inside the volumes of the fleet
    all_events: list[dict[str, Any]]  # of the run
    store: Path


@pytest.fixture(scope="module")
def desk(module_store: Path) -> Iterator[Desk]:
    run_id = publish(module_store, plausible(make_run(conjunctions=400)))
    events: list[dict[str, Any]] = events_of(module_store, run_id)[::4]
    numbers = sorted({int(event["primary_norad_id"]) for event in events})
    fleet = plant_fleet(module_store, NOW, numbers=[*numbers, 1])
    plant_events(module_store, run_id, fleet, events)
    plant_fleet(module_store, NOW, "empty")
    with serving(module_store) as client:
        yield Desk(client, f"/fleets/{fleet.id}", events, events_of(module_store, run_id), module_store)


def test_the_list_is_that_of_all_events_within_the_fleet(desk: Desk) -> None:
    answer = desk.client.get(f"{desk.fleet}/conjunctions?limit=1000").json()
    everything = desk.client.get("/conjunctions?limit=1000").json()["conjunctions"]
    ids = {event["event_id"] for event in desk.events}
    expected = [event for event in everything if event["id"] in ids]
    of_fleet = ("fleet_norad_id", "volume", "fleet_miss_radial_km", "fleet_miss_in_track_km",
                "fleet_miss_cross_track_km", "fleet_hard_body_radius_m")  # fmt: skip
    found = [{name: row[name] for name in row if name not in of_fleet} for row in answer["conjunctions"]]
    assert found == expected
    assert (answer["total"], answer["next"]) == (len(ids), None)
    first = answer["conjunctions"][0]
    assert first["fleet_norad_id"] == first["primary_norad_id"]
    assert [first[name] for name in of_fleet[1:]] == ["box:2x25x25", 0.1, -0.2, 0.3, None]


@pytest.mark.parametrize("path", ["{fleet}/conjunctions?", "/conjunctions?fleet=1&"])
def test_pages_and_conditions_go_together(desk: Desk, path: str) -> None:
    address = path.format(fleet=desk.fleet)
    wanted = "risk_level=high&risk_level=medium&order=tca&limit=7"
    page = desk.client.get(f"{address}{wanted}").json()
    rows = page["conjunctions"]
    while page["next"]:
        page = desk.client.get(f"{address}cursor={page['next']}&limit=7").json()
        rows += page["conjunctions"]
    expected = sorted(
        (event["tca"], event["event_id"])
        for event in desk.events
        if event["risk_level"] in ("high", "medium")
    )
    assert [row["id"] for row in rows] == [number for _, number in expected]
    assert len(rows) > 7


def test_the_csv_of_a_fleet_has_its_events(desk: Desk) -> None:
    headers = {**desk.client.headers, "Accept": "text/csv"}
    text = desk.client.get("/conjunctions?fleet=1", headers=headers).text
    assert len(text.splitlines()) == 1 + len(desk.events)


def test_the_csv_of_a_fleet_has_the_rows_and_columns_of_its_json(store: Path) -> None:
    """It was agreed, but JSON came whatever was accepted."""
    run_id = publish(store, plausible(make_run()))
    events = events_of(store, run_id)
    fleet = plant_fleet(store, NOW)
    other_side = {**events[0], "primary_norad_id": events[0]["secondary_norad_id"]}
    plant_events(store, run_id, fleet, [*events, other_side])
    with serving(store) as client:
        _csv_is_as_json(client, f"/fleets/{fleet.id}/conjunctions", len(events) + 1)


def _csv_is_as_json(client: Client, path: str, count: int) -> None:
    headers = {**client.headers, "Accept": "text/csv"}
    answer = client.get(path, headers=headers)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="fleet-1-' in answer.headers["content-disposition"]
    assert answer.headers["vary"].startswith("Accept, ")
    rows = list(csv.DictReader(io.StringIO(answer.text, newline=""), strict=True))
    page = client.get(f"{path}?limit=1000")
    assert page.headers["vary"].startswith("Accept, ")
    events = page.json()["conjunctions"]
    assert len(rows) == len(events) == count
    for row, event in zip(rows, events, strict=True):
        assert list(row) == list(event)
        assert (int(row["id"]), int(row["fleet_norad_id"])) == (event["id"], event["fleet_norad_id"])
        assert float(row["fleet_miss_in_track_km"]) == event["fleet_miss_in_track_km"]
        assert (row["volume"], row["primary_name"]) == (event["volume"], event["primary_name"])
    few = client.get(f"{path}?limit=3&order=tca", headers=headers).text
    assert len({row["id"] for row in csv.DictReader(io.StringIO(few))}) == 3


def test_the_path_names_the_fleet_and_a_parameter_does_not(desk: Desk) -> None:
    """It was accepted and ignored, so that another fleet's events seemed to be asked for."""
    answer = desk.client.get(f"{desk.fleet}/conjunctions?fleet=2")
    assert answer.status_code == 422
    assert "fleet" in answer.text
    page = desk.client.get(f"{desk.fleet}/conjunctions?limit=1").json()
    assert desk.client.get(f"/fleets/2/conjunctions?cursor={page['next']}").status_code == 422


def test_what_has_passed_is_not_what_comes_next(desk: Desk) -> None:
    """The next TCA of a satellite lay in the past for hours, until the next run."""
    later = sorted(event["tca"] for event in desk.events)[len(desk.events) // 2].replace(tzinfo=UTC)
    with serving(desk.store, Clock(later)) as client:
        told = client.get(f"{desk.fleet}/satellites").json()["satellites"]
    ahead = [event for event in desk.events if event["tca"] >= later.replace(tzinfo=None)]
    by_object = Counter(int(event["primary_norad_id"]) for event in ahead)
    assert {one["norad_id"]: one["events"] for one in told if one["events"]} == by_object
    soonest = [one["next_tca"] for one in told if one["next_tca"] is not None]
    assert min(soonest).removesuffix("Z") == min(event["tca"] for event in ahead).isoformat()


def test_each_satellite_is_told_also_those_without_events(desk: Desk) -> None:
    answer = desk.client.get(f"{desk.fleet}/satellites").json()
    of_each: dict[int, list[dict[str, Any]]] = {1: []}
    for event in desk.events:
        of_each.setdefault(event["primary_norad_id"], []).append(event)
    assert [one["norad_id"] for one in answer["satellites"]] == sorted(of_each)
    assert answer["total"] == len(of_each)
    order = ("critical", "high", "medium", "unknown", "low")
    for one in answer["satellites"]:
        now = NOW.replace(tzinfo=None)
        events = [event for event in of_each[one["norad_id"]] if event["tca"] >= now]
        assert one["events"] == len(events)
        if not events:
            assert (one["worst"], one["next_tca"]) == (None, None)
            continue
        assert one["worst"] == min((level_of(event) for event in events), key=order.index)
        soonest = min(event["tca"] for event in events).isoformat()
        assert one["next_tca"].removesuffix("Z") == soonest


def test_members_are_told_before_any_run_has_looked(desk: Desk) -> None:
    known = {one["norad_id"]: one["name"] for one in desk.client.get("/objects").json()["objects"]}
    number = min(known)
    made = desk.client.request(
        "POST", "/fleets", json={"name": "young", "norad_ids": [number, 999_999_998], "name_pattern": "OBJ*1"}
    ).json()
    answer = desk.client.get(f"/fleets/{made['id']}/members").json()
    by_pattern = {one for one, name in known.items() if fnmatch.fnmatch(name, "OBJ*1")}
    assert {one["norad_id"] for one in answer["members"]} == by_pattern | {number}
    assert all(one["name"] == known[one["norad_id"]] for one in answer["members"])
    assert answer["total"] == made["members"]
    assert made["unknown"] == [999_999_998]
    desk.client.request("DELETE", f"/fleets/{made['id']}")
    assert desk.client.get(f"/fleets/{made['id']}/members").status_code == 404


@pytest.mark.slow
def test_how_fleets_stand_is_told_at_once(desk: Desk) -> None:
    """What is coming counts each event once; a fleet that no run has looked at does not seem safe."""
    later = sorted(event["tca"] for event in desk.events)[10].replace(tzinfo=UTC)
    with serving(desk.store, Clock(later)) as client:
        hook = {"fleet_id": 1, "address": "https://example.org/hook"}
        alert = client.request("POST", "/alerts", json=hook).json()
        told = client.get("/fleet-standings").json()
        client.request("DELETE", f"/alerts/{alert['id']}")
    ahead = [event for event in desk.events if event["tca"] >= later.replace(tzinfo=None)]
    order = ("critical", "high", "medium", "unknown", "low")
    first, second = told["fleets"]
    numbers = {event["primary_norad_id"] for event in desk.events} | {1}
    inside = {event["event_id"] for event in desk.events}
    others = [
        event
        for event in desk.all_events
        if numbers & {event["primary_norad_id"], event["secondary_norad_id"]}
        and event["event_id"] not in inside
        and event["tca"] >= later.replace(tzinfo=None)
    ]
    assert first == {
        "id": 1,
        "coming": {
            "events": len({event["event_id"] for event in ahead}),
            "worst": min((level_of(event) for event in ahead), key=order.index),
            "next_tca": min(event["tca"] for event in ahead).isoformat() + "Z",
            "new": None,
        },
        "outside": {
            "events": len(others),
            "worst": min((level_of(event) for event in others), key=order.index),
        },
        "alerts_on": 1,
        "alerts_off": 0,
    }
    assert (second["coming"], second["alerts_on"]) == (None, 0)
    answer = desk.client.get(f"{desk.fleet}/outside?limit=7").json()
    assert sum(answer["by_level"].values()) == answer["total"] >= len(others)
    rows = answer["conjunctions"]
    assert len(rows) == 7
    assert not inside & {row["id"] for row in rows}
    assert rows == sorted(rows, key=naive_key)
    page = desk.client.get("/fleet-standings?limit=1&offset=1").json()
    assert ([one["id"] for one in page["fleets"]], page["total"]) == ([2], 2)


def test_a_fleet_that_no_run_has_looked_at_has_nothing(desk: Desk) -> None:
    assert desk.client.get("/fleets/2/conjunctions").json() == {"conjunctions": [], "total": 0, "next": None}


@pytest.mark.parametrize(
    "path", ["/fleets/99/conjunctions", "/fleets/99/satellites", "/conjunctions?fleet=99"]
)
def test_a_fleet_that_is_not_there_is_404(desk: Desk, path: str) -> None:
    answer = desk.client.get(path)
    assert answer.status_code == 404
    assert str(desk.store) not in answer.text
    assert desk.client.without_credential().get(path).status_code == 401


def test_a_cursor_belongs_to_its_fleet(desk: Desk) -> None:
    page = desk.client.get("/conjunctions?fleet=1&limit=1").json()
    assert desk.client.get(f"/conjunctions?fleet=2&cursor={page['next']}").status_code == 422


def coming(desk: Desk) -> list[dict[str, Any]]:
    since = NOW.isoformat().replace("+00:00", "Z")
    answer = desk.client.get(f"{desk.fleet}/conjunctions?limit=1000&tca_from={since}")
    found: list[dict[str, Any]] = answer.json()["conjunctions"]
    return found


def test_the_overview_of_a_fleet_counts_its_events(desk: Desk) -> None:
    number = desk.fleet.rsplit("/", 1)[1]
    found = desk.client.get(f"/runs/current/overview?fleet={number}").json()
    listed = coming(desk)
    assert found["events"] == len(listed) > 0
    assert Counter(event["probability_level"] for event in listed) == Counter(
        {level: many for level, many in found["by_level"].items() if many}
    )
    assert sum(map(sum, found["per_hour"]["counts"].values())) == len(listed)
    assert found["per_hour"]["outside_window"] == 0
    assert found["before"] is None
    assert desk.client.get("/runs/current/overview?fleet=99").status_code == 404
    assert desk.client.get("/runs/current/overview?fleet=x").status_code == 422


def test_what_is_to_be_decided_is_the_fleets_coming_events(desk: Desk) -> None:
    found = desk.client.get(f"{desk.fleet}/decision").json()
    listed = coming(desk)
    worth = [event for event in listed if (event["probability_best"] or 1.0) >= 1e-10]
    assert {one["id"] for one in found["events"]} == {event["id"] for event in worth}
    chance = {event["id"]: event["probability_best"] for event in listed}
    bands = [one for one in found["events"] if None not in (one["probability_low"], chance[one["id"]])]
    assert bands
    for one in bands:
        assert one["probability_low"] <= chance[one["id"]] <= one["probability_high"]
    assert all(one["former"] == [] for one in found["events"])  # the store has one run
    assert desk.client.get("/fleets/2/decision").json()["events"] == []
    assert desk.client.get("/fleets/99/decision").status_code == 404
