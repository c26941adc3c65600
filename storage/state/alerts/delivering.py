"""Whether messages of alerts are being delivered, and whether there may be any."""

import os
from datetime import UTC, datetime
from pathlib import Path

from storage.state.database import query_state

DELIVERY_LOCK = "delivery.lock"


def mark_delivering(store: Path, now: datetime) -> None:
    """Note that messages are being delivered now; the holder of the lock calls it."""
    os.utime(store / DELIVERY_LOCK, (now.timestamp(), now.timestamp()))


def last_delivering(store: Path) -> datetime | None:
    """Return when messages were last being delivered, UTC; None: never in this store."""
    try:
        return datetime.fromtimestamp((store / DELIVERY_LOCK).stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


def has_messages(store: Path) -> bool:
    """Return whether there is an alert, or a message of one, to deliver or to forget in a month."""
    return bool(query_state(store, "SELECT 1 FROM alerts UNION ALL SELECT 1 FROM outbox LIMIT 1"))
