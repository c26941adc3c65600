"""The order of every list of events: the most dangerous first, in SQL and for columns in memory.

By level; then by the probability that the level goes by, largest first, events without one last; then by miss
distance. The id tells apart what is equal.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from screening.risk.tiers import decisive_probability
from screening.vocabulary import RISK_LEVELS
from storage.rows.marks import NOT_COMPUTED

PROBABILITIES = ("probability", "probability_2d", "probability_mc")
# As `decisive_probability`; DuckDB's greatest() ignores NULL.
DECISIVE_PROBABILITY = "coalesce(greatest(probability, probability_2d), probability_mc)"
MOST_DANGEROUS_FIRST = (
    f"list_position({list(RISK_LEVELS)}, risk_level), {DECISIVE_PROBABILITY} DESC NULLS LAST, "
    "miss_distance_m, event_id"
)

Numbers = npt.NDArray[np.generic]


def decisive_probability_of(event: Mapping[str, object]) -> float | None:
    """Return DECISIVE_PROBABILITY of one row; None for NULL."""
    found = float(decisive_probability(*(np.array(event[name], np.float64) for name in PROBABILITIES)))
    return None if np.isnan(found) else found


def levels_for_a_reader(
    risk_level: str, probability_level: str | None, probability: float | None
) -> tuple[str, str]:
    """Return what a list calls an event's level, and that by its probability alone.

    Without a probability `low` says only that the miss is no nearer than the limits: it reads NOT_COMPUTED. A
    row of an earlier release has a probability, but not its level: a dash. A message may have the level of
    a probability that is not ours: claimed, or a bound.
    """
    if probability is None and probability_level is None:
        return NOT_COMPUTED if risk_level == "low" else risk_level, NOT_COMPUTED
    return risk_level, probability_level or "\N{EN DASH}"


def danger_keys(level: Numbers, column: Callable[[str], Numbers]) -> tuple[Numbers, Numbers, Numbers]:
    """Return the columns (n,) that sort events as MOST_DANGEROUS_FIRST does, ascending, but for the id.

    `level` is a place in RISK_LEVELS; `column` gives the other columns by name, with NaN for NULL.
    """
    decisive = decisive_probability(*(column(name).astype(np.float64) for name in PROBABILITIES))
    return level, unknown_last(decisive), column("miss_distance_m")


def most_dangerous_first(danger: Sequence[Numbers], ties: Sequence[Numbers]) -> npt.NDArray[np.intp]:
    """Return the order of events (n,) by their `danger_keys`, of equal ones by the columns of `ties`.

    Few are equal: to sort only these again takes half of what sorting all by every column does.
    """
    order = np.lexsort(danger[::-1])
    same = np.ones(max(len(order) - 1, 0), np.bool_)  # as the one before
    for key in danger:
        in_order = key[order]
        same &= in_order[1:] == in_order[:-1]
    equal = np.flatnonzero(np.r_[False, same] | np.r_[same, False]) if same.any() else order[:0]
    group = np.cumsum(~np.r_[False, same])[equal]
    rows = order[equal]
    order[equal] = rows[np.lexsort([*(column[rows] for column in reversed(ties)), group])]
    return order


def unknown_last(probability: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a key (n,) that sorts probabilities, the largest first and NaN after all of them."""
    return np.where(np.isnan(probability), 2.0, -probability)
