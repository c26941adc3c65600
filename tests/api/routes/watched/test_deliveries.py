"""Messages of alerts over HTTP: listed with their attempts, tests, again; what is wrong is refused."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from storage.commands.alert_messages import app
from storage.state.alerts.alerts import switch_off
from storage.state.alerts.deliveries import CannotRetry, retry
from storage.state.alerts.outbox import Outcome, note_attempt, put
from storage.state.credentials import create_credential
from storage.state.database import service_state
from tests.api.client import Client
from tests.api.conftest import NOW, header

UNKNOWN = "msg_" + 32 * "0"


@pytest.fixture
def alerted(empty: Client) -> Client:
    """Give a client of a store with a fleet and an alert."""
    fleet = {"name": "mine", "norad_ids": [5]}
    assert empty.request("POST", "/fleets", json=fleet).status_code == 201
    made = {"fleet_id": 1, "address": "https://example.org/hook"}
    assert empty.request("POST", "/alerts", json=made).status_code == 201
    return empty


def told(store: Path) -> str:
    with service_state(store) as state:
        return put(state, 1, "conjunctions", {"type": "conjunctions"}, NOW, NOW)


def test_messages_are_listed_with_what_became_of_them(alerted: Client, store: Path) -> None:
    first, second = told(store), told(store)
    note_attempt(store, first, NOW, Outcome(None, "no answer", 20.0), NOW + timedelta(minutes=5))
    note_attempt(store, second, NOW, Outcome(204, "", 0.25), "delivered")
    listed = alerted.get("/alerts/1/deliveries").json()
    assert listed["total"] == 2
    newest, older = listed["deliveries"]
    assert newest == {
        "id": second,
        "alert_id": 1,
        "kind": "conjunctions",
        "created": "2026-11-21T07:00:00Z",
        "state": "delivered",
        "due": None,
        "finished": "2026-11-21T07:00:00Z",
        "superseded_by": None,
        "body": {"type": "conjunctions"},
        "attempts": [{"at": "2026-11-21T07:00:00Z", "status": 204, "error": "", "seconds": 0.25}],
    }
    assert (older["state"], older["due"], older["finished"]) == ("waiting", "2026-11-21T07:05:00Z", None)
    assert older["attempts"][0]["status"] is None
    page = alerted.get("/v1/alerts/1/deliveries", params={"limit": 1, "offset": 1}).json()
    assert page == {"deliveries": [older], "total": 2}


@pytest.mark.slow
def test_a_test_is_put_and_a_message_is_tried_again(alerted: Client, store: Path) -> None:
    made = alerted.request("POST", "/alerts/1/test")
    assert made.status_code == 202, made.text
    test = made.json()
    assert (test["kind"], test["state"], test["body"]["data"]["fleet"]) == (
        "test",
        "waiting",
        {"id": 1, "name": "mine"},
    )
    note_attempt(store, test["id"], NOW, Outcome(500, "no", 0.1), "failed")
    again = alerted.request("POST", f"/deliveries/{test['id']}/retry")
    assert (again.status_code, again.json()["state"]) == (202, "waiting")
    assert [one["status"] for one in again.json()["attempts"]] == [500]


@pytest.mark.slow
def test_what_is_not_there_or_not_possible_is_refused(alerted: Client, store: Path) -> None:
    done = told(store)
    note_attempt(store, done, NOW, Outcome(200, "", 0.1), "delivered")
    for method, path, status, title in (
        ("GET", "/alerts/2/deliveries", 404, "Not found"),
        ("POST", "/alerts/2/test", 404, "Not found"),
        ("POST", f"/deliveries/{UNKNOWN}/retry", 404, "Not found"),
        ("POST", "/deliveries/1/retry", 404, "Not found"),
        ("POST", "/deliveries/one/retry", 422, "The request is not valid"),
        ("POST", f"/deliveries/{done}/retry", 409, "Not possible in the present state"),
        ("GET", "/alerts/1/deliveries?limit=0", 422, "The request is not valid"),
        ("GET", "/alerts/1/deliveries?state=failed", 422, "The request is not valid"),
    ):
        answer = alerted.request(method, path)
        assert (path, answer.status_code, answer.json()["title"]) == (path, status, title)
    for _ in range(5):
        assert alerted.request("POST", "/alerts/1/test").status_code == 202
    assert alerted.request("POST", "/alerts/1/test").status_code == 409
    switch_off(store, 1, "answered 410", NOW)
    off = alerted.request("POST", "/alerts/1/test")
    assert off.status_code == 409
    assert "Alert 1 is off (answered 410)" in off.json()["detail"]


@pytest.mark.slow
def test_a_bearer_token_is_needed(alerted: Client, store: Path) -> None:
    key = create_credential(store, "api-key", "positions", NOW)
    for method, path in (
        ("GET", "/alerts/1/deliveries"),
        ("POST", "/alerts/1/test"),
        ("POST", f"/deliveries/{UNKNOWN}/retry"),
    ):
        nobody = alerted.without_credential()
        assert nobody.request(method, path).status_code == 401
        assert nobody.request(method, path, headers=header("api-key", key.secret)).status_code in (401, 403)


@pytest.mark.slow
def test_the_command_line_has_the_same_fields(
    alerted: Client, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note_attempt(store, told(store), NOW, Outcome(204, "", 0.25), "delivered")
    app(["log", "1", "--json", "--store", str(store)], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == alerted.get("/alerts/1/deliveries").json()["deliveries"]


@pytest.mark.slow
def test_a_removed_alert_keeps_its_messages(
    alerted: Client, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message_id = told(store)
    assert alerted.request("DELETE", "/fleets/1").status_code == 204
    app(["log", "1", "--json", "--store", str(store)], standalone_mode=False)
    assert [one["id"] for one in json.loads(capsys.readouterr().out)] == [message_id]
    with pytest.raises(CannotRetry, match="its alert 1 was removed"):
        retry(store, message_id, NOW)
    # Whose it was is not kept: over HTTP nobody is shown it.
    assert alerted.get("/alerts/1/deliveries").status_code == 404
    assert alerted.request("POST", f"/deliveries/{message_id}/retry").status_code == 404
