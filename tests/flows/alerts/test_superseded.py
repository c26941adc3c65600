"""What supersedes a message that was tried goes neither earlier nor more often, and nothing is lost."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from flows.alerts.advance import advance
from flows.alerts.channels.answered import Answered
from flows.alerts.retries import next_attempt, pause_until
from storage.state.alerts.deliveries import delivery
from storage.state.alerts.kept import switch_off, switch_on
from storage.state.alerts.outbox import Message, Outcome, begin_sending, due_messages, note_attempt
from tests.flows.alerts.made_up_days import Meeting, at
from tests.flows.alerts.test_noted import MEETING, MEETINGS, Watched

BUSY = Answered(503, "503", retry_after="86400")  # a day
DOWN = Answered(500, "500")
CRITICAL = MEETING._replace(level="critical")


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    """Give a store with a fleet and an alert."""
    return Watched(tmp_path / "store")


def refuse(watched: Watched, hours: float, answered: Answered) -> list[Message]:
    """Refuse what is due, as the courier records it."""
    tried = due_messages(watched.store, at(hours))
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


@pytest.mark.parametrize("digest_hours", [None, 6.0])
def test_a_newer_message_leaves_the_receiver_the_time_that_it_asked_for(
    tmp_path: Path, digest_hours: float | None
) -> None:
    """Each run's message was due at once, whatever Retry-After said; an urgent one too."""
    watched = Watched(tmp_path / "store", digest_hours=digest_hours)
    watched.note(0, MEETING)
    refuse(watched, 0.1, BUSY)
    watched.note(6, CRITICAL)
    assert dues(watched) == [("conjunctions", at(24.1), 1)]


@pytest.mark.slow
def test_attempts_count_on_when_a_message_is_superseded(watched: Watched) -> None:
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


def test_switching_on_ends_the_pause(watched: Watched) -> None:
    watched.note(0, MEETING)
    refuse(watched, 0.1, Answered(429, "429", retry_after="3600"))
    switch_off(watched.store, watched.alert_id, "by hand", at(0.2))
    switch_on(watched.store, watched.alert_id, at(0.3))
    watched.deliver(0.3)
    watched.note(0.4, CRITICAL)
    assert dues(watched) == [("conjunctions", at(0.4) + timedelta(minutes=2), 0)]


def test_a_daily_answer_waits_as_long_as_the_one_that_it_supersedes(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "store", daily=True)
    watched.publish(0, MEETING)
    advance(watched.settings, at(0.1))
    refuse(watched, 0.2, BUSY)
    refuse(watched, 1.3, BUSY)
    watched.publish(17.9, MEETING)
    advance(watched.settings, at(18.1))  # the next day, 00:06
    daily = [one for one in dues(watched) if one[0] == "fleet.daily"]
    assert daily == [("fleet.daily", at(25.3), 1)]


def test_what_was_given_up_is_told_with_the_next_message(watched: Watched) -> None:
    """After its last attempt a message counted as told: nobody heard of its encounters again."""
    watched.note(0, MEETINGS[1])
    (failed,) = due_messages(watched.store, at(0.1))
    note_attempt(watched.store, failed.id, at(0.1), Outcome(550, "no such user", 0.1), "failed")
    watched.note(6, MEETINGS[1], MEETING)
    (message,) = watched.waiting()
    assert message.body["data"]["counts"] == {"new": 2, "raised": 0, "eased": 0, "resolved": 0, "closed": 0}
    assert message.attempts == 0, "the ten attempts of the other one are over"
    assert delivery(watched.store, failed.id).message[7::3] == ("failed", message.id)
    watched.deliver(6.1)
    watched.note(7, MEETINGS[1]._replace(probability=1e-2), MEETING)
    (message,) = watched.waiting()
    assert message.body["data"]["counts"] == {"new": 0, "raised": 1, "eased": 0, "resolved": 0, "closed": 0}


def test_what_is_being_sent_is_not_superseded_but_goes_first(watched: Watched) -> None:
    """The receiver had it, the next message told its encounter as new a second time."""
    watched.note(0, MEETING)
    (first,) = due_messages(watched.store, at(6))
    assert begin_sending(watched.store, [first.id], at(6) + timedelta(minutes=5))
    watched.note(6, CRITICAL)
    older, newer = watched.waiting()
    assert older.id == first.id
    assert [one["change"] for one in newer.body["data"]["events"]] == ["raised"]
    assert [one.id for one in due_messages(watched.store, at(7))] == [first.id], "they keep their order"
    note_attempt(watched.store, first.id, at(6), Outcome(200, "", 0.1), "delivered")
    assert [one.id for one in watched.deliver(7)] == [newer.id]


def test_what_was_being_sent_when_its_process_was_killed_is_superseded(watched: Watched) -> None:
    watched.note(0, MEETING)
    (first,) = watched.waiting()
    begin_sending(watched.store, [first.id], at(0.2))
    watched.note(6, CRITICAL)
    (message,) = watched.waiting()
    assert [one["change"] for one in message.body["data"]["events"]] == ["new"]


@pytest.mark.slow
def test_what_was_being_sent_and_fails_behind_which_another_waits_is_not_lost(watched: Watched) -> None:
    watched.note(0, MEETING)
    (first,) = watched.waiting()
    begin_sending(watched.store, [first.id], at(7))
    watched.note(6, MEETING, MEETINGS[1])
    note_attempt(watched.store, first.id, at(6.1), Outcome(550, "no", 0.1), "failed")
    watched.note(12, MEETING, MEETINGS[1], Meeting(2, 30, at(30)))
    (message,) = watched.waiting()
    assert message.body["data"]["counts"]["new"] == 3


def test_what_is_superseded_before_it_is_sent_is_not_sent(watched: Watched) -> None:
    watched.note(0, MEETING)
    (first,) = due_messages(watched.store, at(0.1))
    watched.note(6, CRITICAL)
    assert not begin_sending(watched.store, [first.id], at(6.2))
