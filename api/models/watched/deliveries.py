"""Answers: the messages of alerts, and what became of them."""

from datetime import datetime
from typing import Any

from screening.answers import answer
from storage.state.alerts.outbox import MessageState


@answer(at="2026-11-21T12:00:05Z", status=200, error="", seconds=0.2)
class ListedAttempt:
    """An attempt to deliver a message."""

    at: datetime
    """UTC, when it ended."""
    status: int | None
    """Of HTTP or SMTP; null: no answer came."""
    error: str
    """Why it failed; empty: it was taken."""
    seconds: float
    """How long it took, s."""


@answer(
    id="msg_5f0c2a9d4b7e4c1f9a3d6e8b2c4f1a70", alert_id=3, kind="conjunctions",
    created="2026-11-21T12:00:04Z", state="delivered", due="2026-11-21T12:05:09Z",
    finished="2026-11-21T12:00:05Z", superseded_by=None,
    body={"type": "test", "timestamp": "2026-11-21T12:00:04Z", "data": {}},
)  # fmt: skip
class ListedDelivery:
    """A message of an alert, and what became of it."""

    id: str
    """Its id, the same at each attempt."""
    alert_id: int
    """Id of the alert."""
    kind: str
    """What it tells, as `type` in its body."""
    created: datetime
    """UTC."""
    state: MessageState
    """`failed`: given up after the last attempt; `superseded`: a newer message tells what it would have told;
    `cancelled`: the alert was stopped."""
    due: datetime | None
    """UTC, when it is tried next; null: it is not."""
    finished: datetime | None
    """UTC, since when it no longer waits; null: it waits."""
    superseded_by: str | None
    """Id of the newer message."""
    body: dict[str, Any]
    """What is told."""
    attempts: list[ListedAttempt]
    """Oldest first."""


@answer(total=12)
class DeliveryList:
    """Messages of an alert."""

    deliveries: list[ListedDelivery]
    """Newest first; kept for 30 days."""
    total: int
    """Number of them, regardless of `limit`."""
