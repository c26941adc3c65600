"""Models of alerts: what is sent, checked strictly, and the answers, also about their messages."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from api.models.requests import WholeNumber
from api.models.responses import STRICT
from api.models.watched.chosen_limits import ChosenLimits
from screening.answers import answer
from screening.vocabulary import ProbabilityLevel, RiskLevel
from storage.rows.limits import Limits
from storage.state.alerts.addresses import LONGEST_URL
from storage.state.alerts.outbox import MessageState
from storage.vocabulary import (
    DIGEST_RANGE_HOURS,
    NEAR_M,
    NEAR_RANGE_M,
    Channel,
)

_MOST_IDS = 2**53
_SHORTEST_H, _LONGEST_H = DIGEST_RANGE_HOURS


class AlertRequest(ChosenLimits):
    """Where to send notifications about a fleet's encounters, and about which."""

    model_config = ConfigDict(
        **STRICT,
        json_schema_extra={
            "not": {"anyOf": [{"required": ["risk", "level"]}, {"required": ["risk", "near_m"]}]}
        },
    )

    fleet_id: WholeNumber = Field(ge=1, le=_MOST_IDS, description="Id of the fleet.", examples=[1])
    address: str = Field(
        min_length=1,
        max_length=LONGEST_URL + len("slack:"),
        description="`https://host/path` for a webhook, `slack:https://host/path` for a hook that takes "
        "Slack's JSON, `name@host` for e-mail. Private addresses are refused unless the service allows them.",
        examples=["https://example.org/hook"],
    )
    channel: Channel | None = Field(
        default=None, description="The channel; null: what the address says.", examples=["webhook"]
    )
    level: ProbabilityLevel = Field(
        default="high",
        description="Report this level by the probability and more dangerous ones, and unknown ones; "
        "`low`: everything.",
        examples=["high"],
    )
    near_m: float | None = Field(
        default=NEAR_M,
        ge=NEAR_RANGE_M[0],
        le=NEAR_RANGE_M[1],
        allow_inf_nan=False,
        description="Also report a miss under this many metres, whatever its probability; null: distance "
        "does "
        "not count.",
        examples=[NEAR_M],
    )
    # May not be null; which were sent is in `model_fields_set`.
    risk: RiskLevel = Field(
        default_factory=lambda: "high",
        json_schema_extra={"deprecated": True},  # the field itself would warn wherever it is read
        description="Instead of `level` and `near_m`, as in earlier releases: this level with its "
        "distance (`critical` 100 m, `high` 500 m, `medium` 1,000 m, `low` everything).",
        examples=["high"],
    )
    min_probability: float | None = Field(
        default=None,
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="Report only this collision probability (the one that determines the level) and above, "
        "and no unknown ones, whatever `level` and `near_m`; null: any.",
        examples=[1e-6],
    )
    digest_hours: float | None = Field(
        default=None,
        ge=_SHORTEST_H,
        le=_LONGEST_H,
        allow_inf_nan=False,
        description="Collect changes, and send them at most every so many hours; new or worse critical "
        "events are sent at once. Null: sent after each run.",
        examples=[12.0],
    )
    daily: bool = Field(
        default=False, description="List all satellites once a day (UTC), even if no encounter is coming."
    )
    manoeuvres: bool = Field(
        default=False,
        description="Tell when an object of the fleet has manoeuvred, or the other object of an encounter "
        "that was told.",
    )

    acknowledgements: bool | None = Field(
        default=None,
        description="Tell who has taken on an event that was told, or has let it go; null: a webhook does.",
        examples=[None],
    )

    def limits(self) -> Limits:
        """Of which encounters it is to tell. Raises UsageError if that was said twice."""
        return super().limits()._replace(min_probability=self.min_probability)


class AlertChanges(BaseModel):
    """Whether an alert is on."""

    model_config = STRICT

    on: bool = Field(
        description="`false`: nothing is delivered, and changes are collected in one message; `true`: "
        "deliveries resume.",
        examples=[True],
    )


@answer(
    id=3, fleet_id=1, fleet="mine", channel="webhook", address="https://example.org/hook", level="high",
    near_m=NEAR_M, min_probability=1e-6, digest_hours=12.0, daily=False, manoeuvres=False,
    acknowledgements=True, created="2026-11-21T06:00:00Z", made_by="flight dynamics", off_since=None,
    off_reason="", waiting=0, last_delivered="2026-11-21T12:00:05Z",
)  # fmt: skip
class ListedAlert:
    """An alert, without its secrets."""

    id: int
    """Its id."""
    fleet_id: int
    """Id of the fleet."""
    fleet: str
    """Name of the fleet."""
    channel: Channel
    """How it reaches its reader."""
    address: str
    """Where it goes, without user, password and keys, nor the path of Slack addresses."""
    level: ProbabilityLevel
    """The least dangerous level that is sent, by the probability."""
    near_m: float | None
    """m; a smaller miss is sent whatever its probability; null: distance does not count."""
    min_probability: float | None
    """The smallest probability that is sent."""
    digest_hours: float | None
    """Hours between messages at least."""
    daily: bool
    """Whether a list of all satellites is sent once a day."""
    manoeuvres: bool
    """Whether it is sent that an object has manoeuvred: one of the fleet, or the other of an encounter."""
    acknowledgements: bool
    """Whether it is sent who has taken on an event."""
    created: datetime
    """UTC."""
    made_by: str
    """Name of the credential that made it, or `command line`."""
    off_since: datetime | None
    """UTC, since when it is off; null: it is on."""
    off_reason: str
    """Why it is off; empty: it is on."""
    waiting: int
    """Messages that wait to be delivered."""
    last_delivered: datetime | None
    """UTC, when a message was last delivered."""


@answer(secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")  # noqa: S106 - an example
class MadeAlert(ListedAlert):
    """A new alert, with the secret of a webhook."""

    secret: str | None
    """Signs its messages, as Standard Webhooks specifies; not shown again. Null: no webhook."""


@answer(id=3, secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")  # noqa: S106 - an example
class NewSecret:
    """A new secret of a webhook."""

    id: int
    """Id of the alert."""
    secret: str
    """Signs its messages from now on; not shown again. The one before it signs too, until the next
    rotation."""


@answer(total=1, mail_server=True, last_delivering="2026-11-21T12:00:05Z")
class AlertList:
    """Alerts."""

    alerts: list[ListedAlert]
    """Oldest first."""
    total: int
    """Number of them, regardless of `limit`."""
    mail_server: bool
    """Whether a mail server is configured, `SKYSIEVE_SMTP_HOST`; without one no e-mail is sent."""
    last_delivering: datetime | None
    """UTC, when a process that delivers messages was last seen; a running one marks each minute. Null:
    never."""


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
    """Its id, the same at each attempt until it has more to say."""
    alert_id: int
    """Id of the alert."""
    kind: str
    """Its kind, as `type` in its body."""
    created: datetime
    """UTC."""
    state: MessageState
    """`failed`: given up, its changes go with the next message; `superseded`: replaced by a newer message, in
    an earlier release; `cancelled`: the alert was stopped."""
    due: datetime | None
    """UTC, when it is tried next; null: not again."""
    finished: datetime | None
    """UTC, when it was finished; null: it is still waiting."""
    superseded_by: str | None
    """Id of the newer message that replaced it."""
    body: dict[str, Any]
    """The content; of `conjunctions` empty until the first attempt."""
    attempts: list[ListedAttempt]
    """Oldest first."""


@answer(total=12)
class DeliveryList:
    """Messages of an alert."""

    deliveries: list[ListedDelivery]
    """Newest first; kept for 30 days."""
    total: int
    """Number of them, regardless of `limit`."""
