"""Runs that are killed between their publication and their last message: each change is told once."""

import random
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from flows.alerts.worker import advance
from storage.settings import StoreSettings
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.alerts.outbox import Message
from storage.state.database import query_state
from tests.flows.alerts import alerting
from tests.flows.alerts.doomed_days import DONE, STAGES, make_run
from tests.flows.alerts.made_up_days import FIRST, NUMBERS, OURS, Meeting, at, make_fleet
from tests.storage.doomed import pipe, start

STEP_HOURS = 0.1  # between runs, so that no TCA passes
STARTS_WITHIN_S = 60.0


def meetings_of(number: int) -> list[Meeting]:
    """Return what a run has: what those before it had, and one more."""
    return [Meeting(place % len(OURS), len(OURS) + place, at(20 + place / 60)) for place in range(number + 1)]


def run_until(store: Path, number: int, stage: str, seconds: float) -> tuple[str, float]:
    """Make a run, kill it so long after a stage began; return the stage it died in, and how long it lived."""
    told, stages_told = pipe()
    process = start(make_run, store, number * STEP_HOURS, meetings_of(number), stages_told)
    stages_told.close()
    reached, began = "", time.monotonic()
    while reached != stage:
        assert told.poll(STARTS_WITHIN_S)
        reached = told.recv()
        began = time.monotonic() if reached == STAGES[0] else began
    process.join(seconds)
    process.kill()
    process.join()
    while told.poll():
        try:
            reached = told.recv()
        except EOFError:
            break
    return reached, time.monotonic() - began


def delivered(settings: StoreSettings, now: datetime) -> list[Message]:
    """Do as the process that delivers: note what was missed, then deliver what is due."""
    advance(settings, now)
    return alerting.taken(settings.store, now)


@pytest.mark.slow
def test_what_killed_runs_found_is_told_once(tmp_path: Path) -> None:
    store, chance, kills = tmp_path / "store", random.Random(50), 50
    fleet, settings = make_fleet(store), StoreSettings(store=store)
    create_alert(store, NewAlert(fleet.id, target("ops@example.org"), "test"), FIRST - timedelta(hours=1))
    stage, whole_s = run_until(store, 0, DONE, 0.0)
    assert stage == DONE
    taken = delivered(settings, at(0) + timedelta(minutes=1))
    died: Counter[str] = Counter()
    for number in range(1, kills + 1):
        begun = STAGES[chance.randrange(len(STAGES) - 1)]
        stage, _ = run_until(store, number, begun, chance.uniform(0, whole_s / 12))
        died[stage] += 1
        if chance.random() < 0.5:  # else the next run comes first
            taken += delivered(settings, at(number * STEP_HOURS) + timedelta(minutes=1))
    assert run_until(store, kills + 1, DONE, 0.0)[0] == DONE
    taken += delivered(settings, at((kills + 1) * STEP_HOURS) + timedelta(minutes=1))
    print(dict(died))  # noqa: T201
    assert len(died) >= 3

    states = dict(query_state(store, "SELECT id, state FROM outbox ORDER BY number"))
    assert [one.id for one in taken] == [one for one, state in states.items() if state == "delivered"]
    assert set(states.values()) == {"delivered"}
    assert len({one.id for one in taken}) == len(taken)
    events = [event for one in taken for event in one.body["data"]["events"]]
    assert {event["change"] for event in events} == {"new"}, "what goes on is not told"
    others = [event["other_norad_id"] for event in events]
    assert others.count(NUMBERS[len(OURS)]) == 1
    assert sorted(others) == sorted(NUMBERS[len(OURS) : len(OURS) + kills + 2])
