"""Burns at the edges of what is known: epochs far away, orbits that changed, runs and limits in the midst."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from api.answers.basis import basis_of
from api.answers.manoeuvre_answer import what_if_answer
from api.answers.manoeuvres import Asked, Before, what_if
from api.routes import analyses
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.steps import Step
from storage.in_memory.snapshot import newest_snapshot
from tests.api.client import Client
from tests.api.conftest import Clock, serving
from tests.api.planted_collision import (
    GOAL,
    MOVED,
    NOW,
    Planted,
    burn,
    events_by_name,
    planted,
    post,
    refused,
    run_of,
    who,
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return planted(tmp_path_factory.mktemp("manoeuvres"), historic=False)


@pytest.fixture(scope="module")
def event(made: Planted) -> Iterator[dict[str, Any]]:
    """Give the event of the object that can burn."""
    with serving(made.store, Clock(NOW)) as client:
        yield events_by_name(client)[MOVED]


def test_a_burn_weeks_before_the_epoch_is_refused(made: Planted, event: dict[str, Any]) -> None:
    with serving(made.store, Clock(NOW - timedelta(days=20))) as client:
        early = post(client, event["id"], burns=[burn(hours=24.0 * 15)], days=0.1)
        refused(early, 422, "burn_at", "more than 7 days before the epoch of the element set")


@pytest.mark.slow
def test_an_event_that_a_new_orbit_no_longer_has_is_refused(tmp_path: Path) -> None:
    """Both objects are there, but one is elsewhere: a distance at that time is no encounter."""
    one = planted(tmp_path, historic=False)
    with serving(one.store, Clock(NOW)) as client:
        event = events_by_name(client)[MOVED]
    moved = one.elements.copy()
    moved["mean_anomaly_deg"][one.moved] = (moved["mean_anomaly_deg"][one.moved] + 20.0) % 360.0
    run_of(tmp_path, moved, NOW + timedelta(minutes=1), historic=False)
    with serving(one.store, Clock(NOW + timedelta(minutes=2))) as client:
        for ask in ({"search": True}, {"burns": [burn()]}):
            answer = post(client, event["id"], **ask, object=who(event, MOVED), days=0.1)
            refused(answer, 422, "id", f"The event {event['id']} is gone")


@pytest.mark.slow
def test_a_run_published_in_the_midst_changes_nothing(tmp_path: Path) -> None:
    one = planted(tmp_path, historic=False)
    with serving(one.store, Clock(NOW)) as client:
        event_id = events_by_name(client)[MOVED]["id"]
    asked = Asked(event_id, None, [Before(6.0, (0.0, 0.1, 0.0))], GOAL, 0.1, 10.0, Execution())
    snapshot = newest_snapshot(one.store)
    basis = basis_of(snapshot)
    expected = what_if_answer(what_if(snapshot, basis, asked, NOW))
    published = []

    def tell(step: Step) -> None:
        if step.done == 1:
            moved = one.elements.copy()
            moved["mean_anomaly_deg"] = (moved["mean_anomaly_deg"] + 20.0) % 360.0
            published.append(run_of(tmp_path, moved, NOW + timedelta(minutes=1), historic=False))

    found = what_if_answer(what_if(snapshot, basis, asked, NOW, tell))
    assert newest_snapshot(one.store).run.run_id == published[0]
    assert found == expected


@pytest.mark.slow
def test_an_answer_that_takes_too_long_is_503_and_the_next_is_not(
    made: Planted, event: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*arguments: Any) -> None:
        while True:
            arguments[-1](Step(0, 1, "endless"))

    def ask(client: Client) -> Any:
        return post(client, event["id"], burns=[burn()], days=0.1)

    with serving(made.store, Clock(NOW)) as client:
        client.app.state.service.costly.longest_s = 1.0
        with monkeypatch.context() as patched:
            patched.setattr(analyses, "what_if", endless)
            late = ask(client)
        refused(late, 503, None, "longer than the 1 s allowed")
        assert late.headers["Retry-After"] == "1"
        client.app.state.service.costly.longest_s = 600.0
        assert ask(client).status_code == 200


def test_a_slow_event_has_a_new_distance_but_no_goal(dangerous_store: Path) -> None:
    """Objects that stay close for hours: no probability of a short encounter."""
    with serving(dangerous_store) as client:
        listed = client.get("/conjunctions", params={"limit": 1000}).json()["conjunctions"]
        slow = [one for one in listed if one["relative_speed_m_s"] < 10.0 and one["probability"] is None]
        asked = [(one, post(client, one["id"], search=True, days=0.1)) for one in slow]
        told = [(one, answer) for one, answer in asked if "It cannot be moved" not in answer.json()["detail"]]
        assert told
        event, answer = told[0]
        refused(answer, 422, None, "has no probability")
        tried = post(client, event["id"], burns=[burn(hours=0.2, dv_t_m_s=0.05)], days=0.1)
        assert tried.status_code == 200, tried.text
        assert tried.json()["burns"]["encounter"]["miss_distance_m"] >= 0.0
