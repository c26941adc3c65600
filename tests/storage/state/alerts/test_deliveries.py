"""What became of messages is listed, tried again by hand, counted, and forgotten after a month."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.state.alerts import outbox
from storage.state.alerts.addresses import Target
from storage.state.alerts.alerts import NewAlert, NoSuchAlert, create_alert, remove_alert, switch_off
from storage.state.alerts.deliveries import (
    MOST_OF_AN_ALERT,
    MOST_TESTS,
    CannotRetry,
    NoSuchMessage,
    delivery,
    figures,
    messages_of,
    newest_messages,
    put_test,
    retry,
    tidy,
)
from storage.state.alerts.outbox import Outcome
from storage.state.database import query_state, service_state
from storage.state.fleets import FleetObject, NewFleet, create_fleet, remove_fleet

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
REFUSED, TAKEN = Outcome(500, "500", 0.1), Outcome(200, "", 0.2)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store with a fleet and two alerts."""
    made = create_fleet(tmp_path, NewFleet("mine", (FleetObject(5, None, None),)), NOW)
    for number in range(2):
        create_alert(
            tmp_path, NewAlert(made.id, Target("webhook", f"https://example.org/{number}"), "me"), NOW
        )
    return tmp_path


def put(store: Path, alert_id: int = 1, created: datetime = NOW) -> str:
    with service_state(store) as state:
        return outbox.put(state, alert_id, "conjunctions", {"type": "conjunctions"}, created, created)


def test_messages_are_listed_newest_first_with_their_attempts(store: Path) -> None:
    ids = [put(store) for _ in range(3)]
    other = put(store, 2)
    outbox.note_attempt(store, ids[0], NOW, REFUSED, NOW + HOUR)
    outbox.note_attempt(store, ids[0], NOW + HOUR, TAKEN, "delivered")
    found, total = messages_of(store, 1, 2, 1)
    assert ([one.message.id for one in found], total) == ([ids[1], ids[0]], 3)
    assert found[0].tried == ()
    assert [(one.at, one.status, one.error, one.seconds) for one in found[1].tried] == [
        (NOW, 500, "500", 0.1),
        (NOW + HOUR, 200, "", 0.2),
    ]
    assert [one.message.id for one in newest_messages(store, 2)] == [other, ids[2]]
    with pytest.raises(NoSuchAlert):
        messages_of(store, 3, 10)


def test_what_was_given_up_is_tried_again_as_often_as_a_new_one(store: Path) -> None:
    message_id = put(store)
    outbox.note_attempt(store, message_id, NOW, REFUSED, "failed")
    assert outbox.due_messages(store, NOW + DAY) == []
    retry(store, message_id, NOW + DAY)
    (due,) = outbox.due_messages(store, NOW + DAY)
    assert (due.id, due.attempts, due.finished) == (message_id, 0, None)
    assert len(delivery(store, message_id).tried) == 1


@pytest.mark.parametrize("with_its_fleet", [True, False])
def test_messages_of_a_removed_alert_are_listed_and_not_tried_again(
    store: Path, with_its_fleet: bool
) -> None:
    message_id = put(store)
    if with_its_fleet:
        remove_fleet(store, "mine", NOW)
    else:
        remove_alert(store, 1, NOW)
    found, total = messages_of(store, 1, 10)
    assert ([(one.message.id, one.message.state) for one in found], total) == ([(message_id, "cancelled")], 1)
    with pytest.raises(CannotRetry, match=f"{message_id} is not sent again: its alert 1 was removed"):
        retry(store, message_id, NOW)


def test_what_was_delivered_superseded_or_is_off_is_not_tried_again(store: Path) -> None:
    done, old, new = put(store), put(store), put(store)
    outbox.note_attempt(store, done, NOW, TAKEN, "delivered")
    with service_state(store) as state:  # as an earlier release did
        state.execute("UPDATE outbox SET state = 'superseded', superseded_by = ? WHERE id = ?", (new, old))
    with pytest.raises(CannotRetry, match="was delivered"):
        retry(store, done, NOW)
    with pytest.raises(CannotRetry, match=f"superseded by {new}"):
        retry(store, old, NOW)
    with pytest.raises(NoSuchMessage, match="no message 'msg_x'"):
        retry(store, "msg_x", NOW)
    switch_off(store, 1, "by me", NOW)
    with pytest.raises(CannotRetry, match=r"Alert 1 is off \(by me\)"):
        retry(store, new, NOW)
    with pytest.raises(CannotRetry, match="skysieve alerts on 1"):
        put_test(store, 1, NOW)


def test_what_is_followed_by_a_newer_message_or_was_cancelled_is_not_tried_again(store: Path) -> None:
    """An old `new` was sent after its `closed`, and what an alert's removal had cancelled came to life."""
    old, closed = put(store), put(store)
    outbox.note_attempt(store, old, NOW, REFUSED, "failed")
    outbox.note_attempt(store, closed, NOW, TAKEN, "delivered")
    with pytest.raises(CannotRetry, match=f"{old} is followed by {closed}"):
        retry(store, old, NOW)
    last = put(store)
    with service_state(store) as state:
        outbox.cancel(state, 1, NOW)
    with pytest.raises(CannotRetry, match="was cancelled"):
        retry(store, last, NOW)
    assert [delivery(store, one).message.state for one in (old, last)] == ["failed", "cancelled"]
    assert outbox.due_messages(store, NOW + DAY) == []


def test_tests_are_messages_like_others_but_not_many_at_once(store: Path) -> None:
    made = put_test(store, 2, NOW).message
    assert made.body == {
        "type": "test",
        "timestamp": "2026-03-01T12:00:00Z",
        "data": {"alert_id": 2, "fleet": {"id": 1, "name": "mine"}},
    }
    assert [one.id for one in outbox.due_messages(store, NOW)] == [made.id]
    for _ in range(MOST_TESTS - 1):
        put_test(store, 2, NOW)
    with pytest.raises(CannotRetry, match="5 test messages of alert 2 are already waiting"):
        put_test(store, 2, NOW)
    put_test(store, 1, NOW)


def test_figures_count_what_waits_what_failed_today_and_what_is_off(store: Path) -> None:
    assert figures(store / "none", NOW) == (0, None, None, 0, 0)
    assert figures(store, NOW) == (0, None, None, 0, 0)
    first = put(store, 1, NOW - HOUR)
    put(store, 2, NOW - 2 * HOUR)
    with service_state(store) as state:  # a digest, which is due later
        outbox.put(state, 2, "conjunctions", {}, NOW - DAY, NOW + HOUR)
    for days in (0.5, 2):
        outbox.note_attempt(store, put(store), NOW - days * DAY, REFUSED, "failed")
    assert figures(store, NOW) == (3, NOW - 2 * HOUR, NOW - 2 * HOUR, 1, 0)
    switch_off(store, 2, "by me", NOW)
    assert figures(store, NOW) == (1, NOW - HOUR, NOW - HOUR, 1, 1)
    outbox.note_attempt(store, first, NOW, REFUSED, NOW + HOUR)
    assert figures(store, NOW) == (1, NOW - HOUR, None, 1, 1)


def test_messages_are_kept_for_a_month(store: Path) -> None:
    old, recent, waiting = put(store), put(store), put(store)
    outbox.note_attempt(store, old, NOW, TAKEN, "delivered")
    outbox.note_attempt(store, recent, NOW + DAY, TAKEN, "delivered")
    tidy(store, NOW + 29.5 * DAY)
    assert messages_of(store, 1, 10)[1] == 3
    tidy(store, NOW + 30.5 * DAY)
    found, _ = messages_of(store, 1, 10)
    assert [(one.message.id, one.message.state) for one in found] == [
        (waiting, "cancelled"),
        (recent, "delivered"),
    ]
    assert query_state(store, "SELECT count(*) FROM delivery_attempts") == [(1,)]


def test_the_number_of_kept_messages_is_bounded(store: Path) -> None:
    first = put(store)
    with service_state(store) as state:
        for _ in range(MOST_OF_AN_ALERT):
            outbox.put(state, 1, "conjunctions", {}, NOW, NOW)
        outbox.put(state, 2, "conjunctions", {}, NOW, NOW)
        outbox.cancel(state, 1, NOW)
    last = put(store)
    tidy(store, NOW)
    found, total = messages_of(store, 1, 1)
    assert (found[0].message.id, total) == (last, MOST_OF_AN_ALERT + 1)  # one of them waits
    with pytest.raises(NoSuchMessage):
        delivery(store, first)
    assert messages_of(store, 2, 1)[1] == 1


def test_a_body_that_the_disk_has_damaged_is_not_sent_and_stops_no_other(store: Path) -> None:
    damaged, whole = put(store), put(store, 2)
    with service_state(store) as state:
        state.execute("UPDATE outbox SET body = substr(body, 3) WHERE id = ?", (damaged,))
    assert [one.id for one in outbox.due_messages(store, NOW)] == [whole]
    tidy(store, NOW)
    assert delivery(store, damaged).message[6:8] == ({}, "failed")
