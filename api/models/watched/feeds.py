"""Answers: the feeds of a fleet, and what changed for it."""

from datetime import datetime

from screening.answers import answer
from screening.vocabulary import NearLevel, ProbabilityLevel, RiskLevel


@answer(id=4, fleet_id=1, created="2026-11-21T06:30:00Z", made_by="desk", ended=False, revoked=None)
class ListedFeed:
    """What is known about the addresses of a fleet's feeds; their key is not kept."""

    id: int
    """Id of the feed."""
    fleet_id: int
    """Id of its fleet."""
    created: datetime
    """UTC, when it was made."""
    made_by: str
    """Who made it: the name of the credential."""
    ended: bool
    """Whether its addresses no longer answer: it was revoked, or the credential that made it has expired or
    was revoked."""
    revoked: datetime | None
    """UTC, when it was revoked; null: it was not."""


@answer(total=1)
class FeedList:
    """The feeds of a fleet."""

    feeds: list[ListedFeed]
    """By id."""
    total: int
    """How many there are."""


@answer(
    id=4, fleet_id=1, created="2026-11-21T06:30:00Z", made_by="desk",
    calendar="https://sky.example.org/fleets/1/calendar.ics?key=skysieve_feed_4_AbC",
    atom="https://sky.example.org/fleets/1/feed.atom?key=skysieve_feed_4_AbC",
)  # fmt: skip
class MadeFeed:
    """A new feed: its addresses are not shown again."""

    id: int
    """Id of the feed."""
    fleet_id: int
    """Id of its fleet."""
    created: datetime
    """UTC, when it was made."""
    made_by: str
    """Who made it: the name of the credential."""
    calendar: str
    """Address of the calendar (iCalendar). Who knows it reads it: keep it secret."""
    atom: str
    """Address of the Atom feed, with the same key."""


@answer(id=3896461733156320, before="low")
class RaisedEvent:
    """An event whose level by the probability is more dangerous than in the run before."""

    id: int
    """Id of the event."""
    before: ProbabilityLevel
    """Its level by the probability in the run before."""


@answer(
    id=3896461733156320, norad_id=25544, name="ISS (ZARYA)", other_norad_id=34602,
    other_name="COSMOS 2251 DEB", tca="2026-11-22T03:04:05.678901Z", risk_level="high",
    probability_level="high", near_level="medium",
)  # fmt: skip
class GoneEvent:
    """An event that the run before had inside the fleet's volumes, and the newest has not."""

    id: int
    """Id of the event."""
    norad_id: int
    """Catalogue number of the fleet's object."""
    name: str
    """Its name."""
    other_norad_id: int
    """Catalogue number of the other object."""
    other_name: str
    """Its name."""
    tca: datetime
    """UTC, TCA as last known."""
    risk_level: RiskLevel
    """As last known, by the probability or the miss."""
    probability_level: ProbabilityLevel
    """By the probability, as last known."""
    near_level: NearLevel | None
    """By the miss alone, as last known; null: it was not near."""


@answer(
    run_id="20261121T120000Z", before_run_id="20261121T060000Z", new=[3896461733156320],
    first_looked_for=[3896461733156321],
)  # fmt: skip
class ChangesOfFleet:
    """The newest run that searched a fleet, compared with the one before it."""

    run_id: str | None
    """The newest run; null: none."""
    before_run_id: str | None
    """The one before, of the last three days; null: none, and nothing is compared."""
    new: list[int]
    """Ids of events that the run before did not have, though it would have found them, the most dangerous
    first."""
    first_looked_for: list[int]
    """Ids of other events that the run before did not have: after its look-ahead, outside its volumes, or of
    an object that it had not screened."""
    raised: list[RaisedEvent]
    """Events in both runs whose level by the probability is more dangerous now."""
    eased: list[RaisedEvent]
    """Events in both runs whose level by the probability is less dangerous now; none that became unknown."""
    gone: list[GoneEvent]
    """Events of the run before that the newest run no longer has, though it would have found them; none that
    had passed by then."""
    not_looked_for: list[GoneEvent]
    """Other events of the run before that the newest run lacks and that had not passed: after its look-ahead,
    outside its volumes, or of an object that has left the fleet or was not screened."""
