"""A demonstration: every operation without a credential, what may be read, and what nobody may change."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.access.demonstration import HIDDEN
from tests.api.client import Client
from tests.api.conftest import header, serving
from tests.made_up_run import make_run, publish

QUESTIONS = {"POST /conjunctions/analyze", "POST /conjunctions/analyze/full"}  # change nothing
OPEN = {"POST /session", "DELETE /session"}  # of one's own browser


@pytest.fixture(scope="module")
def store(module_store: Path) -> Path:
    publish(module_store, make_run())
    return module_store


@pytest.fixture(scope="module")
def anyone(store: Path) -> Iterator[Client]:
    with serving(store, demo=True) as client:
        yield client.without_credential()


@pytest.mark.slow
def test_nothing_changes_and_nothing_private_is_read(anyone: Client) -> None:
    paths = anyone.get("/openapi.json").json()["paths"]
    answers = {
        f"{method.upper()} {path}": anyone.request(
            method.upper(), path.replace("{id}", "1").replace("{feed_id}", "1")
        ).status_code
        for path, methods in paths.items()
        for method in methods
    }
    assert 401 not in {status for name, status in answers.items() if not name.endswith((".ics", ".atom"))}
    changing = {name for name in answers if not name.startswith("GET ")} - OPEN
    allowed = {name for name in changing if answers[name] != 403}
    assert allowed <= QUESTIONS | {name for name in changing if "/manoeuvre" in name or "/analy" in name}
    private = {name for name in answers if set(HIDDEN) & set(name.removeprefix("GET ").split("/"))}
    assert len(private) > 5
    assert {answers[name] for name in private} == {403}
    assert answers["GET /conjunctions"] == answers["GET /positions"] == 200


def test_restricted_messages_stay_out(anyone: Client) -> None:
    answer = anyone.get("/conjunctions", params={"restricted": "true"})
    assert answer.status_code == 403
    assert "demonstration" in answer.json()["detail"]


def test_a_credential_changes_nothing(store: Path) -> None:
    with serving(store, demo=True) as owner:  # who has a token that may do everything
        answer = owner.request("POST", "/fleets", json={"name": "mine", "objects": []})
        assert answer.status_code == 403


def test_everyone_is_signed_in_to_read(anyone: Client) -> None:
    state = anyone.get("/session").json()
    assert (state["signed_in"], state["role"], state["demo"]) == (True, "viewer", True)


def test_each_address_has_its_own_limit(store: Path) -> None:
    with serving(store, demo=True, rate_limit_per_minute=3) as client:
        here = Client(client.app, {}, ("10.9.9.9", 50_000))
        assert [here.get("/runs/current").status_code for _ in range(4)] == [200, 200, 200, 429]
        other = Client(here.app, {}, ("10.1.2.3", 50_000))
        assert other.get("/runs/current").status_code == 200
        assert here.get("/runs/current", headers=header("bearer", "guess")).status_code == 429


def test_a_usual_service_is_no_demonstration(store: Path) -> None:
    with serving(store) as client:
        assert client.get("/session").json()["demo"] is False
        assert client.without_credential().get("/conjunctions").status_code == 401
