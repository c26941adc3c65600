"""Models of operators: the directory, intents, and links that open an event without a credential."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.requests import BodyTime, ListedNoradId
from api.models.responses import STRICT
from screening.answers import answer
from storage.state.operators.directory import (
    LONGEST_CONTACT,
    LONGEST_HOURS,
    LONGEST_NOTE,
    LONGEST_OPERATOR,
    MOST_OBJECTS,
    MOST_OWNERS,
)
from storage.state.operators.intents import LONGEST_NOTE as LONGEST_NOTE_OF_INTENT
from storage.vocabulary import Intent


class EntryRequest(BaseModel):
    """An entry of the directory: whom to call, and about which objects."""

    model_config = STRICT

    operator: str = Field(
        min_length=1,
        max_length=LONGEST_OPERATOR,
        description="Name of the operator.",
        examples=["Example Space"],
    )
    owners: list[str] = Field(
        default_factory=list,
        max_length=MOST_OWNERS,
        description="Abbreviations of owners or states, as `owner` and `state` of `GET /objects` have them.",
        examples=[["EXSP"]],
    )
    norad_ids: list[ListedNoradId] = Field(
        default_factory=list, max_length=MOST_OBJECTS, description="Catalogue numbers.", examples=[[25544]]
    )
    name_pattern: str = Field(
        default="",
        max_length=100,
        description="A pattern of names, with `*`, `?` and `[...]`.",
        examples=["EXSAT-*"],
    )
    email: str = Field(
        default="", max_length=LONGEST_CONTACT, description="E-mail address.", examples=["flight@example.org"]
    )
    telephone: str = Field(
        default="", max_length=LONGEST_CONTACT, description="Telephone number.", examples=["+49 30 123456"]
    )
    hours: str = Field(
        default="",
        max_length=LONGEST_HOURS,
        description="When someone answers.",
        examples=["Mon-Fri 08:00-18:00"],
    )
    time_zone: str = Field(
        default="",
        max_length=LONGEST_HOURS,
        description="Time zone of the hours, a name of the IANA data base.",
        examples=["Europe/Berlin"],
    )
    note: str = Field(
        default="", max_length=LONGEST_NOTE, description="Whatever else helps, in one line.", examples=[""]
    )


@answer(
    id=3, operator="Example Space", owners=["EXSP"], norad_ids=[25544], name_pattern="EXSAT-*",
    email="flight@example.org", telephone="+49 30 123456", hours="Mon-Fri 08:00-18:00",
    time_zone="Europe/Berlin", note="", at="2026-11-21T06:30:00Z", made_by="operations desk",
)  # fmt: skip
class ListedEntry:
    """An entry of the directory."""

    id: int
    """Its id."""
    operator: str
    """Name of the operator."""
    owners: list[str]
    """Abbreviations of owners or states of its objects."""
    norad_ids: list[int]
    """Catalogue numbers of its objects."""
    name_pattern: str
    """A pattern of the names of its objects; empty: none."""
    email: str
    """E-mail address; empty: none."""
    telephone: str
    """Telephone number; empty: none."""
    hours: str
    """When someone answers; empty: not said."""
    time_zone: str
    """Time zone of the hours."""
    note: str
    """Whatever else helps."""
    at: datetime
    """UTC, when it was added."""
    made_by: str
    """Name of the credential, or `command line`."""


@answer(total=1)
class Directory:
    """The directory of an organisation."""

    entries: list[ListedEntry]
    """Oldest first."""
    total: int
    """How many there are."""


class IntentRequest(BaseModel):
    """What the operator of an object intends at an event."""

    model_config = STRICT

    intent: Intent = Field(description="`will_move`, `will_not_move`, `waiting`.", examples=["will_move"])
    norad_id: ListedNoradId | None = Field(
        default=None,
        description="Which of the two objects; null: the one that is yours. Needed if both are.",
        examples=[None],
    )
    move_at: BodyTime | None = Field(
        default=None,
        description="With `will_move`: when. ISO 8601; without a zone: UTC.",
        examples=["2026-11-21T14:05:00Z"],
    )
    note: str = Field(
        default="",
        max_length=LONGEST_NOTE_OF_INTENT,
        description="What else others should know, in one line: every organisation reads it.",
        examples=["0.1 m/s along track"],
    )


@answer(
    id=5, event_id=3896461733156320, norad_id=25544, name="ISS (ZARYA)", intent="will_move",
    move_at="2026-11-21T14:05:00Z", note="0.1 m/s along track", at="2026-11-21T06:30:00Z",
    organisation="Example Space", counts=True,
    words="ISS (ZARYA): its operator will move, 2026-11-21 14:05 UTC (Example Space, 2026-11-21 06:30 UTC: "
    "0.1 m/s along track).",
)  # fmt: skip
class ListedIntent:
    """What the operator of an object has said that it intends at an event."""

    id: int
    """Its id."""
    event_id: int
    """Id of the event."""
    norad_id: int
    """Catalogue number of the object."""
    name: str
    """Its name."""
    intent: Intent
    """will_move, will_not_move, waiting."""
    move_at: datetime | None
    """UTC, when it will move; null: not said."""
    note: str
    """What else was said."""
    at: datetime
    """UTC, when it was said."""
    organisation: str
    """Name of the organisation that said it, one with a fleet that has the object."""
    counts: bool
    """Whether it is the newest that this organisation has said of the object."""
    words: str
    """The same as a sentence."""


@answer()
class IntentList:
    """What operators intend at an event."""

    intents: list[ListedIntent]
    """Newest first."""


class LinkRequest(BaseModel):
    """A link to make."""

    model_config = STRICT

    expires: BodyTime | None = Field(
        default=None,
        description="When it ends, within 30 days from now. Default: 7 days after TCA, or after now "
        "where that has passed.",
        examples=[None],
    )


@answer(
    id=2, event_id=3896461733156320, created="2026-11-21T06:30:00Z", expires="2026-11-29T03:04:05Z",
    made_by="operations desk", ended=False, revoked=None,
)  # fmt: skip
class ListedLink:
    """A link that opens an event without a credential; its key is not kept."""

    id: int
    """Its id."""
    event_id: int
    """Id of the event."""
    created: datetime
    """UTC, when it was made."""
    expires: datetime
    """UTC, when it ends."""
    made_by: str
    """Name of the credential, or `command line`."""
    ended: bool
    """Whether it opens nothing any more: it has expired or was revoked, or the credential that made it is no
    longer valid."""
    revoked: datetime | None
    """UTC, when it was revoked; null: it was not."""


@answer(total=1)
class LinkList:
    """The links of an organisation to an event."""

    links: list[ListedLink]
    """Oldest first."""
    total: int
    """How many there are."""


@answer(
    id=2, event_id=3896461733156320, created="2026-11-21T06:30:00Z", expires="2026-11-29T03:04:05Z",
    made_by="operations desk",
    url="https://sky.example.org/conjunctions/3896461733156320/shared?key=skysieve_link_2_AbC",
)  # fmt: skip
class MadeLink:
    """A new link: its address is not shown again."""

    id: int
    """Its id."""
    event_id: int
    """Id of the event."""
    created: datetime
    """UTC, when it was made."""
    expires: datetime
    """UTC, when it ends."""
    made_by: str
    """Name of the credential, or `command line`."""
    url: str
    """Its address. Who knows it reads the event."""
