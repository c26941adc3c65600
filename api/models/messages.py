"""Answers: received messages, what became of those that were sent, an event with what they say of it."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from api.models.operators import ListedIntent
from api.models.responses import Conjunction, model_of
from api.models.watched.acknowledgements import ListedAcknowledgement
from screening.answers import answer
from storage.message_schema import RECEIVED
from storage.rows.words.event import EventWords

_REMARKS = Field(
    description="Contradictions in it, and what was repaired.",
    examples=[["line 9, MISS_DISTANCE: 1200 is claimed, the states give 1000"]],
)
ReceivedMessage: Any = model_of(
    "ReceivedMessage",
    "A received conjunction data message: what it claims, what its states give. Times are UTC.",
    [column for column in RECEIVED.columns if column.name not in ("text", "remarks")],
    called={},
    remarks=(list[str], _REMARKS),
)


@answer(number=2, message="TCA of the message is missing or has no value", line=5, keyword="TCA")
class MessageRefusal:
    """A message that was not taken."""

    number: int
    """Its place in what was sent, from 1."""
    message: str
    """Why."""
    line: int | None
    """The line of its file; null: of none."""
    keyword: str | None
    """The keyword; null: of none."""


@answer(new=57, known=1, conflicting=0, joined=12, ids=["3f2a90c1d4e5b687"], refused_in_all=1)
class MessagesTaken:
    """What became of the messages that were sent."""

    new: int
    """Messages that were added."""
    known: int
    """Messages that the store has already, with the same content."""
    conflicting: int
    """Of the new: those with the sender and id of another, and other content; both are kept."""
    joined: int
    """Of the new: those about encounters that a run has."""
    refused: list[MessageRefusal]
    """What was not taken, the first thousand."""
    ids: list[str]
    """Ids of the new ones."""
    refused_in_all: int
    """How many were not taken."""


@answer(total=58, next="eyJ3YW50ZWQiOnt9LCJhZnRlciI6IjNmMmE5MGMxZDRlNWI2ODcifQ")
class MessagePage:
    """A page of the messages that match."""

    messages: list[ReceivedMessage]
    """The messages, the newest first."""
    total: int
    """Number of messages that match, on all pages together."""
    next: str | None
    """Pass it as `cursor` to get the next page; null: this is the last."""


class EventMessage(ReceivedMessage):  # type: ignore[misc]
    """A received message about an event. Times are UTC."""

    differs: list[str] = Field(
        description="What differs from the event, in words: TCA, miss, radius, sigmas, how the probability "
        "was computed.",
        examples=[["TCA 2.31 s later", "radius 51 m (object), ours 50.5 m"]],
    )
    miss_radial_m: float | None = Field(
        description="m, its miss along the axes of the event's primary; null: it has no states.",
        examples=[-120.4],
    )
    miss_in_track_m: float | None = Field(description="m, as miss_radial_m.", examples=[388.1])
    miss_cross_track_m: float | None = Field(description="m, as miss_radial_m.", examples=[144.0])
    sigmas_apart: float | None = Field(
        description="How far its prediction is from ours: the Mahalanobis distance of both relative "
        "positions at our TCA, by both covariances together; null: not known.",
        examples=[1.7],
    )
    apart: str = Field(
        description="The same in words; empty: no run has the event.",
        examples=["1.7 sigmas of both covariances apart: they agree within their errors"],
    )


@answer(
    who="TRACSS",
    message_id="3f2a90c1d4e5b687",
    newest=True,
    made_at="2026-11-18T09:11:00Z",
    tca="2026-11-21T14:02:11.482Z",
    miss_distance_m=431.0,
    probability=2.3e-5,
    miss_sigma_m=96.0,
    covariance="measured",
    on_ephemerides_of=["ISS (ZARYA)"],
    sigmas_apart=[1.7, None],
)
class SideRow:
    """One prediction of an encounter: ours, or the newest message of a sender."""

    who: str
    """`skysieve`, or the sender of the message."""
    message_id: str | None
    """Id of the received message; null: ours."""
    made_at: datetime
    """UTC, when it was computed, or the message created (or received, if it does not say)."""
    newest: bool
    """Whether none of the others is newer."""
    tca: datetime
    """UTC."""
    miss_distance_m: float | None
    """m."""
    probability: float | None
    """The one that counts, by our engine; of a message without states: as claimed."""
    miss_sigma_m: float | None
    """m, one sigma of the relative position along the miss, by the covariances of both objects."""
    covariance: Literal["measured", "law", "none"]
    """`measured`: from orbit determination or an operator; `law`: of element sets, or a default."""
    on_ephemerides_of: list[str]
    """Names of the objects whose operator's ephemeris it rests on."""
    sigmas_apart: list[float | None]
    """How far it is from each row, in order, as `sigmas_apart` of messages; null: itself, or not known."""


@answer(words="Trust TRACSS: it alone has measured covariances of both objects.")
class SideBySide:
    """An encounter as all tell it."""

    rows: list[SideRow]
    """Ours first, then the newest message of each sender, the newest first."""
    words: str
    """Which to trust and why, or that this is unknown; which two contradict each other."""


@answer(
    name="Space-Track",
    asked_at="2026-11-27T10:05:00Z",
    answered_at="2026-11-27T10:05:00Z",
    since=None,
    messages=0,
    words="Space-Track: asked 2026-11-27 10:05 Z, none about this encounter; its public messages are a "
    "selection, so that says little.",
)
class MessageOrigin:
    """A service that messages come from, and what it means that there is none."""

    name: str
    """Name."""
    asked_at: datetime | None
    """UTC, when it was asked last; null: never."""
    answered_at: datetime | None
    """UTC, when all that it had was taken last; null: never."""
    since: datetime | None
    """UTC, from when on its messages were read; null: it gives all about encounters to come."""
    messages: int
    """How many of its messages are about the event, restricted ones included."""
    words: str
    """The same in words, and whether it covers the event's objects."""


class ConjunctionWithHistory(Conjunction):  # type: ignore[misc]
    """An event, with what each run found of the same encounter."""

    primary_manoeuvred_at: datetime | None = Field(
        description="UTC, the primary's first manoeuvre before TCA since the element set, or message, that "
        "the event rests on; null: none was detected, or it rests on the operator's ephemeris.",
        examples=[None],
    )
    secondary_manoeuvred_at: datetime | None = Field(
        description="UTC, as primary_manoeuvred_at.", examples=["2024-11-01T04:10:00Z"]
    )
    words: EventWords = Field(description="The event in sentences, as on the page and in reports.")
    acknowledgements: list[ListedAcknowledgement] = Field(
        description="Who has taken on the event, newest first: the first one stands, unless it is withdrawn."
    )
    intents: list[ListedIntent] = Field(
        description="What the operators of both objects have said that they intend, newest first: of each "
        "organisation the newest counts."
    )
    history: list[Conjunction] = Field(
        description="The event as each run found it, oldest run first, and, after that, its second look."
    )
    messages: list[EventMessage] = Field(
        description="The received messages about it, the oldest first; restricted ones only if asked for."
    )
    side_by_side: SideBySide | None = Field(
        description="Ours and the newest message of each sender, compared; null: there is no message."
    )
    origins: list[MessageOrigin] = Field(
        description="The services that messages come from: when each was asked, and what it has."
    )
    restricted_messages: int = Field(
        description="How many messages about it are left out because they must not be shared.",
        examples=[0],
    )
