"""Alerts in the store: limits, secrets, switches, credentials."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from screening.errors import UsageError
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import (
    NewAlert,
    NoSuchAlert,
    SameAlert,
    TooManyAlerts,
    alert,
    alerts,
    create_alert,
    listed,
    remove_alert,
    rotate_secret,
    stop,
    switch_off,
    switch_on,
    without_credential,
)
from storage.state.alerts.outbox import due_messages, put
from storage.state.credentials import create_credential, revoke_credential
from storage.state.database import SERVICE_STATE, query_state, service_state
from storage.state.fleet_rules import FleetObject, NewFleet
from storage.state.fleets import create_fleet
from storage.state.records import Alert
from storage.state.tables import ServiceStateError
from storage.vocabulary import MOST_ALERTS_OF_A_CREDENTIAL

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOOK = target("https://example.org/hook")


@pytest.fixture
def watched(store: Path) -> Path:
    """Give a store with a fleet, whose id is 1."""
    create_fleet(store, NewFleet("mine", (FleetObject(5),)), NOW)
    return store


def make(store: Path, **fields: Any) -> Alert:
    return create_alert(store, NewAlert(**({"fleet_id": 1, "target": HOOK, "made_by": "test"} | fields)), NOW)


def test_an_alert_is_kept_as_it_was_made(watched: Path) -> None:
    made = make(watched, level="medium", near_m=250.0, min_probability=1e-7, digest_hours=0.25, daily=True)
    assert alert(watched, made.id) == made
    assert made[:9] == (1, 1, "webhook", HOOK.address, "medium", 250.0, 1e-7, 0.25, True)
    assert made.secrets[0].startswith("whsec_")
    assert made.off_since is None
    other = make(watched, target=target("ops@example.org"))
    assert other.secrets == ()
    assert (other.level, other.near_m, other.min_probability) == ("high", 500.0, None)
    assert alerts(watched) == (made, other)
    assert [one["fleet"] for one in listed(watched)] == ["mine", "mine"]


def test_no_two_secrets_are_the_same(watched: Path) -> None:
    assert make(watched).secrets != make(watched, level="low").secrets


def test_the_same_alert_is_made_once_by_each(watched: Path) -> None:
    limits = {"level": "low", "near_m": 200.0, "min_probability": 1e-6, "digest_hours": 3.0, "daily": True}
    assert make(watched, **limits).id == 1
    with pytest.raises(SameAlert, match="Alert 1 already sends"):
        make(watched, **limits)
    credential = create_credential(watched, "bearer", "desk", NOW)
    others = [{}, *({**limits, name: None} for name in ("near_m", "min_probability", "digest_hours"))]
    others += [{**limits, "daily": False}, {**limits, "target": target("ops@example.org")}]
    for other in (*others, {**limits, "credential_id": credential.id}):
        make(watched, **other)
        with pytest.raises(SameAlert):
            make(watched, **other)
    remove_alert(watched, 1, NOW)
    make(watched, **limits)


@pytest.mark.parametrize(
    "fields",
    [
        {"fleet_id": 2},
        {"fleet_id": -1},
        {"fleet_id": 2**70},
        {"level": "none"},
        *({"near_m": value} for value in (0.0, -1.0, 0.9, 200_001.0, float("nan"), float("inf"))),
        *({"min_probability": value} for value in (0.0, -1.0, 1.1, float("nan"), float("inf"))),
        *({"digest_hours": value} for value in (0.0, -1.0, 0.2, 169.0, 1e9, float("nan"), float("inf"))),
    ],
)
def test_what_is_out_of_range_is_refused(watched: Path, fields: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        make(watched, **fields)
    assert alerts(watched) == ()


@pytest.mark.slow
def test_a_credential_has_a_limit_and_the_command_line_has_none(watched: Path) -> None:
    for number in range(MOST_ALERTS_OF_A_CREDENTIAL):
        another = target(f"ops{number}@example.org")
        make(watched, target=another, credential_id=1)
        make(watched, target=another)
    with pytest.raises(TooManyAlerts, match="Credential 1 has 100 alerts"):
        make(watched, credential_id=1)
    make(watched)
    make(watched, credential_id=2)


def test_the_secret_before_signs_until_the_next_rotation(watched: Path) -> None:
    (first,) = make(watched).secrets
    second = rotate_secret(watched, 1)
    assert alert(watched, 1).secrets == (second, first)
    third = rotate_secret(watched, 1)
    assert alert(watched, 1).secrets == (third, second)
    make(watched, target=target("ops@example.org"))
    with pytest.raises(UsageError, match="only messages to webhooks are signed"):
        rotate_secret(watched, 2)


def test_what_waits_stays_while_an_alert_is_off(watched: Path) -> None:
    make(watched)
    with service_state(watched) as state:
        put(state, 1, "test", {"type": "test"}, NOW, NOW)
    switch_off(watched, 1, "first", NOW)
    switch_off(watched, 1, "second", NOW + timedelta(hours=1))
    assert (alert(watched, 1).off_since, alert(watched, 1).off_reason) == (NOW, "first")
    assert due_messages(watched, NOW) == []
    switch_on(watched, 1, NOW)
    assert (alert(watched, 1).off_since, alert(watched, 1).off_reason) == (None, "")
    assert len(due_messages(watched, NOW)) == 1


def test_a_removed_alert_leaves_nothing_to_deliver(watched: Path) -> None:
    make(watched)
    with service_state(watched) as state:
        put(state, 1, "test", {"type": "test"}, NOW, NOW)
        state.execute("INSERT INTO alert_progress VALUES (1, 'run', 'x')")
    remove_alert(watched, 1, NOW)
    assert query_state(watched, "SELECT state FROM outbox") == [("cancelled",)]
    assert query_state(watched, "SELECT * FROM alert_progress") == []
    for do in (
        lambda: alert(watched, 1),
        lambda: remove_alert(watched, 1, NOW),
        lambda: switch_off(watched, 1, "", NOW),
        lambda: switch_on(watched, 1, NOW),
        lambda: rotate_secret(watched, 1),
        lambda: stop(watched, 2**80, "", NOW),
    ):
        with pytest.raises(NoSuchAlert):
            do()


def test_credentials_that_end_are_told_with_the_reason(watched: Path) -> None:
    lasting = create_credential(watched, "bearer", "a", NOW)
    revoked = create_credential(watched, "bearer", "b", NOW)
    expiring = create_credential(watched, "bearer", "c", NOW, days=1)
    for one in (lasting, revoked, expiring):
        make(watched, credential_id=one.id)
    make(watched)
    assert without_credential(watched, NOW) == {}
    revoke_credential(watched, revoked.id, NOW)
    assert without_credential(watched, NOW) == {2: f"Credential {revoked.id} is revoked."}
    later = without_credential(watched, NOW + timedelta(days=1))
    assert set(later) == {2, 3}
    assert "expired at 2026-11-22" in later[3]


def test_a_changed_address_is_noticed(watched: Path) -> None:
    make(watched)
    with closing(sqlite3.connect(watched / SERVICE_STATE)) as state, state:
        state.execute("UPDATE alerts SET address = 'https://evil.example/'")
    with pytest.raises(ServiceStateError):
        alerts(watched)
