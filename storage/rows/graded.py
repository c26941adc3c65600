"""How dangerous an event is, in words: the level by its probability, that with its method, and how near.

One form for reports, the terminal, mail, Slack, feeds and calendars; the page's is `api/web/src/marks.ts`.
What could not be computed is unknown, and never low.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from screening.risk.consequence import collision_words
from storage.rows.danger import decisive_probability_of, levels_for_a_reader

UNKNOWN = "unknown"
UNKNOWN_WORDS = "no probability could be computed"
VISIT_WORDS = "a slow visit has no probability"
# Before and after the number; an integral in the plane is the plain case.
AT_MOST = {"bound": "at most "}
METHOD_WORDS = {"3d": "in three dimensions", "trajectory_mc": "from sampled trajectories"}
METHOD_MEANINGS = {  # where an event's numbers are listed
    "2d": "integrated in the encounter plane",
    "3d": "in three dimensions: of the likeliest orbits that meet",
    "trajectory_mc": "from sampled trajectories",
    "bound": "at most this: the largest available number",
}


class Graded(NamedTuple):
    """What counts of an event."""

    level: str  # of PROBABILITY_LEVELS
    probability: float | None
    method: str | None  # how it was found; None: it is that of an earlier release, or there is none
    near_m: float | None  # the miss; None: it is not near
    is_visit: bool = False
    consequence: str = ""  # what a collision would leave, a sentence; empty: not known

    @property
    def probability_words(self) -> str:
        """The probability as a number, with its method where it is not an integral in the plane."""
        return self.said(2)

    @property
    def at_most(self) -> str:
        """What stands before the number: that it is a bound."""
        return AT_MOST.get(self.method or "", "")

    @property
    def method_words(self) -> str:
        """What stands after the number: how it was found; empty: in the plane, or it is a bound."""
        return METHOD_WORDS.get(self.method or "", "")

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
    def chance_words(self) -> str:
        """The same for a heading, where it needs a name: "P 2.0e-05"."""
        return ("" if self.probability is None else "P ") + self.probability_words

    @property
    def categories(self) -> tuple[str, ...]:
        """The words that feeds and calendars file it under."""
        return (self.level,) if self.near_m is None else (self.level, "near")

    def said(self, digits: int) -> str:
        """Return `probability_words` with so many digits: lists have two, an event's own page three."""
        if self.probability is None:
            return VISIT_WORDS if self.is_visit else UNKNOWN_WORDS
        return f"{self.at_most}{self.probability:.{digits - 1}e} {self.method_words}".rstrip()


def graded(event: Mapping[str, Any]) -> Graded:
    """Return what counts of a row; its method only where it is that of the probability that counts."""
    level, near = levels_for_a_reader(event)
    # Of a message without covariances `probability_2d` is a maximum, and no knowledge where it is small.
    probability = None if level == UNKNOWN else decisive_probability_of(event)
    method = event.get("probability_method") if event.get("probability_best") is not None else None
    is_visit = event.get("encounter") == "slow"
    left = collision_words(event.get("catastrophic"), event.get("fragments_10cm"))
    said = f"A collision {left}." if left else ""
    return Graded(level, probability, method, event["miss_distance_m"] if near else None, is_visit, said)
