"""Letters about made-up events of a store, as they are sent."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from flows.alerts.bodies import Said, Sender, conjunctions
from flows.alerts.channels.letter import letter
from flows.alerts.channels.picture import picture
from flows.alerts.channels.wording import wording
from flows.alerts.outbox import event_of
from storage.fleets.events import events_with
from storage.reading.newest_run import connect
from storage.state.alerts.encounters import Change, Encounter
from storage.state.alerts.outbox import Message
from storage.times import utc_rows
from tests.flows.alerts.alerting import NOW
from tests.made_up_run import make_run, publish

SENDER = Sender(3, 1, "mine & yours", "https://sky.example.org")


def made_up(store: Path, count: int = 7) -> dict[str, Any]:
    """Publish a run, and return the body of a message about some of its events."""
    import pyarrow as pa

    run_id = publish(store, make_run())
    ids = [row[0] for row in connect(store).execute(f"SELECT event_id FROM events LIMIT {count}").fetchall()]
    entries = []
    for row in utc_rows(events_with(store, run_id, pa.array(ids))):
        ours, pair = row["primary_norad_id"], (row["primary_norad_id"], row["secondary_norad_id"])
        row |= {"norad_id": ours, "volume": "box:2x25x25", "fleet_hard_body_radius_m": None}
        row |= dict.fromkeys(["miss_radial_km", "miss_in_track_km", "miss_cross_track_km"], 0.1)
        row["tca"] = NOW + timedelta(days=2, hours=4)
        entry = Encounter(
            row["event_id"], ours, "open", row["tca"], "low", 1e-9, 0, run_id, pair, pair, event_of(row),
            row["event_id"],
        )  # fmt: skip
        entries.append((entry, Change("new", run_id, NOW, None), Said()))
    return conjunctions(SENDER, entries, NOW)


def written(store: Path, body: dict[str, Any]) -> EmailMessage:
    """Return the letter with a body."""
    words = wording(body)
    assert words.drawn is not None
    drawn = picture(store, body["data"]["run_id"], body["data"]["fleet"]["id"], words.drawn)
    message = Message("msg_1", 1, 3, body["type"], NOW, NOW, body, "waiting", 0, None, None)
    return letter(message, words, "sky@example.org", "desk@example.org", drawn)
