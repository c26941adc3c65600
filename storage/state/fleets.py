"""Create, list, change and remove fleets."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from screening.errors import UsageError
from storage.state.database import query_state, service_state
from storage.state.fleet_rules import (
    LONGEST_NAME,
    Fleet,
    FleetObject,
    NewFleet,
    checked_fleet,
    drafted,
    name_key,
)
from storage.state.records import FLEET_OBJECTS, FLEETS
from storage.state.sealed_rows import sealed, verify_rows
from storage.times import time_text

__all__ = [
    "Fleet",
    "FleetObject",
    "NewFleet",
    "NoSuchFleet",
    "RemovedFleet",
    "change_fleet",
    "create_fleet",
    "fleet",
    "fleet_names",
    "fleets",
    "fleets_within",
    "remove_fleet",
]

MOST_FLEETS = 1_000
MOST_OF_A_CREDENTIAL = 100
MOST_NUMBERS_IN_ALL = 100_000  # a run reads them all, 1 s

_TABLES = ("fleets", "fleet_objects")
_WITH_FLEETS = (*_TABLES, "alerts", "feeds")
_ALL = f"""
    SELECT {", ".join(f"f.{name}" for name in FLEETS.columns)}, o.norad_id, o.volume, o.hours
    FROM fleets f LEFT JOIN fleet_objects o ON o.fleet_id = f.id
    ORDER BY f.id, o.norad_id
"""  # noqa: S608
_ITS = "alert_id IN (SELECT id FROM alerts WHERE fleet_id = ?)"


class NoSuchFleet(UsageError):
    """There is no fleet of that name or id."""


class RemovedFleet(NamedTuple):
    """A fleet that is gone, and what went with it."""

    fleet: Fleet
    alerts: int
    feeds: int
    cancelled: int  # messages of its alerts that were waiting


def fleets(store: Path, organisation_id: int | None = None) -> tuple[Fleet, ...]:
    """Return the fleets of an organisation, None: all, in the order they were made; none before any was."""
    found = _fleets_of(query_state(store, _ALL, tables=_TABLES))
    return tuple(one for one in found if organisation_id in (None, one.organisation_id))


def fleets_within(state: sqlite3.Connection) -> tuple[Fleet, ...]:
    """Return all fleets in the caller's transaction, after verifying them."""
    verify_rows(state, *_TABLES)
    return _fleets_of(state.execute(_ALL))


def fleet_names(state: sqlite3.Connection) -> dict[int, str]:
    """Return the names of all fleets by id, in the caller's transaction; their objects are not read."""
    verify_rows(state, "fleets")
    return dict(state.execute("SELECT id, name FROM fleets").fetchall())


def fleet(store: Path, name_or_id: str | int, organisation_id: int | None = None) -> Fleet:
    """Return the fleet with an id (a number, or its digits) or a name, whose case does not matter.

    Of all fleets, or only of those of an organisation.

    Raises:
        NoSuchFleet: there is none, or there are two of that name.
    """
    return _wanted(fleets(store, organisation_id), name_or_id, store)


def create_fleet(store: Path, new: NewFleet, now: datetime) -> Fleet:
    """Make a fleet and return it.

    Raises:
        UsageError: a value is not allowed, the name is taken, or there are too many.
    """
    asked = drafted(new, now)
    with service_state(store) as state, sealed(state, *_TABLES):
        others = fleets_within(state)
        _check_number_of_fleets(asked, others)
        _check_among(asked, others)
        number = FLEETS.insert(state, _columns_of(asked))
        made = asked._replace(id=number)
        _insert_objects(state, made)
    return made


def change_fleet(store: Path, name_or_id: str | int, change: Callable[[Fleet], Fleet]) -> Fleet:
    """Change a fleet and return it: `change` gets it as it is, in the same transaction.

    Its id, and who made it when, stay as they are.

    Raises:
        NoSuchFleet: there is none.
        UsageError: a value is not allowed, or the new name is taken.
    """
    with service_state(store) as state, sealed(state, *_TABLES):
        all_fleets = fleets_within(state)
        before = _wanted(all_fleets, name_or_id, store)
        after = checked_fleet(change(before))._replace(
            id=before.id,
            created=before.created,
            made_by=before.made_by,
            credential_id=before.credential_id,
            organisation_id=before.organisation_id,
        )
        _check_among(after, [other for other in all_fleets if other.id != before.id])
        FLEETS.update(state, after.id, _columns_of(after))
        state.execute("DELETE FROM fleet_objects WHERE fleet_id = ?", (after.id,))
        _insert_objects(state, after)
    return after


def remove_fleet(store: Path, name_or_id: str | int, now: datetime) -> RemovedFleet:
    """Remove a fleet with its alerts and feeds, and cancel its waiting messages; return what was removed.

    What was delivered stays in the log. Ids are not given again.

    Raises:
        NoSuchFleet: there is none.
    """
    with service_state(store) as state, sealed(state, *_WITH_FLEETS):
        gone = _wanted(fleets_within(state), name_or_id, store)
        cancelled = state.execute(
            f"UPDATE outbox SET state = 'cancelled', finished = ? WHERE state = 'waiting' AND {_ITS}",  # noqa: S608
            (time_text(now, "microseconds"), gone.id),
        ).rowcount
        for table in ("alert_encounters", "alert_progress"):
            state.execute(f"DELETE FROM {table} WHERE {_ITS}", (gone.id,))  # noqa: S608
        alerts, feeds, _ = (
            state.execute(f"DELETE FROM {table} WHERE fleet_id = ?", (gone.id,)).rowcount  # noqa: S608
            for table in ("alerts", "feeds", "fleet_objects")
        )
        state.execute("DELETE FROM fleets WHERE id = ?", (gone.id,))
    return RemovedFleet(gone, alerts, feeds, cancelled)


def _fleets_of(rows: Iterable[tuple[Any, ...]]) -> tuple[Fleet, ...]:
    width = len(FLEETS.columns)
    found = []
    for one, of_it in groupby(rows, key=lambda row: row[:width]):
        objects = tuple(FleetObject(*row[width:]) for row in of_it if row[width] is not None)
        found.append(FLEETS.read(one)._replace(objects=objects))
    return tuple(found)


def _columns_of(one: Fleet) -> dict[str, object]:
    """Return the values of a fleet's row but its id, by column."""
    return {name: getattr(one, name) for name in FLEETS.columns if name != "id"}


def _wanted(all_fleets: Sequence[Fleet], name_or_id: str | int, store: Path) -> Fleet:
    text = str(name_or_id)
    key = name_key(text)
    found = [
        one
        for one in all_fleets
        if text == str(one.id) or (isinstance(name_or_id, str) and name_key(one.name) == key)
    ]
    if len(found) > 1:
        ids = " and ".join(str(one.id) for one in found)
        raise NoSuchFleet(f"The fleets {ids} of different organisations are called {text!r}: give the id.")
    if found:
        return found[0]
    shown = text if len(text) <= 100 else f"{text[:100]}..."
    close = get_close_matches(key[:LONGEST_NAME], [name_key(one.name) for one in all_fleets], 1)
    meant = next((one.name for one in all_fleets if name_key(one.name) in close), "")
    raise NoSuchFleet(
        f"There is no fleet {shown!r} in {store}: "
        + (f"did you mean {meant!r}? " if meant else "")
        + "`skysieve fleets list` shows them."
    )


def _check_number_of_fleets(asked: Fleet, others: tuple[Fleet, ...]) -> None:
    if len(others) >= MOST_FLEETS:
        raise UsageError(f"There are {len(others):,} fleets, the most allowed: remove one first.")
    if asked.credential_id is None:
        return
    same = sum(other.credential_id == asked.credential_id for other in others)
    if same >= MOST_OF_A_CREDENTIAL:
        raise UsageError(
            f"Credential {asked.credential_id} has created {same} fleets, the most allowed: remove one first."
        )


def _check_among(asked: Fleet, others: Iterable[Fleet]) -> None:
    key, numbers = name_key(asked.name), len(asked.objects)
    for other in others:
        if name_key(other.name) == key and other.organisation_id == asked.organisation_id:
            raise UsageError(f"A fleet named {other.name!r} already exists (id {other.id}).")
        numbers += len(other.objects)
    if numbers > MOST_NUMBERS_IN_ALL:
        raise UsageError(
            f"All fleets together would have {numbers:,} catalogue numbers, more than the "
            f"{MOST_NUMBERS_IN_ALL:,} allowed. Give patterns of names instead."
        )


def _insert_objects(state: sqlite3.Connection, of: Fleet) -> None:
    for one in of.objects:
        FLEET_OBJECTS.insert(state, {"fleet_id": of.id, **one._asdict()})
