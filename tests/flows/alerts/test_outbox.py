"""What goes out after runs and as time passes: whole or not at all, once, small enough."""

import json
import logging
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.alerts.bodies import MOST_EVENTS
from flows.alerts.outbox import note_published, note_run
from flows.alerts.worker import advance
from storage.settings import StoreSettings
from storage.state import database
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, alert, create_alert, remove_alert, switch_off, switch_on
from storage.state.alerts.outbox import Message, body_text, undelivered
from storage.state.credentials import create_credential, revoke_credential
from storage.state.database import begin_attempt, end_attempt, query_state, service_state
from storage.state.fleets import Fleet
from tests.flows.alerts.alerting import taken
from tests.flows.alerts.made_up_days import (
    FIRST,
    NUMBERS,
    OURS,
    Meeting,
    at,
    look,
    make_fleet,
    publish_meetings,
)

SOON = timedelta(minutes=2)


class Watched:
    """A store with a fleet and an alert."""

    def __init__(self, store: Path, **fields: Any) -> None:
        self.store, self.settings = store, StoreSettings(store=store, public_url="https://sky.example")
        self.fleet: Fleet = make_fleet(store)
        self.alert_id = self.add(**fields)

    def add(self, address: str = "ops@example.org", **fields: Any) -> int:
        new = NewAlert(self.fleet.id, target(address), "test", **fields)
        return create_alert(self.store, new, FIRST - timedelta(hours=1)).id

    def publish(self, hours: float, *meetings: Meeting, **options: Any) -> str:
        run_id = publish_meetings(self.store, hours, list(meetings), **options)
        look(self.store, run_id, self.fleet)
        return run_id

    def note(self, hours: float, *meetings: Meeting, **options: Any) -> str:
        run_id = self.publish(hours, *meetings, **options)
        note_run(self.settings, run_id, at(hours) + SOON)
        return run_id

    def waiting(self, alert_id: int | None = None) -> list[Message]:
        with service_state(self.store) as state:
            return undelivered(state, alert_id or self.alert_id)

    def deliver(self, hours: float) -> list[Message]:
        return taken(self.store, at(hours), public_url=self.settings.public_url)

    def kinds(self, hours: float) -> list[str]:
        advance(self.settings, at(hours))
        return [message.kind for message in self.deliver(hours)]

    def rows(self) -> list[tuple[Any, ...]]:
        tables = ("outbox", "alert_encounters", "alert_progress")
        found = (query_state(self.store, f"SELECT * FROM {table}") for table in tables)
        return [row for rows in found for row in rows]


@pytest.fixture
def watched(store: Path) -> Watched:
    """Give a store with a fleet and an alert."""
    return Watched(store)


MEETING = Meeting(0, 20, at(20))
MEETINGS = (MEETING, Meeting(1, 21, at(15), "critical", 2e-4))


class Killed(BaseException):
    """Ends a transaction as the end of its process would."""


class Mortal(sqlite3.Connection):
    """A connection that is killed at a statement."""

    statements = 0
    last = 0

    def execute(self, *order: Any) -> sqlite3.Cursor:
        self._count()
        return super().execute(*order)

    def executemany(self, *order: Any) -> sqlite3.Cursor:
        self._count()
        return super().executemany(*order)

    @classmethod
    def _count(cls) -> None:
        cls.statements += 1
        if cls.statements == cls.last:
            raise Killed


@pytest.fixture
def mortal(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Mortal]]:
    """Give the connections that `service_state` opens, to be killed at a statement."""
    plain = sqlite3.connect
    monkeypatch.setattr(
        database.sqlite3, "connect", lambda *order, **options: plain(*order, factory=Mortal, **options)
    )
    Mortal.statements, Mortal.last = 0, 0
    yield Mortal
    Mortal.last = 0


@pytest.mark.slow
def test_a_run_is_noted_whole_or_not_at_all(watched: Watched, mortal: type[Mortal]) -> None:
    """Ended at every statement in turn, and repeated: one message, as if nothing had happened."""
    watched.add(level="critical")
    watched.add(digest_hours=12.0)
    run_id = watched.publish(0, *MEETINGS)
    before = watched.rows()
    mortal.statements, mortal.last = 0, 0
    killed = 0
    while True:
        mortal.statements, mortal.last = 0, killed + 1
        try:
            note_run(watched.settings, run_id, at(0) + SOON)
            break
        except Killed:
            killed += 1
            mortal.last = 0
            assert watched.rows() == before
    assert killed > 30
    mortal.last = 0
    assert [len(watched.waiting(number)) for number in (1, 2, 3)] == [1, 1, 1]
    told = [[event["change"] for event in one.body["data"]["events"]] for one in watched.deliver(1)]
    assert told == [["new", "new"], ["new"], ["new", "new"]]


@pytest.mark.slow
def test_what_was_not_noted_is_noted_before_the_next_delivery(watched: Watched) -> None:
    watched.note(0, MEETING)
    watched.publish(6, MEETING._replace(level="critical"))
    watched.publish(12, MEETING._replace(level="critical"))
    assert watched.kinds(12.1) == ["conjunctions"]
    (message,) = [one for one in watched.rows() if one[7:8] == ("delivered",)]
    (event,) = json.loads(message[6])["data"]["events"]
    assert (event["change"], event["probability_level"]) == ("new", "critical"), (
        "the first was never delivered"
    )
    assert watched.kinds(12.2) == []


@pytest.mark.slow
def test_a_new_alert_begins_with_the_newest_run(watched: Watched) -> None:
    watched.note(0, MEETING, Meeting(2, 30, at(5)))
    watched.note(6, MEETING)
    watched.deliver(6.1)
    later = watched.add("desk@example.org")
    advance(watched.settings, at(6.2))
    (message,) = watched.deliver(6.2)
    assert message.alert_id == later
    assert [event["change"] for event in message.body["data"]["events"]] == ["new"]


@pytest.mark.slow
def test_before_its_fleet_was_looked_at_an_alert_waits(watched: Watched) -> None:
    run_id = publish_meetings(watched.store, 0, [MEETING])
    note_published(watched.settings, run_id, at(0.1))
    assert watched.kinds(0.2) == []
    look(watched.store, run_id, watched.fleet, OURS)
    assert watched.kinds(0.3) == ["conjunctions"]


@pytest.mark.slow
def test_a_fleet_that_a_run_did_not_have_resolves_nothing(watched: Watched) -> None:
    watched.note(0, MEETING)
    watched.deliver(0.1)
    other = make_fleet(watched.store, "other", NUMBERS[10:12])
    for hours in (3, 6, 9):
        run_id = publish_meetings(watched.store, hours, [])
        look(watched.store, run_id, other, NUMBERS[10:12])
        note_run(watched.settings, run_id, at(hours) + SOON)
    assert watched.kinds(9.1) == []


@pytest.mark.slow
def test_historic_runs_tell_nothing(watched: Watched) -> None:
    watched.note(0, *MEETINGS, historic=True)
    assert watched.kinds(0.2) == []
    assert watched.kinds(100) == []


@pytest.mark.slow
def test_thousands_of_events_fit_into_a_message(watched: Watched) -> None:
    places = range(len(OURS), len(NUMBERS))
    meetings = [
        Meeting(ours, other, at(1 + 0.01 * k), ("high", "critical")[k % 97 == 0], 1e-5 * (1 + k))
        for k, (ours, other) in enumerate((a, b) for b in places for a in range(len(OURS)))
    ]
    watched.note(0, *meetings)
    (message,) = watched.deliver(0.1)
    data = message.body["data"]
    assert len(body_text(message.body).encode()) < 20_000
    assert 15 <= len(data["events"]) <= MOST_EVENTS
    assert data["more"] == len(meetings) - len(data["events"])
    assert data["counts"] == {"new": len(meetings), "raised": 0, "eased": 0, "resolved": 0, "closed": 0}
    worst = [-one["probability_best"] for one in data["events"]]
    assert worst == sorted(worst)
    assert worst[0] == -1e-5 * len(meetings)
    assert (
        data["events"][0]["url"]
        == f"https://sky.example/#/event/{data['events'][0]['event_id']}?from={data['events'][0]['norad_id']}"
    )


@pytest.mark.slow
def test_what_is_beyond_the_twenty_is_not_lost_when_more_is_to_be_said(watched: Watched) -> None:
    meetings = [Meeting(0, place, at(20)) for place in range(10, 50)]
    watched.note(0, *meetings)
    watched.note(6, *meetings, Meeting(1, 51, at(21)))
    (message,) = watched.deliver(6.1)
    assert message.body["data"]["counts"]["new"] == 41


@pytest.mark.slow
def test_while_an_alert_is_off_one_message_gathers(watched: Watched) -> None:
    watched.note(0, MEETING)
    watched.deliver(0.1)
    switch_off(watched.store, 1, "by hand", at(1))
    watched.note(6, MEETING, MEETINGS[1])
    watched.note(12, MEETING._replace(level="critical"), MEETINGS[1])
    assert watched.kinds(13) == []
    switch_on(watched.store, 1, at(14))
    (message,) = watched.deliver(14)
    changes = {event["change"] for event in message.body["data"]["events"]}
    assert changes == {"new", "raised"}


@pytest.mark.slow
def test_an_alert_ends_with_its_credential(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    made = create_credential(watched.store, "bearer", "gone", FIRST - timedelta(days=1))
    mine = watched.add(credential_id=made.id)
    watched.note(0, MEETING)
    assert len(watched.waiting(mine)) == 1
    revoke_credential(watched.store, made.id, at(1))
    with caplog.at_level(logging.WARNING, "skysieve"):
        advance(watched.settings, at(1.1))
        advance(watched.settings, at(1.2))
    reason = f"Credential {made.id} is revoked."
    assert [record.getMessage() for record in caplog.records] == [
        f"Alert {mine} is off: {reason} 1 messages are not delivered."
    ]
    assert alert(watched.store, mine).off_reason == reason
    switch_on(watched.store, mine, at(2))
    watched.note(6, MEETING._replace(level="critical"))
    advance(watched.settings, at(6.1))
    assert watched.waiting(mine) == []
    assert alert(watched.store, mine).off_reason == reason
    assert len(watched.waiting()) == 1, "the alert of the command line goes on"
    advance(watched.settings, at(21))
    assert watched.waiting(mine) == [], "that its TCA has passed was put, for nobody"


@pytest.mark.slow
def test_a_removed_alert_is_told_nothing(watched: Watched) -> None:
    watched.note(0, MEETING)
    remove_alert(watched.store, 1, at(0.1))
    watched.note(6, MEETING._replace(level="critical"))
    assert watched.kinds(7) == []


def attempt(watched: Watched, hours: float, outcome: Any, reason: str = "") -> None:
    number = begin_attempt(watched.store, at(hours), "celestrak", "fetch")
    end_attempt(watched.store, number, at(hours) + SOON, outcome, reason=reason)


def test_failed_runs_and_their_end_are_told_once(watched: Watched) -> None:
    attempt(watched, 0, "published")
    assert watched.kinds(0.1) == []
    attempt(watched, 1, "failed", "CelesTrak answered 500. " + "x" * 1000)
    assert watched.kinds(1.1) == ["run.failed"]
    attempt(watched, 2, "failed")
    attempt(watched, 3, "skipped")
    assert watched.kinds(3.1) == []
    attempt(watched, 4, "published")
    assert watched.kinds(4.1) == ["run.recovered"]
    attempt(watched, 5, "published")
    assert watched.kinds(5.1) == []
    attempt(watched, 6, "failed")
    attempt(watched, 7, "published")
    assert watched.kinds(7.1) == [], "it was over before anybody could be told"


@pytest.mark.slow
def test_a_stale_catalogue_and_its_end_are_told_once(watched: Watched) -> None:
    watched.note(0)
    assert watched.kinds(11.9) == []
    assert watched.kinds(12.1) == ["catalogue.stale"]
    assert watched.kinds(18) == []
    watched.note(18)
    assert watched.kinds(18.1) == ["catalogue.recovered"]
    assert watched.kinds(18.2) == []
    watched.note(19, historic=True)
    assert watched.kinds(99) == [], "a historic store does not age"


@pytest.mark.slow
def test_a_historic_run_does_not_make_a_stale_catalogue_fresh(watched: Watched) -> None:
    """It was told as the end: `catalogue.recovered`, although no newer catalogue had come."""
    watched.note(0)
    assert watched.kinds(12.1) == ["catalogue.stale"]
    watched.note(13, historic=True)
    assert watched.kinds(13.1) == []
    watched.note(14)
    assert watched.kinds(14.1) == ["catalogue.recovered"]


@pytest.mark.slow
def test_a_daily_answer_names_every_satellite_once_a_day(store: Path) -> None:
    watched = Watched(store, daily=True)
    watched.note(0, *MEETINGS, Meeting(0, 30, at(0.01)), MEETING._replace(other=31, level="low"))
    advance(watched.settings, at(0.1))
    daily = next(one for one in watched.deliver(0.1) if one.kind == "fleet.daily")
    data = daily.body["data"]
    assert [(one["norad_id"], one["events"]) for one in data["satellites"]] == [(OURS[1], 1), (OURS[0], 2)]
    assert data["satellites"][0]["worst"]["probability_level"] == "critical"
    assert [number for number, _ in data["quiet"]] == list(OURS[2:])
    assert (data["missing"], data["more"]) == ([], 0)
    assert "fleet.daily" not in watched.kinds(17), "the day has had its answer"
    watched.note(17.5)
    assert "fleet.daily" in watched.kinds(18.1), "the next day, at 00:06"
    assert "fleet.daily" not in watched.kinds(66), "a run that no longer looks ahead answers nothing"


@pytest.mark.slow
def test_a_fleet_of_thousands_is_named_as_far_as_it_fits(store: Path) -> None:
    watched = Watched(store, daily=True)
    run_id = publish_meetings(watched.store, 0, [MEETING])
    many = (*OURS, *range(500_000_000, 500_003_000))
    look(watched.store, run_id, watched.fleet, many)
    advance(watched.settings, at(0.1))
    daily = next(one for one in watched.deliver(0.1) if one.kind == "fleet.daily")
    data = daily.body["data"]
    assert len(body_text(daily.body).encode()) < 20_000
    named = len(data["satellites"]) + len(data["quiet"]) + len(data["missing"])
    assert named + data["more"] == len(many)
    assert named > 1000
