"""Models of `GET /conjunctions/{id}`: an event, what each run found of it, and what messages tell."""

from pydantic import Field

from api.models.messages import ReceivedMessage
from api.models.responses import Conjunction
from storage.rows.words.event import EventWords


class EventMessage(ReceivedMessage):  # type: ignore[misc]
    """A received message about an event. Times are UTC."""

    differs: list[str] = Field(
        description="What differs from the event, in words: TCA, miss, radius, sigmas, how the probability "
        "was computed.",
        examples=[["TCA 2.31 s later", "radius 51 m (object), ours 50.5 m"]],
    )


class ConjunctionWithHistory(Conjunction):  # type: ignore[misc]
    """An event, with what each run found of the same encounter."""

    words: EventWords = Field(description="The event in sentences, as the page and reports have them.")
    history: list[Conjunction] = Field(
        description="The event as each run found it, oldest run first, and, after that, its second look."
    )
    messages: list[EventMessage] = Field(
        description="The received messages about it, the oldest first; restricted ones only if asked for."
    )
    restricted_messages: int = Field(
        description="How many messages about it are left out, because they must not be handed on.",
        examples=[0],
    )
