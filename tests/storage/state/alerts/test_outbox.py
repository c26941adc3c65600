"""The outbox keeps order within a topic; a message that was tried has another id when it has more to say."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.state.alerts import outbox
from storage.state.alerts.outbox import Outcome
from storage.state.database import query_state, service_state

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = timedelta(hours=1)
OK = Outcome(200, "", 0.1)
REFUSED = Outcome(500, "500", 0.1)


def put(
    store: Path, alert_id: int = 1, kind: str = "conjunctions", due: datetime = NOW, **body: object
) -> str:
    with service_state(store) as state:
        return outbox.put(state, alert_id, kind, body, NOW, due)


def waiting(store: Path, alert_id: int = 1) -> list[outbox.Message]:
    with service_state(store) as state:
        return outbox.undelivered(state, alert_id)


def test_a_message_comes_out_as_it_went_in(tmp_path: Path) -> None:
    body = {"probability": 1.2345678901234567e-4, "name": "Ωmega <1> \u2028", "more": [0.1, None, True]}
    message_id = put(tmp_path, **body)
    (message,) = outbox.due_messages(tmp_path, NOW)
    assert message.body == body
    assert (message.id, message.kind, message.created) == (message_id, "conjunctions", NOW)
    ((stored,),) = query_state(tmp_path, "SELECT body FROM outbox")
    assert outbox.body_text(message.body) == stored
    with pytest.raises(ValueError, match="JSON compliant"):
        put(tmp_path, miss=float("nan"))


def test_a_transaction_that_fails_leaves_no_message(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), service_state(tmp_path) as state:
        outbox.put(state, 1, "conjunctions", {}, NOW, NOW)
        raise RuntimeError
    assert outbox.due_messages(tmp_path, NOW) == []


def test_each_alert_has_its_turn_with_its_oldest_message_that_is_due(tmp_path: Path) -> None:
    put(tmp_path, 1, "run.failed", NOW + LATER)
    second = put(tmp_path, 1, "conjunctions")
    put(tmp_path, 1, "test")
    other = put(tmp_path, 2, "test", NOW - LATER)
    assert [message.id for message in outbox.due_messages(tmp_path, NOW)] == [other, second]


def test_messages_of_a_topic_wait_for_older_ones(tmp_path: Path) -> None:
    stale = put(tmp_path, 1, "catalogue.stale")
    recovered = put(tmp_path, 1, "catalogue.recovered")
    outbox.note_attempt(tmp_path, stale, NOW, REFUSED, NOW + LATER)
    assert outbox.due_messages(tmp_path, NOW) == []
    outbox.note_attempt(tmp_path, stale, NOW + LATER, OK, "delivered")
    assert [message.id for message in outbox.due_messages(tmp_path, NOW + LATER)] == [recovered]


def test_an_attempt_is_counted_and_ends_the_message_or_moves_it(tmp_path: Path) -> None:
    message_id = put(tmp_path)
    outbox.note_attempt(tmp_path, message_id, NOW, REFUSED, NOW + LATER)
    (message,) = waiting(tmp_path)
    assert (message.attempts, message.due, message.state) == (1, NOW + LATER, "waiting")
    outbox.note_attempt(tmp_path, message_id, NOW + LATER, OK, "delivered")
    assert waiting(tmp_path) == []
    assert query_state(tmp_path, "SELECT state, attempts FROM outbox") == [("delivered", 2)]
    attempts = query_state(tmp_path, "SELECT status, error FROM delivery_attempts ORDER BY id")
    assert attempts == [(500, "500"), (200, "")]


@pytest.mark.parametrize("then", ["failed", NOW + LATER])
def test_one_cancelled_while_under_way_stays_so_unless_it_arrived(tmp_path: Path, then: object) -> None:
    message_id = put(tmp_path)
    with service_state(tmp_path) as state:
        assert outbox.cancel(state, 1, NOW) == 1
    outbox.note_attempt(tmp_path, message_id, NOW, REFUSED, then)  # type: ignore[arg-type]
    assert query_state(tmp_path, "SELECT state FROM outbox") == [("cancelled",)]
    outbox.note_attempt(tmp_path, message_id, NOW, OK, "delivered")
    assert query_state(tmp_path, "SELECT state FROM outbox") == [("delivered",)]


def test_what_is_finished_is_not_cancelled(tmp_path: Path) -> None:
    first, second, other = put(tmp_path), put(tmp_path), put(tmp_path, 2)
    outbox.note_attempt(tmp_path, first, NOW, OK, "delivered")
    with service_state(tmp_path) as state:
        assert outbox.cancel(state, 1, NOW) == 1
    states = query_state(tmp_path, "SELECT id, state FROM outbox ORDER BY number")
    assert states == [(first, "delivered"), (second, "cancelled"), (other, "waiting")]


def put_one(store: Path, due: datetime, **body: object) -> list[outbox.Message]:
    with service_state(store) as state:
        outbox.put_one(state, 1, "fleet.daily", body, NOW, due)
        return outbox.undelivered(state, 1)


def test_of_some_kinds_one_message_waits_and_says_what_is_newest(tmp_path: Path) -> None:
    (first,) = put_one(tmp_path, NOW + LATER)
    (filled,) = put_one(tmp_path, NOW + 2 * LATER, day=1)
    assert (filled.id, filled.due, filled.body) == (first.id, NOW + LATER, {"day": 1}), "nobody has seen it"
    outbox.note_attempt(tmp_path, filled.id, NOW, REFUSED, NOW + LATER)
    (newer,) = put_one(tmp_path, NOW, day=2)
    assert newer.id != filled.id
    assert (newer.due, newer.attempts, newer.body) == (NOW + LATER, 1, {"day": 2})
    (newest,) = put_one(tmp_path, NOW, day=3)
    with service_state(tmp_path) as state:
        assert outbox.begin_sending(state, [newer.id], NOW + LATER) == {}
        assert outbox.begin_sending(state, [newest.id], NOW + LATER).keys() == {newest.id}
    sent, waiting = put_one(tmp_path, NOW, day=4)
    assert (sent.body, waiting.body) == ({"day": 3}, {"day": 4}), "what is being sent stays"
