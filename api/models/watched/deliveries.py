"""Models of the messages of alerts, for OpenAPI."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from api.models.responses import STRICT
from storage.state.alerts.outbox import MessageState

_ID = "msg_5f0c2a9d4b7e4c1f9a3d6e8b2c4f1a70"


class AttemptTold(BaseModel):
    """An attempt to deliver a message."""

    model_config = STRICT

    at: datetime = Field(description="UTC, when it ended.", examples=["2026-11-21T12:00:05Z"])
    status: int | None = Field(description="Of HTTP or SMTP; null: no answer came.", examples=[200])
    error: str = Field(description="Why it failed; empty: it was taken.", examples=[""])
    seconds: float = Field(description="How long it took, s.", examples=[0.2])


class DeliveryTold(BaseModel):
    """A message of an alert, and what became of it."""

    model_config = STRICT

    id: str = Field(description="Its id, the same at each attempt.", examples=[_ID])
    alert_id: int = Field(description="Id of the alert.", examples=[3])
    kind: str = Field(description="What it tells, as `type` in its body.", examples=["conjunctions"])
    created: datetime = Field(description="UTC.", examples=["2026-11-21T12:00:04Z"])
    state: MessageState = Field(
        description="`failed`: given up after the last attempt; `superseded`: a newer message tells what it "
        "would have told; `cancelled`: the alert was stopped.",
        examples=["delivered"],
    )
    due: datetime | None = Field(
        description="UTC, when it is tried next; null: it is not.", examples=["2026-11-21T12:05:09Z"]
    )
    finished: datetime | None = Field(
        description="UTC, since when it no longer waits; null: it waits.", examples=["2026-11-21T12:00:05Z"]
    )
    superseded_by: str | None = Field(description="Id of the newer message.", examples=[None])
    body: dict[str, Any] = Field(
        description="What is told.",
        examples=[{"type": "test", "timestamp": "2026-11-21T12:00:04Z", "data": {}}],
    )
    attempts: list[AttemptTold] = Field(description="Oldest first.")


class DeliveryList(BaseModel):
    """Messages of an alert."""

    model_config = STRICT

    deliveries: list[DeliveryTold] = Field(description="Newest first; kept for 30 days.")
    total: int = Field(description="Number of them, regardless of `limit`.", examples=[12])
