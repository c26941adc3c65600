"""Organisations: one in every store, and what was there before is its own; names, credentials, fleets."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from screening.errors import UsageError
from storage.state import sealed_rows, tables
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert, end_endpoint
from storage.state.alerts.deliveries import messages_of
from storage.state.credentials import create_credential, list_credentials, revoke_credential
from storage.state.database import SERVICE_STATE, service_state, verify_state
from storage.state.fleets import FleetObject, NewFleet, create_fleet, fleet, fleets
from storage.state.records import SEALED
from storage.state.tables import ServiceStateError
from storage.state.whose.organisations import (
    Organisation,
    add_organisation,
    organisation,
    organisations,
    rename_organisation,
)

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
BEFORE = next(n for n, one in enumerate(tables.MIGRATIONS) if "TABLE organisations" in one[0])
CREDENTIAL = "id, kind, name, created, expires, revoked, per_minute, secret_sha256, read_only"
OLD = [(1, "bearer", "desk", 0), (2, "bearer", "screen", 1), (3, "api-key", "globe", 0)]


def _earlier(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a file as a release without organisations did, with credentials and a removed fleet."""
    with monkeypatch.context() as before:
        before.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:BEFORE])
        sealing = SEALED["fleets"].removesuffix(", organisation_id, manoeuvre_class")
        before.setattr(sealed_rows, "SEALED", SEALED | {"credentials": CREDENTIAL, "fleets": sealing})
        with service_state(store) as state, sealed_rows.sealed(state, "credentials", "fleets"):
            for number, kind, name, read_only in OLD:
                state.execute(
                    "INSERT INTO credentials (id, kind, name, created, secret_sha256, read_only) "
                    "VALUES (?, ?, ?, '2026-11-21T06:00:00Z', x'00', ?)",
                    (number, kind, name, read_only),
                )
            for number in (4, 5):
                state.execute(
                    "INSERT INTO fleets (id, name, created, made_by, contact, volume, name_pattern) "
                    "VALUES (?, ?, '2026-11-21T06:00:00Z', 'cli', '', 'handbook', 'METEOR*')",
                    (number, f"old {number}"),
                )
            state.execute("DELETE FROM fleets WHERE id = 5")


def test_what_an_earlier_release_wrote_is_the_first_organisations(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _earlier(store, monkeypatch)
    written = (store / SERVICE_STATE).read_bytes()
    found = [(one.name, one.organisation_id, one.role, one.objects) for one in list_credentials(store)]
    assert found == [
        ("desk", 1, "admin", ("all",)),
        ("screen", 1, "viewer", ()),
        ("globe", 1, "viewer", ()),
    ]
    assert [(one.id, one.name, one.organisation_id) for one in fleets(store)] == [(4, "old 4", 1)]
    assert organisations(store) == [Organisation(1, "default")]
    assert (store / SERVICE_STATE).read_bytes() == written  # whoever reads writes nothing
    other = add_organisation(store, "Beta")
    made = create_fleet(store, NewFleet("old 4", (FleetObject(5),), organisation_id=other.id), NOW)
    assert made.id == 6  # the id of the removed one is not given again
    assert verify_state(store / SERVICE_STATE)


@pytest.mark.parametrize("damage", ["UPDATE credentials SET read_only = 0", "UPDATE fleets SET name = 'x'"])
def test_the_upgrade_seals_no_damage(store: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    _earlier(store, monkeypatch)
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state, state:
        state.execute(damage)
    for _ in range(2):
        with pytest.raises(ServiceStateError, match="is damaged"):
            (list_credentials if "credentials" in damage else fleets)(store)
        rename_organisation(store, "1", "Alpha") if organisations(store)[0].name == "default" else None


def test_one_is_there_others_are_added_and_renamed(store: Path) -> None:
    assert (
        organisation(store, None)
        == organisation(store, "DEFAULT")
        == organisation(store, "1")
        == (1, "default")
    )
    assert add_organisation(store, " Beta ") == (2, "Beta")
    with pytest.raises(UsageError, match="which organisation"):
        organisation(store, None)
    assert rename_organisation(store, "default", "Alpha") == (1, "Alpha")
    assert [one.name for one in organisations(store)] == ["Alpha", "Beta"]
    for name in ("beta", "", "7", "a\nb"):
        with pytest.raises(UsageError):
            add_organisation(store, name)
    with pytest.raises(UsageError, match="There is no organisation 'Gamma'"):
        organisation(store, "Gamma")


def test_fleets_of_one_name_are_told_apart(store: Path) -> None:
    beta = add_organisation(store, "Beta").id
    first, second = (
        create_fleet(store, NewFleet("mine", (FleetObject(5),), organisation_id=whose), NOW)
        for whose in (1, beta)
    )
    assert fleet(store, "mine", beta) == second
    assert fleets(store, 1) == (first,)
    with pytest.raises(UsageError, match="give the id"):
        fleet(store, "mine")
    with pytest.raises(UsageError, match="already exists"):
        create_fleet(store, NewFleet("MINE", (FleetObject(5),), organisation_id=beta), NOW)


@pytest.mark.parametrize(
    ("role", "objects", "refused"),
    [
        ("flight", None, "needs the objects"),
        ("flight", [], "needs the objects"),
        ("operator", [5], "states no paths"),
        ("flight", [0], "not a catalogue number"),
        ("flight", list(range(1, 1002)), "at most 1,000"),
    ],
)
def test_objects_go_with_roles_that_state_paths(
    store: Path, role: str, objects: list[int] | None, refused: str
) -> None:
    with pytest.raises(UsageError, match=refused):
        create_credential(store, "bearer", "x", NOW, role=role, objects=objects)  # type: ignore[arg-type]
    assert list_credentials(store) == []


def test_an_administrator_has_all_objects_only_in_a_store_of_its_own(store: Path) -> None:
    create_credential(store, "bearer", "alone", NOW)
    beta = add_organisation(store, "Beta").id
    create_credential(store, "bearer", "beside another", NOW, organisation_id=beta)
    create_credential(store, "bearer", "named", NOW, role="flight", objects=[7, 5, 7])
    alone, beside, named = list_credentials(store)
    assert (alone.objects, beside.objects, named.objects) == (("all",), (), ("5", "7"))
    assert alone.may_state_path_of(99)
    assert not beside.may_state_path_of(99)
    assert [named.may_state_path_of(number) for number in (5, 7, 57)] == [True, True, False]
    assert [one.name for one in list_credentials(store, beta)] == ["beside another"]
    with pytest.raises(UsageError, match="no credential 1"):
        revoke_credential(store, 1, NOW, beta)


def test_a_receiver_that_is_gone_is_told_to_its_organisation_alone(store: Path) -> None:
    """All three alerts are the command line's."""
    beta = add_organisation(store, "Beta").id
    alerts = []
    for name, whose, address in (("a", 1, "gone"), ("a2", 1, "other"), ("b", beta, "foreign")):
        of = create_fleet(store, NewFleet(name, (FleetObject(5),), organisation_id=whose), NOW)
        aim = target(f"https://{address}.example.org/x", "webhook", allow_private=False)
        alerts.append(create_alert(store, NewAlert(of.id, aim, "command line", None), NOW))
    end_endpoint(store, alerts[0], "410", NOW)
    assert [messages_of(store, one.id, 9)[1] for one in alerts] == [0, 1, 0]
