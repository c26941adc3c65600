"""What the plot of a fleet's events shows besides the events themselves."""

from screening.answers import answer


@answer(hours_to_tca=30.5, probability=1.9e-6)
class Former:
    """What a former run said of an event."""

    hours_to_tca: float
    """h, from the computation to the TCA as it was then; of a historic run from the start of its window."""
    probability: float
    """The one that counted then."""


@answer(id=3896461733156320, probability_low=3.1e-6, probability_high=2.8e-5, planned=False)
class EventToDecide:
    """How sure the probability of an event is, and how it developed."""

    id: int
    """Id of the event."""
    probability_low: float | None
    """The least with all errors half to twice as large; null: unknown, or not an integral in the plane."""
    probability_high: float | None
    """The largest."""
    planned: bool
    """Whether a plan is kept for it: a burn that was chosen."""
    former: list[Former]
    """Of the runs before, oldest first; those that had no probability are left out."""


@answer(run_id="20241101T000000Z")
class FleetDecision:
    """The events of a fleet that are worth a decision."""

    run_id: str
    """The newest run."""
    events: list[EventToDecide]
    """Inside its volumes, with a TCA that has not passed and a probability of 1e-10 or more, or an unknown
    one; the most dangerous first, 2,000 at most. `former` is empty but for the first 300, and for all if the
    fleet has a hard-body radius of its own."""
