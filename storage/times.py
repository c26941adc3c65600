"""Texts of times."""

from datetime import UTC, datetime


def time_text(time: datetime) -> str:
    """Return a time as ISO 8601 with Z; a naive one is UTC already."""
    utc = time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat() + "Z"
