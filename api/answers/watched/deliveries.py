"""Messages of alerts and what became of them: listed, tried again, tests."""

from datetime import datetime
from pathlib import Path
from typing import Any

from api.errors import NotFound, NotPossibleNow
from storage.state.alerts.deliveries import (
    CannotRetry,
    NoSuchMessage,
    messages_of,
    put_test,
    retry,
)
from storage.state.alerts.kept import NoSuchAlert
from storage.state.alerts.listed import delivery_record


def page_of(store: Path, alert_id: int, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return a page of the messages of an alert, newest first, and how many there are. Raises NotFound."""
    try:
        found, total = messages_of(store, alert_id, limit, offset)
    except NoSuchAlert as error:
        raise _no_alert(alert_id) from error
    return [delivery_record(one) for one in found], total


def tested(store: Path, alert_id: int, now: datetime) -> dict[str, Any]:
    """Put a test message into the outbox and return it. Raises NotFound, NotPossibleNow."""
    try:
        return delivery_record(put_test(store, alert_id, now))
    except NoSuchAlert as error:
        raise _no_alert(alert_id) from error
    except CannotRetry as error:
        raise NotPossibleNow(str(error)) from error


def retried(store: Path, message_id: str, now: datetime) -> dict[str, Any]:
    """Make a message due now and return it. Raises NotFound, NotPossibleNow."""
    try:
        return delivery_record(retry(store, message_id, now))
    except NoSuchMessage as error:
        raise NotFound(f"There is no message {message_id!r} that could be delivered.") from error
    except CannotRetry as error:
        raise NotPossibleNow(str(error)) from error


def _no_alert(alert_id: int) -> NotFound:
    return NotFound(f"There is no alert {alert_id}; `GET /alerts` lists those there are.")
