"""What messages tell: thin bodies of less than 20 kB, with links to the rest.

Fields have the names of the store's columns.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from storage.fleets.events import OF_FLEET, sides
from storage.rows.danger import PROBABILITIES, danger_of, levels_for_a_reader
from storage.state.alerts.encounters import ChangeKind, Encounter, Told
from storage.state.alerts.outbox import body_text
from storage.times import time_text

MOST_EVENTS = 20
MOST_BYTES = 19_000  # 20 kB with what the receiver's log or a channel adds
LONGEST_NAME = 60
SATELLITES = "satellites"
QUIET = "quiet"
MISSING = "missing"
_LEVELS = ("risk_level", "probability_level", "near_level")
_OF_THE_WORST = (
    *("event_id", *_LEVELS, *PROBABILITIES, "probability_method", "encounter", "tca", "miss_distance_m"),
    *("other_norad_id", "other_name", "fleet_hard_body_radius_m"),
)
_ROUNDED = (
    "miss_distance_m",
    "relative_speed_m_s",
    "miss_radial_km",
    "miss_in_track_km",
    "miss_cross_track_km",
)
_OVER: tuple[ChangeKind, ...] = ("eased", "resolved", "closed")

Body = dict[str, Any]


class Sender(NamedTuple):
    """For which alert a message is written, and how it links."""

    alert_id: int
    fleet_id: int
    fleet: str  # its name
    public_url: str  # of the page; empty: no links


class Satellite(NamedTuple):
    """A satellite of a fleet in a daily message."""

    norad_id: int
    name: str
    found: bool  # in the catalogue
    hours: float  # its look-ahead
    events: Sequence[dict[str, Any]]  # inside its volume, as `event_of` gives them


def event_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what messages tell of an event, from a row of a fleet's events."""
    ours, other = sides(row)
    level, near = levels_for_a_reader(row)
    told = {
        "event_id": row["event_id"],
        "risk_level": row["risk_level"],
        "probability_level": level,
        "near_level": near or None,
        **{name: row[name] for name in PROBABILITIES},
        "probability_method": row["probability_method"],
        "catastrophic": row["catastrophic"],
        "fragments_10cm": row["fragments_10cm"],
        "encounter": row["encounter"],
        "tca": time_text(row["tca"], "milliseconds"),
        "miss_distance_m": row["miss_distance_m"],
        "relative_speed_m_s": row["relative_speed_m_s"],
        "norad_id": row["norad_id"],
        "name": row[f"{ours}_name"][:LONGEST_NAME],
        "other_norad_id": row[f"{other}_norad_id"],
        "other_name": row[f"{other}_name"][:LONGEST_NAME],
    }
    told |= {name: row[name] for name in OF_FLEET if name not in ("fleet_id", "fleet")}
    return {name: _number(value, name in _ROUNDED) for name, value in told.items()}


def conjunctions(
    sender: Sender,
    run_id: str,
    entries: Sequence[tuple[Encounter, Told]],
    reasons: Mapping[int, str],
    now: datetime,
) -> Body:
    """Return the body of what has changed: the most dangerous first, what is over last.

    `reasons`: why encounters are over, by event id, if not because runs no longer find them.
    """
    ordered = sorted(entries, key=lambda entry: (entry[1].change in _OVER, danger_of(entry[0].event)))
    counts = {kind: sum(told.change == kind for _, told in entries) for kind in ("new", "raised", *_OVER)}
    events = [_entry(sender, one, told, reasons) for one, told in ordered[:MOST_EVENTS]]
    data: Body = {"run_id": run_id, "counts": counts, "events": events, "more": 0}

    def cut(count: int) -> Body:
        return {**data, "events": events[:count], "more": len(entries) - min(count, len(events))}

    return _fitting("conjunctions", sender, now, cut, len(events))


def daily(
    sender: Sender,
    run_id: str,
    window: tuple[datetime, datetime],
    satellites: Sequence[Satellite],
    now: datetime,
) -> Body:
    """Return the body of a day's answer: satellites with events, the most dangerous first, and quiet ones.

    `window`: from the start of the run to the end of the longest look-ahead. Quiet ones are pairs of number
    and name, so that some hundreds fit; `more` counts those that do not.
    """
    busy = [_satellite(one) for one in satellites if one.events]
    busy.sort(key=lambda one: danger_of(one["worst"]))
    quiet = [[one.norad_id, one.name[:LONGEST_NAME]] for one in satellites if one.found and not one.events]
    missing = [one.norad_id for one in satellites if not one.found and not one.events]
    data: Body = {
        "run_id": run_id,
        "window_start": time_text(window[0]),
        "window_end": time_text(window[1]),
        "counts": {"satellites": len(satellites), "with_events": len(busy), "missing": len(missing)},
        "api": f"/fleets/{sender.fleet_id}/satellites",
    }
    everything: list[tuple[str, Any]] = [
        *((SATELLITES, one) for one in busy),
        *((QUIET, one) for one in quiet),
        *((MISSING, one) for one in missing),
    ]

    def cut(count: int) -> Body:
        parts: dict[str, list[Any]] = {SATELLITES: [], QUIET: [], MISSING: []}
        for name, one in everything[:count]:
            parts[name].append(one)
        return {**data, **parts, "more": len(everything) - min(count, len(everything))}

    return _fitting("fleet.daily", sender, now, cut, len(everything))


def plain(kind: str, sender: Sender, data: Mapping[str, Any], now: datetime) -> Body:
    """Return the body of a message about runs or the catalogue."""
    return _body(kind, sender, data, now)


def _entry(sender: Sender, one: Encounter, told: Told, reasons: Mapping[int, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"change": told.change}
    if told.again:
        entry["again"] = True
    if one.event_id in reasons and told.change == "resolved":
        entry["reason"] = reasons[one.event_id]
    entry |= one.event
    if told.before is not None:
        entry["before"] = told.before
    if one.told_event_id != one.event_id:
        entry["told_event_id"] = one.told_event_id
    if sender.public_url:
        entry["url"] = f"{sender.public_url}/#/event/{one.event_id}"
    entry["api"] = f"/conjunctions/{one.event_id}"
    return entry


def _satellite(one: Satellite) -> dict[str, Any]:
    worst = min(one.events, key=danger_of)
    return {
        "norad_id": one.norad_id,
        "name": one.name[:LONGEST_NAME],
        "events": len(one.events),
        "worst": {name: worst[name] for name in _OF_THE_WORST},
    }


def _number(value: Any, rounded: bool) -> Any:
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return float(f"{value:.6g}") if rounded else value
    return value


def _fitting(kind: str, sender: Sender, now: datetime, cut: Callable[[int], Body], most: int) -> Body:
    """Return the body with as many things as fit."""

    def is_too_long(count: int) -> bool:
        return len(body_text(_body(kind, sender, cut(count), now)).encode()) > MOST_BYTES

    fits = most if not is_too_long(most) else bisect_left(range(1, most), True, key=is_too_long)
    return _body(kind, sender, cut(fits), now)


def _body(kind: str, sender: Sender, data: Mapping[str, Any], now: datetime) -> Body:
    fleet = {"id": sender.fleet_id, "name": sender.fleet}
    return {
        "type": kind,
        "timestamp": time_text(now, "seconds"),
        "data": {"alert_id": sender.alert_id, "fleet": fleet, **data},
    }
