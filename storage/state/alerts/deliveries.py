"""What became of messages: listed, counted, tried again by hand, forgotten after a month."""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from screening.errors import NoSuch, NotPossible
from storage.state.alerts.alerts import NoSuchAlert, alert
from storage.state.alerts.outbox import CHANGES, OUTBOX, Message, put
from storage.state.database import query_state, service_state
from storage.state.records import Alert
from storage.times import parse_time, time_text

KEPT = timedelta(days=30)  # from the end of a message
MOST_OF_AN_ALERT = 1000  # finished messages that are kept
MOST_TESTS = 5  # of an alert that wait
_SORTING = "microseconds"
_OVER = {
    "delivered": "was delivered",
    "superseded": "was superseded by {}",
    "cancelled": "was cancelled",
}


class Attempt(NamedTuple):
    """One attempt to deliver a message."""

    at: datetime
    status: int | None  # of HTTP or SMTP; None: no answer came
    error: str  # empty if it was delivered
    seconds: float


class Delivery(NamedTuple):
    """A message and the attempts to deliver it, oldest first."""

    message: Message
    tried: tuple[Attempt, ...]


class Figures(NamedTuple):
    """How deliveries are doing."""

    waiting: int  # messages of alerts that are on
    oldest: datetime | None  # when the oldest of these was put that is due, or has been tried
    untried: datetime | None  # since when the first is due that was never tried
    failed: int  # messages given up within a day
    off: int  # alerts that are off


class NoSuchMessage(NoSuch):
    """There is no message with that id."""


class CannotRetry(NotPossible):
    """A message is not to be sent again, or an alert not to be tried."""


def messages_of(store: Path, alert_id: int, limit: int, offset: int = 0) -> tuple[list[Delivery], int]:
    """Return the messages of an alert, newest first, and how many there are in all; of a removed one too.

    Raises:
        NoSuchAlert: there is no such alert, nor a message of one that was removed.
    """
    sql = f"{OUTBOX.select} WHERE alert_id = ? ORDER BY number DESC LIMIT ? OFFSET ?"
    found = query_state(store, sql, (alert_id, limit, offset))
    total = sum(
        count
        for (count,) in query_state(store, "SELECT count(*) FROM outbox WHERE alert_id = ?", (alert_id,))
    )
    if not total:
        alert(store, alert_id)
    return _deliveries(store, found), total


def newest_messages(store: Path, limit: int) -> list[Delivery]:
    """Return the newest messages of all alerts, newest first."""
    sql = f"{OUTBOX.select} ORDER BY number DESC LIMIT ?"
    return _deliveries(store, query_state(store, sql, (limit,)))


def delivery(store: Path, message_id: str) -> Delivery:
    """Return a message with its attempts. Raises NoSuchMessage."""
    sql = f"{OUTBOX.select} WHERE id = ?"
    for one in _deliveries(store, query_state(store, sql, (message_id,))):
        return one
    sentence = f"There is no message {message_id!r}"
    raise NoSuchMessage(f"{sentence}: `skysieve alerts log` shows them.", sentence)


def retry(store: Path, message_id: str, now: datetime) -> Delivery:
    """Try a message again, now, and as often as a new one; return it.

    Raises:
        NoSuchMessage: there is no such message.
        CannotRetry: it neither waits nor was given up, a newer one follows it, or its alert is off or gone.
    """
    message = delivery(store, message_id).message
    try:
        of = alert(store, message.alert_id)
    except NoSuchAlert as error:
        raise CannotRetry(
            f"Message {message_id} is not sent again: its alert {message.alert_id} was removed, by itself or "
            "with its fleet."
        ) from error
    if message.state in _OVER:
        why = _OVER[message.state].format(message.superseded_by)
        raise CannotRetry(f"Message {message_id} {why}, so it is not sent again.")
    _must_be_on(of)
    with service_state(store) as state:
        newer = state.execute(
            "SELECT id FROM outbox WHERE alert_id = ? AND kind = ? AND number > ? ORDER BY number DESC",
            (message.alert_id, CHANGES, message.number),
        ).fetchone()
        if message.kind == CHANGES and newer is not None:
            raise CannotRetry(
                f"Message {message_id} is followed by {newer[0]}, which has the encounters' newest state, "
                "so it is not sent again."
            )
        state.execute(
            "UPDATE outbox SET state = 'waiting', due = ?, attempts = 0, finished = NULL "
            "WHERE id = ? AND state IN ('waiting', 'failed')",
            (time_text(now, _SORTING), message_id),
        )
    return delivery(store, message_id)


def put_test(store: Path, alert_id: int, now: datetime) -> Delivery:
    """Put a test message into the outbox and return it.

    Raises:
        NoSuchAlert: there is no such alert.
        CannotRetry: it is off, or test messages wait already.
    """
    found = alert(store, alert_id)
    _must_be_on(found)
    with service_state(store) as state:
        sql = "SELECT count(*) FROM outbox WHERE alert_id = ? AND kind = 'test' AND state = 'waiting'"
        (waiting,) = state.execute(sql, (alert_id,)).fetchone()
        if waiting >= MOST_TESTS:
            raise CannotRetry(
                f"{waiting} test messages of alert {alert_id} are already waiting: wait until they have "
                "been delivered."
            )
        (name,) = state.execute("SELECT name FROM fleets WHERE id = ?", (found.fleet_id,)).fetchone()
        data = {"alert_id": alert_id, "fleet": {"id": found.fleet_id, "name": name}}
        body = {"type": "test", "timestamp": time_text(now, "seconds"), "data": data}
        message_id = put(state, alert_id, "test", body, now, now)
    return delivery(store, message_id)


def delivery_record(one: Delivery) -> dict[str, Any]:
    """Return a message and its attempts as a record."""
    message = one.message
    return {
        "id": message.id,
        "alert_id": message.alert_id,
        "kind": message.kind,
        "created": message.created,
        "state": message.state,
        "due": message.due if message.state == "waiting" else None,
        "finished": message.finished,
        "superseded_by": message.superseded_by,
        "body": message.body,
        "attempts": [attempt._asdict() for attempt in one.tried],
    }


def figures(store: Path, now: datetime) -> Figures:
    """Count what waits and what failed."""
    on = "alert_id NOT IN (SELECT id FROM alerts WHERE off_since IS NOT NULL)"
    waits = f"state = 'waiting' AND {on}"
    rows = query_state(
        store,
        f"SELECT (SELECT count(*) FROM outbox WHERE {waits}), "  # noqa: S608
        f"(SELECT min(created) FROM outbox WHERE {waits} AND (attempts > 0 OR due <= ?1)), "
        f"(SELECT min(due) FROM outbox WHERE {waits} AND due <= ?1 AND attempts = 0 AND alert_id NOT IN "
        "(SELECT alert_id FROM outbox WHERE state = 'waiting' AND attempts > 0)), "
        "(SELECT count(*) FROM outbox WHERE state = 'failed' AND finished > ?2), "
        "(SELECT count(*) FROM alerts WHERE off_since IS NOT NULL)",
        (time_text(now, _SORTING), time_text(now - timedelta(days=1), _SORTING)),
    )
    for waiting, oldest, untried, failed, off in rows:
        return Figures(waiting, oldest and parse_time(oldest), untried and parse_time(untried), failed, off)
    return Figures(0, None, None, 0, 0)


def failed_attempts_since(store: Path, since: datetime) -> int:
    """Return how many attempts to deliver a message have failed since then."""
    sql = "SELECT count(*) FROM delivery_attempts WHERE at >= ? AND error != ''"
    return sum(count for (count,) in query_state(store, sql, (time_text(since, _SORTING),)))


def tidy(store: Path, now: datetime) -> None:
    """Forget messages that ended a month ago, and the oldest of an alert that has very many.

    What has waited for a month, for an alert that is off, is cancelled; what the disk has damaged, failed.
    """
    past = time_text(now - KEPT, _SORTING)
    with service_state(store) as state:
        state.execute(
            "UPDATE outbox SET state = 'cancelled', finished = ? WHERE state = 'waiting' AND created <= ?",
            (time_text(now, _SORTING), past),
        )
        state.execute(
            "UPDATE outbox SET state = 'failed', finished = ? "
            "WHERE state = 'waiting' AND NOT json_valid(body)",
            (time_text(now, _SORTING),),
        )
        state.execute(
            "DELETE FROM outbox WHERE state != 'waiting' AND (finished <= ? OR id IN (SELECT id FROM ("
            "SELECT id, row_number() OVER (PARTITION BY alert_id ORDER BY number DESC) AS place "
            "FROM outbox WHERE state != 'waiting') WHERE place > ?))",
            (past, MOST_OF_AN_ALERT),
        )
        state.execute("DELETE FROM delivery_attempts WHERE message_id NOT IN (SELECT id FROM outbox)")


def _must_be_on(one: Alert) -> None:
    if one.off_since is not None:
        raise CannotRetry(
            f"Alert {one.id} is off ({one.off_reason}), so nothing is delivered: `skysieve alerts on "
            f"{one.id}` switches it on."
        )


def _deliveries(store: Path, rows: Sequence[tuple[Any, ...]]) -> list[Delivery]:
    messages = [OUTBOX.read(row) for row in rows]
    sql = (
        "SELECT message_id, at, status, error, seconds FROM delivery_attempts "
        "WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id"
    )
    tried = defaultdict(list)
    for message_id, at, *rest in query_state(store, sql, (json.dumps([one.id for one in messages]),)):
        tried[message_id].append(Attempt(parse_time(at), *rest))
    return [Delivery(one, tuple(tried[one.id])) for one in messages]
