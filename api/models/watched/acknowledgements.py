"""Models of acknowledgements: who has taken on an event."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.requests import StatedId
from api.models.responses import STRICT
from screening.answers import answer
from screening.vocabulary import ProbabilityLevel
from storage.state.alerts.acknowledgements import LONGEST_NAME, LONGEST_NOTE


class AcknowledgementRequest(BaseModel):
    """Who takes on an event, or lets it go."""

    model_config = STRICT

    name: str = Field(
        min_length=1, max_length=LONGEST_NAME, description="Name of the person.", examples=["Ana"]
    )
    note: str = Field(
        default="",
        max_length=LONGEST_NOTE,
        description="What is being done about it, in one line.",
        examples=["Asked the operator"],
    )
    withdrawn: bool = Field(default=False, description="`true`: the event is free again.")
    replaces: StatedId | None = Field(
        default=None,
        description="Id of the acknowledgement that stands; null: none does. If another one stands by then, "
        "the answer is 409.",
        examples=[None],
    )


@answer(
    id=7, event_id=3896461733156320, at="2026-11-21T06:30:00Z", withdrawn=False, name="Ana",
    note="Asked the operator", level="high", made_by="operations desk",
    words="Ana has had this since 2026-11-21 06:30 Z: Asked the operator.",
)  # fmt: skip
class ListedAcknowledgement:
    """That a person has taken on an event, or has let it go."""

    id: int
    """Its id."""
    event_id: int
    """Id of the event."""
    at: datetime
    """UTC."""
    withdrawn: bool
    """Whether the event was let go."""
    name: str
    """Name of the person, as given."""
    note: str
    """What is being done; empty: not said."""
    level: ProbabilityLevel
    """Level of the event then, by the probability."""
    made_by: str
    """Name of the credential, or `command line`."""
    words: str
    """The same as a sentence."""


@answer()
class AcknowledgementList:
    """The acknowledgements that stand: who has which event."""

    acknowledgements: list[ListedAcknowledgement]
    """The newest 1,000, newest first."""
