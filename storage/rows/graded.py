"""How dangerous an event is, in words: the level by its probability, that with its method, and how near.

One form for mail, Slack, feeds and calendars. What could not be computed is unknown, and never low.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from storage.rows.danger import decisive_probability_of, levels_for_a_reader

UNKNOWN_WORDS = "no probability could be computed"
VISIT = "visit"  # a slow encounter without a probability: it has none by nature
VISIT_WORDS = "slow, so without a probability"
_BY = {"3d": " in three dimensions", "trajectory_mc": " from sampled trajectories"}


class Graded(NamedTuple):
    """What counts of an event."""

    level: str  # of PROBABILITY_LEVELS, or VISIT
    probability: float | None
    method: str | None  # how it was found; None: it is that of an earlier release, or there is none
    near_m: float | None  # the miss; None: it is not near

    @property
    def probability_words(self) -> str:
        """The probability as a number, with its method where it is not an integral in the plane."""
        if self.probability is None:
            return VISIT_WORDS if self.level == VISIT else UNKNOWN_WORDS
        at_most = "at most " if self.method == "bound" else ""
        return f"{at_most}{self.probability:.1e}{_BY.get(self.method or '', '')}"

    @property
    def chance_words(self) -> str:
        """The same for a heading, where it needs a name: "P 2.0e-05"."""
        return ("" if self.probability is None else "P ") + self.probability_words

    @property
    def near_words(self) -> str:
        """The miss of one that is near, as a flag; empty: it is not."""
        return "" if self.near_m is None else f"near: {self.near_m:,.0f} m"

    @property
    def words(self) -> str:
        """All of it: "high, probability at most 2.0e-05; near: 80 m"."""
        if self.probability is None:
            said = f"{self.level}: {self.probability_words}"
        else:
            said = f"{self.level}, probability {self.probability_words}"
        return "; ".join(filter(None, (said, self.near_words)))

    @property
    def categories(self) -> tuple[str, ...]:
        """The words that feeds and calendars file it under."""
        return (self.level,) if self.near_m is None else (self.level, "near")


def graded(event: Mapping[str, Any]) -> Graded:
    """Return what counts of a row; its method only where it is that of the probability that counts."""
    level, near = levels_for_a_reader(event)
    probability = decisive_probability_of(event)
    if probability is None and event.get("encounter") == "slow":
        level = VISIT
    method = event.get("probability_method") if event.get("probability_best") is not None else None
    return Graded(level, probability, method, event["miss_distance_m"] if near else None)
