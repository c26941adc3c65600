"""Compute all probabilities of a conjunction data message, beside the message's own claims."""

from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import PROBABILITY_FLAGS, RISK_BASES
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.messages.encounter import (
    CORRELATION_TOLERANCE,
    Encounter,
    encounter,
    largest_correlation,
    relative_rtn,
    remarks,
)
from screening.risk.messages.message import ConjunctionMessage, Remark
from screening.risk.monte_carlo.three_dimensional import monte_carlo_3d
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.formula import formula, formula_arguments
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.probability.validity import validity_flags
from screening.risk.tiers import risk_levels
from screening.vocabulary import RISK_LEVELS

_NO_FULL_COVARIANCE = "no 3-D Monte Carlo: the message gives no covariance of the velocities"
_NOT_POSITIVE = "no 3-D Monte Carlo: a covariance is not positive definite"
_CURVILINEAR = "no 3-D Monte Carlo: errors along the orbit this long need curvilinear sampling"


class MessageScore(NamedTuple):
    """The numbers that follow from a message's states and covariances. NaN: not valid, or not requested."""

    tca: np.datetime64  # UTC
    primary: str
    secondary: str
    miss_distance_m: float
    relative_speed_m_s: float
    miss_radial_m: float
    miss_in_track_m: float
    miss_cross_track_m: float
    hard_body_radius_m: float
    probability: float
    formula_h: float
    formula_u: float
    formula_r: float
    probability_2d: float
    probability_2d_unchecked: float  # the integral, even if a flag makes probability_2d NaN
    probability_max: float
    diluted: bool
    probability_flag: str
    probability_mc: float
    probability_mc_low: float
    probability_mc_high: float
    mc_samples: int
    mc_hits: int
    mc_method: str  # "plane" or "trajectories"
    claimed_probability: float
    claimed_method: str
    claimed_miss_distance_m: float
    risk_level: str
    risk_basis: str
    remarks: list[str]


def score_message(
    message: ConjunctionMessage, hard_body_radius_m: float, samples: int, seed: int
) -> MessageScore:
    """Score a message with a combined hard-body radius in m.

    With `samples` above 0 a Monte Carlo value is added: in the encounter plane if the 2-D integral holds,
    otherwise over whole relative trajectories if both covariances include velocities.
    """
    states = encounter(message)
    r_m, v_m_s = states.r_m[:, None, :], states.v_m_s[:, None, :]
    objects = (message.primary, message.secondary)
    full = [
        rtn_covariance_to_inertial(each.covariance_rtn[None], r_m[i], v_m_s[i])
        for i, each in enumerate(objects)
    ]
    position = [covariance[:, :3, :3] for covariance in full]
    plane = encounter_plane(r_m[0], v_m_s[0], r_m[1], v_m_s[1], *position)
    flags = int(validity_flags(plane, r_m[0], v_m_s[0], r_m[1], v_m_s[1], *position)[0])
    radius = np.array([hard_body_radius_m])
    geometry = (plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius)
    unchecked = float(exact_2d(*geometry)[0][0])
    largest, diluted, _ = maximum_over_scale(*geometry)
    # A message rounds its TCA to 1 ms, but means the minimum.
    h, u, r = formula_arguments(plane, radius, at_minimum=True)
    holds = flags == 0
    estimate, method, notes = _monte_carlo(geometry, states, full, samples, seed, holds=holds)
    probability = float(formula(h, u, r)[0]) if holds else np.nan
    probability_2d = unchecked if holds else np.nan
    miss_rtn_m, velocity_rtn_m_s = relative_rtn(states)
    miss_m = float(np.linalg.norm(miss_rtn_m))
    level, basis = risk_levels(
        *(np.array([x]) for x in (miss_m, probability, probability_2d, estimate.probability))
    )
    return MessageScore(
        tca=message.tca,
        primary=_name(message.primary.designator, message.primary.name),
        secondary=_name(message.secondary.designator, message.secondary.name),
        miss_distance_m=miss_m,
        relative_speed_m_s=float(np.linalg.norm(velocity_rtn_m_s)),
        miss_radial_m=float(miss_rtn_m[0]),
        miss_in_track_m=float(miss_rtn_m[1]),
        miss_cross_track_m=float(miss_rtn_m[2]),
        hard_body_radius_m=hard_body_radius_m,
        probability=probability,
        formula_h=float(h[0]) if holds else np.nan,
        formula_u=float(u[0]) if holds else np.nan,
        formula_r=float(r[0]) if holds else np.nan,
        probability_2d=probability_2d,
        probability_2d_unchecked=unchecked,
        probability_max=float(largest[0]) if holds else np.nan,
        diluted=bool(diluted[0]) if holds else False,
        probability_flag=" ".join(word for bit, word in enumerate(PROBABILITY_FLAGS) if flags >> bit & 1),
        probability_mc=estimate.probability,
        probability_mc_low=estimate.low,
        probability_mc_high=estimate.high,
        mc_samples=estimate.samples,
        mc_hits=estimate.hits,
        mc_method=method,
        claimed_probability=message.probability,
        claimed_method=message.probability_method,
        claimed_miss_distance_m=message.miss_distance_m,
        risk_level=RISK_LEVELS[level[0]],
        risk_basis=RISK_BASES[basis[0]],
        remarks=[_told(remark) for remark in remarks(message)] + notes,
    )


class _Estimate(NamedTuple):
    probability: float
    low: float
    high: float
    samples: int
    hits: int


_NOT_RUN = _Estimate(np.nan, np.nan, np.nan, 0, 0)


def _monte_carlo(
    geometry: tuple[FloatArray, ...],
    states: Encounter,
    covariances: list[FloatArray],
    samples: int,
    seed: int,
    *,
    holds: bool,
) -> tuple[_Estimate, str, list[str]]:
    """Return the estimate, its method, and a remark."""
    if samples == 0:
        return _NOT_RUN, "", []
    if holds:
        return _in_plane(geometry, samples, seed), "plane", []
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
            float(geometry[-1][0]),
            np.random.default_rng(seed),
            samples,
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


def _name(designator: str, name: str) -> str:
    return f"{designator.lstrip('0') or designator} {name}".strip()


def _told(remark: Remark) -> str:
    return f"line {remark.line}, {remark.keyword}: {remark.text}"
