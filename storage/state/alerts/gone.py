"""Alerts whose receiver is gone."""

from datetime import datetime
from pathlib import Path

from storage.state.alerts.addresses import shown_address
from storage.state.alerts.kept import alerts_within, switch_off_within
from storage.state.alerts.outbox import put
from storage.state.database import service_state
from storage.state.records import Alert
from storage.times import time_text


def end_endpoint(store: Path, gone: Alert, reason: str, now: datetime) -> None:
    """Switch an alert off whose receiver is gone, and tell its maker's other receivers, in one transaction.

    An alert that was removed meanwhile is left alone.
    """
    endpoint = {
        "alert_id": gone.id,
        "channel": gone.channel,
        "address": shown_address(gone.channel, gone.address),
        "reason": reason,
    }
    with service_state(store) as state:
        present = alerts_within(state)
        if gone.id not in {one.id for one in present}:
            return
        (name,) = state.execute("SELECT name FROM fleets WHERE id = ?", (gone.fleet_id,)).fetchone()
        for one in present:
            if (
                one.credential_id == gone.credential_id
                and one.off_since is None
                and one.address != gone.address
            ):
                data = {
                    "alert_id": one.id,
                    "fleet": {"id": gone.fleet_id, "name": name},
                    "endpoint": endpoint,
                }
                body = {"type": "endpoint.off", "timestamp": time_text(now, "seconds"), "data": data}
                put(state, one.id, "endpoint.off", body, now, now)
        switch_off_within(state, gone.id, reason, now)
