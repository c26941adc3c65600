"""Messages of alerts and what became of them: listed, tried again, tests."""

from datetime import datetime
from pathlib import Path
from typing import Any

from storage.state.alerts.deliveries import delivery_record, messages_of, put_test, retry


def page_of(store: Path, alert_id: int, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return a page of the messages of an alert, newest first, and how many there are. Raises NoSuchAlert."""
    found, total = messages_of(store, alert_id, limit, offset)
    return [delivery_record(one) for one in found], total


def tested(store: Path, alert_id: int, now: datetime) -> dict[str, Any]:
    """Put a test message into the outbox and return it. Raises NoSuchAlert, CannotRetry."""
    return delivery_record(put_test(store, alert_id, now))


def retried(store: Path, message_id: str, now: datetime) -> dict[str, Any]:
    """Make a message due now and return it. Raises NoSuchMessage, CannotRetry."""
    return delivery_record(retry(store, message_id, now))
