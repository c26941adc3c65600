"""`skysieve fleets feed`, `feeds`, `revoke`: addresses are shown once, listed without their keys, and end."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.state.feeds import NoSuchFeed, recognise_feed
from tests.storage.commands.told import Told


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def told(store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Give commands on a store with a fleet."""
    commands = Told("fleets", store, monkeypatch, capsys)
    commands("create", "mine", "--norad-id", 25544)
    return commands


def key_of(address: str) -> str:
    return address.partition("?key=")[2]


def test_both_addresses_are_printed_once_and_open_the_feeds(told: Told, store: Path) -> None:
    calendar, atom = told("feed", "mine").splitlines()[-2:]
    assert told.err.startswith("note: the addresses use SKYSIEVE_HOST and SKYSIEVE_PORT; for")
    assert calendar.startswith("http://127.0.0.1:7373/fleets/1/calendar.ics?key=")
    assert atom.startswith("http://127.0.0.1:7373/fleets/1/feed.atom?key=")
    assert key_of(calendar) == key_of(atom)
    assert recognise_feed(store, 1, key_of(atom), datetime.now(UTC)).made_by == "command line"
    (listed,) = json.loads(told("feeds", "MINE", "--json"))
    assert (listed["id"], listed["made_by"], listed["ended"], listed["revoked"]) == (
        1,
        "command line",
        False,
        None,
    )
    assert key_of(atom) not in told("feeds", 1)


def test_addresses_begin_as_the_users_reach_the_page(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYSIEVE_PUBLIC_URL", "https://sky.example.org/x")
    made = json.loads(told("feed", 1, "--json"))
    assert made["calendar"].startswith("https://sky.example.org/x/fleets/1/calendar.ics?key=")
    assert set(made) == {"id", "fleet_id", "calendar", "atom"}
    assert told.err == ""
    told("revoke", 77, code=2)
    assert "There is no feed 77: `skysieve fleets feeds FLEET` lists those of a fleet." in told.err


def test_a_revoked_feed_opens_nothing(told: Told, store: Path) -> None:
    made = json.loads(told("feed", "mine", "--json"))
    assert told("revoke", made["id"]) == "Feed 1 is revoked.\n"
    (listed,) = json.loads(told("feeds", "mine", "--json"))
    assert listed["ended"] is True
    with pytest.raises(NoSuchFeed):
        recognise_feed(store, 1, key_of(made["atom"]), datetime.now(UTC))


def test_what_is_not_there_is_wrong_usage(told: Told) -> None:
    told("feed", "theirs", code=2)
    assert "no fleet 'theirs'" in told.err
    told("revoke", 9, code=2)
    assert "no feed 9" in told.err
