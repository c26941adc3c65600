"""Messages of alerts and what became of them: listed, tried again, tests."""

from datetime import datetime
from pathlib import Path

from api.models.watched.deliveries import DeliveryList, ListedAttempt, ListedDelivery
from storage.state.alerts.deliveries import Delivery, messages_of, put_test, retry
from storage.state.alerts.listed import delivery_record


def page_of(store: Path, alert_id: int, limit: int, offset: int) -> DeliveryList:
    """Return a page of the messages of an alert, newest first. Raises NoSuchAlert."""
    found, total = messages_of(store, alert_id, limit, offset)
    return DeliveryList(list(map(_listed, found)), total)


def tested(store: Path, alert_id: int, now: datetime) -> ListedDelivery:
    """Put a test message into the outbox and return it. Raises NoSuchAlert, CannotRetry."""
    return _listed(put_test(store, alert_id, now))


def retried(store: Path, message_id: str, now: datetime) -> ListedDelivery:
    """Make a message due now and return it. Raises NoSuchMessage, CannotRetry."""
    return _listed(retry(store, message_id, now))


def _listed(one: Delivery) -> ListedDelivery:
    return ListedDelivery(
        **delivery_record(one) | {"attempts": [ListedAttempt(*attempt) for attempt in one.tried]}
    )
