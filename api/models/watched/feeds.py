"""Models of the feeds of a fleet and of what changed for it, for OpenAPI."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.responses import STRICT
from screening.vocabulary import NearLevel, ProbabilityLevel, RiskLevel


class ListedFeed(BaseModel):
    """What is known about the addresses of a fleet's feeds; their key is not kept."""

    model_config = STRICT

    id: int = Field(description="Id of the feed.", examples=[4])
    fleet_id: int = Field(description="Id of its fleet.", examples=[1])
    created: datetime = Field(description="UTC, when it was made.", examples=["2026-11-21T06:30:00Z"])
    made_by: str = Field(description="Who made it: the name of the credential.", examples=["desk"])
    ended: bool = Field(
        description="Whether its addresses no longer answer: it was revoked, or the credential that made it "
        "has expired or was revoked.",
        examples=[False],
    )
    revoked: datetime | None = Field(
        description="UTC, when it was revoked; null: it was not.", examples=[None]
    )


class FeedList(BaseModel):
    """The feeds of a fleet."""

    model_config = STRICT

    feeds: list[ListedFeed] = Field(description="By id.")
    total: int = Field(description="How many there are.", examples=[1])


class MadeFeed(BaseModel):
    """A new feed: its addresses are not shown again."""

    model_config = STRICT

    id: int = Field(description="Id of the feed.", examples=[4])
    fleet_id: int = Field(description="Id of its fleet.", examples=[1])
    created: datetime = Field(description="UTC, when it was made.", examples=["2026-11-21T06:30:00Z"])
    made_by: str = Field(description="Who made it: the name of the credential.", examples=["desk"])
    calendar: str = Field(
        description="Address of the calendar (iCalendar). Who knows it reads it: keep it secret.",
        examples=["https://sky.example.org/fleets/1/calendar.ics?key=skysieve_feed_4_AbC"],
    )
    atom: str = Field(
        description="Address of the Atom feed, with the same key.",
        examples=["https://sky.example.org/fleets/1/feed.atom?key=skysieve_feed_4_AbC"],
    )


class RaisedEvent(BaseModel):
    """An event whose level by the probability is more dangerous than in the run before."""

    model_config = STRICT

    id: int = Field(description="Id of the event.", examples=[3896461733156320])
    before: ProbabilityLevel = Field(
        description="Its level by the probability in the run before.", examples=["low"]
    )


class GoneEvent(BaseModel):
    """An event that the run before had inside the fleet's volumes, and the newest has not."""

    model_config = STRICT

    id: int = Field(description="Id of the event.", examples=[3896461733156320])
    norad_id: int = Field(description="Catalogue number of the fleet's object.", examples=[25544])
    name: str = Field(description="Its name.", examples=["ISS (ZARYA)"])
    other_norad_id: int = Field(description="Catalogue number of the other object.", examples=[34602])
    other_name: str = Field(description="Its name.", examples=["COSMOS 2251 DEB"])
    tca: datetime = Field(description="UTC, TCA as last known.", examples=["2026-11-22T03:04:05.678901Z"])
    risk_level: RiskLevel = Field(
        description="As last known, by the probability or the miss.", examples=["high"]
    )
    probability_level: ProbabilityLevel = Field(
        description="By the probability, as last known.", examples=["high"]
    )
    near_level: NearLevel | None = Field(
        description="By the miss alone, as last known; null: it was not near.", examples=["medium"]
    )


class ChangesOfFleet(BaseModel):
    """The newest run that looked at a fleet against the one before it."""

    model_config = STRICT

    run_id: str | None = Field(description="The newest run; null: none.", examples=["20261121T120000Z"])
    before_run_id: str | None = Field(
        description="The one before, of the last three days; null: none, and nothing is compared.",
        examples=["20261121T060000Z"],
    )
    new: list[int] = Field(
        description="Ids of events that the run before had not, though it would have found them, the most "
        "dangerous first.",
        examples=[[3896461733156320]],
    )
    first_looked_for: list[int] = Field(
        description="Ids of other events that the run before had not: after its look-ahead, outside its "
        "volumes, or of an object that it had not screened.",
        examples=[[3896461733156321]],
    )
    raised: list[RaisedEvent] = Field(
        description="Events of both whose level by the probability is more dangerous now."
    )
    eased: list[RaisedEvent] = Field(
        description="Events of both whose level by the probability is less dangerous now; none that became "
        "unknown."
    )
    gone: list[GoneEvent] = Field(
        description="Events of the run before that the newest has no more, though it would have found them; "
        "none that had passed by then."
    )
    not_looked_for: list[GoneEvent] = Field(
        description="Other events of the run before that the newest has not, and had not passed: after its "
        "look-ahead, outside its volumes, or of an object that has left the fleet or was not screened."
    )
