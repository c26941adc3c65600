"""Acknowledgements over HTTP: who has an event, kept over runs; refused to those who may only read."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.state.alerts.acknowledgements import LONGEST_NOTE
from storage.state.credentials import create_credential
from tests.api.client import Client
from tests.api.conftest import serving, serving_with
from tests.made_up_run import make_run, publish, publish_anew

NOTE = "<b>Asked</b> the operator & waiting"


def an_event(client: Client) -> int:
    found: int = client.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]["id"]
    return found


def test_an_event_is_taken_on_taken_over_and_let_go(empty: Client) -> None:
    event_id = an_event(empty)
    path, event = f"/conjunctions/{event_id}/acknowledgements", f"/conjunctions/{event_id}"
    assert empty.get(event).json()["acknowledgements"] == []
    answer = empty.request("POST", path, json={"name": "Ana", "note": NOTE})
    assert answer.status_code == 201, answer.text
    ana = answer.json()
    at = ana["at"].replace("T", " ")[:16]
    assert ana == {
        "id": 1,
        "event_id": event_id,
        "at": ana["at"],
        "withdrawn": False,
        "name": "Ana",
        "note": NOTE,
        "level": empty.get(event).json()["probability_level"],
        "made_by": "test",
        "words": f"Ana has had this since {at} Z: {NOTE}.",
    }
    assert empty.get(event).json()["acknowledgements"] == [ana]
    assert empty.get("/v1/acknowledgements").json() == {"acknowledgements": [ana]}

    late = empty.request("POST", path, json={"name": "Bo"})
    assert (late.status_code, late.json()["detail"]) == (409, ana["words"])
    assert empty.request("POST", path, json={"name": "Bo", "replaces": 1}).status_code == 201
    gone = empty.request("POST", path, json={"name": "Bo", "replaces": 2, "withdrawn": True})
    assert gone.status_code == 201
    assert empty.get("/acknowledgements").json() == {"acknowledgements": []}
    kept = empty.get(event).json()["acknowledgements"]
    assert [one["words"].split(" at ")[0] for one in kept] == [
        "Bo let go of this", "Bo took this on", "Ana took this on"
    ]  # fmt: skip


def test_it_stays_over_runs(store: Path) -> None:
    publish(store, make_run())
    with serving(store) as client:
        event_id = an_event(client)
        taken = client.request("POST", f"/conjunctions/{event_id}/acknowledgements", json={"name": "Ana"})
    publish_anew(store, make_run())
    with serving(store) as client:
        event = client.get(f"/conjunctions/{event_id}").json()
    assert len(event["history"]) == 2
    assert event["acknowledgements"] == [taken.json()]


@pytest.mark.parametrize(
    "content",
    [{}, {"name": ""}, {"name": "A\nB"}, {"name": "A", "note": "x" * (LONGEST_NOTE + 1)},
     {"name": "A", "replaces": 0}, {"name": "A", "level": "low"}],
)  # fmt: skip
def test_what_is_wrong_is_refused(refusing: Client, content: dict[str, object]) -> None:
    path = f"/conjunctions/{an_event(refusing)}/acknowledgements"
    assert refusing.request("POST", path, json=content).status_code == 422


def test_unknown_events_and_those_without_a_credential_are_refused(refusing: Client) -> None:
    asked = {"name": "Ana"}
    assert refusing.request("POST", "/conjunctions/5/acknowledgements", json=asked).status_code == 404
    path = f"/conjunctions/{an_event(refusing)}/acknowledgements"
    assert refusing.without_credential().request("POST", path, json=asked).status_code == 401
    assert refusing.get("/acknowledgements").json() == {"acknowledgements": []}


def test_who_may_only_read_sees_them_and_makes_none(store: Path) -> None:
    publish(store, make_run())
    secret = create_credential(store, "bearer", "screen", datetime.now(UTC), role="viewer").secret
    with serving_with(store, secret) as client:
        path = f"/conjunctions/{an_event(client)}/acknowledgements"
        answer = client.request("POST", path, json={"name": "Ana"})
        assert (answer.status_code, answer.json()["title"]) == (
            403,
            "The role of the credential does not permit this",
        )
        assert client.get("/acknowledgements").json() == {"acknowledgements": []}
