"""The orders of lists of events, in SQL and for columns in memory; without a choice the most dangerous first.

By the probability that counts, largest first; an unknown one stands between those of level medium and those
of level low; then by miss distance. The id tells apart what is equal. Rows of earlier releases have no
`probability_best`: the larger of theirs stands for it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from screening.risk.conjunctions import NO_CODE
from screening.risk.tiers import PROBABILITY_LIMITS, near_levels, probability_levels
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS, RISK_LEVELS, NearLevel, ProbabilityLevel
from storage.vocabulary import EventOrder

PROBABILITIES = ("probability_best", "probability", "probability_2d", "probability_mc")
# As `decisive_probability`; DuckDB's greatest() ignores NULL.
DECISIVE_PROBABILITY = "coalesce(probability_best, greatest(probability, probability_2d), probability_mc)"
_BY_LIMITS = " ".join(
    f"WHEN {DECISIVE_PROBABILITY} > {limit:g} THEN '{level}'"
    for limit, level in zip(PROBABILITY_LIMITS, RISK_LEVELS, strict=False)
)
# As `level_of`: rows of earlier releases have NULL or their own word.
PROBABILITY_LEVEL = (
    f"coalesce(CAST(probability_level AS VARCHAR), CASE {_BY_LIMITS} "
    f"WHEN {DECISIVE_PROBABILITY} IS NULL THEN 'unknown' ELSE 'low' END)"
)
# Below every medium probability, and not below one that is low.
UNKNOWN_STANDS_AT = PROBABILITY_LIMITS[-1]
MOST_DANGEROUS_FIRST = (
    f"coalesce({DECISIVE_PROBABILITY}, {UNKNOWN_STANDS_AT:g}) DESC, miss_distance_m, event_id"
)
# The other orders that a reader may choose; what is not known comes last, the id tells apart what is equal.
SQL_ORDERS: dict[EventOrder, str] = {
    "risk": MOST_DANGEROUS_FIRST,
    "tca": "tca, event_id",
    "miss_distance": "miss_distance_m, event_id",
    "probability": f"{DECISIVE_PROBABILITY} DESC NULLS LAST, event_id",
    "fragments": f"{DECISIVE_PROBABILITY} * fragments_10cm DESC NULLS LAST, event_id",  # as expected
}

Numbers = npt.NDArray[np.generic]


def decisive_probability(
    best: npt.NDArray[np.float64],
    probability: npt.NDArray[np.float64],
    probability_2d: npt.NDArray[np.float64],
    probability_mc: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return the probability (n,) that counts, of rows of any release; NaN where none is known."""
    earlier = np.fmax(probability, probability_2d)
    earlier = np.where(np.isfinite(earlier), earlier, probability_mc)
    return np.where(np.isfinite(best), best, earlier)


def decisive_probability_of(event: Mapping[str, object]) -> float | None:
    """Return DECISIVE_PROBABILITY of one row; None for NULL."""
    found = float(decisive_probability(*(np.array(event.get(name), np.float64) for name in PROBABILITIES)))
    return None if np.isnan(found) else found


def level_of(event: Mapping[str, Any]) -> ProbabilityLevel:
    """Return the level by the probability of one row, PROBABILITY_LEVEL."""
    given: ProbabilityLevel | None = event.get("probability_level")
    if given is not None:
        return given
    probability = decisive_probability_of(event)
    code = int(probability_levels(np.array([probability], np.float64))[0])
    return PROBABILITY_LEVELS[code]


def levels_for_a_reader(event: Mapping[str, object]) -> tuple[str, str]:
    """Return what a list calls an event's level, by its probability, and how near it is; empty: not near.

    Of rows of earlier releases both follow from the numbers.
    """
    return level_of(event), near_level_of(event) or ""


def near_level_of(event: Mapping[str, Any]) -> NearLevel | None:
    """Return the level by the miss alone of one row; None: not near."""
    near = near_levels(np.array([event["miss_distance_m"]], np.float64))[0]
    return None if near == NO_CODE else NEAR_LEVELS[near]


def level_codes(words: Sequence[str | None], decisive: npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    """Return the levels (n,) as `level_of` has them, as places in PROBABILITY_LEVELS.

    `words`: `probability_level` as stored; `decisive`: the probabilities that count, NaN for NULL.
    """
    places: dict[str | None, int] = {str(level): place for place, level in enumerate(PROBABILITY_LEVELS)}
    given = np.array([places.get(word, NO_CODE) for word in words], np.int8)
    return np.where(given == NO_CODE, probability_levels(decisive), given)


def danger_of(event: Mapping[str, Any]) -> tuple[float, float, int]:
    """Return a key that sorts rows as MOST_DANGEROUS_FIRST does."""
    probability = decisive_probability_of(event)
    stands_at = UNKNOWN_STANDS_AT if probability is None else probability
    return -stands_at, event["miss_distance_m"], event["event_id"]


def danger_keys(column: Callable[[str], Numbers]) -> tuple[Numbers, Numbers]:
    """Return the columns (n,) that sort events as MOST_DANGEROUS_FIRST does, ascending, but for the id.

    `column` gives the columns by name, with NaN for NULL.
    """
    decisive = decisive_probability(*(column(name).astype(np.float64) for name in PROBABILITIES))
    return -np.where(np.isnan(decisive), UNKNOWN_STANDS_AT, decisive), column("miss_distance_m")


def unknown_last(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a key (n,) that sorts values of 0 or more, the largest first and NaN after all of them."""
    return np.where(np.isnan(values), 2.0, -values)
