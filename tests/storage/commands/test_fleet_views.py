"""What commands show of a fleet after a run: its events, and how far the newest run knows it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner, Result

from storage.commands.fleets import app as fleets_app
from storage.commands.store import app as store_app
from storage.fleet_schema import FLEET_EVENTS, FLEET_MEMBERS
from storage.fleets.events import write_membership
from storage.reading.newest_run import current, object_names
from storage.state.fleets import FleetObject, NewFleet, change_fleet, create_fleet
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet

Command = Callable[..., Result]
NOW = datetime(2026, 11, 23, tzinfo=UTC)


@pytest.fixture
def fleets(published: Path) -> Command:
    """Give `skysieve fleets` on a store with a run."""
    return lambda *words: CliRunner().invoke(fleets_app, [*map(str, words), "--store", str(published)])


@pytest.fixture
def events(published: Path) -> Command:
    """Give `skysieve events` on the same store."""
    return lambda *words: CliRunner().invoke(store_app, ["events", *words, "--store", str(published)])


def look(store: Path, volume: str, numbers: list[int], events: list[dict[str, object]]) -> str:
    """Let the newest run have looked at fleet 1, whose objects are on either side of some events."""
    run_id = current(store).run_id
    seen = [
        {"run_id": run_id, "fleet_id": 1, "fleet": "mine", "norad_id": number, "volume": volume,
         "miss_radial_km": 0.1, "miss_in_track_km": -0.2, "miss_cross_track_km": 12.345,
         "event_id": one["event_id"]}
        for one in events
        for number in numbers
        if number in (one["primary_norad_id"], one["secondary_norad_id"])
    ]  # fmt: skip
    members = [
        {"fleet_id": 1, "norad_id": number, "name": "A", "found": True, "volume": volume, "hours": 24.0}
        for number in numbers
    ]
    inside = pa.Table.from_pylist(seen, FLEET_EVENTS.arrow)
    of_fleet = pa.Table.from_pylist(members, FLEET_MEMBERS.arrow)
    write_membership(store, run_id, inside, of_fleet, of_fleet.slice(0, 0))
    return run_id


def a_pair(store: Path) -> tuple[dict[str, object], list[int]]:
    event = events_of(store, current(store).run_id)[0]
    return event, [int(str(event[f"{who}_norad_id"])) for who in ("primary", "secondary")]


def test_a_run_that_has_not_looked_is_told_from_one_that_found_nothing(
    published: Path, fleets: Command, events: Command
) -> None:
    _, (number, _) = a_pair(published)
    create_fleet(published, NewFleet("mine", (FleetObject(number),)), NOW)  # its search was killed
    late = events("--fleet", "mine")
    run_id = current(published).run_id
    message = f"The newest run, {run_id}, has not searched the fleet 'mine'; the next one will.\n"
    assert late.stderr == message
    assert f"note: {message}" in fleets("show", "mine").stderr
    look(published, "handbook LEO 2: box:0.4x25x25", [number], [])
    assert (
        events("--fleet", "mine").stderr
        == f"The newest run, {run_id}, found nothing inside the volumes of the fleet 'mine' (1 object).\n"
    )
    assert fleets("show", "mine").stderr == ""
    assert events().stderr == ""


@pytest.mark.slow
def test_events_of_a_fleet_tell_its_object_the_volume_and_the_axes(
    published: Path, fleets: Command, events: Command, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    event, numbers = a_pair(published)
    fleets("create", "mine", "--norad-id", numbers[0], "--norad-id", numbers[1])
    look(published, "box:2x25x25", numbers, [event])
    found = json.loads(events("--fleet", "MINE", "--json").stdout)
    assert [(one["id"], one["fleet_norad_id"]) for one in found] == [
        (event["event_id"], number) for number in sorted(numbers)
    ]
    axes = [[one[f"fleet_miss_{axis}_km"] for axis in ("radial", "in_track", "cross_track")] for one in found]
    assert axes == [[0.1, -0.2, 12.345]] * 2
    assert {one["volume"] for one in found} == {"box:2x25x25"}
    header, *rows = (line.split("\t") for line in events("--fleet", "mine").stdout.splitlines())
    assert [dict(zip(header, row, strict=True))["fleet_norad_id"] for row in rows] == [
        str(number) for number in sorted(numbers)
    ]
    assert "fleet_norad_id" not in events().stdout
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for width in ("80", "120", "150", "220"):
        monkeypatch.setenv("COLUMNS", width)
        store_app(["events", "--fleet", "mine", "--store", str(published)], standalone_mode=False)
        shown = capsys.readouterr().out
        assert shown.count("0.1 -0.2 12.3") == shown.count("box:2x25x25") == 2, width
        assert "1 of 1 matching events" in shown


@pytest.mark.slow
def test_events_of_a_fleet_are_at_its_own_radius(
    published: Path, events: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_id = current(published).run_id
    every = [one for one in events_of(published, run_id) if one["probability_level"] == "critical"][:5]
    numbers = [int(str(one["primary_norad_id"])) for one in every]
    eased = int(str(every[1]["event_id"]))
    plant_events(
        published, run_id, plant_fleet(published, NOW, "mine", numbers), every, {eased: (0.5, 1e-12)}
    )
    found = json.loads(events("--fleet", "mine", "--json").stdout)
    radii = {one["id"]: one["fleet_hard_body_radius_m"] for one in found}
    assert radii == {one["event_id"]: 0.5 if one["event_id"] == eased else None for one in every}
    (low,) = json.loads(events("--fleet", "mine", "--level", "low", "--json").stdout)
    assert (low["id"], low["probability_best"], low["hard_body_radius_m"]) == (eased, 1e-12, 0.5)
    assert found[-1] == low, "the most dangerous first"
    by_run = {one["id"]: one for one in json.loads(events("--json").stdout)}
    assert by_run[eased]["probability_level"] == "critical"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "220")
    store_app(["events", "--fleet", "mine", "--store", str(published)], standalone_mode=False)
    assert "1 of them at the fleet's own hard-body radius" in capsys.readouterr().out


@pytest.mark.slow
def test_show_says_what_the_newest_run_has_searched_otherwise(published: Path, fleets: Command) -> None:
    _, (number, other) = a_pair(published)
    fleets("create", "mine", "--norad-id", number, "--volume", "box:2x25x25")
    run_id = look(published, "box:2x25x25", [number], [])
    assert fleets("show", "mine").stderr == ""
    objects = (FleetObject(number), FleetObject(other))
    change_fleet(published, "mine", lambda fleet: fleet._replace(volume="sphere:1", objects=objects))
    older, new = fleets("show", "mine").stderr.splitlines()
    volumes = "some of its objects in other volumes (box:2x25x25); the next one uses those above"
    assert older == f"note: the newest run, {run_id}, has searched {volumes}"
    assert new == f"note: the newest run, {run_id}, has not searched {other}"
    changed = fleets("change", "mine", "--contact", "a@example.org")
    assert "searched: 0 events in the volumes around 2 objects" in changed.stderr
    assert fleets("show", "mine").stderr == ""
    again = fleets("change", "mine", "--contact", "b@example.org")
    assert again.stderr.splitlines()[-1] == "the newest run has already searched it"


@pytest.mark.slow
def test_a_pattern_that_fits_nothing_is_noted(published: Path, fleets: Command) -> None:
    _, (number, _) = a_pair(published)
    note = "the pattern 'NO SUCH*' matches no object of the newest run\n"
    made = fleets("create", "mine", "--name-pattern", "NO SUCH*", "--norad-id", number)
    assert made.stderr.startswith(f"note: {note}searching now")
    assert fleets("list").stderr == f"note: fleet 'mine': {note}"
    assert f"note: {note}" in fleets("show", "mine").stderr
    assert fleets("list", "--json").stderr == ""


@pytest.mark.slow
def test_the_names_of_numbers_are_told_five_at_most(published: Path, fleets: Command) -> None:
    names = object_names(published)
    assert names is not None
    known = list(zip(*names, strict=True))
    made = fleets("create", "few", *(w for number, _ in known[:2] for w in ("--norad-id", number)))
    assert f"({known[0][0]} {known[0][1]}, {known[1][0]} {known[1][1]})" in made.stdout
    many = fleets("create", "many", *(w for number, _ in known[:7] for w in ("--norad-id", number)))
    assert f"{known[4][0]} {known[4][1]} and 2 more)" in many.stdout
