"""A fleet's daily answer: each satellite by name, also those with nothing coming."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from flows.alerts.bodies import Satellite, daily, event_of
from flows.alerts.noted import alerts_with_senders
from storage.disk.current import read_current
from storage.fleets.events import FleetMember, fleet_events, fleet_members, looked_at
from storage.reading.run_events import run_window
from storage.settings import StoreSettings
from storage.state.alerts.encounters import all_progress, note_progress, progress
from storage.state.alerts.kept import alerts
from storage.state.alerts.outbox import put, untold
from storage.state.database import service_state
from storage.times import aware_utc

KIND = "fleet.daily"
DAILY = "daily"  # entry of an alert's progress: the day of its last answer


def put_daily(settings: StoreSettings, now: datetime) -> None:
    """Put the answer of the day (UTC) for alerts that want it and are on, once the newest run can give it.

    It can if it has looked at the fleet, and still looks ahead. An answer that waits is superseded.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store, day = settings.store, f"{now:%Y-%m-%d}"
    answered = {number: entries[DAILY] for number, entries in all_progress(store, [DAILY]).items()}
    wanted = {
        alert.id: alert
        for alert in alerts(store)
        if alert.daily and alert.off_since is None and answered.get(alert.id, "") < day
    }
    current = read_current(store)
    if not wanted or current is None or not looked_at(store, current.run_id):
        return
    window = run_window(store, current.run_id)
    if window.historic or window.window_end <= now:
        return
    found = {
        fleet_id: _satellites(settings, current.run_id, fleet_id, now)
        for fleet_id in {alert.fleet_id for alert in wanted.values()}
    }
    with service_state(store) as state:
        for alert, sender in alerts_with_senders(state, settings.public_url):
            satellites = found.get(alert.fleet_id, [])
            due = alert.id in wanted and progress(state, alert.id).get(DAILY, "") < day
            if due and satellites:
                longest = timedelta(hours=max(one.hours for one in satellites))
                span = (window.window_start, window.window_start + longest)
                body = daily(sender, current.run_id, span, satellites, now)
                put(state, alert.id, KIND, body, now, now, untold(state, alert.id, KIND, now))
                note_progress(state, alert.id, {DAILY: day})


def _satellites(settings: StoreSettings, run_id: str, fleet_id: int, now: datetime) -> list[Satellite]:
    """Return the satellites of a fleet with what is still ahead of each."""
    events: dict[int, list[dict[str, Any]]] = {}
    for row in fleet_events(settings.store, run_id, fleet_id).to_pylist():
        if aware_utc(row["tca"]) > now:
            events.setdefault(row["norad_id"], []).append(event_of(row))
    members: Iterable[FleetMember] = fleet_members(settings.store, run_id, fleet_id)
    return [
        Satellite(one.norad_id, one.name, one.found, one.hours, events.get(one.norad_id, []))
        for one in members
    ]
