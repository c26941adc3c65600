"""More to say than a message that was tried: it goes neither earlier nor more often, and nothing is lost."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from flows.alerts.channels.posting import Answered
from flows.alerts.send import next_attempt, pause_until, written_messages
from flows.alerts.worker import advance
from storage.state.alerts.alerts import switch_off, switch_on
from storage.state.alerts.deliveries import delivery
from storage.state.alerts.outbox import Message, Outcome, due_messages, note_attempt
from storage.state.database import service_state
from tests.flows.alerts.alerting import begun
from tests.flows.alerts.made_up_days import Meeting, at
from tests.flows.alerts.test_outbox import MEETING, MEETINGS, Watched

BUSY = Answered(503, "503", retry_after="86400")  # a day
DOWN = Answered(500, "500")
CRITICAL = MEETING._replace(level="critical")


@pytest.fixture
def watched(store: Path) -> Watched:
    """Give a store with a fleet and an alert."""
    return Watched(store)


def refuse(watched: Watched, hours: float, answered: Answered) -> list[Message]:
    """Refuse what is due, as the courier records it."""
    tried = begun(watched.store, at(hours))
    for one in tried:
        then = next_attempt(one.attempts + 1, answered, at(hours), lambda: 0.0)
        note_attempt(
            watched.store,
            one.id,
            at(hours),
            Outcome(answered.status, answered.error, 0.1),
            then or "failed",
            pause_until=pause_until(answered, then, at(hours)),
        )
    return tried


def dues(watched: Watched) -> list[tuple[str, datetime, int]]:
    return [(one.kind, one.due, one.attempts) for one in watched.waiting()]


@pytest.mark.slow
@pytest.mark.parametrize("digest_hours", [None, 6.0])
def test_a_newer_message_leaves_the_receiver_the_time_that_it_asked_for(
    store: Path, digest_hours: float | None
) -> None:
    """Each run's message was due at once, whatever Retry-After said; an urgent one too."""
    watched = Watched(store, digest_hours=digest_hours)
    watched.note(0, MEETING)
    refuse(watched, 0.1, BUSY)
    watched.note(6, CRITICAL)
    assert dues(watched) == [("conjunctions", at(24.1), 1)]


@pytest.mark.slow
def test_attempts_count_on_when_more_is_to_be_said(watched: Watched) -> None:
    """With a run every three hours, a receiver that is down was asked as often as a new one, for ever."""
    watched.note(0, MEETING)
    tried = 0
    for number in range(1, 11):
        hours = number * 1.5
        tried += len(refuse(watched, hours, DOWN))
        watched.note(hours, MEETING, Meeting(1, 20 + number, at(40)))
    # Five of the ten attempts fit into a day's first half: at once, after 5 s, 5 min, 30 min, 2 h, 5 h.
    assert tried <= 6
    ((_, due, attempts),) = dues(watched)
    assert attempts == tried
    assert due > at(14.5) - timedelta(hours=5)


@pytest.mark.slow
def test_what_is_put_while_a_receiver_wants_nothing_waits_too(watched: Watched) -> None:
    watched.note(0, MEETING)
    watched.deliver(0.1)
    watched.note(1, CRITICAL)
    refuse(watched, 1.1, BUSY)
    advance(watched.settings, at(1.2))
    with_stale = [one for one in dues(watched) if one[0] != "conjunctions"]
    assert with_stale == []
    advance(watched.settings, at(13.05))  # the pause of an hour is over
    assert ("catalogue.stale", at(13.05), 0) in dues(watched)
    refuse(watched, 13.06, Answered(429, "429", retry_after="3600"))
    watched.publish(13.1, CRITICAL)
    advance(watched.settings, at(13.2))
    recovered = [due for kind, due, _ in dues(watched) if kind == "catalogue.recovered"]
    assert recovered == [at(14.06)]


@pytest.mark.slow
def test_switching_on_ends_the_pause(watched: Watched) -> None:
    watched.note(0, MEETING)
    refuse(watched, 0.1, Answered(429, "429", retry_after="3600"))
    switch_off(watched.store, watched.alert_id, "by hand", at(0.2))
    switch_on(watched.store, watched.alert_id, at(0.3))
    watched.deliver(0.3)
    watched.note(0.4, CRITICAL)
    assert dues(watched) == [("conjunctions", at(0.4) + timedelta(minutes=2), 0)]


@pytest.mark.slow
def test_a_daily_answer_waits_as_long_as_the_one_before_that_was_refused(store: Path) -> None:
    watched = Watched(store, daily=True)
    watched.publish(0, MEETING)
    advance(watched.settings, at(0.1))
    refuse(watched, 0.2, BUSY)
    refuse(watched, 1.3, BUSY)
    watched.publish(17.9, MEETING)
    advance(watched.settings, at(18.1))  # the next day, 00:06
    daily = [one for one in watched.waiting() if one.kind == "fleet.daily"]
    assert [(one.due, one.attempts) for one in daily] == [(at(25.3), 1)]
    assert daily[0].body["timestamp"] == "2026-11-22T00:06:00Z"


def counts(message: Message) -> dict[str, int]:
    return {kind: count for kind, count in message.body["data"]["counts"].items() if count}


@pytest.mark.slow
def test_a_message_with_more_to_say_has_another_id_and_the_attempts_so_far(watched: Watched) -> None:
    """A receiver that acts on an id once would have left out what came later."""
    watched.note(0, MEETING)
    (refused,) = refuse(watched, 0.1, DOWN)
    (again,) = refuse(watched, 0.5, DOWN)
    assert (again.id, again.body) == (refused.id, refused.body)
    watched.note(6, MEETINGS[1], CRITICAL)
    (taken,) = watched.deliver(6.1)
    assert taken.id != refused.id
    assert counts(taken) == {"new": 2}
    assert [one.status for one in delivery(watched.store, taken.id).tried] == [500, 500, 200]


@pytest.mark.slow
def test_what_was_given_up_goes_with_the_next_message(watched: Watched) -> None:
    """After its last attempt a message counted as sent: nobody heard of its encounters again."""
    watched.note(0, MEETINGS[1])
    (failed,) = begun(watched.store, at(0.1))
    note_attempt(watched.store, failed.id, at(0.1), Outcome(550, "no such user", 0.1), "failed")
    assert watched.deliver(3) == []
    watched.note(6, MEETINGS[1], MEETING)
    assert dues(watched) == [("conjunctions", at(6) + timedelta(minutes=2), 0)], "it has all ten attempts"
    (message,) = watched.deliver(6.1)
    assert counts(message) == {"new": 2}
    assert delivery(watched.store, failed.id).message.state == "failed"
    watched.note(7, MEETINGS[1]._replace(probability=1e-2), MEETING)
    (message,) = watched.deliver(7.1)
    assert counts(message) == {"raised": 1}


@pytest.mark.slow
def test_what_is_being_sent_goes_first_and_the_next_message_says_what_came_later(watched: Watched) -> None:
    """The receiver had it, the next message reported its encounter as new a second time."""
    watched.note(0, MEETING)
    (first,) = begun(watched.store, at(6))
    watched.note(6, CRITICAL)
    older, newer = watched.waiting()
    assert older.id == first.id
    assert [one.id for one in due_messages(watched.store, at(7))] == [first.id], "they keep their order"
    note_attempt(watched.store, first.id, at(6), Outcome(200, "", 0.1), "delivered")
    (second,) = watched.deliver(7)
    assert second.id == newer.id
    assert [(one["change"], one["before"]) for one in second.body["data"]["events"]] == [
        ("raised", {"level": "high", "probability": 2e-5})
    ]


@pytest.mark.slow
def test_what_was_being_sent_when_its_process_was_killed_is_new_still(watched: Watched) -> None:
    watched.note(0, MEETING)
    begun(watched.store, at(0.2))
    watched.note(6, CRITICAL)
    (message,) = watched.deliver(6.1)
    assert [one["change"] for one in message.body["data"]["events"]] == ["new"]


@pytest.mark.slow
def test_what_was_being_sent_and_fails_behind_which_another_waits_is_not_lost(watched: Watched) -> None:
    watched.note(0, MEETING)
    (first,) = begun(watched.store, at(6))
    watched.note(6, MEETING, MEETINGS[1])
    note_attempt(watched.store, first.id, at(6.1), Outcome(550, "no", 0.1), "failed")
    watched.note(12, MEETING, MEETINGS[1], Meeting(2, 30, at(30)))
    (message,) = watched.deliver(12.1)
    assert counts(message) == {"new": 3}


@pytest.mark.slow
def test_what_has_more_to_say_before_it_is_sent_is_not_sent_as_it_was(watched: Watched) -> None:
    watched.note(0, MEETING)
    refuse(watched, 0.1, DOWN)
    (found,) = due_messages(watched.store, at(6))
    watched.note(6, CRITICAL)
    assert written_messages(watched.store, [found], {}, at(6.2), at(6.3)) == {}


@pytest.mark.slow
def test_what_the_disk_has_damaged_stops_no_other_alert(watched: Watched) -> None:
    other = watched.add("desk@example.org")
    watched.note(0, MEETING)
    with service_state(watched.store) as state:
        state.execute("UPDATE alert_encounters SET entry = substr(entry, 3) WHERE alert_id = 1")
    damaged, whole = begun(watched.store, at(0.1))
    assert (damaged.alert_id, damaged.body) == (watched.alert_id, {})
    assert (whole.alert_id, counts(whole)) == (other, {"new": 1})
