"""What may not be asked of burns, over HTTP: each is told with its reason."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from storage.times import parse_time, utc_datetime
from tests.api.client import Client
from tests.api.conftest import Clock, serving
from tests.api.planted_collision import (
    BESIDE,
    EPOCH,
    MOVED,
    NOW,
    OTHER,
    STAGE,
    Planted,
    burn,
    events_by_name,
    planted,
    post,
    refused,
    run_of,
    who,
)
from tests.told_events import FULL, RESTRICTED, tell


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    one = planted(tmp_path_factory.mktemp("manoeuvres"), historic=False)
    tca = utc_datetime(EPOCH + np.timedelta64(5, "h"))
    tell(one.store, one.run_id, datetime.now(UTC), tca)
    return one


@pytest.fixture(scope="module")
def client(made: Planted) -> Iterator[Client]:
    with serving(made.store, Clock(NOW)) as client:
        yield client


@pytest.fixture(scope="module")
def event(client: Client) -> dict[str, Any]:
    """Give the event of the object that can burn."""
    return events_by_name(client)[MOVED]


def test_without_a_credential_nothing_is_computed(client: Client, event: dict[str, Any]) -> None:
    answer = post(client.without_credential(), event["id"], search=True)
    refused(answer, 401, None, "")


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        ({}, "body", "either burns, or search: true"),
        ({"search": False}, "body", "either burns, or search: true"),
        ({"search": True, "burns": [burn()]}, "body", "either burns, or search: true"),
        ({"burns": []}, "burns", "at least 1"),
        ({"burns": [burn(1.0 + i) for i in range(11)]}, "burns", "at most 10"),
        ({"burns": [{"dv_t_m_s": 0.1}]}, "burns.0", "either at or before_hours"),
        ({"burns": [burn() | {"at": "2026-11-22T09:00:00Z"}]}, "burns.0", "either at or before_hours"),
        ({"burns": [burn(dv_t_m_s=1000.0)]}, "burns.0.dv_t_m_s", "less than or equal to 100"),
        ({"burns": [burn(hours=0.0)]}, "burns.0.before_hours", "greater than 0"),
        ({"burns": [burn(hours=1e300)]}, "burns.0.before_hours", "less than or equal to 1000"),
        ({"burns": [{"at": "soon"}]}, "burns.0.at", "soon"),
        ({"burns": [{"at": "0001-01-01T00:00:00+10:00"}]}, "burns.0.at", "out of range"),
        ({"burns": [{"at": 5}]}, "burns.0.at", "datetime"),
        ({"burns": [{"at": None}]}, "burns.0.at", "datetime"),
        ({"burns": [burn() | {"dv_x_m_s": 1.0}]}, "burns.0.dv_x_m_s", "unknown field"),
        ({"search": True, "goal": 0.0}, "goal", "greater than or equal to 0.000000"),
        ({"search": True, "days": 15}, "days", "less than or equal to 14"),
        ({"search": True, "threshold_km": 0.01}, "threshold_km", "greater than or equal to 0.1"),
        ({"search": True, "size_error": -0.1}, "size_error", "greater than or equal to 0"),
        ({"search": True, "direction_error_deg": 91}, "direction_error_deg", "less than or equal to 90"),
        ({"search": True, "object": "both"}, "object", "'primary' or 'secondary'"),
        ({"search": True, "trajectory_id": "x"}, "trajectory_id", "pattern"),
        ({"search": True, "trajectory_id": "0" * 16}, "trajectory_id", "No trajectory in the store matches"),
    ],
)  # fmt: skip
def test_what_is_no_question_is_refused(
    client: Client, event: dict[str, Any], body: dict[str, object], field: str, says: str
) -> None:
    refused(post(client, event["id"], **body), 422, field, says)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "null", '"0.1"', "true"])
def test_what_is_no_number_is_refused(client: Client, event: dict[str, Any], number: str) -> None:
    text = f'{{"burns": [{{"before_hours": 5, "dv_t_m_s": {number}}}]}}'
    headers = {**client.headers, "Content-Type": "application/json"}
    path = f"/conjunctions/{event['id']}/manoeuvres"
    answer = client.request("POST", path, content=text, headers=headers)
    refused(answer, 422, None, "")


def test_burns_that_are_impossible_are_refused(client: Client, event: dict[str, Any]) -> None:
    def ask(*burns: dict[str, Any]) -> httpx.Response:
        return post(client, event["id"], burns=burns, days=0.5)

    large = {"before_hours": 5, "dv_t_m_s": 80.0, "dv_r_m_s": 80.0}
    refused(ask(large), 422, None, "113.137 m/s is too large")
    refused(ask(burn(), burn()), 422, None, "Two burns are at")
    refused(ask({"at": event["tca"], "dv_t_m_s": 0.1}), 422, "burn_at", "does not change an encounter")
    refused(ask({"at": "2027-01-01", "dv_t_m_s": 0.1}), 422, "burn_at", "does not change an encounter")
    refused(ask(burn(hours=9.5)), 422, "burn_at", "too early: burns begin at 2026-11-22T01:00:00Z")
    refused(ask(burn(hours=1000.0)), 422, "burn_at", "too early")
    brakes = [burn(6.0 + 0.001 * i, -100.0) for i in range(10)]
    refused(ask(*brakes), 422, "burns", "meets the Earth's surface within")


def test_events_that_allow_none_are_refused(client: Client) -> None:
    events = events_by_name(client)
    event = events[MOVED]
    refused(post(client, 5, search=True), 404, None, "There is no event 5 in the store.")
    refused(post(client, 10**30, search=True), 404, None, "There is no event")
    refused(post(client, RESTRICTED, search=True), 404, None, "There is no event")
    refused(post(client, FULL, search=True), 422, "id", "known only from received messages")
    fixed = who(event, OTHER)
    refused(post(client, event["id"], search=True, object=fixed), 422, "object", f"{OTHER} (debris)")
    nobody = post(client, events[STAGE]["id"], search=True)
    refused(nobody, 422, "object", "(a rocket body)")
    assert f"{BESIDE} (debris)" in nobody.json()["detail"]
    refused(post(client, event["id"], search=True, goal=1.0), 422, None, "no burn is needed")


@pytest.mark.slow
def test_an_event_whose_object_is_gone_is_refused(tmp_path: Path) -> None:
    """The newest run no longer has it; the event is shown as its last run found it."""
    one = planted(tmp_path, historic=False)
    with serving(one.store, Clock(NOW)) as client:
        event = events_by_name(client)[MOVED]
    run_id = run_of(tmp_path, one.elements[:-2], NOW + timedelta(minutes=1), historic=False)
    with serving(one.store, Clock(NOW + timedelta(minutes=2))) as client:
        assert client.get(f"/conjunctions/{event['id']}").json()["run_id"] == one.run_id
        gone = f"The newest run, {run_id}, does not contain object {one.elements['norad_id'][-2]}"
        refused(post(client, event["id"], search=True), 422, "id", gone)


def test_after_tca_there_is_nothing_to_avoid(made: Planted, event: dict[str, Any]) -> None:
    for minutes, field, says in ((1, "id", "has passed"), (-10, None, "TCA is in 10 minutes")):
        late = parse_time(event["tca"]) + timedelta(minutes=minutes)
        with serving(made.store, Clock(late)) as client:
            refused(post(client, event["id"], search=True, days=0.1), 422, field, says)


def test_a_window_beyond_the_paths_is_refused(
    made: Planted, event: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.answers.manoeuvres.LONGEST_FROM_WINDOW", timedelta(days=2))
    with serving(made.store, Clock(NOW)) as client:
        refused(post(client, event["id"], search=True, days=3), 422, "days", "paths of this run end at")
