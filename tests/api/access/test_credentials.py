"""Who gets in: each way to be refused, expiry, revocation, and what is remembered of the use."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.state.credentials import create_credential, list_credentials, revoke_credential
from storage.state.database import SERVICE_STATE
from storage.vocabulary import CREDENTIAL_KINDS
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, header, serving, serving_with
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

PROTECTED = ["/conjunctions", "/conjunctions/1", "/proximities", "/runs/current"]
KEYED = ["/positions"]
# The key in their address opens the feeds; of a session only its cookie tells.
OPEN = {
    *("GET /health", "GET /ready", "GET /metrics", "GET /session", "DELETE /session"),
    *("GET /fleets/{id}/calendar.ics", "GET /fleets/{id}/feed.atom", "GET /conjunctions/{id}/shared"),
    *("GET /session/oidc", "GET /session/oidc/callback"),
}
REVOKED_WITHIN_S = 1.0


@pytest.fixture(scope="module")
def store(module_store: Path) -> Path:
    publish(module_store, make_run())
    return module_store


def ask(client: Client, path: str, headers: dict[str, str]) -> tuple[int, str, str]:
    """Return status, challenge and text of an answer to a request with only these headers."""
    answer = client.without_credential().get(path, headers=headers)
    challenge = answer.headers.get("WWW-Authenticate", "")
    return answer.status_code, challenge, answer.json().get("detail", "")


@pytest.mark.parametrize("prefix", ["", "/v1"])
@pytest.mark.parametrize("path", PROTECTED)
def test_without_a_token_nothing_is_said(client: Client, path: str, prefix: str) -> None:
    status, challenge, _ = ask(client, prefix + path, {})
    assert status == 401
    assert challenge.startswith("Bearer ")


@pytest.mark.slow
def test_every_other_route_asks_for_a_credential(client: Client) -> None:
    """Also a route that comes later, and one whose router asks for none."""
    paths = client.get("/openapi.json").json()["paths"]
    nobody = client.without_credential()
    open_to_all = set()
    for path, methods in paths.items():
        asked = (
            path.replace("{id}", "x" if path.startswith("/deliveries") else "1")
            .replace("{feed_id}", "1")
            .replace("{plan}", "1")
        )
        for method in methods:
            if nobody.request(method.upper(), asked).status_code != 401:
                open_to_all.add(f"{method.upper()} {path}")
    assert open_to_all == OPEN


@pytest.mark.parametrize("path", KEYED)
def test_without_a_key_nothing_is_said(client: Client, path: str) -> None:
    status, challenge, _ = ask(client, path, {})
    assert status == 401
    assert challenge.startswith("ApiKey ")


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic dXNlcjpwdw==",
        "skysieve_bearer_1_x",
        "Bearer a b",
        "Bearer \xff",
    ],
)
def test_malformed(client: Client, authorization: str) -> None:
    status, challenge, detail = ask(
        client,
        "/conjunctions",
        {"Authorization": authorization.encode("latin-1")},  # type: ignore[dict-item]
    )
    assert status == 401
    assert challenge.startswith("Bearer ")
    assert "malformed" in detail


@pytest.mark.parametrize(("path", "name"), [("/conjunctions", "Authorization"), ("/positions", "X-API-Key")])
def test_of_two_credentials_in_one_header_neither_counts(store: Path, path: str, name: str) -> None:
    made = {
        kind: header(kind, create_credential(store, kind, "two", NOW).secret) for kind in CREDENTIAL_KINDS
    }
    (good,) = (headers for headers in made.values() if name in headers)
    with serving(store) as served:
        for second in (good[name], "Bearer broken"):
            for both in ([good[name], second], [second, good[name]]):
                answer = served.without_credential().get(path, headers=[(name, value) for value in both])
                assert answer.status_code == 401
                assert f"{name} was sent 2 times" in answer.json()["detail"]
                assert "WWW-Authenticate" in answer.headers


def test_two_credentials_of_the_other_kind_are_reported_as_well(client: Client) -> None:
    keys = [("X-API-Key", "a"), ("X-API-Key", "b")]
    answer = client.without_credential().get("/conjunctions", headers=keys)
    assert answer.status_code == 401
    assert "X-API-Key was sent 2 times" in answer.json()["detail"]


def test_unknown(client: Client) -> None:
    for number in (1, 999):
        secret = f"skysieve_bearer_{number}_{'A' * 43}"
        status, challenge, detail = ask(client, "/conjunctions", header("bearer", secret))
        assert (status, "unknown" in detail) == (401, True)
        assert 'error="invalid_token"' in challenge


def test_expired(store: Path) -> None:
    clock = Clock()
    secret = create_credential(store, "bearer", "for a day", NOW, days=1).secret
    with serving(store, clock) as client:
        clock.time = NOW + timedelta(days=1, seconds=-1)
        assert client.get("/runs/current", headers=header("bearer", secret)).status_code == 200
        clock.time = NOW + timedelta(days=1)
        answer = client.get("/runs/current", headers=header("bearer", secret))
        assert answer.status_code == 401
        assert "expired at 2026-11-22T07:00:00Z" in answer.json()["detail"]
        assert "WWW-Authenticate" in answer.headers


def test_revoked(store: Path) -> None:
    made = create_credential(store, "bearer", "to be revoked", NOW)
    with serving(store) as client:

        def status() -> int:
            return client.get("/runs/current", headers=header("bearer", made.secret)).status_code

        assert status() == 200
        revoke_credential(store, made.id, NOW)
        wait_until(lambda: status() == 401, REVOKED_WITHIN_S)
        answer = client.get("/runs/current", headers=header("bearer", made.secret))
        assert "is revoked" in answer.json()["detail"]


@pytest.mark.slow
def test_a_new_credential_is_known_at_once(store: Path) -> None:
    with serving(store) as client:
        assert client.get("/runs/current").status_code == 200
        secret = create_credential(store, "bearer", "new", NOW).secret
        wait_until(
            lambda: client.get("/runs/current", headers=header("bearer", secret)).status_code == 200,
            REVOKED_WITHIN_S,
        )


def test_a_good_credential_of_the_wrong_kind(store: Path) -> None:
    key = create_credential(store, "api-key", "key", NOW).secret
    token = create_credential(store, "bearer", "token", NOW).secret
    with serving(store) as client:
        for path in PROTECTED:
            assert ask(client, path, header("bearer", key))[0] == 403
            assert ask(client, path, header("api-key", key))[0] == 403
        for path in KEYED:
            assert ask(client, path, header("api-key", token))[0] == 403
            assert ask(client, path, header("bearer", token))[0] == 403
        assert "this needs a bearer token" in ask(client, PROTECTED[0], header("api-key", key))[2]


@pytest.mark.slow
def test_one_that_may_only_read_changes_nothing(store: Path) -> None:
    """With its header and with the session made from it: whatever is not read, but for the session itself."""
    publish(store, make_run())
    secret = create_credential(store, "bearer", "screen", datetime.now(UTC), role="viewer").secret
    with serving_with(store, secret, rate_limit_per_minute=1000) as reader:
        assert reader.get("/conjunctions").status_code == 200
        signed_in = reader.request("POST", "/session")
        assert (signed_in.status_code, signed_in.json()["role"]) == (200, "viewer")
        cookie = {"Cookie": signed_in.headers["Set-Cookie"].partition(";")[0], "X-Requested-With": "page"}
        document = reader.get("/openapi.json").json()["paths"]
        no_path = f"/trajectories/{'0' * 16}"
        changing = [
            (method.upper(), re.sub(r"\{.*?\}", "1", path.replace("/trajectories/{id}", no_path)))
            for path, methods in document.items()
            for method in methods
            if method != "get" and path != "/session"
        ]
        by_page = 0
        for method, path in changing:
            for headers in (reader.headers, cookie):
                answer = reader.request(method, path, headers=headers)
                if headers is cookie and answer.status_code == 401:
                    continue  # the page does not ask this: a cookie counts for nothing
                by_page += headers is cookie
                kind = "urn:skysieve:problem:not-allowed"
                assert (answer.status_code, answer.json()["type"]) == (403, kind), path
                assert "(screen) is a viewer" in answer.json()["detail"]
        assert len(changing) >= 30
        assert by_page >= 20


def test_a_bad_credential_of_the_wrong_kind_is_none(client: Client) -> None:
    assert ask(client, "/conjunctions", {"X-API-Key": "x"})[0] == 401


@pytest.mark.parametrize("path", ["/health", "/ready", "/openapi.json"])
def test_open_to_all(client: Client, path: str) -> None:
    assert client.without_credential().get(path).status_code == 200


def test_a_refusal_says_nothing_about_parameters(client: Client) -> None:
    assert ask(client, "/conjunctions?limit=0", {})[0] == 401


def test_the_store_keeps_no_secret(store: Path) -> None:
    made = create_credential(store, "api-key", "secret", NOW)
    assert re.fullmatch(r"skysieve_apikey_\d+_[A-Za-z0-9_-]{43}", made.secret)  # 43 x 6 bits hold 256
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        dump = "\n".join(state.iterdump())
    assert made.secret not in dump
    assert made.secret.split("_", 3)[-1] not in dump


def test_the_last_use_is_stored_when_the_service_stops(store: Path) -> None:
    clock = Clock(datetime(2026, 11, 21, 8, tzinfo=UTC))
    made = create_credential(store, "bearer", "used", NOW)
    with serving(store, clock) as client:
        client.get("/runs/current", headers=header("bearer", made.secret))
    (used,) = (credential for credential in list_credentials(store) if credential.id == made.id)
    assert used.last_used == clock.time
