"""Probabilities of a message for which the encounter plane does not hold, or that check it."""

from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.joint_root import joint_root
from screening.risk.messages.encounter import CORRELATION_TOLERANCE, Encounter, largest_correlation
from screening.risk.messages.errors import Errors
from screening.risk.monte_carlo.three_dimensional import monte_carlo_3d
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.objects.state_errors import with_velocities
from screening.risk.probability.three_dimensional import REASONS, probability_3d

_OUT_OF_REACH = "no Monte Carlo of trajectories: no errors within 40 sigmas bring the objects together"
NOT_POSITIVE = "no 3-D probability: a covariance is not positive definite"


class Estimate(NamedTuple):
    """A Monte Carlo value with its 95 % interval."""

    probability: float
    low: float
    high: float
    samples: int
    hits: int


NOT_RUN = Estimate(np.nan, np.nan, np.nan, 0, 0)


def joint_errors(states: Encounter, errors: Errors) -> FloatArray | None:
    """Return the root (12, 12) of both errors, each in its own RTN; None if there is none.

    A covariance without velocities is completed as that of neighbours on the same orbit (`with_velocities`).
    """
    if errors.missing or not all(_drawable(covariance[0]) for covariance in errors.covariances):
        return None
    axes = rtn_axes(states.r_m, states.v_m_s)
    turns = [np.kron(np.eye(2), one) for one in axes]
    first, second = (_whole(errors.covariances[i], states, axes, i) for i in range(2))
    cross = None if errors.cross is None else turns[0] @ errors.cross[0] @ turns[1].T
    return joint_root(first, second, cross)


def _whole(covariance: FloatArray, states: Encounter, axes: FloatArray, which: int) -> FloatArray:
    """Return one object's covariance (6, 6) in its own RTN."""
    turn = np.kron(np.eye(covariance.shape[1] // 3), axes[which])
    own: FloatArray = turn @ covariance @ turn.T
    if own.shape[1] == 3:
        here = slice(which, which + 1)
        own = with_velocities(own, states.r_m[here], states.v_m_s[here])
    whole: FloatArray = own[0]
    return whole


def of_message(states: Encounter, root_rtn: FloatArray, radius_m: float) -> tuple[float, str]:
    """Return the 3-D probability of a message, NaN with the reason if there is none."""
    position, velocity = states.r_m[:, np.newaxis], states.v_m_s[:, np.newaxis]
    radii = np.array([radius_m])
    meetings = probability_3d(position[0], velocity[0], position[1], velocity[1], root_rtn[np.newaxis], radii)
    reason = REASONS.get(int(meetings.state[0]))
    return float(meetings.probability[0]), "" if reason is None else f"no 3-D probability: {reason}"


def trajectories(
    states: Encounter, root_rtn: FloatArray, radius_m: float, samples: int, seed: int
) -> tuple[Estimate, str]:
    """Return an estimate by sampling whole trajectories, and over what time, or why there is none."""
    both = np.concatenate([states.r_m, states.v_m_s], axis=1)
    try:
        one = monte_carlo_3d(both, root_rtn, radius_m, seed, samples)
    except InputError as error:  # the other numbers of the message remain valid
        return NOT_RUN, f"no Monte Carlo of trajectories: {error}"
    begin_s, end_s = one.window_s
    estimate = Estimate(one.probability, one.low, one.high, one.samples, one.hits)
    if one.samples == 0:
        return (
            estimate,
            "no Monte Carlo of trajectories: no errors within 40 sigmas bring the objects together",
        )
    return estimate, f"Monte Carlo of trajectories from {begin_s:.0f} to {end_s:+.0f} s about TCA"


def in_plane(geometry: tuple[FloatArray, ...], samples: int, seed: int) -> Estimate:
    """Return an estimate in the encounter plane, which checks the integral."""
    major_m, minor_m, sigma_major_m, sigma_minor_m, radius_m = geometry
    found = monte_carlo_2d(
        major_m, minor_m, sigma_major_m, sigma_minor_m, radius_m, seeds=[seed], largest_samples=samples
    )
    return Estimate(
        float(found.probability[0]),
        float(found.low[0]),
        float(found.high[0]),
        int(found.samples[0]),
        int(found.hits[0]),
    )


def _drawable(covariance: FloatArray) -> bool:
    """Return whether a covariance (6, 6) can be sampled, ignoring rounding in its velocity part."""
    drawable = largest_correlation(covariance) <= 1.0 + CORRELATION_TOLERANCE
    return drawable and bool(np.linalg.eigvalsh(covariance[:3, :3])[0] > 0.0)
