"""Whoever asks what a run has changed is told the same of each event."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from typer.testing import CliRunner

import skysieve
from api.answers.watched.feed import Wanted, written_feed
from flows.alerts.channels.wording import wording
from flows.alerts.outbox import note_run
from skysieve.command_line import app
from storage.rows.limits import Limits
from storage.settings import StoreSettings
from storage.state.alerts.addresses import Target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.credentials import create_credential
from tests.api.conftest import serving
from tests.flows.alerts.alerting import taken
from tests.flows.alerts.made_up_days import NUMBERS, Meeting, at, look, make_fleet, publish_meetings

EACH = 4
KINDS = ("new", "raised", "eased", "gone", "outside")
HIGH, CRITICAL, MEDIUM = ("high", 2e-5), ("critical", 2e-4), ("medium", 2e-6)
BEFORE = {"raised": HIGH, "eased": HIGH, "gone": HIGH}
NOW = {
    "new": HIGH,
    "raised": CRITICAL,
    "eased": MEDIUM,
    "outside": HIGH,
}  # outside: of the run before's window


def meetings(levels: dict[str, tuple[str, float]]) -> list[Meeting]:
    return [
        Meeting(k, 10 + 10 * KINDS.index(kind) + k, at(25 + k if kind == "outside" else 20 + k / 2), *rated)
        for kind, rated in levels.items()
        for k in range(EACH)
    ]


class Told:
    """A store with three runs, the third as the second, and what each channel says of it."""

    def __init__(self, store: Path) -> None:
        """Make the runs; after the second ask those that compare it with the first."""
        self.store = store
        fleet = make_fleet(store)
        credential = create_credential(store, "bearer", "ops", at(-1))
        target = Target("email", "ops@example.org")
        create_alert(store, NewAlert(fleet.id, target, "ops", credential.id), at(-1))
        self.kind_of: dict[int, str] = {}
        self.mails: list[dict[str, Any]] = []
        for hours, levels in ((0, BEFORE), (6, NOW), (12, NOW)):
            run_id = publish_meetings(store, hours, meetings(levels))
            look(store, run_id, fleet)
            for event in self.rows():
                other = NUMBERS.index(event["secondary_norad_id"])
                self.kind_of[event["id"]] = KINDS[other // 10 - 1]
            note_run(StoreSettings(store=store), run_id, at(hours) + timedelta(minutes=5))
            if hours == 6:
                with serving(store) as client:
                    self.overview = client.get("/runs/current/overview").json()
                    self.changes = client.get(f"/fleets/{fleet.id}/changes").json()
                    self.standing = client.get("/fleet-standings").json()["fleets"][0]["coming"]
                self.calendar = self.written(fleet.id, "calendar")
            if hours != 6:
                (self.message,) = taken(store, at(hours + 1))

    def rows(self) -> list[dict[str, Any]]:
        done = CliRunner().invoke(app, ["events", "--json", "--store", str(self.store)])
        assert done.exit_code == 0, done.output
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    def written(self, fleet_id: int, form: Any) -> bytes:
        return written_feed(self.store, Wanted(fleet_id, form, Limits()), at(6.5), "", "")


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("changed") / "store")


def of(once: Told, kind: str) -> set[int]:
    found = {number for number, its in once.kind_of.items() if its == kind}
    assert len(found) == EACH
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_overview_and_the_fleet(once: Told, kind: str) -> None:
    """The fleet called new what had only come into the look-ahead, and nobody said what had eased."""
    name = "first_looked_for" if kind == "outside" else kind
    assert {event["id"] for event in once.overview[name]["worst"]} == of(once, kind)
    in_fleet = {one if isinstance(one, int) else one["id"] for one in once.changes[name]}
    assert in_fleet == of(once, kind)
    if kind in NOW:
        assert once.overview[name]["by_level"][NOW[kind][0]] == EACH
    if kind in ("raised", "eased"):
        assert {event["level_before"] for event in once.overview[name]["worst"]} == {"high"}
        assert {event["before"] for event in once.changes[name]} == {"high"}


def test_how_the_fleet_stands(once: Told) -> None:
    assert once.standing["new"] == EACH
    assert once.overview["not_looked_for"]["total"] == len(once.changes["not_looked_for"]) == 0


def test_the_calendar(once: Told) -> None:
    """It cancelled what had eased, although the encounter was still there."""
    heads = {
        "new": "High",
        "raised": "Critical",
        "eased": "Eased to medium",
        "gone": "Cancelled",
        "outside": "High",
    }
    entries = Calendar.from_ical(once.calendar).walk("VEVENT")
    assert len(entries) == len(KINDS) * EACH
    for entry in entries:
        kind = once.kind_of[int(str(entry["UID"]).split("-")[1])]
        assert str(entry["SUMMARY"]).startswith(f"{heads[kind]}: ")
        assert str(entry["STATUS"]) == ("CANCELLED" if kind == "gone" else "CONFIRMED")


def test_the_webhook_and_the_mail(once: Told) -> None:
    """Two runs in a row decide what is over; `outside` is new to an alert, which has never told it."""
    body = once.message.body if isinstance(once.message.body, dict) else json.loads(once.message.body)
    changes = {event["event_id"]: event["change"] for event in body["data"]["events"]}
    words = {"new": "new", "raised": "raised", "eased": "eased", "gone": "resolved", "outside": "new"}
    # Delivered after the first run and the third: each encounter once, as it is then.
    pending = {number: words[kind] for number, kind in once.kind_of.items()}
    assert changes == pending
    texts = [item.text for item in wording(body).items]
    eased = [text for text in texts if text.startswith("Eased: ")]
    assert len(eased) == EACH
    assert all("; medium, probability 2.0e-06 (was high, probability 2.0e-05)" in text for text in eased)


def test_the_command_line_sql_and_python(once: Told) -> None:
    frame = skysieve.open_store(once.store).sql("SELECT event_id, probability_level FROM events")
    by_sql = {int(one.event_id): str(one.probability_level) for one in frame.itertuples()}
    by_command = {row["id"]: row["probability_level"] for row in once.rows()}
    expected = {number: NOW[kind][0] for number, kind in once.kind_of.items() if kind in NOW}
    assert by_sql == by_command == expected
