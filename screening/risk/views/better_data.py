"""When better data of an encounter come, and what they would do to its level: answers.

Nothing here imports numba: the service declares these answers when it starts.
"""

from datetime import datetime
from typing import Literal

from screening.answers import answer


@answer(kind="set", norad_id=17842, at="2024-11-01T09:10:00Z", every_hours=8.2)
class ExpectedData:
    """Data that usually come before TCA."""

    kind: Literal["set", "run", "message"]
    """An element set of an object, a run, or a message about the event."""
    norad_id: int | None
    """Catalogue number of the object; null: of no single one."""
    at: datetime
    """UTC, when it usually comes; in the past: it is late."""
    every_hours: float
    """h, usually from one to the next, the median."""


@answer(falls=0.71, rises=0.03, falls_from_miss_m=2300.0)
class NextRating:
    """What the next element sets of both objects would do to the level."""

    falls: float
    """Probability that the level falls with them."""
    rises: float
    """Probability that it rises."""
    falls_from_miss_m: float | None
    """m, the miss, along its present direction, from which the level is lower with their errors; 0: whatever
    the miss; null: none, or there is no such direction."""


@answer(
    words="Better data before TCA: element set of SL-8 DEB by 1 Nov 09:10 UTC (every 8.2 h); next run ...",
    next_step="Wait for the next data. Look again at 1 Nov 09:10 UTC. Decide by 1 Nov 14:06 UTC: ...",
)
class BetterData:
    """When better data usually come, and what they would do to the level."""

    expected: list[ExpectedData]
    """What usually comes before TCA, the first first."""
    rating: NextRating | None
    """What the next element sets would do; null: none is expected before TCA, or the probability is not that
    of the encounter plane."""
    words: str
    """The same in sentences; empty: TCA has passed, or the event is not of the newest run."""
    next_step: str
    """What to do next, and by when; empty: the event is not of the newest run."""
