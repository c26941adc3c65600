"""A run at once over HTTP: one waits at a time, a schedule begins it, and the attempts are there."""

from datetime import UTC, datetime

import pytest

from storage.state.credentials import create_credential
from storage.state.database import asked_run, begin_asked_run, begin_attempt, end_attempt
from tests.api.client import Client
from tests.api.conftest import NOW, header
from tests.api.waiting import wait_until


def test_it_waits_until_a_schedule_begins_it(empty: Client) -> None:
    store = empty.app.state.service.settings.store
    assert empty.get("/runs").json() == {"asked_at": None, "begun_at": None, "attempts": []}
    assert begin_asked_run(store, NOW) is None
    asked = empty.request("POST", "/runs")
    assert (asked.status_code, asked.json()["begun_at"]) == (202, None)
    assert empty.request("POST", "/runs").json() == asked.json() == empty.get("/runs").json()
    assert begin_asked_run(store, NOW) is not None
    assert begin_asked_run(store, NOW) is None
    assert asked_run(store, waiting=True) is None
    number = begin_attempt(store, NOW, "a.csv", "fetch")
    end_attempt(store, number, NOW, "failed", stage="screen", reason="no room")
    begin_attempt(store, NOW, "a.csv", "fetch")
    after = empty.get("/runs").json()
    assert after["begun_at"] == "2026-11-21T07:00:00Z"
    assert [(one["stage"], one["outcome"], one["reason"]) for one in after["attempts"]] == [
        ("fetch", None, None),
        ("screen", "failed", "no room"),
    ]
    assert empty.request("POST", "/runs").json()["begun_at"] is None


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("operator", 403), ("admin", 202)])
def test_only_administrators_ask(empty: Client, role: str, status: int) -> None:
    store = empty.app.state.service.settings.store
    made = create_credential(store, "bearer", role, datetime.now(UTC), role=role)  # type: ignore[arg-type]
    client = Client(empty.app, header("bearer", made.secret))
    empty.app.state.service.credentials.forget()
    assert client.request("POST", "/runs").status_code == status


def test_a_fleet_is_searched_again(empty: Client) -> None:
    made = empty.request("POST", "/fleets", json={"name": "mine", "norad_ids": [1]}).json()
    searches = empty.app.state.service.fleet_searches
    wait_until(lambda: not searches.state(made["id"])[0])
    answer = empty.request("POST", f"/fleets/{made['id']}/search")
    assert (answer.status_code, answer.json()["searching"]) == (202, True)
    assert empty.request("POST", "/fleets/99/search").status_code == 404
    wait_until(lambda: not searches.state(made["id"])[0])
