"""What each alert knows of encounters: what was reported, what was last seen, and changes not yet sent."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from storage.state.database import query_state
from storage.times import parse_time, time_text

EncounterState = Literal["open", "resolved", "closed"]
ChangeKind = Literal["new", "raised", "eased", "resolved", "closed"]
_SORTING = "microseconds"
_COLUMNS = (
    "event_id, norad_id, state, tca, told_level, told_probability, absent_runs, last_run_id, entry, changes"
)


class Change(NamedTuple):
    """A change of an encounter that its receiver has not acknowledged. Times are UTC with their zone."""

    kind: ChangeKind
    run_id: str  # the newest run that the alert knew then
    at: datetime
    before: dict[str, Any] | None  # the level and the probability reported until then; None: nothing was
    again: bool = False  # new after it was over
    reason: str = ""  # why it is over, if not because runs no longer find it
    tried_in: str = ""  # the id of the last message that had it; empty: none yet


class Encounter(NamedTuple):
    """What an alert knows of an encounter. Times are UTC with their zone."""

    event_id: int
    norad_id: int  # the fleet's object
    state: EncounterState
    tca: datetime
    told_level: str  # by the probability, the most dangerous since it began, sent or to be sent
    told_probability: float | None  # likewise the largest; the one that levels go by
    absent_runs: int  # runs in a row that did not find it within the limits
    last_run_id: str  # the newest that counted
    pair: tuple[int, int]  # both objects, the smaller number first
    bodies: tuple[int, int]  # the same, or the complexes that they belong to
    event: dict[str, Any]  # as messages show it
    told_event_id: int  # under which it was reported; another one if its id has changed
    changes: tuple[Change, ...] = ()  # not yet sent, oldest first


def encounters(state: sqlite3.Connection, alert_id: int, *, changed: bool = False) -> dict[int, Encounter]:
    """Return what an alert knows, by the encounters' ids, in the caller's transaction.

    `changed`: only of encounters with changes that are not yet sent.
    """
    only = "AND changes != '[]'" if changed else ""
    sql = f"SELECT {_COLUMNS} FROM alert_encounters WHERE alert_id = ? {only} ORDER BY event_id"  # noqa: S608
    return {row[0]: _encounter(row) for row in state.execute(sql, (alert_id,))}


def replace_encounters(
    state: sqlite3.Connection,
    alert_id: int,
    before: Mapping[int, Encounter],
    after: Mapping[int, Encounter],
) -> None:
    """Store what an alert knows now, in the caller's transaction; rows that are as before stay."""
    gone = [(alert_id, number) for number in before if number not in after]
    state.executemany("DELETE FROM alert_encounters WHERE alert_id = ? AND event_id = ?", gone)
    changed = (one for number, one in after.items() if before.get(number) != one)
    state.executemany(
        f"INSERT OR REPLACE INTO alert_encounters (alert_id, {_COLUMNS}) "  # noqa: S608
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(alert_id, *_row(one)) for one in changed],
    )


def acknowledge(state: sqlite3.Connection, alert_id: int, message_id: str) -> None:
    """Remove the changes that a message has delivered, in the caller's transaction."""
    known = encounters(state, alert_id, changed=True)
    left = {
        number: one._replace(changes=tuple(each for each in one.changes if each.tried_in != message_id))
        for number, one in known.items()
    }
    replace_encounters(state, alert_id, known, left)


def alerts_with_passed(store: Path, now: datetime) -> list[int]:
    """Return the ids of alerts that have an open encounter whose TCA has passed."""
    sql = "SELECT DISTINCT alert_id FROM alert_encounters WHERE state = 'open' AND tca <= ?"
    return [number for (number,) in query_state(store, sql, (time_text(now, _SORTING),))]


def progress(state: sqlite3.Connection, alert_id: int) -> dict[str, str]:
    """Return how far an alert has come: what each entry is about, and its value."""
    sql = "SELECT what, value FROM alert_progress WHERE alert_id = ?"
    return dict(state.execute(sql, (alert_id,)).fetchall())


def note_progress(state: sqlite3.Connection, alert_id: int, entries: Mapping[str, str]) -> None:
    """Note how far an alert has come, in the caller's transaction."""
    state.executemany(
        "INSERT OR REPLACE INTO alert_progress (alert_id, what, value) VALUES (?, ?, ?)",
        [(alert_id, what, value) for what, value in entries.items()],
    )


def all_progress(store: Path, what: Iterable[str]) -> dict[int, dict[str, str]]:
    """Return entries of the progress of all alerts that have some, by the alerts' ids."""
    sql = "SELECT alert_id, what, value FROM alert_progress WHERE what IN (SELECT value FROM json_each(?))"
    found: dict[int, dict[str, str]] = {}
    for number, entry, value in query_state(store, sql, (json.dumps(list(what)),)):
        found.setdefault(number, {})[entry] = value
    return found


def _row(one: Encounter) -> tuple[object, ...]:
    entry = {
        "pair": one.pair,
        "bodies": one.bodies,
        "event": one.event,
        "told_event_id": one.told_event_id,
    }
    return (
        *one[:3],
        time_text(one.tca, _SORTING),
        *one[4:8],
        orjson.dumps(entry).decode(),
        orjson.dumps([change._asdict() for change in one.changes]).decode(),
    )


def _encounter(row: tuple[Any, ...]) -> Encounter:
    event_id, norad_id, kept_state, tca, level, probability, absent_runs, run_id, text, changes = row
    entry = orjson.loads(text)
    return Encounter(
        event_id,
        norad_id,
        kept_state,
        parse_time(tca),
        level,
        probability,
        absent_runs,
        run_id,
        pair=tuple(entry["pair"]),
        bodies=tuple(entry["bodies"]),
        event=entry["event"],
        told_event_id=entry["told_event_id"],
        changes=tuple(Change(**one | {"at": parse_time(one["at"])}) for one in orjson.loads(changes)),
    )
