"""The outbox: messages that wait to be delivered, in `service.sqlite`.

A message is put in the transaction that notes what it tells. Its id and body never change.
"""

import json
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from storage.state.alerts.encounters import note_progress, progress
from storage.state.database import query_state, service_state
from storage.state.records import Table
from storage.times import time_text

MessageState = Literal["waiting", "delivered", "failed", "superseded", "cancelled"]

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
    body: dict[str, Any]
    state: MessageState
    attempts: int  # with those of what it superseded; since it was to be tried again by hand
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
    instead_of: Sequence[Message] = (),
) -> str:
    """Put a message into the outbox, in the caller's transaction, and return its id.

    It supersedes those of `instead_of`: it is not due before those that wait and were tried, and their
    attempts count for it. Whatever it is, it is not due before its receiver wants messages again.
    """
    message_id = f"msg_{secrets.token_hex(_RANDOM_BYTES)}"
    paused = progress(state, alert_id).get(_PAUSED_UNTIL, "")
    (number,) = state.execute("SELECT coalesce(max(number), 0) + 1 FROM outbox").fetchone()
    tried = max((one.attempts for one in instead_of if one.state == "waiting"), default=0)
    values = {
        "id": message_id,
        "number": number,
        "alert_id": alert_id,
        "kind": kind,
        "created": created,
        "due": max(time_text(not_before(instead_of, due), _SORTING), paused),
        "body": body_text(body),
        "state": "waiting",
        "attempts": tried,
    }
    OUTBOX.insert(state, values)
    supersede(state, [one.id for one in instead_of], message_id, created)
    return message_id


def not_before(older: Iterable[Message], due: datetime) -> datetime:
    """Return when a message is due that supersedes older ones: their receiver is not asked earlier for it."""
    return max([due, *(one.due for one in older if one.state == "waiting" and one.attempts)])


def undelivered(state: sqlite3.Connection, alert_id: int) -> list[Message]:
    """Return the messages of an alert that wait, oldest first."""
    sql = f"{OUTBOX.select} WHERE alert_id = ? AND state = 'waiting' ORDER BY number"
    return [OUTBOX.read(row) for row in state.execute(sql, (alert_id,))]


def untold(state: sqlite3.Connection, alert_id: int, kind: str, now: datetime) -> list[Message]:
    """Return the messages of a kind that the next one is to supersede: those that wait or were given up.

    One that is being sent is left out: it may arrive, and the next one waits behind it.
    """
    sql = (
        f"{OUTBOX.select} WHERE alert_id = ? AND kind = ? AND superseded_by IS NULL AND "
        "(state = 'failed' OR (state = 'waiting' AND coalesce(sending_until, '') <= ?)) ORDER BY number"
    )
    return [OUTBOX.read(row) for row in state.execute(sql, (alert_id, kind, time_text(now, _SORTING)))]


def supersede(state: sqlite3.Connection, ids: Sequence[str], by: str, now: datetime) -> None:
    """Mark messages that wait as superseded by a newer one, which tells what they would have told.

    Those that have failed stay so, but are told by it, too.
    """
    state.executemany(
        "UPDATE outbox SET state = 'superseded', superseded_by = ?, finished = ? "
        "WHERE id = ? AND state = 'waiting'",
        [(by, time_text(now, _SORTING), message_id) for message_id in ids],
    )
    state.executemany(
        "UPDATE outbox SET superseded_by = ? WHERE id = ? AND state = 'failed'",
        [(by, message_id) for message_id in ids],
    )


def cancel(state: sqlite3.Connection, alert_id: int, now: datetime) -> int:
    """Cancel the messages of an alert that wait, and return how many there were."""
    return state.execute(
        "UPDATE outbox SET state = 'cancelled', finished = ? WHERE alert_id = ? AND state = 'waiting'",
        (time_text(now, _SORTING), alert_id),
    ).rowcount


def end_pause(state: sqlite3.Connection, alert_id: int) -> None:
    """Let new messages of an alert go at once again."""
    state.execute("DELETE FROM alert_progress WHERE alert_id = ? AND what = ?", (alert_id, _PAUSED_UNTIL))


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


def begin_sending(store: Path, ids: Collection[str], until: datetime) -> set[str]:
    """Note until when messages may be under way at most; return the ids of those that wait still.

    The others were superseded or cancelled since they were found to be due.
    """
    with service_state(store) as state:
        sql = (
            "UPDATE outbox SET sending_until = ? WHERE state = 'waiting' "
            "AND id IN (SELECT value FROM json_each(?)) RETURNING id"
        )
        rows = state.execute(sql, (time_text(until, _SORTING), json.dumps(list(ids)))).fetchall()
    return {message_id for (message_id,) in rows}


def note_attempt(
    store: Path,
    message_id: str,
    at: datetime,
    outcome: Outcome,
    then: Literal["delivered", "failed"] | datetime,
    *,
    pause_until: datetime | None = None,
) -> None:
    """Record an attempt: the message is done, or is tried again `then`.

    One that was cancelled or superseded while it was under way stays so, unless it has been delivered.
    `pause_until` holds back whatever else the alert has waiting, or gets meanwhile.
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
        if pause_until is not None:
            state.execute(
                "UPDATE outbox SET due = max(due, ?) WHERE state = 'waiting' "
                "AND alert_id = (SELECT alert_id FROM outbox WHERE id = ?)",
                (time_text(pause_until, _SORTING), message_id),
            )
            sql = "SELECT id FROM alerts WHERE id = (SELECT alert_id FROM outbox WHERE id = ?)"
            for (alert_id,) in state.execute(sql, (message_id,)).fetchall():
                note_progress(state, alert_id, {_PAUSED_UNTIL: time_text(pause_until, _SORTING)})
