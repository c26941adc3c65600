"""Answers: how fleets stand."""

from datetime import datetime

from screening.answers import answer
from screening.vocabulary import ProbabilityLevel


@answer(events=3, worst="high", next_tca="2024-11-01T13:05:41.266855Z", new=1)
class Coming:
    """The events inside the volumes of a fleet, each once, whose TCA has not passed."""

    events: int
    """How many."""
    worst: ProbabilityLevel | None
    """Their most dangerous level by the probability; null: none."""
    next_tca: datetime | None
    """UTC, the soonest of their TCAs; null: none."""
    new: int | None
    """How many of them are new, as `GET /fleets/{id}/changes` has it; null: no run before has looked at the
    fleet."""


@answer(events=140, worst="medium")
class OutsideInShort:
    """What the run has of the fleet's objects outside its volumes."""

    events: int
    """How many; those of a complex count once."""
    worst: ProbabilityLevel | None
    """Their most dangerous level by the probability; null: none."""


@answer(id=1, alerts_on=2, alerts_off=0)
class Standing:
    """How a fleet stands at the newest run."""

    id: int
    """Id of the fleet."""
    coming: Coming | None
    """Null: the newest run has not looked at the fleet."""
    outside: OutsideInShort
    """What the run has of its objects besides; all it has, if it has not looked at the fleet."""
    alerts_on: int
    """Alerts of it that are on."""
    alerts_off: int
    """Alerts of it that are off."""


@answer(run_id="20241101T000000Z", total=2)
class StandingList:
    """How fleets stand."""

    run_id: str
    """The newest run."""
    fleets: list[Standing]
    """In the order of `GET /fleets`."""
    total: int
    """Number of all fleets, regardless of `limit`."""
