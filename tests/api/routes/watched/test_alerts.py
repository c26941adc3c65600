"""Alerts over HTTP: made, listed, switched, removed, their secrets; what is wrong is refused."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from storage.disk.lock import lock_if_free
from storage.state.alerts.alerts import alert, alerts
from storage.state.alerts.delivering import DELIVERY_LOCK, mark_delivering
from storage.state.credentials import create_credential
from storage.state.fleets import remove_fleet
from storage.vocabulary import MOST_ALERTS_OF_A_CREDENTIAL
from tests.api.client import Client
from tests.api.conftest import header, serving
from tests.made_up_run import make_run, publish

HOOK = "https://example.org/hook"
FLEET = {"name": "mine", "norad_ids": [5]}


@pytest.fixture
def watched(empty: Client) -> Client:
    """Give a client of a store with a fleet."""
    assert empty.request("POST", "/fleets", json=FLEET).status_code == 201
    return empty


@pytest.fixture(scope="module")
def refusing_alerts(module_store: Path) -> Iterator[Client]:
    """Give a client of a store with a fleet, for all tests that add no alert to it."""
    publish(module_store, make_run())
    with serving(module_store) as client:
        assert client.request("POST", "/fleets", json=FLEET).status_code == 201
        yield client


def make(client: Client, **fields: object) -> httpx.Response:
    return client.request("POST", "/alerts", json={"fleet_id": 1, "address": HOOK} | fields)


@pytest.mark.slow
def test_an_alert_is_made_listed_switched_and_removed(watched: Client, store: Path) -> None:
    address = "https://me:pw@Example.org/hook?token=pw"
    answer = make(watched, address=address, level="medium", near_m=None, digest_hours=12)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == "/alerts/1"
    made = answer.json()
    secret = made.pop("secret")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert made | {"created": ""} == {
        "id": 1,
        "fleet_id": 1,
        "fleet": "mine",
        "channel": "webhook",
        "address": "https://example.org/***",
        "level": "medium",
        "near_m": None,
        "min_probability": None,
        "digest_hours": 12.0,
        "daily": False,
        "manoeuvres": False,
        "acknowledgements": True,
        "created": "",
        "made_by": "test",
        "off_since": None,
        "off_reason": "",
        "waiting": 0,
        "last_delivered": None,
    }
    assert alert(store, 1).address == "https://me:pw@example.org/hook?token=pw"
    assert watched.get("/alerts/1").json() == made
    slack = make(
        watched, address="slack:https://hooks.slack.com/services/a/b", min_probability=1e-7, daily=True
    )
    assert (slack.json()["address"], slack.json()["secret"]) == ("https://hooks.slack.com/***", None)
    listed = watched.get("/v1/alerts").json()
    assert (listed["alerts"][0], listed["total"]) == (made, 2)
    none = watched.get("/alerts", params={"fleet_id": 2}).json()
    assert none == {"alerts": [], "total": 0, "mail_server": False, "last_delivering": None}
    assert len(watched.get("/alerts", params={"limit": 1, "offset": 1}).json()["alerts"]) == 1

    off = watched.request("PATCH", "/alerts/1", json={"on": False}).json()
    assert (off["off_since"] is not None, off["off_reason"]) == (True, "by test")
    assert watched.request("PATCH", "/alerts/1", json={"on": True}).json() == made

    gone = watched.request("DELETE", "/alerts/1")
    assert (gone.status_code, gone.content) == (204, b"")
    for method, path, body in (
        ("GET", "", None),
        ("DELETE", "", None),
        ("PATCH", "", {"on": True}),
        ("POST", "/secret", None),
    ):
        refused = watched.request(method, f"/alerts/1{path}", json=body)
        assert (refused.status_code, refused.json()["title"]) == (404, "Not found"), method
    assert make(watched).json()["id"] == 3, "ids are not given again"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, ("high", 500.0)),
        ({"near_m": 250}, ("high", 250.0)),
        ({"level": "unknown", "near_m": None}, ("unknown", None)),
        ({"risk": "critical"}, ("critical", 100.0)),
        ({"risk": "high"}, ("high", 500.0)),
        ({"risk": "medium"}, ("medium", 1000.0)),
        ({"risk": "low"}, ("low", None)),
    ],
)
def test_a_level_of_earlier_releases_is_taken_as_what_it_meant(
    watched: Client, fields: dict[str, object], told: tuple[str, float | None]
) -> None:
    made = make(watched, **fields).json()
    assert (made["level"], made["near_m"]) == told
    assert "risk" not in made


@pytest.mark.slow
def test_secrets_are_rotated(watched: Client, store: Path) -> None:
    first = make(watched).json()["secret"]
    second = watched.request("POST", "/alerts/1/secret").json()["secret"]
    assert alert(store, 1).secrets == (second, first)
    third = watched.request("POST", "/alerts/1/secret").json()
    assert alert(store, 1).secrets == (third["secret"], second)
    assert first not in watched.get("/alerts").text
    make(watched, address="ops@example.org")
    assert watched.request("POST", "/alerts/2/secret").status_code == 422


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        *(
            ({"address": text}, "address")
            for text in (
                *("file:///etc/passwd", "http://example.org/", "http://169.254.169.254/", "nonsense", ""),
                *("https://[::1]/", "https://127.1/", "https://localhost/", "h" * 10_000),
                *("a@b.example\r\nBcc: c@d.example", "a@b.example,c@d.example"),
            )
        ),
        ({"address": None}, "address"),
        ({"address": "ops@example.org", "channel": "webhook"}, "address"),
        ({"channel": "pigeon"}, "channel"),
        ({"fleet_id": 2}, "fleet_id"),
        ({"fleet_id": 0}, "fleet_id"),
        ({"fleet_id": "mine"}, "fleet_id"),
        ({"fleet_id": 2**60}, "fleet_id"),
        ({"risk": "none"}, "risk"),
        ({"risk": None}, "risk"),
        ({"risk": "high", "level": "high"}, "body"),
        ({"risk": "high", "near_m": None}, "body"),
        ({"level": "none"}, "level"),
        ({"level": None}, "level"),
        ({"near_m": 0}, "near_m"),
        ({"near_m": -5}, "near_m"),
        ({"near_m": 1e6}, "near_m"),
        ({"near_m": "none"}, "near_m"),
        ({"min_probability": 0}, "min_probability"),
        ({"min_probability": -1e-5}, "min_probability"),
        ({"min_probability": 1.5}, "min_probability"),
        ({"min_probability": "NaN"}, "min_probability"),
        ({"digest_hours": 0}, "digest_hours"),
        ({"digest_hours": -1}, "digest_hours"),
        ({"digest_hours": 1e9}, "digest_hours"),
        ({"daily": "yes"}, "daily"),
        ({"manoeuvres": 1}, "manoeuvres"),
        ({"secret": "whsec_mine"}, "secret"),
        ({"made_by": "me"}, "made_by"),
    ],
)
def test_bodies_that_are_refused(refusing_alerts: Client, fields: dict[str, object], field: str) -> None:
    answer = make(refusing_alerts, **fields)
    assert answer.status_code == 422, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert len(answer.text) < 2000
    assert refusing_alerts.get("/alerts").json()["total"] == 0


def test_nan_is_no_json(refusing_alerts: Client) -> None:
    for word in (b"NaN", b"Infinity", b"1e999"):
        content = b'{"fleet_id": 1, "address": "a@b.example", "min_probability": ' + word + b"}"
        headers = {**refusing_alerts.headers, "Content-Type": "application/json"}
        answer = refusing_alerts.request("POST", "/alerts", content=content, headers=headers)
        assert answer.status_code == 422, answer.text


def test_private_addresses_are_taken_where_they_are_allowed(store: Path) -> None:
    publish(store, make_run())
    with serving(store, alerts_allow_private=True) as client:
        client.request("POST", "/fleets", json=FLEET)
        assert make(client, address="http://127.0.0.1:9000/hook").status_code == 201
        assert make(client, address="file:///etc/passwd").status_code == 422


def test_only_bearer_tokens_may(watched: Client, store: Path) -> None:
    key = create_credential(store, "api-key", "positions", datetime.now(UTC))
    for method, path in (
        ("GET", "/alerts"),
        ("POST", "/alerts"),
        ("DELETE", "/alerts/1"),
        ("POST", "/alerts/1/secret"),
    ):
        without = watched.without_credential().request(method, path)
        assert without.status_code == 401
        refused = watched.without_credential().request(method, path, headers=header("api-key", key.secret))
        assert refused.status_code in (401, 403)


@pytest.mark.slow
def test_a_credential_has_a_limit_and_others_are_not_touched(watched: Client, store: Path) -> None:
    for number in range(MOST_ALERTS_OF_A_CREDENTIAL):
        assert make(watched, address=f"ops{number}@example.org").status_code == 201
    refused = make(watched)
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:skysieve:problem:limit-reached")
    with serving(store) as another:
        assert make(another).status_code == 201
    assert watched.request("DELETE", "/alerts/1").status_code == 204
    assert make(watched).status_code == 201


def test_what_stands_in_the_way_of_deliveries_is_told(store: Path) -> None:
    """An alert by e-mail waited for ever, and nobody said that no mail server is set and nothing delivers."""
    publish(store, make_run())
    with serving(store, smtp_host="mail.example.org") as client:
        first = client.get("/alerts").json()
        assert (first["mail_server"], first["last_delivering"]) == (True, None)
        with lock_if_free(store, DELIVERY_LOCK) as free:
            assert free
            began = datetime.fromisoformat(client.get("/alerts").json()["last_delivering"])
            assert abs(began - datetime.now(UTC)) < timedelta(minutes=1)
            mark_delivering(store, datetime(2024, 11, 1, 6, tzinfo=UTC))
        assert client.get("/alerts").json()["last_delivering"] == "2024-11-01T06:00:00Z"


def test_alerts_go_with_their_fleet(watched: Client, store: Path) -> None:
    make(watched)
    remove_fleet(store, 1, datetime.now(UTC))
    assert alerts(store) == ()
    assert watched.get("/alerts").json()["total"] == 0


def test_the_same_alert_is_a_conflict(watched: Client) -> None:
    assert make(watched).status_code == 201
    again = make(watched)
    assert (again.status_code, again.json()["type"]) == (409, "urn:skysieve:problem:not-possible-now")
    assert "Alert 1 already sends" in again.json()["detail"]
    assert make(watched, level="low").status_code == 201
