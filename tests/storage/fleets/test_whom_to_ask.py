"""Whom to ask about an object: against a naive oracle, over made-up fleets, directories and catalogues."""

import logging
import random
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from storage.fleets.whom_to_ask import About, whom_to_ask
from storage.rows.words.whom import Whom
from storage.state.database import SERVICE_STATE
from storage.state.fleets import FleetObject, NewFleet, create_fleet, remove_fleet
from storage.state.operators.directory import NewEntry, add_entries
from storage.state.whose.organisations import add_organisation

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
NAMES = ("ALPHA 1", "ALPHA 2", "BETA 1", "BETA 1 DEB", "GAMMA")
PATTERNS = ("ALPHA*", "beta ?", "*1", "g[a]*", "")
OWNERS = ("AAA", "BBB", "AAA/BBB", "CCC?", "DDD", "")
STATES = ("US", "F", "")


def fits(name: str, pattern: str) -> bool:
    return bool(pattern) and fnmatchcase(name.lower(), pattern.lower())


def oracle(one: About, fleets: list[NewFleet], entries: list[NewEntry]) -> tuple[str, str]:
    """Return where the answer is from, and the contact: one list after the other, as the words have it."""
    with_contact = [fleet for fleet in fleets if fleet.contact]
    of_fleets = [
        *(f for f in with_contact if one.norad_id in [given.norad_id for given in f.objects]),
        *(f for f in with_contact if fits(one.name, f.name_pattern)),
    ]
    if of_fleets:
        return "fleet", of_fleets[0].contact
    if one.object_type in ("debris", "rocket_body"):
        return "nobody", ""
    whole = one.owner.replace("?", "")
    owners = [owner for owner in (whole, *whole.split("/"), one.state) if owner]
    of_directory = [
        *(entry for entry in entries if one.norad_id in entry.norad_ids),
        *(entry for entry in entries if fits(one.name, entry.name_pattern)),
        *(entry for owner in owners for entry in entries if owner in entry.owners),
    ]
    if of_directory:
        return "directory", of_directory[0].operator
    return ("catalogue" if owners else "unknown"), ""


def answered(whom: Whom) -> tuple[str, str]:
    return whom.source, whom.operator if whom.source == "directory" else whom.contact


def test_the_answer_is_that_of_a_naive_search(store: Path) -> None:
    drawn = random.Random(34)
    beta = add_organisation(store, "Beta").id
    fleets, entries = [], []
    for number in range(6):
        given = tuple(FleetObject(one) for one in sorted(drawn.sample(range(1, 12), 2)))
        contact = drawn.choice(["", f"desk {number}"])
        fleets.append(
            NewFleet(f"fleet {number}", given, drawn.choice((PATTERNS[1], "", "")), contact=contact)
        )
        create_fleet(store, fleets[-1], NOW)
    for number in range(12):
        owners = tuple({drawn.choice(("AAA", "BBB", "CCC", "US")) for _ in range(2)}) if number % 3 else ()
        numbers = tuple(drawn.sample(range(1, 30), 2)) if number % 3 == 0 else ()
        new = NewEntry(
            f"operator {number}",
            owners,
            numbers,
            drawn.choice((PATTERNS[2], *PATTERNS[3:], "", "")),
            email="a@b",
        )
        entries.append(new)
        add_entries(store, [new], NOW)
        add_entries(store, [new._replace(operator=f"beta {number}", organisation_id=beta)], NOW)
    ask = whom_to_ask(store, 1)
    found = set()
    for number in range(1, 40):
        for name in NAMES:
            kind = drawn.choice(("payload", "debris", "rocket_body", ""))
            one = About(number, name, kind, "active", drawn.choice(OWNERS), drawn.choice(STATES))
            assert answered(ask(one)) == oracle(one, fleets, entries), one
            found.add(ask(one).source)
    assert found == {"fleet", "directory", "catalogue", "nobody", "unknown"}
    nobodys = whom_to_ask(store, 0)(About(1, "ALPHA 1", "payload", "inactive", "AAA", "US"))
    assert nobodys.words == "Owner in GCAT: AAA, US; no contact. It is out of use."


def test_the_first_fleet_with_a_contact_that_has_the_object_counts(store: Path) -> None:
    assert whom_to_ask(store, None)(About(5, "VANGUARD 1")).source == "unknown"
    for name, number, pattern, contact in (
        ("silent", 5, "*", ""),
        ("by name", 1, "STARLINK*", "names@example.org"),
        ("first", 5, "", "first@example.org"),
        ("second", 5, "", "second@example.org"),
        ("one satellite", 44713, "", "own@example.org"),
        ("others", 2, "STARLINK-1*", "others@example.org"),
    ):
        create_fleet(store, NewFleet(name, (FleetObject(number),), pattern, contact=contact), NOW)
    ask = whom_to_ask(store, None)
    assert ask(About(5, "VANGUARD 1")).contact == "first@example.org"
    assert ask(About(44714, "starlink-1008")).contact == "names@example.org"
    assert ask(About(44713, "STARLINK-1007")).contact == "own@example.org"  # by its number
    assert ask(About(25544, "ISS (ZARYA)")).contact == ""
    remove_fleet(store, "first", NOW)
    assert whom_to_ask(store, None)(About(5, "VANGUARD 1")).contact == "second@example.org"


def test_damage_takes_the_contacts_and_nothing_else(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    create_fleet(store, NewFleet("mine", (FleetObject(5),), contact="me"), NOW)
    (store / SERVICE_STATE).write_bytes(b"no database at all" * 100)
    with caplog.at_level(logging.WARNING, "skysieve"):
        assert whom_to_ask(store, None)(About(5, "VANGUARD 1", owner="NRL")).source == "catalogue"
    assert "without contacts" in caplog.text
    assert "is damaged" in caplog.text
