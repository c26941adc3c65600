"""The limits of alerts and feeds: the one rule of which encounters are within them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import UsageError
from screening.risk.tiers import LOW, MISS_LIMITS_M, UNKNOWN
from screening.vocabulary import (
    PROBABILITY_LEVELS,
    RISK_LEVELS,
    ProbabilityLevel,
    RiskLevel,
    range_text,
)
from storage.rows.danger import PROBABILITIES, decisive_probability, level_codes
from storage.vocabulary import NEAR_M, NEAR_RANGE_M

# The columns that the rule reads.
RATED = ("probability_level", *PROBABILITIES, "miss_distance_m", "encounter")


class Limits(NamedTuple):
    """What an alert or a feed wants to know."""

    level: ProbabilityLevel = "high"  # by the probability: this one and more dangerous ones
    near_m: float | None = NEAR_M  # or a miss under this; None: distance does not count
    min_probability: float | None = None  # of these only what is known to be at least as likely


EVERYTHING = Limits("low", None)


class Rated(NamedTuple):
    """The values of events (n,) that limits compare."""

    level: npt.NDArray[np.int8]  # place in PROBABILITY_LEVELS
    probability: npt.NDArray[np.float64]  # the one that counts; NaN: unknown
    miss_distance_m: npt.NDArray[np.float64]
    visits: npt.NDArray[np.bool_]  # slow encounters


def limits_of_risk(risk: RiskLevel) -> Limits:
    """Return the limits of a level as `risk_level` has it, by probability or by distance; low: everything."""
    distances_m = dict(zip(RISK_LEVELS, MISS_LIMITS_M, strict=False))
    return Limits(risk, distances_m.get(risk))


def chosen_limits(risk: RiskLevel | None, given: Mapping[str, Any]) -> Limits:
    """Return limits from what someone gives: a level of earlier releases, or fields of Limits.

    Raises:
        UsageError: both are given.
    """
    if risk is None:
        return Limits()._replace(**given)
    if given:
        raise UsageError(f"`risk` stands for a level and a distance: leave it out, or {' and '.join(given)}.")
    return limits_of_risk(risk)


def within(events: Rated, limits: Limits) -> npt.NDArray[np.bool_]:
    """Return which events (n,) are within limits.

    An unknown probability is never too low for a level, except that of a visit, which has none by nature:
    visits without one are included by their distance, or where everything is.
    """
    rank = PROBABILITY_LEVELS.index(limits.level)
    unknown = events.level == UNKNOWN
    told = np.where(unknown, ~events.visits, events.level <= rank) | (rank == LOW)
    if limits.near_m is not None:
        told |= events.miss_distance_m < limits.near_m
    if limits.min_probability is not None:
        told &= events.probability >= limits.min_probability  # NaN is not
    return told


def rated(column: Callable[[str], Sequence[object]]) -> Rated:
    """Return the values of events that limits compare; `column` gives RATED's by name, None for NULL."""
    numbers = [np.array(column(name), np.float64) for name in PROBABILITIES]
    probability = decisive_probability(*numbers)
    return Rated(
        level_codes(
            [None if word is None else str(word) for word in column("probability_level")], probability
        ),
        probability,
        np.array(column("miss_distance_m"), np.float64),
        np.array([word == "slow" for word in column("encounter")], np.bool_),
    )


def rated_rows(rows: Sequence[Mapping[str, object]]) -> Rated:
    """Return the values of rows that limits compare."""
    return rated(lambda name: [row.get(name) for row in rows])


def near_of(text: str) -> float | None:
    """Return a distance (m) as people write it; `none`: no distance counts. Raises UsageError."""
    if text.strip().lower() == "none":
        return None
    try:
        near_m = float(text)
    except ValueError:
        near_m = float("nan")
    return checked_near(near_m, text)


def checked_near(near_m: float, text: str = "") -> float:
    """Return a distance (m) that limits may have. Raises UsageError."""
    if not NEAR_RANGE_M[0] <= near_m <= NEAR_RANGE_M[1]:  # NaN is refused too
        raise UsageError(
            f"{text or format(near_m, 'g')!s} is not a distance for alerts and feeds: expected "
            f"{range_text(NEAR_RANGE_M)} m, or none."
        )
    return near_m


def in_words(limits: Limits) -> str:
    """Return limits as people say them: "high or worse by probability, or nearer than 500 m"."""
    if limits.level == "low":
        words = "everything"
    else:
        worst = PROBABILITY_LEVELS[0]
        words = f"{limits.level}{'' if limits.level == worst else ' or worse'} by probability"
        words += f", or nearer than {limits.near_m:,g} m" if limits.near_m is not None else ""
    least = limits.min_probability
    return words if least is None else f"{words}; at least {least:g} likely"
