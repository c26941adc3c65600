"""Lists of a fleet over HTTP are at its own hard-body radius: numbers, levels, order and conditions."""

import csv
import html
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from screening.vocabulary import PROBABILITY_LEVELS
from storage.fleets.events import at_own_radius, fleet_events, inside_fleet
from storage.rows.danger import decisive_probability_of, level_of
from storage.state.fleets import change_fleet
from tests.api.client import Client
from tests.api.conftest import NOW, plausible, serving
from tests.made_up_run import make_run, publish
from tests.naive_order import naive_key
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet

ORDER = [str(level) for level in PROBABILITY_LEVELS]


class Desk(NamedTuple):
    client: Client
    own: dict[int, tuple[float, float]]  # by event: radius, m, and probability by which the fleet goes
    by_run: dict[int, dict[str, Any]]  # all events of both fleets, by id
    store: Path
    run_id: str


@pytest.fixture(scope="module")
def desk(module_store: Path) -> Iterator[Desk]:
    run_id = publish(module_store, plausible(make_run(conjunctions=400)))
    events: list[dict[str, Any]] = events_of(module_store, run_id)[::4]
    numbers = sorted({int(event["primary_norad_id"]) for event in events})
    mine, other = (plant_fleet(module_store, NOW, name, numbers) for name in ("mine", "other"))
    change_fleet(module_store, mine.id, lambda one: one._replace(radius="bounding"))
    own = {
        event["event_id"]: (10.0 + place, 10.0 ** -(1 + place % 9)) for place, event in enumerate(events[::2])
    }
    plant_events(module_store, run_id, mine, events, own)
    plant_events(module_store, run_id, other, events)
    with serving(module_store) as client:
        listed = client.get("/conjunctions?fleet=2&limit=1000").json()["conjunctions"]
        yield Desk(client, own, {event["id"]: event for event in listed}, module_store, run_id)


def expected(desk: Desk) -> list[dict[str, Any]]:
    """Return the events as the fleet has them, the most dangerous first."""
    rows = []
    for number, event in desk.by_run.items():
        row = dict(event)
        if number in desk.own:
            row["hard_body_radius_m"], row["probability_best"] = desk.own[number]
            row["probability_method"] = "3d"
            row["probability_level"] = level_of({"probability_best": desk.own[number][1]})
        rows.append(row)
    return sorted(rows, key=naive_key)


def numbers(row: dict[str, Any]) -> tuple[Any, ...]:
    names = ("id", "hard_body_radius_m", "probability_best", "probability_method", "probability_level")
    return tuple(row[name] for name in names)


@pytest.mark.parametrize("path", ["/fleets/1/conjunctions?limit=1000", "/conjunctions?fleet=1&limit=1000"])
def test_a_list_has_its_numbers_and_their_order(desk: Desk, path: str) -> None:
    found = desk.client.get(path).json()
    assert [numbers(row) for row in found["conjunctions"]] == [numbers(row) for row in expected(desk)]
    assert found["total"] == len(desk.by_run)
    for row in found["conjunctions"]:
        if path.startswith("/fleets"):
            assert row["fleet_hard_body_radius_m"] == desk.own.get(row["id"], (None,))[0]
        by_run = desk.by_run[row["id"]]
        assert row["probability_2d"] == by_run["probability_2d"], "the other numbers are the run's"
        worse = [row["probability_level"], row["near_level"] or "low"]
        if row["id"] in desk.own:
            assert row["risk_level"] == min((word for word in worse if word != "unknown"), key=ORDER.index)


@pytest.mark.parametrize(
    "asked",
    ["probability_level=critical", "min_probability=0.0005", "probability_level=low&order=probability"],
)
def test_conditions_and_pages_go_by_them(desk: Desk, asked: str) -> None:
    page = desk.client.get(f"/fleets/1/conjunctions?limit=4&{asked}").json()
    rows = page["conjunctions"]
    while page["next"]:
        page = desk.client.get(f"/fleets/1/conjunctions?limit=4&cursor={page['next']}").json()
        rows += page["conjunctions"]
    every = expected(desk)
    if "min" in asked:
        wanted = [row for row in every if (decisive_probability_of(row) or 0.0) >= 0.0005]
    else:
        wanted = [row for row in every if row["probability_level"] == asked.split("=")[1].split("&")[0]]
    assert len(wanted) > 4
    assert {row["id"] for row in rows} == {row["id"] for row in wanted}
    assert len(rows) == len(wanted)
    assert any(desk.by_run[row["id"]]["probability_level"] != row["probability_level"] for row in rows)


def test_others_see_the_runs(desk: Desk) -> None:
    other = {
        row["id"]: row for row in desk.client.get("/fleets/2/conjunctions?limit=1000").json()["conjunctions"]
    }
    everything = {
        row["id"]: row for row in desk.client.get("/conjunctions?limit=1000").json()["conjunctions"]
    }
    for number, event in desk.by_run.items():
        assert everything[number] == event
        assert numbers(other[number]) == numbers(event)
        assert other[number]["fleet_hard_body_radius_m"] is None
    changed = next(iter(desk.own))
    assert numbers(desk.client.get(f"/conjunctions/{changed}").json()) == numbers(desk.by_run[changed])


@pytest.mark.slow
def test_csv_satellites_standings_and_report_agree(desk: Desk) -> None:
    rows = expected(desk)
    accept = {**desk.client.headers, "Accept": "text/csv"}
    text = desk.client.get("/fleets/1/conjunctions", headers=accept).text
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(int(row["id"]), row["probability_level"]) for row in table] == [
        (row["id"], row["probability_level"]) for row in rows
    ]
    radii = {
        int(row["id"]): float(row["fleet_hard_body_radius_m"])
        for row in table
        if row["fleet_hard_body_radius_m"]
    }
    assert radii == {number: radius_m for number, (radius_m, _) in desk.own.items()}
    now = NOW.replace(tzinfo=None).isoformat()
    ahead = [row for row in rows if row["tca"] >= now]
    of_each: dict[int, list[str]] = {}
    for row in ahead:
        of_each.setdefault(row["primary_norad_id"], []).append(row["probability_level"])
    told = desk.client.get("/fleets/1/satellites").json()["satellites"]
    worst = {number: min(levels, key=ORDER.index) for number, levels in of_each.items()}
    assert {one["norad_id"]: one["worst"] for one in told if one["events"]} == worst
    mine, other = desk.client.get("/fleet-standings").json()["fleets"]
    assert mine["coming"]["worst"] == min(worst.values(), key=ORDER.index) == "critical"
    assert mine["coming"]["events"] == other["coming"]["events"] == len(ahead)
    reports = [html.unescape(desk.client.get(f"/fleets/{one}/report?format=html").text) for one in (1, 2)]
    said = "at the fleet's own hard-body radii, of the spheres around its satellites"
    assert [said in one for one in reports] == [True, False]


def test_an_analysis_since_keeps_its_own_radius(desk: Desk) -> None:
    """It may have other paths than the run whose encounters were rated for the fleet."""
    mine = inside_fleet(desk.store, desk.run_id, 1)
    events = fleet_events(desk.store, desk.run_id, 2)
    place = events.schema.get_field_index("origin")
    for origin, changes in (
        ("run", True),
        ("fleet", True),
        ("second_look", True),
        ("full", False),
        ("message", False),
    ):
        rows = events.set_column(place, "origin", [[origin] * len(events)])
        assert (at_own_radius(rows, mine)["probability_best"] != rows["probability_best"]) == changes
