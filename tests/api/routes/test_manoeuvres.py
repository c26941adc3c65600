"""What burns make of an event, over HTTP, on a collision that is planted."""

import asyncio
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import numpy as np
import pytest
from pydantic import TypeAdapter

from api.answers.basis import basis_of
from api.answers.manoeuvres import Asked, what_if
from api.errors import ClientGone
from api.models.manoeuvres import Progress, WhatIfResult
from api.routes import analyses
from flows.files.synthetic_catalogue import write_synthetic_file
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.steps import Step
from screening.orbits.timegrid import window
from storage.in_memory.snapshot import newest_snapshot
from storage.state.object_facts import import_facts
from storage.times import parse_time
from storage.trajectories.kept import add_trajectory
from storage.trajectories.trajectory_file import About
from tests.api.client import Client
from tests.api.conftest import Clock, serving
from tests.api.planted_collision import (
    EPOCH,
    GOAL,
    HOURS,
    MOVED,
    NOW,
    OTHER,
    Planted,
    burn,
    events_by_name,
    planted,
    post,
    refused,
    run_of,
    who,
)
from tests.api.slow_work import LONG_S
from tests.event_streams import events_of
from tests.screening.paths_as_ephemerides import ephemerides_of

AS_EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return planted(tmp_path_factory.mktemp("manoeuvres"), historic=False)


@pytest.fixture(scope="module")
def client(made: Planted) -> Iterator[Client]:
    with serving(made.store, Clock(NOW)) as client:
        yield client


@pytest.fixture(scope="module")
def event(client: Client) -> dict[str, Any]:
    """Give the event of the object that can burn."""
    return events_by_name(client)[MOVED]


def answered(client: Client, event_id: int, **body: object) -> dict[str, Any]:
    answer = post(client, event_id, **{"days": 0.5, **body})
    assert answer.status_code == 200, answer.text
    TypeAdapter(WhatIfResult).validate_json(answer.content)
    return dict(answer.json())


def test_a_burn_changes_what_it_should(client: Client, event: dict[str, Any], made: Planted) -> None:
    result = answered(client, event["id"], burns=[burn()])
    assert (result["event_id"], result["object"], result["name"]) == (event["id"], who(event, MOVED), MOVED)
    assert result["search"] is None
    assert "general element set" in result["rests_on"]
    as_it_is = result["encounter"]
    one_metre, one_millisecond = 1.0, timedelta(milliseconds=1)
    assert as_it_is["miss_distance_m"] == pytest.approx(event["miss_distance_m"], abs=one_metre)
    assert abs(parse_time(as_it_is["tca"]) - parse_time(event["tca"])) < one_millisecond
    after = result["burns"]["encounter"]
    assert after["miss_distance_m"] > 50 * as_it_is["miss_distance_m"]
    assert after["probability"] < as_it_is["probability"]
    (told,) = result["burns"]["burns"]
    assert parse_time(event["tca"]) - parse_time(told["at"]) == pytest.approx(
        timedelta(hours=6), abs=one_millisecond
    )
    # Of a circular orbit it is 2 dv / n (Vallado 2013, section 6.6); eccentricities are below 0.02.
    n_rad_s = made.elements["mean_motion_rev_day"][made.moved] * 2.0 * np.pi / 86_400.0
    assert result["burns"]["semi_major_axis_change_m"] == pytest.approx(2.0 * 0.1 / n_rad_s, rel=0.05)


def test_at_an_instant_it_is_the_same_burn(client: Client, event: dict[str, Any]) -> None:
    before = answered(client, event["id"], burns=[burn()])["burns"]
    at = before["burns"][0]["at"]
    assert answered(client, event["id"], burns=[{"at": at, "dv_t_m_s": 0.1}])["burns"] == before
    local = parse_time(at).isoformat(timespec="microseconds").replace("+00:00", "")
    assert answered(client, event["id"], burns=[{"at": local, "dv_t_m_s": 0.1}])["burns"] == before


def test_a_burn_of_nothing_changes_nothing(client: Client, event: dict[str, Any]) -> None:
    result = answered(client, event["id"], burns=[{"before_hours": 3}])
    assert result["burns"]["encounter"] == result["encounter"]
    assert result["burns"]["probability_sum"] == result["probability_sum"]
    assert result["burns"]["raised"] == 0
    assert all(change["before"] == change["after"] for change in result["burns"]["changes"])


def test_burns_that_cancel_leave_the_size_of_the_orbit(client: Client, event: dict[str, Any]) -> None:
    there = answered(client, event["id"], burns=[burn(6.0, 0.05), burn(2.0, -0.05)])["burns"]
    alone = answered(client, event["id"], burns=[burn(6.0, 0.05)])["burns"]
    assert [one["dv_t_m_s"] for one in there["burns"]] == [0.05, -0.05]
    assert there["dv_m_s"] == pytest.approx(0.1)
    assert abs(there["semi_major_axis_change_m"]) < 0.05 * alone["semi_major_axis_change_m"]


@pytest.mark.slow
def test_the_search_finds_a_burn_that_is_enough(client: Client, event: dict[str, Any]) -> None:
    result = answered(client, event["id"], search=True, goal=GOAL)
    assert result["encounter"]["probability"] > GOAL
    assert result["burns"] is None
    found = result["search"]
    best = found["candidates"][found["best"]]
    assert best["encounter"]["probability"] < GOAL
    assert best["raised"] == 0
    space = found["trade_space"]
    shape = len(space["before_tca_hours"]), len(space["dv_t_m_s"])
    assert shape == (60, 41)
    for name in ("miss_distance_m", "probability"):
        assert (len(space[name]), {len(row) for row in space[name]}) == (60, {41})
    exact = [{name: one[name] for name in ("at", "dv_t_m_s")} for one in best["burns"]]
    assert answered(client, event["id"], burns=exact)["burns"] == best


@pytest.mark.slow
def test_as_events_it_tells_its_steps_and_then_the_same(client: Client, event: dict[str, Any]) -> None:
    burns = {"burns": [burn()], "days": 0.5}
    for ask, count in ((burns, 3), ({"search": True, "goal": GOAL, "days": 0.5}, 6)):
        path = f"/conjunctions/{event['id']}/manoeuvres"
        answer = client.request("POST", path, json=ask, headers=AS_EVENTS)
        assert answer.status_code == 200
        told = events_of(answer.content)
        assert [name for name, _ in told] == ["progress"] * (len(told) - 1) + ["result"]
        steps = [TypeAdapter(Progress).validate_json(json.dumps(data)) for _, data in told[:-1]]
        assert [step.done for step in steps] == list(range(len(steps)))
        assert len(steps) >= count
        assert steps[-1].of == len(steps)
        assert all(step.words for step in steps)
        assert told[-1].data == post(client, event["id"], **ask).json()


def test_as_events_what_cannot_be_asked_is_refused_with_its_status(
    client: Client, event: dict[str, Any]
) -> None:
    for event_id, status in ((event["id"], 422), (5, 404)):
        path = f"/conjunctions/{event_id}/manoeuvres"
        answer = client.request("POST", path, json={"burns": [burn(hours=9.5)]}, headers=AS_EVENTS)
        assert answer.headers["Content-Type"] == "application/problem+json"
        refused(answer, status, None, "")


@pytest.mark.slow
def test_in_a_historic_run_burns_begin_with_its_window(tmp_path: Path) -> None:
    one = planted(tmp_path, historic=True)
    with serving(one.store, Clock(NOW + timedelta(days=500))) as client:
        listed = client.get("/conjunctions", params={"max_miss_m": 50}).json()["conjunctions"]
        (event,) = [each for each in listed if MOVED in (each["primary_name"], each["secondary_name"])]
        result = answered(client, event["id"], burns=[burn(hours=9.5)])
        assert result["window_start"] == "2026-11-22T00:00:00Z"
        assert result["burns"]["encounter"]["miss_distance_m"] > 1000.0
        refused(post(client, event["id"], burns=[burn(hours=10.5)]), 422, "burn_at", "too early")


@pytest.mark.slow
def test_burns_and_what_is_screened_begin_not_before_an_instant(
    client: Client, event: dict[str, Any]
) -> None:
    tca = parse_time(event["tca"])
    earliest = (tca - timedelta(hours=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    result = answered(client, event["id"], search=True, goal=GOAL, not_before=earliest)
    assert result["window_start"] == earliest
    burns = [one["burns"][0]["before_tca_hours"] for one in result["search"]["candidates"]]
    assert burns and max(burns) <= 3.0 + 1 / 3600
    refused(
        post(client, event["id"], burns=[burn(hours=3.5)], not_before=earliest), 422, "burn_at", "too early"
    )
    refused(
        post(client, event["id"], burns=[burn()], not_before=event["tca"]),
        422,
        "not_before",
        "not before TCA",
    )


@pytest.mark.slow
def test_of_two_payloads_the_later_launched_burns(made: Planted, tmp_path: Path) -> None:
    """Regression: COSMOS 1231, launched in 1980 and long dead, burned by default as it was the primary."""
    elements = made.elements.copy()
    names = elements["name"].tolist()
    moved, met = names.index(MOVED), names.index(OTHER)
    elements["name"][met] = "OLDER"
    write_synthetic_file(tmp_path / "made.csv", 200, 1, EPOCH)
    for number, (of_moved, of_met, chosen) in enumerate(
        [("2019-074AB", "1980-083A", MOVED), ("1980-083A", "2019-074AB", "OLDER")]
    ):
        elements["object_id"][[moved, met]] = of_moved, of_met
        run_of(tmp_path, elements, NOW + timedelta(minutes=number), historic=False)
        with serving(tmp_path / "store", Clock(NOW + timedelta(hours=1))) as client:
            assert answered(client, events_by_name(client)[MOVED]["id"], burns=[burn()])["name"] == chosen


@pytest.mark.slow
def test_a_payload_that_cannot_manoeuvre_burns_only_if_it_is_named(made: Planted, tmp_path: Path) -> None:
    elements = made.elements.copy()
    names = elements["name"].tolist()
    moved, met = names.index(MOVED), names.index(OTHER)
    elements["name"][met] = "FLOCK 4Q-1"
    elements["object_id"][[moved, met]] = "1980-083A", "2019-074AB"
    write_synthetic_file(tmp_path / "made.csv", 200, 1, EPOCH)
    run_of(tmp_path, elements, NOW, historic=False)
    with serving(tmp_path / "store", Clock(NOW + timedelta(hours=1))) as client:
        event = events_by_name(client)[MOVED]
        assert answered(client, event["id"], burns=[burn()])["name"] == MOVED
        named = answered(client, event["id"], burns=[burn()], object=who(event, "FLOCK 4Q-1"))
    doubt = "FLOCK 4Q-1 cannot manoeuvre, as far as known: satellites of its kind have no thrusters."
    assert named["name"] == "FLOCK 4Q-1"
    assert named["rests_on"].startswith(f"{elements['norad_id'][met]} {doubt} It rests on")
    dead = f"OBJECT_NAME,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE\nx,{elements['norad_id'][moved]},PAY,-\n"
    import_facts(tmp_path / "store", dead.encode(), "satcat", NOW)
    run_of(tmp_path, elements, NOW + timedelta(minutes=1), historic=False)
    with serving(tmp_path / "store", Clock(NOW + timedelta(hours=1))) as client:
        neither = post(client, event["id"], burns=[burn()])
    refused(neither, 422, "object", "Neither can manoeuvre: ")
    assert f"{MOVED} (out of use)" in neither.json()["detail"]


def test_seen_from_an_object_that_one_is_its_primary(client: Client, event: dict[str, Any]) -> None:
    moved = event["primary_norad_id"] if event["primary_name"] == MOVED else event["secondary_norad_id"]
    path = f"/conjunctions/{event['id']}/manoeuvres?from={moved}"
    answer = client.request("POST", path, json={"burns": [burn()], "object": "primary"})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["norad_id"], answer.json()["object"]) == (moved, "primary")


def path_of(made: Planted, place: int, first_h: float, last_h: float) -> str:
    """Store the path that an object has by its element set, and return the id."""
    times_s = np.arange(first_h * 3600.0, last_h * 3600.0 + 1.0, 60.0)
    (one,) = ephemerides_of(made.elements, window(EPOCH, HOURS), np.array([place]), times_s)[place]
    covariance = np.zeros((6, 6))
    covariance[:3, :3] = np.diag(np.square([0.02, 0.3, 0.01]))
    segments = tuple(
        part._replace(covariance_epochs=part.epochs[[0, -1]], covariance_rtn=np.stack([covariance] * 2))
        for part in one.segments
    )
    about = About("hypothetical", "a.oem", "0" * 64, NOW, restricted=False)
    return add_trajectory(made.store, one._replace(segments=segments), about)


def test_on_a_trajectory_of_the_object_it_rests_on_that(
    client: Client, event: dict[str, Any], made: Planted
) -> None:
    ask: dict[str, Any] = {"burns": [burn()], "trajectory_id": path_of(made, made.moved, 2.0, 16.0)}
    result = answered(client, event["id"], **ask)
    assert result["rests_on"] == ""
    assert (result["window_start"], result["window_end"]) == ("2026-11-22T02:00:00Z", "2026-11-22T16:00:00Z")
    plain = answered(client, event["id"], burns=[burn()])
    assert result["encounter"]["miss_distance_m"] == pytest.approx(
        plain["encounter"]["miss_distance_m"], abs=1
    )
    assert result["encounter"]["probability"] != plain["encounter"]["probability"]
    ask["burns"] = [burn(hours=8.5)]
    refused(post(client, event["id"], **ask), 422, "burn_at", "burns begin at 2026-11-22T02:00:00Z")
    ended = path_of(made, made.moved, 2.0, 6.0)
    refused(post(client, event["id"], search=True, trajectory_id=ended), 422, "trajectory_id", "not at TCA")
    another = path_of(made, 3, 2.0, 16.0)
    refused(post(client, event["id"], search=True, trajectory_id=another), 422, "trajectory_id", "burns")


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_work_for_a_client_that_left_stops(
    made: Planted, event: dict[str, Any], monkeypatch: pytest.MonkeyPatch, accept: str
) -> None:
    begun, stopped = Event(), Event()

    def endless(*arguments: Any) -> None:
        begun.set()
        try:
            while True:
                arguments[-1](Step(0, 1, "endless"))
                stopped.wait(0.01)
        except ClientGone:
            stopped.set()
            raise

    monkeypatch.setattr(analyses, "what_if", endless)

    async def scenario(client: Client) -> None:
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers=client.headers
        ) as asking:
            path = f"/conjunctions/{event['id']}/manoeuvres"
            headers = {"Accept": accept}
            request = asyncio.create_task(
                asking.post(path, json={"search": True}, headers=headers, timeout=LONG_S)
            )
            assert await asyncio.to_thread(begun.wait, LONG_S)
            request.cancel()
            assert await asyncio.to_thread(stopped.wait, LONG_S)

    with serving(made.store, Clock(NOW)) as client:
        asyncio.run(scenario(client))


@pytest.mark.slow
def test_the_work_asks_between_its_portions_whether_to_go_on(made: Planted, event: dict[str, Any]) -> None:
    snapshot = newest_snapshot(made.store)
    basis = basis_of(snapshot)
    for left in (1, 3, 7):
        calls = iter(range(left))

        def tell(_step: Step, calls: Iterator[int] = calls) -> None:
            if next(calls, None) is None:
                raise ClientGone

        asked = Asked(event["id"], None, [], GOAL, 0.5, 10.0, Execution())
        with pytest.raises(ClientGone):
            what_if(snapshot, basis, asked, NOW, tell)
        assert next(calls, None) is None
