"""Answers of the inbox: received messages by encounter, and what became of a file of any kind."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from api.models.messages import EventMessage, MessagesTaken
from api.models.responses import STRICT, Conjunction


class InboxEncounter(BaseModel):
    """The received messages about one encounter, beside our event. Times are UTC."""

    model_config = STRICT

    id: int = Field(description="The messages' `encounter_id`.", examples=[5214368101946711])
    opens: bool = Field(description="Whether `GET /conjunctions/{id}` has it.", examples=[True])
    tca: datetime = Field(description="UTC, by the newest message.", examples=["2026-11-21T14:02:11.482Z"])
    primary_name: str = Field(description="By the newest message.", examples=["ISS (ZARYA)"])
    secondary_name: str = Field(description="By the newest message.", examples=["COSMOS 1408 DEB"])
    words: str = Field(
        description="Theirs beside ours, in a sentence.",
        examples=["CARA: miss 431 m, ours 502 m; 1.7 sigmas of both covariances apart: they agree."],
    )
    event: Conjunction | None = Field(description="Our event, as the newest run that has it; null: none has.")
    messages: list[EventMessage] = Field(description="Theirs, the newest first.")
    restricted_messages: int = Field(
        description="How many are left out because they must not be shared.", examples=[0]
    )


class InboxPage(BaseModel):
    """A page of the encounters that messages tell, what came last first."""

    model_config = STRICT

    encounters: list[InboxEncounter] = Field(description="Encounters.")
    total: int = Field(description="Number of encounters that match, on all pages.", examples=[37])
    senders: list[str] = Field(description="Who has sent messages, by name.", examples=[["CARA"]])


class InboxFile(BaseModel):
    """What a file is, by its content, and what became of it."""

    model_config = STRICT

    kind: Literal["messages", "trajectory"] = Field(
        description="Conjunction data messages, which are kept; or an ephemeris, which is not: "
        "`POST /trajectories` adds it."
    )
    words: list[str] = Field(
        description="What it is, what became of it, or what it would replace: sentences.",
        examples=[["1 message from CARA about ISS (ZARYA) and COSMOS 1408 DEB: new."]],
    )
    taken: MessagesTaken | None = Field(description="Of messages; null: an ephemeris.")
    norad_id: int | None = Field(
        description="Of an ephemeris: the object it is of; null: messages, or it does not say.",
        examples=[25544],
    )
    may_count: bool = Field(
        description="Of an ephemeris: whether it may replace its object's element set as it is.",
        examples=[True],
    )
