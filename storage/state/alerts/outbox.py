"""The outbox: messages that wait to be delivered, in `service.sqlite`.

A message that reports changes is empty until it is sent: what it says is then written from the changes that
wait with their encounters, and stays, with its id, for each attempt. If more is to be said before a receiver
has taken it, it is emptied, and goes on under a new id, with its attempts and the time of the next one.
"""

import json
import secrets
import sqlite3
from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from storage.state.alerts.encounters import acknowledge, note_progress, progress
from storage.state.database import query_state, service_state
from storage.state.records import Table
from storage.times import parse_time, time_text

MessageState = Literal["waiting", "delivered", "failed", "superseded", "cancelled"]  # superseded: before 0.2

CHANGES = "conjunctions"  # the kind that reports changes
# Messages about one thing are delivered in their order; others do not wait for them.
_TOPIC = "CASE WHEN kind LIKE 'catalogue.%' THEN 'catalogue' WHEN kind LIKE 'run.%' THEN 'run' ELSE kind END"
_PAUSED_UNTIL = "paused_until"  # entry of an alert's progress: its receiver wants nothing before
_RANDOM_BYTES = 16
_SORTING = "microseconds"  # all six decimals, so that texts sort like times


class Message(NamedTuple):
    """A message in the outbox. Times are UTC with their zone."""

    id: str
    number: int  # in the order in which messages were put
    alert_id: int
    kind: str
    created: datetime
    due: datetime  # when it is, or was, to be tried next
    body: dict[str, Any]  # empty: it is written when it is sent
    state: MessageState
    attempts: int  # since it was to be tried again by hand
    finished: datetime | None
    superseded_by: str | None


OUTBOX = Table("outbox", Message, Message._fields, timespec=_SORTING)
COLUMNS = ", ".join(OUTBOX.columns)
_OLDEST = (  # have place 1
    f"SELECT {COLUMNS}, row_number() OVER (PARTITION BY alert_id, {_TOPIC} ORDER BY number) AS place "  # noqa: S608
    "FROM outbox WHERE state = 'waiting' AND json_valid(body) "
    "AND alert_id NOT IN (SELECT id FROM alerts WHERE off_since IS NOT NULL) "
    "AND alert_id NOT IN (SELECT value FROM json_each(?))"
)


class Outcome(NamedTuple):
    """What came of an attempt to deliver a message."""

    status: int | None  # of HTTP or SMTP; None: no answer came
    error: str  # empty if it was delivered
    seconds: float  # that it took


def body_text(body: dict[str, Any]) -> str:
    """Return the JSON of a body, as it is stored and sent: the same for each attempt.

    Raises:
        ValueError: it holds what JSON has not, such as NaN.
    """
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def put(
    state: sqlite3.Connection,
    alert_id: int,
    kind: str,
    body: dict[str, Any],
    created: datetime,
    due: datetime,
) -> str:
    """Put a message into the outbox, in the caller's transaction, and return its id.

    It is not due before its receiver wants messages again.
    """
    message_id = _new_id()
    (number,) = state.execute("SELECT coalesce(max(number), 0) + 1 FROM outbox").fetchone()
    values = {
        "id": message_id,
        "number": number,
        "alert_id": alert_id,
        "kind": kind,
        "created": created,
        "due": max(time_text(due, _SORTING), progress(state, alert_id).get(_PAUSED_UNTIL, "")),
        "body": body_text(body),
        "state": "waiting",
        "attempts": 0,
    }
    OUTBOX.insert(state, values)
    return message_id


def put_one(
    state: sqlite3.Connection, alert_id: int, kind: str, body: dict[str, Any], now: datetime, due: datetime
) -> None:
    """Put a message of a kind of which one waits at most, in the caller's transaction.

    One that waits already, and is not being sent, says this instead; if it was tried, it is not due earlier.
    """
    sql = (
        f"{OUTBOX.select} WHERE alert_id = ? AND kind = ? AND state = 'waiting' "
        "AND coalesce(sending_until, '') <= ? ORDER BY number LIMIT 1"
    )
    row = state.execute(sql, (alert_id, kind, time_text(now, _SORTING))).fetchone()
    if row is None:
        put(state, alert_id, kind, body, now, due)
        return
    waiting = OUTBOX.read(row)
    message_id = _new_id() if waiting.body else waiting.id
    soonest = waiting.due if waiting.attempts else min(waiting.due, due)
    paused = progress(state, alert_id).get(_PAUSED_UNTIL, "")
    state.execute(
        "UPDATE outbox SET id = ?, body = ?, created = ?, due = ? WHERE id = ?",
        (
            message_id,
            body_text(body),
            time_text(now, _SORTING),
            max(time_text(soonest, _SORTING), paused),
            waiting.id,
        ),
    )
    state.execute(
        "UPDATE delivery_attempts SET message_id = ? WHERE message_id = ?", (message_id, waiting.id)
    )


def last_sent(state: sqlite3.Connection, alert_id: int, now: datetime) -> datetime | None:
    """Return when an alert's changes were last delivered: `now` while they are; None: never."""
    sql = (
        "SELECT max(CASE WHEN state = 'delivered' THEN finished WHEN sending_until > ?1 THEN ?1 END) "
        "FROM outbox WHERE alert_id = ?2 AND kind = ?3 AND state IN ('delivered', 'waiting')"
    )
    (last,) = state.execute(sql, (time_text(now, _SORTING), alert_id, CHANGES)).fetchone()
    return last and parse_time(last)


def written(state: sqlite3.Connection, message_id: str, body: dict[str, Any] | None) -> None:
    """Store what a message says, in the caller's transaction; None: nothing is left to say, and it goes."""
    if body is None:
        state.execute("DELETE FROM outbox WHERE id = ?", (message_id,))
    else:
        state.execute("UPDATE outbox SET body = ? WHERE id = ?", (body_text(body), message_id))


def undelivered(state: sqlite3.Connection, alert_id: int) -> list[Message]:
    """Return the messages of an alert that wait, oldest first."""
    sql = f"{OUTBOX.select} WHERE alert_id = ? AND state = 'waiting' ORDER BY number"
    return [OUTBOX.read(row) for row in state.execute(sql, (alert_id,))]


def cancel(state: sqlite3.Connection, alert_id: int, now: datetime) -> int:
    """Cancel the messages of an alert that wait, and return how many there were."""
    return state.execute(
        "UPDATE outbox SET state = 'cancelled', finished = ? WHERE alert_id = ? AND state = 'waiting'",
        (time_text(now, _SORTING), alert_id),
    ).rowcount


def end_pause(state: sqlite3.Connection, alert_id: int, now: datetime) -> None:
    """Let the messages of an alert go at once again: new ones, and what was tried."""
    state.execute("DELETE FROM alert_progress WHERE alert_id = ? AND what = ?", (alert_id, _PAUSED_UNTIL))
    state.execute(
        "UPDATE outbox SET due = min(due, ?) WHERE alert_id = ? AND state = 'waiting' AND attempts > 0",
        (time_text(now, _SORTING), alert_id),
    )


def due_messages(store: Path, now: datetime, but: Collection[int] = ()) -> list[Message]:
    """Return the messages to be tried now, the longest due first: at most one of each alert.

    Of a topic only the oldest counts, so that messages about one thing arrive in their order. Alerts that are
    off are left out, and those of the ids `but`.
    """
    rows = query_state(
        store,
        "SELECT * FROM ("  # noqa: S608
        f"SELECT {COLUMNS}, row_number() OVER (PARTITION BY alert_id ORDER BY number) AS turn "
        f"FROM ({_OLDEST}) WHERE place = 1 AND due <= ?) WHERE turn = 1 ORDER BY due, number",
        (json.dumps(list(but)), time_text(now, _SORTING)),
    )
    return [OUTBOX.read(row[:-1]) for row in rows]


def begin_sending(state: sqlite3.Connection, ids: Iterable[str], until: datetime) -> dict[str, Message]:
    """Note until when messages may be under way at most, in the caller's transaction; return those that wait.

    The others were cancelled, or have more to say, since they were found to be due.
    """
    sql = (
        "UPDATE outbox SET sending_until = ? WHERE state = 'waiting' "  # noqa: S608
        f"AND id IN (SELECT value FROM json_each(?)) RETURNING {COLUMNS}"
    )
    rows = state.execute(sql, (time_text(until, _SORTING), json.dumps(list(ids)))).fetchall()
    return {message.id: message for message in map(OUTBOX.read, rows)}


def note_attempt(
    store: Path,
    message_id: str,
    at: datetime,
    outcome: Outcome,
    then: Literal["delivered", "failed"] | datetime,
    *,
    pause_until: datetime | None = None,
) -> None:
    """Record an attempt: the message is done, with the changes that it reports, or is tried again `then`.

    One that was cancelled while it was under way stays so, unless it has been delivered. `pause_until` holds
    back whatever else the alert has waiting, or gets meanwhile.
    """
    with service_state(store) as state:
        state.execute(
            "INSERT INTO delivery_attempts (message_id, at, status, error, seconds) VALUES (?, ?, ?, ?, ?)",
            (message_id, time_text(at, _SORTING), outcome.status, outcome.error, outcome.seconds),
        )
        state.execute(
            "UPDATE outbox SET attempts = attempts + 1, sending_until = NULL WHERE id = ?", (message_id,)
        )
        if isinstance(then, datetime):
            state.execute(
                "UPDATE outbox SET due = ? WHERE id = ? AND state = 'waiting'",
                (time_text(then, _SORTING), message_id),
            )
        else:
            state.execute(
                "UPDATE outbox SET state = ?1, finished = ?2 WHERE id = ?3 "
                "AND (state = 'waiting' OR ?1 = 'delivered')",
                (then, time_text(at, _SORTING), message_id),
            )
        sql = "SELECT id FROM alerts WHERE id = (SELECT alert_id FROM outbox WHERE id = ?)"
        for (alert_id,) in state.execute(sql, (message_id,)).fetchall():
            if then == "delivered":
                acknowledge(state, alert_id, message_id)
            if pause_until is not None:
                state.execute(
                    "UPDATE outbox SET due = max(due, ?) WHERE state = 'waiting' AND alert_id = ?",
                    (time_text(pause_until, _SORTING), alert_id),
                )
                note_progress(state, alert_id, {_PAUSED_UNTIL: time_text(pause_until, _SORTING)})


def _new_id() -> str:
    return f"msg_{secrets.token_hex(_RANDOM_BYTES)}"
