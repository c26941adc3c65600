"""Six days of runs, one every six hours: exactly the messages of the life cycle, in order, none twice.

What is to be told is written down by hand from the rules in docs/alerts.md.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flows.alerts.outbox import note_run
from flows.alerts.worker import advance
from storage.settings import StoreSettings
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.alerts.outbox import Message, Outcome, due_messages, note_attempt
from storage.state.fleets import Fleet
from tests.flows.alerts.alerting import begun
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

pytestmark = pytest.mark.slow

RUNS, INTERVAL_HOURS = 24, 6.0
FAILED_RUNS = (9, 16)  # these never came about
UNLOOKED_RUNS = (12,)  # of these the fleets could not be looked at
NOTED_MINUTES = 2  # after the start of a run
ADVANCED_MINUTES = (3, 100, 200, 300, 355)
REFUSING_RUNS = range(4, 8)  # one receiver refuses everything then

Rated = tuple[str, float | None]
Told = tuple[int, int, str]  # in which of the six hours, of which story, what


class Story(NamedTuple):
    """An encounter: when it is, and its level and probability at each run that finds it."""

    tca_hours: float
    seen: dict[int, Rated]


HIGH, HIGHER, TENFOLD, CRITICAL = ("high", 2e-5), ("high", 3e-5), ("high", 2e-4), ("critical", 2e-4)
UNKNOWN = ("unknown", None)
# A window is 24 hours long: four runs find an encounter before its TCA, if all goes well.
STORIES = [
    Story(20, dict.fromkeys(range(4), HIGH)),  # goes on as it is
    Story(23, {0: ("medium", 2e-6), 1: HIGH, 2: CRITICAL, 3: ("critical", 1.9e-3)}),  # worsens
    Story(45, {4: HIGH, 5: HIGHER, 6: TENFOLD, 7: ("high", 1e-6)}),  # worsens, eases
    Story(46, {4: CRITICAL, 5: HIGH}),  # eases, vanishes
    Story(44, {4: HIGH, 7: HIGH}),  # vanishes, comes back
    Story(47.5, {4: UNKNOWN, 6: UNKNOWN, 7: ("critical", 2e-4)}),  # has no probability at first
    Story(65.5, {7: HIGH, 8: HIGH}),  # vanishes; of the two runs after that one failed
    Story(83, {10: HIGH, 11: HIGH}),  # the same, and the fleet was not looked at
    Story(95, {13: HIGH}),  # vanishes
    Story(110, {15: HIGH, 17: ("high", 3e-4), 18: HIGH}),  # a run in between failed
    Story(130, {18: ("low", 1e-9), 19: ("medium", 2e-6), 20: ("medium", 3e-6), 21: ("low", 1e-9)}),
    Story(137, dict.fromkeys(range(19, 23), ("critical", 1e-3))),
    Story(139, dict.fromkeys(range(20, 24), ("high", 0.0))),
]
EVERYTHING: list[Told] = [
    (0, 0, "new"), (3, 0, "closed"),
    (1, 1, "new"), (2, 1, "raised"), (3, 1, "closed"),
    (4, 2, "new"), (6, 2, "raised"), (7, 2, "closed"),
    (4, 3, "new"), (7, 3, "resolved"),
    (4, 4, "new"), (6, 4, "resolved"), (7, 4, "new again"), (7, 4, "closed"),
    (4, 5, "new"), (7, 5, "raised"), (7, 5, "closed"),
    (7, 6, "new"), (10, 6, "closed"),
    (10, 7, "new"), (13, 7, "closed"),
    (13, 8, "new"), (15, 8, "resolved"),
    (15, 9, "new"), (17, 9, "raised"), (18, 9, "closed"),
    (19, 11, "new"), (22, 11, "closed"),
    (20, 12, "new"), (23, 12, "closed"),
]  # fmt: skip
CRITICAL_ONLY: list[Told] = [
    (2, 1, "new"), (3, 1, "closed"),
    (4, 3, "new"), (6, 3, "resolved"),
    (4, 5, "new"), (7, 5, "raised"), (7, 5, "closed"),
    (19, 11, "new"), (22, 11, "closed"),
]  # fmt: skip
LIKELY_ONLY: list[Told] = [  # from 1e-4
    (2, 1, "new"), (3, 1, "closed"),
    (6, 2, "new"), (7, 2, "closed"),
    (4, 3, "new"), (6, 3, "resolved"),
    (7, 5, "new"), (7, 5, "closed"),
    (17, 9, "new"), (18, 9, "closed"),
    (19, 11, "new"), (22, 11, "closed"),
]  # fmt: skip
# One message every 12 hours, and one at once where something is new or worse and critical.
DIGEST: list[list[Told]] = [
    [(0, 0, "new")],
    [(2, 1, "new")],
    [(4, 0, "closed"), (4, 1, "closed"), (4, 2, "new"), (4, 3, "new"), (4, 4, "new"), (4, 5, "new")],
    [(6, 2, "raised"), (6, 4, "resolved")],
    [(7, 3, "resolved"), (7, 4, "new again"), (7, 5, "raised"), (7, 6, "new")],
    [(9, 2, "closed"), (9, 4, "closed"), (9, 5, "closed")],
    [(11, 6, "closed"), (11, 7, "new")],
    [(13, 8, "new")],
    [(15, 7, "closed"), (15, 8, "resolved"), (15, 9, "new")],
    [(17, 9, "raised")],
    [(19, 9, "closed"), (19, 11, "new")],
    [(21, 12, "new")],
    [(23, 11, "closed")],
]
# After a receiver has refused for a day, one message tells where everything stands.
AFTER_REFUSALS: list[Told] = [
    (8, 2, "closed"), (8, 3, "resolved"), (8, 4, "closed"), (8, 5, "closed"), (8, 6, "new"),
]  # fmt: skip


class World(NamedTuple):
    """What each alert's receiver has taken, with when."""

    taken: dict[str, list[tuple[int, Message]]]

    def told(self, name: str) -> list[list[Told]]:
        """Return what an alert's messages have told, message by message."""
        return [
            sorted((number, story_of(event), words(event)) for event in message.body["data"]["events"])
            for number, message in self.taken[name]
        ]


LIMITS: dict[str, dict[str, Any]] = {
    "all": {},
    "critical": {"level": "critical"},
    "likely": {"level": "low", "min_probability": 1e-4},
    "digest": {"digest_hours": 12.0},
    "refusing": {},
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Six days, with an alert of each kind."""
    store = tmp_path_factory.mktemp("days") / "store"
    fleet, settings = make_fleet(store), StoreSettings(store=store)
    names: dict[int, str] = {}
    for name, limits in LIMITS.items():
        new = NewAlert(fleet.id, target(f"{name}@example.org"), "test", **limits)
        names[create_alert(store, new, FIRST - timedelta(hours=1)).id] = name
    taken: dict[str, list[tuple[int, Message]]] = {name: [] for name in LIMITS}
    for number in range(RUNS):
        start = at(number * INTERVAL_HOURS)
        run_id = run_number(store, number, fleet)
        if run_id is not None:
            note_run(settings, run_id, start + timedelta(minutes=NOTED_MINUTES))
            note_run(settings, run_id, start + timedelta(minutes=NOTED_MINUTES, seconds=1))
        for minutes in ADVANCED_MINUTES:
            now = start + timedelta(minutes=minutes)
            advance(settings, now)
            advance(settings, now)
            for message in deliver(store, now, names, number):
                taken[names[message.alert_id]].append((number, message))
    return World(taken)


def run_number(store: Path, number: int, fleet: Fleet) -> str | None:
    """Publish a run of the stories and look at the fleet, and return its id; None: it failed."""
    if number in FAILED_RUNS:
        return None
    meetings = [
        Meeting(place % len(OURS), len(OURS) + place, at(story.tca_hours), *story.seen[number])
        for place, story in enumerate(STORIES)
        if number in story.seen
    ]
    run_id = publish_meetings(store, number * INTERVAL_HOURS, meetings)
    if number in UNLOOKED_RUNS:
        return None
    look(store, run_id, fleet)
    return run_id


def deliver(store: Path, now: datetime, names: dict[int, str], number: int) -> Iterator[Message]:
    while due_messages(store, now):
        for message in begun(store, now):
            if names[message.alert_id] == "refusing" and number in REFUSING_RUNS:
                later = now + timedelta(hours=1)
                note_attempt(store, message.id, now, Outcome(500, "no", 0.1), later)
            else:
                note_attempt(store, message.id, now, Outcome(200, "", 0.1), "delivered")
                yield message


def story_of(event: dict[str, Any]) -> int:
    return NUMBERS.index(event["other_norad_id"]) - len(OURS)


def words(event: dict[str, Any]) -> str:
    return str(event["change"]) + (" again" if event.get("again") else "")


@pytest.mark.parametrize(
    ("name", "expected"), [("all", EVERYTHING), ("critical", CRITICAL_ONLY), ("likely", LIKELY_ONLY)]
)
def test_each_change_is_told_once_when_it_happens(world: World, name: str, expected: list[Told]) -> None:
    told = [one for message in world.told(name) for one in message]
    assert sorted(told) == sorted(expected)
    assert [number for number, *_ in told] == sorted(number for number, *_ in told)


def test_a_run_has_one_message(world: World) -> None:
    of_runs = [
        (number, message.created)
        for number, message in world.taken["all"]
        if message.created == at(number * INTERVAL_HOURS) + timedelta(minutes=NOTED_MINUTES)
    ]
    assert len(of_runs) == len(set(of_runs)) > 10


def test_a_digest_gathers_what_is_not_urgent(world: World) -> None:
    assert world.told("digest") == DIGEST


def test_a_receiver_that_was_away_is_told_where_everything_stands(world: World) -> None:
    told = world.told("refusing")
    before = [one for message in told for one in message if one[0] < 8]
    assert sorted(before) == sorted(one for one in EVERYTHING if one[0] < 4)
    (after,) = [message for message in told if message[0][0] == 8]
    assert after == AFTER_REFUSALS
    rest = [one for message in told for one in message if one[0] > 8]
    assert sorted(rest) == sorted(one for one in EVERYTHING if one[0] > 8)


def test_ids_differ_and_bodies_are_as_documented(world: World) -> None:
    messages = [message for taken in world.taken.values() for _, message in taken]
    assert len({message.id for message in messages}) == len(messages)
    for message in messages:
        data = message.body["data"]
        assert message.body["type"] == message.kind == "conjunctions"
        assert sum(data["counts"].values()) == len(data["events"]) + data["more"]
        assert data["fleet"]["name"] == "mine"
        for event in data["events"]:
            assert event["norad_id"] in OURS
            assert event["api"] == f"/conjunctions/{event['event_id']}"
            assert ("before" in event) == (event["change"] == "raised")
