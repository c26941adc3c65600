"""Tell every alert that is on which objects of its fleet will decay: when 60, 30 and 7 days are left."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import orjson

from flows.alerts.bodies import listing, senders
from storage.disk.current import read_current
from storage.fleets.events import fleet_members, looked_at
from storage.reading.run_events import run_window
from storage.settings import StoreSettings
from storage.sky.lists import COLUMNS, listed, within
from storage.state.alerts.alerts import alerts
from storage.state.alerts.encounters import all_progress, note_progress, progress
from storage.state.alerts.outbox import put
from storage.state.database import service_state
from storage.times import time_text

KIND = "re-entry"
RE_ENTRIES = "re_entries"  # entry of an alert's progress
TOLD_DAYS = (7, 30, 60)  # before the median

_DAY = timedelta(days=1)
_FAR = max(TOLD_DAYS) + 1  # nothing is told yet

Row = Mapping[str, Any]


class _Known(NamedTuple):
    """What an alert knows of re-entries."""

    run_id: str = ""  # the newest run it has seen
    told: Mapping[int, int] = {}  # of TOLD_DAYS the smallest told of an object, by catalogue number


def put_re_entering(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each alert that has an object whose decay has come nearer than 60, 30 or 7 days.

    Each of the three is told once an object: a median that moves back and forth is no news. Historic runs,
    and those that have not searched fleets, tell nothing.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store, current = settings.store, read_current(settings.store)
    if current is None:
        return
    run_id = current.run_id
    known = {number: _known(entries) for number, entries in all_progress(store, [RE_ENTRIES]).items()}
    fleets = {
        one.id: one.fleet_id
        for one in alerts(store)
        if one.off_since is None and known.get(one.id, _Known()).run_id < run_id
    }
    if not fleets or not looked_at(store, run_id) or run_window(store, run_id).historic:
        return
    members = {
        fleet_id: [one.norad_id for one in fleet_members(store, run_id, fleet_id)]
        for fleet_id in set(fleets.values())
    }
    wanted = within(now, max(TOLD_DAYS), sorted({number for some in members.values() for number in some}))
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in listed(store, run_id, wanted)[0]]
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            before = _known(progress(state, alert.id))
            if alert.id not in fleets or before.run_id >= run_id:
                continue
            falling = [row for row in rows if row["norad_id"] in members[alert.fleet_id]]
            news = [row for row in falling if _nearest(row, now) < before.told.get(row["norad_id"], _FAR)]
            if news:
                told = [_told(row, now) for row in news]
                put(state, alert.id, KIND, listing(KIND, sender, run_id, RE_ENTRIES, told, now), now, now)
            nearest = {row["norad_id"]: _nearest(row, now) for row in news}
            entry = _Known(run_id, {**before.told, **nearest})
            note_progress(state, alert.id, {RE_ENTRIES: _text(entry)})


def _nearest(row: Row, now: datetime) -> int:
    """Return which of TOLD_DAYS a decay has come nearer than, the smallest."""
    return min(days for days in TOLD_DAYS if row["median"] <= now + days * _DAY)


def _told(row: Row, now: datetime) -> dict[str, Any]:
    times = {name: time_text(row[name], "seconds") for name in ("median", "window_start", "window_end")}
    return {
        "norad_id": row["norad_id"],
        "name": row["name"],
        **times,
        "days_left": round((row["median"] - now) / _DAY, 1),
        "may_manoeuvre": row["may_manoeuvre"],
    }


def _known(entries: Mapping[str, str]) -> _Known:
    if RE_ENTRIES not in entries:
        return _Known()
    kept = orjson.loads(entries[RE_ENTRIES])
    return _Known(kept["run_id"], {int(number): days for number, days in kept["told"].items()})


def _text(known: _Known) -> str:
    return orjson.dumps(known._asdict(), option=orjson.OPT_NON_STR_KEYS).decode()
