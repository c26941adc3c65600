"""Models of received messages, for OpenAPI."""

from typing import Any

from pydantic import BaseModel, Field

from api.models.message_example import MESSAGE
from api.models.responses import STRICT, model_of
from storage.message_schema import RECEIVED

_Columns: Any = model_of(
    "MessageColumns",
    "A received conjunction data message: what it claims, and what its states give.",
    [column for column in RECEIVED.columns if column.name not in ("text", "remarks")],
    MESSAGE,
    called={},
)


class ReceivedMessage(_Columns):  # type: ignore[misc]
    """A received conjunction data message: what it claims, what its states give. Times are UTC."""

    remarks: list[str] = Field(
        description="Contradictions in it, and what was repaired.",
        examples=[["line 9, MISS_DISTANCE: 1200 is claimed, the states give 1000"]],
    )


class MessageRefusal(BaseModel):
    """A message that was not taken."""

    model_config = STRICT

    number: int = Field(description="Its place in what was sent, from 1.", examples=[2])
    message: str = Field(description="Why.", examples=["TCA of the message is missing or has no value"])
    line: int | None = Field(description="The line of its file; null: of none.", examples=[5])
    keyword: str | None = Field(description="The keyword; null: of none.", examples=["TCA"])


class MessagesTaken(BaseModel):
    """What became of the messages that were sent."""

    model_config = STRICT

    new: int = Field(description="Messages that were added.", examples=[57])
    known: int = Field(
        description="Messages that the store has already, with the same content.", examples=[1]
    )
    conflicting: int = Field(
        description="Of the new: those with the sender and id of another, and other content; both are kept.",
        examples=[0],
    )
    joined: int = Field(description="Of the new: those about encounters that a run has.", examples=[12])
    ids: list[str] = Field(description="Ids of the new ones.", examples=[["3f2a90c1d4e5b687"]])
    refused: list[MessageRefusal] = Field(description="What was not taken, the first thousand.")
    refused_in_all: int = Field(description="How many were not taken.", examples=[1])


class MessagePage(BaseModel):
    """A page of the messages that match."""

    model_config = STRICT

    messages: list[ReceivedMessage] = Field(description="The messages, the newest first.")
    total: int = Field(description="Number of messages that match, on all pages together.", examples=[58])
    next: str | None = Field(
        description="Pass it as `cursor` to get the next page; null: this is the last.",
        examples=["eyJ3YW50ZWQiOnt9LCJhZnRlciI6IjNmMmE5MGMxZDRlNWI2ODcifQ"],
    )
