"""Models of `GET /conjunctions/{id}`: an event, what each run found of it, and what messages tell."""

from pydantic import BaseModel, Field

from api.models.messages import ReceivedMessage
from api.models.responses import STRICT, Conjunction


class EventMessage(ReceivedMessage):
    """A received message about an event. Times are UTC."""

    differs: list[str] = Field(
        description="What differs from the event, in words: TCA, miss, radius, sigmas, how the probability "
        "was computed.",
        examples=[["TCA 2.31 s later", "radius 51 m (object), ours 50.5 m"]],
    )


class EventWords(BaseModel):
    """An event in sentences, as the page, reports, calendars and feeds have them; empty: nothing to say."""

    model_config = STRICT

    headline: str = Field(
        description="One line: level, both objects, how near, how likely.",
        examples=["High: SL-8 DEB and COSMOS 1408 DEB, near: 80 m, P 2.0e-05"],
    )
    encounter: str = Field(
        description="When, how near, how fast and where they pass.",
        examples=["At 2024-11-01 14:55:15.161 UTC they pass 91.3 m apart, head-on, ..."],
    )
    probability: str = Field(
        description="The collision probability, or why there is none, and the level.",
        examples=[
            "The collision probability is 2.00e-05 (1 in 50,000). By its probability the level is high."
        ],
    )
    consequence: str = Field(
        description="What a collision would leave.",
        examples=["A collision would shatter both; about 1,200 pieces of 10 cm or more."],
    )
    dilution: str = Field(
        description="Whether smaller errors would make the probability larger.",
        examples=["The probability is not diluted: ..."],
    )
    change: str = Field(
        description="What it was before the path of an object had another source.", examples=[""]
    )
    caution: str = Field(
        description="What the probability rests on, and whose path is doubtful.",
        examples=["The probability rests on error statistics of similar element sets."],
    )
    advice: str = Field(
        description="Whom to ask.", examples=["No number here justifies a manoeuvre on its own: ..."]
    )


class ConjunctionWithHistory(Conjunction):  # type: ignore[misc]
    """An event, with what each run found of the same encounter."""

    words: EventWords = Field(description="The event in sentences.")
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
