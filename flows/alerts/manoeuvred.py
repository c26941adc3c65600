"""Tell alerts that want it which objects have manoeuvred: the fleet's, and the others of its encounters.

One message after each run with news. A manoeuvre that a later run shows better is no news.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flows.alerts.bodies import listing, senders
from storage.disk.current import read_current
from storage.fleets.events import fleet_members, looked_at
from storage.manoeuvres.lists import Wanted, rows_of_runs
from storage.reading.run_events import run_window
from storage.settings import StoreSettings
from storage.state.alerts.alerts import alerts
from storage.state.alerts.encounters import all_progress, encounters, note_progress, progress
from storage.state.alerts.outbox import put
from storage.state.database import State, service_state
from storage.state.records import Alert
from storage.times import time_text

KIND = "manoeuvred"
MANOEUVRES = "manoeuvres"  # entry of an alert's progress: the newest run whose manoeuvres it knows
# A burn spread over several sets is seen within a week. What the first run of a store finds may be older.
NEWS_FOR = timedelta(days=7)

Row = Mapping[str, Any]


class _Known(NamedTuple):
    """An object that an alert covers."""

    name: str
    of_fleet: bool
    event_id: int | None  # of the fleet's encounter with it


def put_manoeuvred(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each alert that wants it, if the newest run, or one since it knew, has found some.

    A new alert begins with the newest run. Historic runs, and those that have not looked at fleets, wait.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store, current = settings.store, read_current(settings.store)
    known = {number: entries[MANOEUVRES] for number, entries in all_progress(store, [MANOEUVRES]).items()}
    wanted = [
        one
        for one in alerts(store)
        if one.manoeuvres
        and one.off_since is None
        and (not current or known.get(one.id, "") < current.run_id)
    ]
    if not wanted or current is None or not looked_at(store, current.run_id):
        return
    if run_window(store, current.run_id).historic:
        return
    run_id = current.run_id
    since = min(known.get(one.id, run_id) for one in wanted)
    found = _news(rows_of_runs(store, Wanted(since=now - 3 * NEWS_FOR)), since)
    members = {
        fleet_id: {
            one.norad_id: _Known(one.name, True, None) for one in fleet_members(store, run_id, fleet_id)
        }
        for fleet_id in {one.fleet_id for one in wanted}
    }
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            begun = progress(state, alert.id).get(MANOEUVRES)
            if alert.id not in {one.id for one in wanted} or (begun or "") >= run_id:
                continue
            covered = _others(state, alert, now) | members[alert.fleet_id]
            told = [
                _told(row, covered[row["norad_id"]])
                for row in found
                if row["norad_id"] in covered
                and (row["run_id"] > begun if begun else row["run_id"] == run_id)
            ]
            if told:
                told.sort(key=lambda one: (not one["of_fleet"], -one["dv_m_s"]))
                body = listing(KIND, sender, run_id, MANOEUVRES, told, now)
                put(state, alert.id, KIND, body, now, now)
            note_progress(state, alert.id, {MANOEUVRES: run_id})


def _news(rows: Iterable[Row], since: str) -> list[Row]:
    """Return the rows of runs from `since` on that are no older burn, nor one that was stored before."""
    before: dict[int, list[Row]] = {}
    news = []
    for row in sorted(rows, key=lambda row: row["run_id"]):
        own = before.setdefault(row["norad_id"], [])
        if row["run_id"] >= since and row["to"] >= row["found_at"] - NEWS_FOR and not _is_known(row, own):
            news.append(row)
        own.append(row)
    return news


def _is_known(row: Row, before: Iterable[Row]) -> bool:
    return any(row["from"] < other["to"] and other["from"] < row["to"] for other in before)


def _others(state: State, alert: Alert, now: datetime) -> dict[int, _Known]:
    """Return the objects that encounters of an alert are with whose TCA lies ahead, each with the first."""
    ahead = [one for one in encounters(state, alert.id).values() if one.tca > now]
    return {
        one.event["other_norad_id"]: _Known(one.event["other_name"], False, one.event_id)
        for one in sorted(ahead, key=lambda one: one.tca, reverse=True)
    }


def _told(row: Row, of: _Known) -> dict[str, Any]:
    times = {name: time_text(row[name], "seconds") for name in ("at", "from", "to")}
    return {
        "norad_id": row["norad_id"],
        "name": of.name,
        "of_fleet": of.of_fleet,
        "event_id": of.event_id,
        **times,
        "dv_m_s": float(f"{row['dv_m_s']:.4g}"),
        "run_id": row["run_id"],
    }
