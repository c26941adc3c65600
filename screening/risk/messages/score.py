"""Compute all probabilities of a conjunction data message, beside the message's own claims."""

from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import PROBABILITY_FLAGS, RISK_BASES
from screening.risk.geometry.encounter_plane import EncounterPlane, covariance_of_miss
from screening.risk.messages.claims import about_claim, claimed_as
from screening.risk.messages.encounter import (
    CORRELATION_TOLERANCE,
    Encounter,
    encounter,
    largest_correlation,
    relative_rtn,
    remarks,
)
from screening.risk.messages.errors import Errors, errors_of
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.scores import MessageScore, summary_score, unscored
from screening.risk.monte_carlo.three_dimensional import monte_carlo_3d
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.formula import formula, formula_arguments
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.probability.validity import validity_flags
from screening.risk.tiers import risk_levels
from screening.vocabulary import RISK_LEVELS

_CURVED = 1 << PROBABILITY_FLAGS.index("curved")
_NON_POSITIVE_DEFINITE = 1 << PROBABILITY_FLAGS.index("non_positive_definite")
_NO_FULL_COVARIANCE = "no 3-D Monte Carlo: the message gives no covariance of the velocities"
_NOT_POSITIVE = "no 3-D Monte Carlo: a covariance is not positive definite"
_CURVILINEAR = "no 3-D Monte Carlo: errors along the orbit this long need curvilinear sampling"


def score_message(
    message: ConjunctionMessage, hard_body_radius_m: float, samples: int, seed: int
) -> MessageScore:
    """Score a message with a combined hard-body radius in m.

    With `samples` above 0 a Monte Carlo value is added: in the encounter plane if the 2-D integral holds,
    otherwise over whole relative trajectories if both covariances include velocities.
    """
    if not message.has_states:
        return summary_score(message, hard_body_radius_m)
    states = encounter(message)
    errors = errors_of(message, states, hard_body_radius_m)
    flags = _flags(states, errors)
    # Instead of a missing covariance there is a maximum, which is no finer than straight relative motion.
    doubts = flags & ~_CURVED if _rests_on_a_law(message) else flags
    holds = doubts == 0 or (errors.missing != "" and not flags & _NON_POSITIVE_DEFINITE)
    radius_m = np.array([hard_body_radius_m])
    unchecked = float(exact_2d(*_geometry(errors.independent, radius_m))[0][0])
    computed = float(exact_2d(*_geometry(errors.plane, radius_m))[0][0])
    estimate, method, notes = _monte_carlo(states, errors, radius_m, samples, seed, holds=holds)
    told = remarks(message)
    score = unscored(message, hard_body_radius_m)
    if errors.missing == "":
        told += about_claim(message, unchecked, computed)
        score = score._replace(claimed_as=claimed_as(message.probability, unchecked, computed))
    score = score._replace(
        mahalanobis_distance=_mahalanobis(states, errors),
        probability_2d_unchecked=unchecked,
        probability_2d_correlated=computed if errors.cross is not None else np.nan,
        probability_flag=" ".join(_flag_words(flags, errors)),
        missing_covariance=errors.missing,
        probability_mc=estimate.probability,
        probability_mc_low=estimate.low,
        probability_mc_high=estimate.high,
        mc_samples=estimate.samples,
        mc_hits=estimate.hits,
        mc_method=method,
        remarks=[remark.told for remark in told] + _about_radius(score) + errors.notes + notes,
    )
    if holds:
        score = _with_plane(score._replace(probability_2d=computed), errors.plane, radius_m)
    return _with_level(_with_miss(score, states))


def _rests_on_a_law(message: ConjunctionMessage) -> bool:
    """Tell whether a covariance is a default one: too rough to withhold a number for, as in rows of runs."""
    return "DEFAULT" in (message.primary.covariance_method, message.secondary.covariance_method)


def _about_radius(score: MessageScore) -> list[str]:
    if score.hard_body_source != "exclusion_volume":
        return []
    radius = f"{score.hard_body_radius_m:g} m"
    return [f"the radius of {radius} is that of exclusion volumes, often larger than the objects"]


def _with_plane(score: MessageScore, plane: EncounterPlane, radius_m: FloatArray) -> MessageScore:
    """Add the values that are valid if the 2-D integral is."""
    # A message rounds its TCA to 1 ms, but means the minimum.
    h, u, r = formula_arguments(plane, radius_m, at_minimum=True)
    largest, diluted, _ = maximum_over_scale(*_geometry(plane, radius_m))
    return score._replace(
        probability=float(formula(h, u, r)[0]),
        formula_h=float(h[0]),
        formula_u=float(u[0]),
        formula_r=float(r[0]),
        probability_max=float(largest[0]),
        diluted=bool(diluted[0]),
    )


def _with_level(score: MessageScore) -> MessageScore:
    deciding = (score.miss_distance_m, score.probability, score.probability_2d, score.probability_mc)
    level, basis = risk_levels(*(np.array([number]) for number in deciding))
    word = RISK_BASES[basis[0]]
    return score._replace(
        risk_level=RISK_LEVELS[level[0]],
        risk_basis="maximum" if score.missing_covariance and word == "probability" else word,
    )


def _with_miss(score: MessageScore, states: Encounter) -> MessageScore:
    miss_rtn_m, velocity_rtn_m_s = relative_rtn(states)
    return score._replace(
        miss_distance_m=float(np.linalg.norm(miss_rtn_m)),
        relative_speed_m_s=float(np.linalg.norm(velocity_rtn_m_s)),
        miss_radial_m=float(miss_rtn_m[0]),
        miss_in_track_m=float(miss_rtn_m[1]),
        miss_cross_track_m=float(miss_rtn_m[2]),
    )


def _geometry(plane: EncounterPlane, radius_m: FloatArray) -> tuple[FloatArray, ...]:
    return plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius_m


def _flags(states: Encounter, errors: Errors) -> int:
    """Return the assumptions of the 2-D integral that do not hold, as bits of PROBABILITY_FLAGS."""
    r_m, v_m_s = states.r_m[:, np.newaxis], states.v_m_s[:, np.newaxis]
    first, second = errors.position
    if errors.cross is not None:  # the covariance of each error with that of the miss
        shared = errors.cross[:, :3, :3]
        first, second = first - shared, second - shared.transpose(0, 2, 1)
    return int(validity_flags(errors.plane, r_m[0], v_m_s[0], r_m[1], v_m_s[1], first, second)[0])


def _flag_words(flags: int, errors: Errors) -> list[str]:
    words = [word for bit, word in enumerate(PROBABILITY_FLAGS) if flags >> bit & 1]
    words += ["remediated"] if errors.remediated else []
    words += ["missing_covariance"] if errors.missing else []
    return words


def _mahalanobis(states: Encounter, errors: Errors) -> float:
    """Return the miss in sigmas of all three dimensions, NaN if its covariance has no inverse."""
    shared = None if errors.cross is None else errors.cross[:, :3, :3]
    combined = covariance_of_miss(*errors.position, shared)[0]
    if errors.missing or np.linalg.eigvalsh(combined)[0] <= 0.0:
        return np.nan
    miss_m = states.r_m[1] - states.r_m[0]
    return float(np.sqrt(miss_m @ np.linalg.solve(combined, miss_m)))


class _Estimate(NamedTuple):
    probability: float
    low: float
    high: float
    samples: int
    hits: int


_NOT_RUN = _Estimate(np.nan, np.nan, np.nan, 0, 0)


def _monte_carlo(
    states: Encounter,
    errors: Errors,
    radius_m: FloatArray,
    samples: int,
    seed: int,
    *,
    holds: bool,
) -> tuple[_Estimate, str, list[str]]:
    """Return the estimate, its method, and a remark."""
    if samples == 0:
        return _NOT_RUN, "", []
    if holds:
        return _in_plane(_geometry(errors.plane, radius_m), samples, seed), "plane", []
    covariances = errors.covariances
    if any(covariance.shape[1] < 6 for covariance in covariances):
        return _NOT_RUN, "", [_NO_FULL_COVARIANCE]
    if not all(_drawable(covariance[0]) for covariance in covariances):
        return _NOT_RUN, "", [_NOT_POSITIVE]
    both = np.concatenate([states.r_m, states.v_m_s], axis=1)
    try:
        one = monte_carlo_3d(
            both[0],
            both[1],
            covariances[0][0],
            covariances[1][0],
            float(radius_m[0]),
            np.random.default_rng(seed),
            samples,
            cross_covariance=None if errors.cross is None else errors.cross[0],
        )
    except InputError as error:  # the other numbers of the message remain valid
        return _NOT_RUN, "", [f"no 3-D Monte Carlo: {error}"]
    if one.curvilinear_needed:
        return _NOT_RUN, "", [_CURVILINEAR]
    window = f"3-D Monte Carlo over {2 * one.half_window_s:.0f} s about TCA, in steps of {one.step_s:.2g} s"
    return _Estimate(one.probability, one.low, one.high, one.samples, one.hits), "trajectories", [window]


def _drawable(covariance: FloatArray) -> bool:
    """Tell whether samples can be drawn from a covariance (6, 6), ignoring rounding in its velocity part."""
    drawable = largest_correlation(covariance) <= 1.0 + CORRELATION_TOLERANCE
    return drawable and bool(np.linalg.eigvalsh(covariance[:3, :3])[0] > 0.0)


def _in_plane(geometry: tuple[FloatArray, ...], samples: int, seed: int) -> _Estimate:
    major_m, minor_m, sigma_major_m, sigma_minor_m, radius_m = geometry
    found = monte_carlo_2d(
        major_m, minor_m, sigma_major_m, sigma_minor_m, radius_m, seeds=[seed], largest_samples=samples
    )
    return _Estimate(
        float(found.probability[0]),
        float(found.low[0]),
        float(found.high[0]),
        int(found.samples[0]),
        int(found.hits[0]),
    )
