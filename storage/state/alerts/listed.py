"""Show alerts and messages as lists have them: with the fleet's name and what became of them, no secrets."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from storage.state.alerts.addresses import shown_address
from storage.state.alerts.deliveries import Delivery
from storage.state.alerts.kept import alerts
from storage.state.database import query_state
from storage.state.records import Alert
from storage.times import parse_time

_MESSAGES = (
    "SELECT alert_id, count(*) FILTER (WHERE state = 'waiting'), "
    "max(finished) FILTER (WHERE state = 'delivered') FROM outbox GROUP BY alert_id"
)
_HIDDEN = ("credential_id", "secrets")


def listed(store: Path) -> list[dict[str, Any]]:
    """Return all alerts as records, oldest first."""
    return _records(store, alerts(store))


def record_of(store: Path, alert: Alert) -> dict[str, Any]:
    """Return one alert as a record."""
    return _records(store, [alert])[0]


def delivery_record(one: Delivery) -> dict[str, Any]:
    """Return a message and its attempts as a record."""
    message = one.message
    return {
        "id": message.id,
        "alert_id": message.alert_id,
        "kind": message.kind,
        "created": message.created,
        "state": message.state,
        "due": message.due if message.state == "waiting" else None,
        "finished": message.finished,
        "superseded_by": message.superseded_by,
        "body": message.body,
        "attempts": [attempt._asdict() for attempt in one.tried],
    }


def _records(store: Path, shown: Sequence[Alert]) -> list[dict[str, Any]]:
    names = dict(query_state(store, "SELECT id, name FROM fleets", tables=["fleets"]))
    messages = {number: rest for number, *rest in query_state(store, _MESSAGES)}
    records = []
    for one in shown:
        waiting, delivered = messages.get(one.id, (0, None))
        records.append(
            {
                "id": one.id,
                "fleet_id": one.fleet_id,
                "fleet": names.get(one.fleet_id, ""),
                **{name: value for name, value in one._asdict().items() if name not in _HIDDEN},
                "address": shown_address(one.channel, one.address),
                "waiting": waiting,
                "last_delivered": delivered and parse_time(delivered),
            }
        )
    return records
