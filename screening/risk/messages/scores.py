"""The record of a scored message, and the score of a summary without states."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from screening.risk.conjunctions import NO_CODE, RISK_BASES
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.tiers import PROBABILITY_LIMITS, near_levels, probability_levels, risk_levels
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS, PROBABILITY_METHODS, RISK_LEVELS

NOT_A_TIME = np.datetime64("NaT", "us")
_SUMMARY = "a summary without states: miss distance and probability are the sender's"


class MessageScore(NamedTuple):
    """The numbers that follow from a message's states and covariances. NaN: not valid, or not requested."""

    message_id: str = ""
    originator: str = ""
    tca: np.datetime64 = NOT_A_TIME  # UTC
    primary: str = ""
    secondary: str = ""
    miss_distance_m: float = np.nan
    relative_speed_m_s: float = np.nan
    miss_radial_m: float = np.nan
    miss_in_track_m: float = np.nan
    miss_cross_track_m: float = np.nan
    mahalanobis_distance: float = np.nan  # the miss in sigmas of all three dimensions
    hard_body_radius_m: float = np.nan
    hard_body_source: str = ""  # of radii.SOURCES, or "override"
    probability: float = np.nan
    formula_h: float = np.nan
    formula_u: float = np.nan
    formula_r: float = np.nan
    probability_2d: float = np.nan  # drag errors correlated; the maximum if a covariance is missing
    probability_2d_unchecked: float = np.nan  # errors independent, even if a flag makes probability_2d NaN
    probability_2d_correlated: float = np.nan  # the same with correlated drag errors; NaN: none are given
    probability_3d: float = np.nan  # by the likeliest orbits that meet
    probability_best: float = np.nan  # the one that counts
    probability_method: str = ""  # of PROBABILITY_METHODS; empty: nothing is known
    probability_max: float = np.nan
    diluted: bool = False
    probability_flag: str = ""
    missing_covariance: str = ""  # "primary", "secondary", "both"
    probability_mc: float = np.nan
    probability_mc_low: float = np.nan
    probability_mc_high: float = np.nan
    mc_samples: int = 0
    mc_hits: int = 0
    mc_method: str = ""  # "plane" or "trajectories"
    claimed_probability: float = np.nan
    claimed_method: str = ""
    claimed_as: str = ""  # the integral it equals: "disk", "square", "... correlated"
    claimed_miss_distance_m: float = np.nan
    risk_level: str = ""
    risk_basis: str = ""
    probability_level: str = ""
    near_level: str = ""  # empty: farther than 1000 m
    remarks: Sequence[str] = ()


def unscored(message: ConjunctionMessage, hard_body_radius_m: float) -> MessageScore:
    """Return what a message says of itself; computed values are still NaN or empty."""
    given = message.hard_body_source if hard_body_radius_m == message.hard_body_radius_m else "override"
    return MessageScore(
        message_id=message.message_id,
        originator=message.originator,
        tca=message.tca,
        primary=_name(message.primary.designator, message.primary.name),
        secondary=_name(message.secondary.designator, message.secondary.name),
        hard_body_radius_m=hard_body_radius_m,
        hard_body_source="" if np.isnan(hard_body_radius_m) else given,
        claimed_probability=message.probability,
        claimed_method=message.probability_method,
        claimed_miss_distance_m=message.miss_distance_m,
    )


def summary_score(message: ConjunctionMessage, hard_body_radius_m: float) -> MessageScore:
    """Rate a message without states by what it claims."""
    score = unscored(message, hard_body_radius_m)._replace(
        miss_distance_m=message.miss_distance_m,
        relative_speed_m_s=message.relative_speed_m_s,
        remarks=[_SUMMARY, *(remark.told for remark in message.notes)],
    )
    return rated(bounded(score))


def bounded(score: MessageScore) -> MessageScore:
    """Let the largest available number count for a probability that could not be settled.

    Where the plane has no meaning and no trajectories were followed, a small number is no knowledge.
    """
    known = (score.probability_2d_unchecked, score.claimed_probability, score.probability_mc_high)
    best = float(np.fmax.reduce(known))
    meaningless = not {"slow", "non_positive_definite"}.isdisjoint(score.probability_flag.split())
    if meaningless and np.isnan(score.probability_mc_high) and not best > PROBABILITY_LIMITS[-1]:
        return score
    return score._replace(probability_best=best, probability_method="" if np.isnan(best) else "bound")


def rated(score: MessageScore) -> MessageScore:
    """Add the levels that follow from the miss and `probability_best`."""
    miss_m, best = np.array([score.miss_distance_m]), np.array([score.probability_best])
    method = PROBABILITY_METHODS.index(score.probability_method) if score.probability_method else NO_CODE
    level, basis = risk_levels(miss_m, best, np.array([method], np.int8))
    near = near_levels(miss_m)[0]
    return score._replace(
        risk_level=RISK_LEVELS[level[0]],
        risk_basis=_basis_of_bound(score) if RISK_BASES[basis[0]] == "bound" else RISK_BASES[basis[0]],
        probability_level=PROBABILITY_LEVELS[probability_levels(best)[0]],
        near_level="" if near == NO_CODE else NEAR_LEVELS[near],
    )


def _basis_of_bound(score: MessageScore) -> str:
    if score.missing_covariance:
        return "maximum"
    return "claimed" if score.probability_best == score.claimed_probability else "bound"


def _name(designator: str, name: str) -> str:
    return f"{designator.lstrip('0') or designator} {name}".strip()
