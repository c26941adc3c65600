"""Compute all probabilities of a conjunction data message, beside the message's own claims."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import PROBABILITY_FLAGS
from screening.risk.geometry.encounter_plane import EncounterPlane, covariance_of_miss
from screening.risk.geometry.two_body import orbital_period_s
from screening.risk.messages.beyond_the_plane import (
    NOT_POSITIVE,
    NOT_RUN,
    Estimate,
    in_plane,
    joint_errors,
    of_message,
    trajectories,
)
from screening.risk.messages.encounter import Encounter, encounter, relative_rtn, remarks
from screening.risk.messages.errors import Errors, errors_of
from screening.risk.messages.message import ConjunctionMessage, Remark
from screening.risk.messages.scores import MessageScore, bounded, rated, summary_score, unscored
from screening.risk.monte_carlo.three_dimensional import SAMPLES, is_settled
from screening.risk.probability.choice import NOT_2D, needs_three_dimensions
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.formula import formula, formula_arguments
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.probability.three_dimensional import are_neighbours
from screening.risk.probability.validity import validity_flags
from screening.risk.tiers import PROBABILITY_LIMITS

# Compare the probability that a message claims with what its covariances give.

SQUARE = 4.0 / np.pi  # times the disk, where the density is flat: the US centre integrates over the square
ALIKE = 0.01  # claims have three digits or more; the square is 4/pi of the disk to within this
WORTH_A_REMARK = 1.1  # times


def claimed_as(claimed: float, independent: float, correlated: float) -> str:
    """Return which integral a claim equals: `disk`, `square`, `... correlated`, or none (empty)."""
    candidates = {
        "disk": independent,
        "square": SQUARE * independent,
        "disk correlated": correlated,
        "square correlated": SQUARE * correlated,
    }
    for name, value in candidates.items():
        if value > 0.0 and abs(claimed - value) <= ALIKE * value:  # NaN is not
            return name
    return ""


def about_claim(message: ConjunctionMessage, independent: float, correlated: float) -> list[Remark]:
    """Return remarks on known reasons why a claim and the computed number differ."""
    line = message.lines.get("COLLISION_PROBABILITY", 1)
    name = claimed_as(message.probability, independent, correlated)
    method = f" by {message.probability_method}" if message.probability_method else ""
    texts = []
    if name.startswith("square"):
        disk = correlated if name.endswith("correlated") else independent
        texts.append(
            f"{message.probability:.4g} is claimed{method}, {message.probability / disk:.3f} times the "
            f"{disk:.4g} of the disk: the square around it (4/pi)"
        )
    if correlated > WORTH_A_REMARK * independent or correlated < independent / WORTH_A_REMARK:
        texts.append(
            f"shared drag errors make the probability {correlated:.4g}, {independent:.4g} without them"
        )
    return [Remark(line, "COLLISION_PROBABILITY", text) for text in texts]


_NON_POSITIVE_DEFINITE = 1 << PROBABILITY_FLAGS.index("non_positive_definite")


class _InTwo(NamedTuple):
    """What the integral in the encounter plane gives."""

    plane: EncounterPlane
    radii_m: FloatArray  # (1,)
    flags: int  # bits of PROBABILITY_FLAGS
    unchecked: float  # of independent errors, as claims are
    computed: float
    holds: bool  # or at least nothing finer is due


def score_message(
    message: ConjunctionMessage,
    hard_body_radius_m: float,
    samples: int,
    seed: int,
    *,
    shared_drag: bool = True,
) -> MessageScore:
    """Score a message with a combined hard-body radius in m.

    `probability_best` is the 2-D integral where it holds; else, of neighbours, by a Monte Carlo of whole
    trajectories, of others the 3-D probability; else the largest available number. With `samples` above 0 a
    Monte Carlo in the plane checks an integral that holds. Without `shared_drag` the errors that both objects
    share through the density of the air are taken as independent, even if the message gives them.
    """
    if not message.has_states:
        return summary_score(message, hard_body_radius_m)
    usable_m = hard_body_radius_m if 0.0 < hard_body_radius_m < np.inf else np.nan
    states = encounter(message)
    errors = errors_of(message, states, usable_m, shared_drag=shared_drag)
    two = _in_two(message, states, errors, usable_m)
    three, estimate, method, why = np.nan, NOT_RUN, "", list[str]()
    if np.isnan(usable_m):
        why = [
            f"no probability: the combined hard-body radius must be above 0 m, not {hard_body_radius_m:g} m"
        ]
    elif not two.holds:
        three, estimate, why = _beyond(states, errors, usable_m, max(samples, SAMPLES), seed)
        method = "trajectories" if estimate.samples else ""
    elif samples > 0:
        estimate = in_plane(_geometry(two.plane, two.radii_m), samples, seed)
        method = "plane"
    score = _with_claim(unscored(message, hard_body_radius_m), message, states, errors, two)
    if two.holds or (_rests_on_a_law(message) and not two.flags & NOT_2D):
        score = _with_plane(score, two)
    score = score._replace(
        probability_3d=three,
        probability_mc=estimate.probability,
        probability_mc_low=estimate.low,
        probability_mc_high=estimate.high,
        mc_samples=estimate.samples,
        mc_hits=estimate.hits,
        mc_method=method,
        remarks=[*score.remarks, *_about_radius(score), *errors.notes, *_about_orbits(states), *why],
    )
    return rated(_with_best(_with_miss(score, states)))


def _in_two(message: ConjunctionMessage, states: Encounter, errors: Errors, radius_m: float) -> _InTwo:
    """Integrate in the plane, and say whether that holds."""
    flags, radii_m = _flags(states, errors), np.array([radius_m])
    unchecked = float(exact_2d(*_geometry(errors.independent, radii_m))[0][0])
    correlated = errors.plane is not errors.independent
    computed = float(exact_2d(*_geometry(errors.plane, radii_m))[0][0]) if correlated else unchecked
    in_three = needs_three_dimensions(
        np.array([flags], np.uint8),
        np.array([computed]),
        np.array([not _rests_on_a_law(message)]),
        errors.plane.relative_speed_m_s / np.linalg.norm(states.v_m_s[0]),
    )[0]
    # Instead of a missing covariance there is a maximum, which is no finer than straight relative motion.
    holds = not in_three or (errors.missing != "" and not flags & _NON_POSITIVE_DEFINITE)
    return _InTwo(errors.plane, radii_m, flags, unchecked, computed, bool(holds))


def _beyond(
    states: Encounter, errors: Errors, radius_m: float, samples: int, seed: int
) -> tuple[float, Estimate, list[str]]:
    """Return the 3-D probability, an estimate of neighbours and where there is none, and what to say."""
    root_rtn = joint_errors(states, errors)
    if root_rtn is None:
        return np.nan, NOT_RUN, [] if errors.missing else [NOT_POSITIVE]
    three, why_none = of_message(states, root_rtn, radius_m)
    if np.isfinite(three) and not are_neighbours(*states.v_m_s):
        return three, NOT_RUN, []
    estimate, about = trajectories(states, root_rtn, radius_m, samples, seed)
    told = [about] if estimate.samples or not why_none else [why_none, about]
    return three, estimate, told


def _with_best(score: MessageScore) -> MessageScore:
    """Choose the probability that counts."""
    if score.missing_covariance and not np.isnan(score.probability_2d):
        # Without any covariance a small bound is no knowledge: it says what cannot be exceeded, of errors
        # unknown.
        if score.missing_covariance == "both" and not score.probability_2d > PROBABILITY_LIMITS[-1]:
            return score
        return score._replace(probability_best=score.probability_2d, probability_method="bound")
    interval = score.probability_mc, score.probability_mc_low, score.probability_mc_high
    counts = score.mc_method == "trajectories" and is_settled(*interval)
    choices = (
        (score.probability_mc if counts else np.nan, "trajectory_mc"),
        (score.probability_3d, "3d"),
        (score.probability_2d, "2d"),
    )
    for value, method in choices:
        if not np.isnan(value):
            return score._replace(probability_best=value, probability_method=method)
    return bounded(score)


def _rests_on_a_law(message: ConjunctionMessage) -> bool:
    """Return whether a covariance is a default one, as those of runs are."""
    return "DEFAULT" in (message.primary.covariance_method, message.secondary.covariance_method)


def _about_radius(score: MessageScore) -> list[str]:
    if score.hard_body_source != "exclusion_volume":
        return []
    radius = f"{score.hard_body_radius_m:g} m"
    return [f"the radius of {radius} belongs to an exclusion volume, often larger than the object"]


def _about_orbits(states: Encounter) -> list[str]:
    both = np.concatenate([states.r_m, states.v_m_s], axis=1)
    unbound = [name for name, one in zip(("OBJECT1", "OBJECT2"), both, strict=True) if _is_unbound(one)]
    return [f"the orbit of {name} is not an ellipse about the Earth" for name in unbound]


def _is_unbound(state: FloatArray) -> bool:
    return not np.isfinite(orbital_period_s(state))


def _with_claim(
    score: MessageScore, message: ConjunctionMessage, states: Encounter, errors: Errors, two: _InTwo
) -> MessageScore:
    """Add what the message's own numbers give, and where they contradict each other."""
    contradictions = remarks(message, states)
    if errors.missing == "":
        contradictions += about_claim(message, two.unchecked, two.computed)
        score = score._replace(claimed_as=claimed_as(message.probability, two.unchecked, two.computed))
    return score._replace(
        mahalanobis_distance=_mahalanobis(states, errors),
        probability_2d_unchecked=two.unchecked,
        probability_2d_correlated=two.computed if errors.cross is not None else np.nan,
        probability_flag=" ".join(_flag_words(two.flags, errors)),
        missing_covariance=errors.missing,
        remarks=[remark.told for remark in contradictions],
    )


def _with_plane(score: MessageScore, two: _InTwo) -> MessageScore:
    """Add the values that are valid if the 2-D integral is."""
    # A message rounds its TCA to 1 ms, but means the minimum.
    h, u, r = formula_arguments(two.plane, two.radii_m, at_minimum=True)
    largest, diluted, _ = maximum_over_scale(*_geometry(two.plane, two.radii_m))
    return score._replace(
        probability_2d=two.computed,
        probability=float(formula(h, u, r)[0]),
        formula_h=float(h[0]),
        formula_u=float(u[0]),
        formula_r=float(r[0]),
        probability_max=float(largest[0]),
        diluted=bool(diluted[0]),
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
