"""A store with a fleet and alerts; messages are delivered with a clock and names of one's own."""

import ssl
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from flows.alerts.channels.mail import MailServer
from flows.alerts.channels.posting import Wire
from flows.alerts.send import Courier, Means, written_messages
from screening.vocabulary import ProbabilityLevel
from storage.state.alerts.addresses import Target
from storage.state.alerts.alerts import NewAlert, alerts, create_alert
from storage.state.alerts.deliveries import Delivery, delivery
from storage.state.alerts.outbox import Message, Outcome, due_messages, note_attempt, put
from storage.state.database import service_state
from storage.state.fleets import FleetObject, NewFleet, create_fleet, fleets
from storage.state.records import Alert
from tests.flows.misbehaving_server import MisbehavingServer

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
EVENT = {
    "change": "new",
    "event_id": 123456789,
    "risk_level": "critical",
    "probability_level": "critical",
    "near_level": "high",
    "probability_best": 1.234e-4,
    "probability": 1.2e-4,
    "probability_2d": 1.1e-4,
    "probability_mc": None,
    "probability_method": "2d",
    "catastrophic": None,
    "fragments_10cm": None,
    "encounter": "fast",
    "diluted": False,
    "manoeuvring": [],
    "on_ephemeris": [],
    "departed": [],
    "tca": "2026-03-02T03:04:05.678Z",
    "miss_distance_m": 123.4,
    "relative_speed_m_s": 14567.0,
    "norad_id": 25544,
    "name": "ISS (ZARYA)",
    "other_norad_id": 43210,
    "other_name": "COSMOS <1408> & DEB",
    "volume": "box:2x25x25",
    "miss_radial_km": 0.1,
    "miss_in_track_km": -0.05,
    "miss_cross_track_km": 0.05,
    "fleet_hard_body_radius_m": None,
    "api": "/conjunctions/123456789",
}


class Alerted(NamedTuple):
    """An alert with one message, and its receiver."""

    alert: Alert
    message_id: str
    server: MisbehavingServer


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def local_names(names: Mapping[str, Sequence[str]] | None = None) -> Callable[[str, int], Sequence[str]]:
    """Return a resolver to which every name is this machine, but for some."""

    def resolve(host: str, _port: int) -> Sequence[str]:
        return (names or {}).get(host, ["127.0.0.1"])

    return resolve


def means_of(store: Path, clock: Callable[[], datetime], **more: Any) -> Means:
    """Return means that reach this machine, and wait no longer than two seconds."""
    mail: MailServer | None = more.pop("mail", None)
    wire = {
        "tls": ssl.create_default_context(),
        "allow_private": True,
        "resolve": local_names(),
        "total_s": 2.0,
    }
    return Means(store, Wire(**{**wire, **more}), mail, clock, lambda: 0.0)


def alert_to(
    store: Path,
    address: str,
    channel: str = "webhook",
    credential_id: int | None = None,
    *,
    level: ProbabilityLevel = "high",
) -> Alert:
    """Make an alert of a fleet, which is made if there is none."""
    made = fleets(store) or (
        create_fleet(store, NewFleet("night & day", (FleetObject(25544, None, None),)), NOW),
    )
    target = Target(channel, address)  # type: ignore[arg-type]
    return create_alert(store, NewAlert(made[0].id, target, "tests", credential_id, level), NOW)


def told_to(store: Path, alert: Alert, kind: str = "conjunctions", due: datetime = NOW) -> str:
    """Put a message for an alert into the outbox."""
    with service_state(store) as state:
        return put(state, alert.id, kind, body_for(alert.id), due, due)


def body_for(alert_id: int, **changed: Any) -> dict[str, Any]:
    """Return the body of a message about one event."""
    data = {
        "alert_id": alert_id,
        "fleet": {"id": 1, "name": "night & day"},
        "run_id": "20260301T115900Z",
        "counts": {"new": 1, "raised": 0, "eased": 0, "resolved": 0, "closed": 0},
        "events": [{**EVENT, **changed}],
        "more": 0,
    }
    return {"type": "conjunctions", "timestamp": "2026-03-01T12:00:00Z", "data": data}


def begun(store: Path, now: datetime, *, public_url: str = "") -> list[Message]:
    """Begin to send what is due, and return it as it is sent; nothing comes of it yet."""
    due, of = due_messages(store, now), {one.id: one for one in alerts(store)}
    found = written_messages(store, due, of, now, now + timedelta(minutes=5), public_url)
    return [found[one.id] for one in due if one.id in found]


def taken(store: Path, now: datetime, *, public_url: str = "") -> list[Message]:
    """Deliver what is due to receivers that take it, and return it."""
    found = []
    while due_messages(store, now):
        for message in begun(store, now, public_url=public_url):
            note_attempt(store, message.id, now, Outcome(200, "", 0.1), "delivered")
            found.append(message)
    return found


def delivered(means: Means) -> None:
    """Deliver what is due, and return when nothing is."""
    told: SimpleQueue[None] = SimpleQueue()
    courier = Courier(means, lambda: told.put(None))
    while courier.look():
        told.get()


def story(store: Path, message_id: str) -> tuple[str, list[tuple[int | None, str]], float | None]:
    """Return the state of a message, its attempts, and in how many seconds it is due again."""
    found: Delivery = delivery(store, message_id)
    again = found.message.due - NOW if found.message.state == "waiting" else None
    return (
        found.message.state,
        [(one.status, one.error) for one in found.tried],
        None if again is None else again / timedelta(seconds=1),
    )
