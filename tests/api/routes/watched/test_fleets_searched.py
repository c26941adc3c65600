"""A fleet that is saved over HTTP is searched at once, in the background, and its events are there."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from api.live.service import Service
from storage.analyses.around_fleets import kept, look
from storage.state.credentials import create_credential
from storage.state.fleets import fleets
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.waiting import wait_until
from tests.runs import busiest_object

WITHIN_S = 300.0  # kernels may have to be compiled
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def store(store_with_run: Path, tmp_path: Path) -> Path:
    """Give a store with a run of real objects, which no fleet was searched in."""
    return Path(shutil.copytree(store_with_run, tmp_path / "store"))


@pytest.fixture
def client(store: Path) -> Iterator[Client]:
    with serving(store) as client:
        yield client


def make(client: Client, **fields: object) -> dict[str, Any]:
    answer = client.request("POST", "/fleets", json={"name": "mine", "volume": "sphere:30"} | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()  # type: ignore[no-any-return]


def settled(client: Client, fleet_id: int) -> dict[str, Any]:
    """Return a fleet once it is not being searched."""
    wait_until(lambda: not client.get(f"/fleets/{fleet_id}").json()["searching"], WITHIN_S)
    return client.get(f"/fleets/{fleet_id}").json()  # type: ignore[no-any-return]


def events(client: Client, fleet_id: int) -> list[dict[str, Any]]:
    found = client.get(f"/fleets/{fleet_id}/conjunctions", params={"limit": 1000}).json()
    return found["conjunctions"]  # type: ignore[no-any-return]


@pytest.mark.slow
def test_its_events_are_there_without_another_run(client: Client, store: Path) -> None:
    """They came with the next run, up to 6 h later."""
    busiest = busiest_object(store)
    made = make(client, norad_ids=[busiest], hours=4)
    assert made["searching"] is True
    assert settled(client, made["id"]) == made | {"searching": False}
    first = events(client, made["id"])
    assert len(first) > 0
    (satellite,) = client.get(f"/fleets/{made['id']}/satellites").json()["satellites"]
    assert (satellite["norad_id"], satellite["events"]) == (busiest, len(first))
    assert client.get(f"/conjunctions/{first[-1]['id']}").status_code == 200
    changed = client.request("PATCH", f"/fleets/{made['id']}", json={"volume": "sphere:60"}).json()
    assert changed["searching"] is True
    settled(client, made["id"])
    wider = events(client, made["id"])
    assert {one["id"] for one in first} < {one["id"] for one in wider}
    assert {one["volume"] for one in wider} == {"sphere:60"}


@pytest.mark.parametrize(
    "volume",
    ["box:8x8x8", *(pytest.param(one, marks=pytest.mark.slow) for one in ("ellipsoid:3x8x8", "handbook"))],
)
def test_a_preview_counts_what_its_search_finds_in_the_run(client: Client, store: Path, volume: str) -> None:
    wanted = {"name": "mine", "norad_ids": [busiest_object(store), 999_999_999], "volume": volume, "hours": 3}
    foreseen = client.request("POST", "/fleets/preview", json=wanted)
    assert foreseen.status_code == 200, foreseen.text
    assert not client.get("/fleets").json()["fleets"]  # nothing is stored
    made = make(client, **wanted)
    settled(client, made["id"])
    run = client.get("/runs/current").json()
    of_run = [
        one
        for one in events(client, made["id"])
        if one["miss_distance_m"] < 1000 * run["threshold_km"] and one["tca"] < run["window_end"]
    ]
    found = foreseen.json()
    assert (found["members"], found["unknown"]) == (1, [999_999_999])
    assert found["inside"] == len({one["id"] for one in of_run})
    assert found["inside"] > 0 or volume == "handbook"
    for level, count in found["levels"].items():
        assert count == len({one["id"] for one in of_run if one["probability_level"] == level})
    assert f" {found['inside']} " in found["words"]
    farther = len(of_run) < len(events(client, made["id"]))
    assert farther <= ("farther than" in found["words"])  # why the list has more
    assert found["words"].endswith("known from messages.")


def test_a_preview_refuses_what_cannot_be_made(client: Client) -> None:
    for wrong in ({"name": "x"}, {"name": "x", "norad_ids": [1], "volume": "cube:1"}):
        assert client.request("POST", "/fleets/preview", json=wrong).status_code == 422


@pytest.mark.slow
def test_of_two_changes_at_once_the_later_counts(
    client: Client, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, going_on, look_into = Event(), Event(), look.look_into

    def slow(*asked: Any) -> Any:
        begun.set()
        assert going_on.wait(WITHIN_S)
        return look_into(*asked)

    monkeypatch.setattr(look, "look_into", slow)
    made = make(client, norad_ids=[busiest_object(store)])
    assert begun.wait(WITHIN_S)
    for km in (40, 50):
        client.request("PATCH", f"/fleets/{made['id']}", json={"volume": f"sphere:{km}"})
    going_on.set()
    settled(client, made["id"])
    assert {one["volume"] for one in events(client, made["id"])} == {"sphere:50"}


@pytest.mark.slow
def test_many_new_fleets_of_one_credential_refuse_nobody(
    client: Client, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than may wait for costly answers."""
    other = create_credential(store, "bearer", "other", datetime.now(UTC)).secret
    begun, going_on, look_into = Event(), Event(), look.look_into

    def slow(*asked: Any) -> Any:
        begun.set()
        assert going_on.wait(WITHIN_S)
        return look_into(*asked)

    monkeypatch.setattr(look, "look_into", slow)
    service: Service = client.app.state.service
    busiest = busiest_object(store)
    made = [make(client, name=f"fleet {k}", norad_ids=[busiest], volume="sphere:5")["id"] for k in range(20)]
    assert begun.wait(WITHIN_S)
    assert (service.costly.running("analysis"), service.costly.waiting("analysis")) == (1, 0)
    assert client.get("/fleets").json()["total"] == len(made)
    second = Client(client.app, {"Authorization": f"Bearer {other}"})
    going_on.set()
    assert settled(second, make(second, norad_ids=[busiest])["id"])["search_problem"] is None
    for fleet_id in made:
        assert settled(client, fleet_id)["search_problem"] is None
    assert len({tuple(one["id"] for one in events(client, fleet_id)) for fleet_id in made}) == 1


@pytest.mark.slow
def test_a_search_that_takes_too_long_is_left_to_the_next_run(store: Path) -> None:
    with serving(store) as client:
        service: Service = client.app.state.service
        service.costly.longest_s = 0.02
        made = service.fleet_searches
        fleet_id = 0

        def save() -> bool:
            """Make the fleet as soon as the answer itself takes less."""
            nonlocal fleet_id
            answer = client.request(
                "POST", "/fleets", json={"name": "mine", "norad_ids": [busiest_object(store)]}
            )
            fleet_id = answer.json().get("id", 0)
            return bool(fleet_id) or bool(fleets(store))

        wait_until(save, WITHIN_S)
        fleet_id = fleet_id or fleets(store)[0].id
        wait_until(lambda: not made.state(fleet_id)[0], WITHIN_S)
        assert made.state(fleet_id)[1] == (
            "The search takes longer than the 0.02 s allowed. The next run searches it."
        )


@pytest.mark.slow
def test_on_a_full_disk_the_fleet_stays_and_says_so(
    client: Client, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept, "write_membership", full)
    made = make(client, norad_ids=[busiest_object(store)])
    told = settled(client, made["id"])
    assert "Free some space" in told["search_problem"]
    assert told["search_problem"].endswith("The next run searches it.")
    assert events(client, made["id"]) == []
    monkeypatch.undo()
    client.request("PATCH", f"/fleets/{made['id']}", json={"contact": "ops@example.org"})
    assert settled(client, made["id"])["search_problem"] is None
    assert len(events(client, made["id"])) > 0


def test_before_the_first_run_there_is_nothing_to_search(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with serving(tmp_path / "empty") as client:
        assert make(client, norad_ids=[5])["searching"] is False
