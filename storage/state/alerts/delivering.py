"""Whether anything delivers messages: what does marks its lock file, when it begins and each minute."""

import os
from datetime import UTC, datetime
from pathlib import Path

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
