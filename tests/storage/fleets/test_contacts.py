"""Whom to ask about an object."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.fleets.contacts import contacts
from storage.state.database import SERVICE_STATE
from storage.state.fleets import FleetObject, NewFleet, create_fleet, remove_fleet

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)


def test_the_first_fleet_with_a_contact_that_has_the_object_counts(store: Path) -> None:
    assert contacts(store, None)(5, "VANGUARD 1") == ""
    for name, number, pattern, contact in (
        ("silent", 5, "*", ""),
        ("by name", 1, "STARLINK*", "names@example.org"),
        ("first", 5, "", "first@example.org"),
        ("second", 5, "", "second@example.org"),
        ("one satellite", 44713, "", "own@example.org"),
        ("others", 2, "STARLINK-1*", "others@example.org"),
    ):
        create_fleet(store, NewFleet(name, (FleetObject(number),), pattern, contact=contact), NOW)
    contact = contacts(store, None)
    assert contact(5, "VANGUARD 1") == "first@example.org"
    assert contact(44714, "starlink-1008") == "names@example.org"
    assert contact(44713, "STARLINK-1007") == "own@example.org"  # by its number
    assert contact(25544, "ISS (ZARYA)") == ""
    remove_fleet(store, "first", NOW)
    assert contacts(store, None)(5, "VANGUARD 1") == "second@example.org"


def test_damage_takes_the_contacts_and_nothing_else(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    create_fleet(store, NewFleet("mine", (FleetObject(5),), contact="me"), NOW)
    (store / SERVICE_STATE).write_bytes(b"no database at all" * 100)
    with caplog.at_level(logging.WARNING, "skysieve"):
        assert contacts(store, None)(5, "VANGUARD 1") == ""
    assert "without contacts" in caplog.text
    assert "is damaged" in caplog.text
