"""Alerts, feeds and changes of a fleet go by its own hard-body radius; those of others by the run's."""

from pathlib import Path
from typing import Any

import pytest

from api.answers.watched.told import About, paragraphs
from flows.alerts.channels.wording import wording
from flows.alerts.outbox import note_run
from flows.alerts.worker import advance
from storage.fleets.changes import fleet_changes
from storage.fleets.encounters import encounters, looks_at
from storage.rows.limits import Limits
from tests.flows.alerts.made_up_days import NUMBERS, Meeting, at, look, make_fleet, publish_meetings
from tests.flows.alerts.test_outbox import SOON, Watched

BY_RUN = Meeting(0, 20, at(20), "medium", 2e-6)
OWN = (12.5, 3e-4, "2d")  # the same at the fleet's radius: critical


@pytest.fixture
def watched(store: Path) -> Watched:
    """Give a store with a fleet and an alert from the level critical on."""
    return Watched(store, level="critical", near_m=None)


def test_an_alert_goes_by_the_level_at_the_fleets_radius(watched: Watched) -> None:
    run_id = publish_meetings(watched.store, 0, [BY_RUN])
    look(watched.store, run_id, watched.fleet, own=OWN)
    note_run(watched.settings, run_id, at(0) + SOON)
    (message,) = watched.deliver(0.1)
    (event,) = message.body["data"]["events"]
    assert (event["probability_level"], event["probability_best"]) == ("critical", 3e-4)
    assert (event["fleet_hard_body_radius_m"], event["risk_level"]) == (12.5, "critical")
    text = wording(message.body).items[0].text
    assert "critical, probability 3.0e-04 at the fleet's own hard-body radius, 12.5 m for both" in text


@pytest.mark.slow
def test_the_daily_answer_is_at_it_too(watched: Watched) -> None:
    daily = watched.add(daily=True, level="critical", near_m=None)
    run_id = publish_meetings(watched.store, 0, [BY_RUN])
    look(watched.store, run_id, watched.fleet, own=OWN)
    advance(watched.settings, at(1))
    (body,) = [one.body for one in watched.waiting(daily) if one.kind == "fleet.daily"]
    (satellite,) = body["data"]["satellites"]
    worst = satellite["worst"]
    assert (worst["probability_level"], worst["fleet_hard_body_radius_m"]) == ("critical", 12.5)
    assert "3.0e-04 at the fleet's own hard-body radius" in wording(body).items[0].text


@pytest.mark.slow
def test_without_a_radius_of_its_own_the_run_counts(watched: Watched) -> None:
    assert watched.note(0, BY_RUN)
    assert watched.waiting() == []
    everything: Any = watched.add(level="low")
    watched.note(1, BY_RUN)
    (message,) = [one for one in watched.deliver(1.1) if one.alert_id == everything]
    assert message.body["data"]["events"][0]["fleet_hard_body_radius_m"] is None
    assert "radius" not in wording(message.body).items[0].text


@pytest.mark.slow
def test_feeds_and_changes_go_by_it_too(watched: Watched) -> None:
    store, fleet = watched.store, watched.fleet
    first = publish_meetings(store, 0, [BY_RUN])
    look(store, first, fleet)
    second = publish_meetings(store, 6, [BY_RUN])
    look(store, second, fleet, own=OWN)
    ((now, before),) = fleet_changes(store, fleet.id).raised
    assert (before["probability_level"], now["probability_level"]) == ("medium", "critical")
    limits = Limits("critical", None)
    (one,) = encounters(looks_at(store, fleet.id, limits), limits, at(7))
    said = paragraphs(one, About(fleet.id, fleet.name, limits, second, "", ""))
    assert "Level: critical, probability 3.0e-04" in said
    assert "At the fleet's own hard-body radius, 12.5 m for both objects" in said
    other = make_fleet(store, "other", NUMBERS[:8])
    look(store, second, other)
    assert encounters(looks_at(store, other.id, limits), limits, at(7)) == []
