"""An alert that wants it tells once that an object of its fleet, or of its encounters, has manoeuvred."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.alerts.channels.wording import wording
from flows.alerts.manoeuvred import KIND, put_manoeuvred
from flows.alerts.outbox import note_run
from screening.histories.burns import MANOEUVRE_DTYPE
from storage.disk.layout import manoeuvre_file, replace_parquet
from storage.manoeuvres.kept import manoeuvre_table
from storage.settings import StoreSettings
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert, switch_off, switch_on
from storage.state.alerts.deliveries import newest_messages
from storage.state.fleet_rules import Fleet
from storage.times import datetime64_us
from tests.flows.alerts.made_up_days import NUMBERS, OURS, Meeting, at, look, make_fleet, publish_meetings

HOUR = np.timedelta64(1, "h")
OTHER, FAR = NUMBERS[20], NUMBERS[40]
Burn = tuple[int, float, float]  # object, hours after the first run, size


@dataclass
class Watched:
    """A store with a fleet of which an alert tells."""

    settings: StoreSettings
    fleet: Fleet

    def run(self, hours: float, *burns: Burn, sigmas: float = 9.0, historic: bool = False) -> str:
        """Make a run in which an object of the fleet meets OTHER, and which finds these manoeuvres."""
        store = self.settings.store
        run_id = publish_meetings(store, hours, [Meeting(0, 20, at(hours + 10))], historic=historic)
        found = np.zeros(len(burns), MANOEUVRE_DTYPE)
        for row, (number, when, size) in zip(found, burns, strict=True):
            row["norad_id"], row["dv_m_s"], row["sigmas"] = number, size, sigmas
            middle = datetime64_us(at(when))
            row["from"], row["at"], row["to"] = middle - 3 * HOUR, middle, middle + 3 * HOUR
        if len(burns):
            replace_parquet(manoeuvre_table(found, at(hours), run_id), manoeuvre_file(store, run_id))
        look(store, run_id, self.fleet)
        note_run(self.settings, run_id, at(hours))
        return run_id

    def told(self, hours: float) -> list[list[tuple[int, bool]]]:
        """Return what all messages so far have told, oldest first."""
        return [
            [(one["norad_id"], one["of_fleet"]) for one in body["data"]["manoeuvres"]]
            for body in self.bodies(hours)
        ]

    def bodies(self, hours: float) -> list[dict[str, Any]]:
        put_manoeuvred(self.settings, at(hours))
        messages = [one.message for one in newest_messages(self.settings.store, 100)]
        return [one.body for one in reversed(messages) if one.kind == KIND]


@pytest.fixture
def watched(store: Path) -> Watched:
    fleet = make_fleet(store)
    create_alert(
        store, NewAlert(fleet.id, target("ops@example.org"), "test", manoeuvres=True, level="low"), at(-1)
    )
    return Watched(StoreSettings(store=store), fleet)


@pytest.mark.slow
def test_it_is_told_once_of_the_fleet_and_of_what_it_meets(watched: Watched) -> None:
    watched.run(0)
    assert watched.told(0.1) == []
    watched.run(6, (OURS[3], 2, 0.02), (OTHER, 3, 0.3), (FAR, 3, 9.0))
    once = [[(OURS[3], True), (OTHER, False)]]
    assert watched.told(6.1) == once
    assert watched.told(6.2) == once
    watched.run(12)
    assert watched.told(12.1) == once


@pytest.mark.slow
def test_what_is_seen_better_later_is_told_once(watched: Watched) -> None:
    watched.run(0, (OTHER, -5, 0.3))
    assert watched.told(0.1) == [[(OTHER, False)]], "a new alert begins with the newest run"
    watched.run(6, (OTHER, -4, 0.5), sigmas=30.0)
    assert len(watched.told(6.1)) == 1
    watched.run(12, (OTHER, 4, 0.1))
    assert len(watched.told(12.1)) == 2


@pytest.mark.slow
def test_what_runs_found_meanwhile_is_told_together(watched: Watched) -> None:
    store = watched.settings.store
    watched.run(0)
    assert watched.told(0.1) == []
    switch_off(store, 1, "by hand", at(1))
    watched.run(6, (OURS[1], 2, 0.1))
    watched.run(12, (OURS[2], 8, 0.2))
    assert watched.told(12.1) == []
    switch_on(store, 1, at(13))
    assert watched.told(13.1) == [[(OURS[2], True), (OURS[1], True)]]


@pytest.mark.slow
def test_old_burns_and_historic_runs_are_no_news(watched: Watched) -> None:
    watched.run(0, (OURS[1], -24 * 8, 0.1))
    assert watched.told(0.1) == []
    watched.run(6, (OURS[1], 2, 0.1), historic=True)
    assert watched.told(6.1) == []


@pytest.mark.slow
def test_alerts_that_do_not_want_it_are_not_told(store: Path) -> None:
    fleet = make_fleet(store)
    create_alert(store, NewAlert(fleet.id, target("ops@example.org"), "test"), at(-1))
    quiet = Watched(StoreSettings(store=store), fleet)
    quiet.run(0, (OURS[1], -3, 0.1))
    assert quiet.told(0.1) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_the_message_in_words(watched: Watched, count: int) -> None:
    watched.run(0, *[(OTHER, -5, 0.312), (OURS[1], -4, 0.1), (OURS[2], -4, 0.1)][:count])
    (body,) = watched.bodies(0.1)
    words = wording(body)
    assert "has manoeuvred" in words.subject
    assert ("and 2 more manoeuvres" in words.subject) == (count == 3)
    event_id = body["data"]["manoeuvres"][-1]["event_id"]
    said = f"({OTHER}): 0.31 m/s on 21 Nov 01:00 UTC; event {event_id} is with it"
    assert words.items[-1].text.endswith(said)


def test_a_long_list_is_cut(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.alerts.bodies.MOST_LISTED", 2)
    watched.run(0, *[(number, -4, 0.1) for number in OURS[:5]])
    (body,) = watched.bodies(0.1)
    assert (len(body["data"]["manoeuvres"]), body["data"]["more"]) == (2, 3)
