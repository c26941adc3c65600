"""Tell every alert that is on when an object has broken up: once, with the first run that shows pieces."""

from datetime import datetime
from typing import Any

from flows.alerts.bodies import plain, senders
from storage.disk.current import read_current
from storage.reading.run_events import run_window
from storage.settings import StoreSettings
from storage.sky.fragmentations import Fragmentation, list_fragmentations
from storage.state.alerts.alerts import alerts
from storage.state.alerts.encounters import all_progress, note_progress, progress
from storage.state.alerts.outbox import put
from storage.state.database import service_state
from storage.times import time_text

KIND = "fragmentation"
BREAK_UPS = "fragmentations"  # entry of an alert's progress: the newest run whose break-ups it knows


def put_broken_up(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each alert and break-up that a run since it last looked was the first to find.

    A new alert begins with the newest run. Historic runs tell nothing.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store, current = settings.store, read_current(settings.store)
    if current is None or run_window(store, current.run_id).historic:
        return
    known = {number: entries[BREAK_UPS] for number, entries in all_progress(store, [BREAK_UPS]).items()}
    wanted = {
        one.id for one in alerts(store) if one.off_since is None and known.get(one.id, "") < current.run_id
    }
    if not wanted:
        return
    found = list_fragmentations(store).fragmentations
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            if alert.id not in wanted:
                continue
            since = progress(state, alert.id).get(BREAK_UPS, current.run_id)
            for one in found:
                first = one.runs[0].run_id
                if since < first or since == first == current.run_id:
                    put(state, alert.id, KIND, plain(KIND, sender, _told(one), now), now, now)
            note_progress(state, alert.id, {BREAK_UPS: current.run_id})


def _told(one: Fragmentation) -> dict[str, Any]:
    return {
        "run_id": one.runs[-1].run_id,
        "fragmentation_id": one.id,
        "norad_id": one.parent_norad_id,
        "name": one.parent_name,
        "at": time_text(one.at, "seconds"),
        "uncertainty_hours": round(one.uncertainty_hours, 1),
        "altitude_km": round(one.altitude_km),
        "pieces": one.pieces,
        "words": one.words,
    }
