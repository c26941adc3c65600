"""The collision probability of orbits whose errors are Gaussian in equinoctial elements.

The plane of `exact_2d` puts errors along straight lines, and takes the covariance at TCA for that of the
meeting. Errors along an orbit follow its curve, and objects that are to meet far from where they are expected
meet at another time and place. Both hold in orbital elements, in which errors stay Gaussian (Hall et al.
2018, High fidelity collision probabilities estimated using brute force Monte Carlo simulations, AAS 18-244;
Hall 2021, Expected collision rates for tracked satellites, J. Spacecraft and Rockets 58, 715). So the
likeliest orbits with which the objects meet are found there (`design_point_kernel`), and the plane is that of
their meeting: linear around it, the miss is a Gaussian in the plane normal to the relative velocity,
integrated over the disk.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.equinoctial_kernel import elements_at
from screening.risk.probability.design_point_kernel import (
    CONVERGED,
    MEET_TOO_LONG,
    NO_CONVERGENCE,
    NO_ELLIPSE,
    NO_MOTION,
    NO_SPREAD,
    closest_approach,
    design_point,
)
from screening.risk.probability.exact_2d_kernel import log_probability_of

# By how much of a radian of mean motion the time of the meeting may spread: beyond, the relative motion of
# those that meet is not straight. 0.1 leaves 0.5 % of the relative velocity.
LARGEST_MEETING_SPREAD_RAD = 0.1

# Objects whose relative speed is this small a part of their speed are neighbours, which may meet several
# times: meetings are sought from these angles of mean motion before and after TCA, within a quarter of
# a revolution. Half a revolution later they are near again, which is another encounter.
NEIGHBOURS_WITHIN = 0.01
STARTS_RAD = (0.0, *(sign * k * math.pi / 8.0 for k in range(1, 4) for sign in (1.0, -1.0)))
LONGEST_RAD = 0.5 * math.pi
_SAME_MEETING_RAD = 0.15

# Sigmas: farther away a meeting has a probability below 1e-300; another one, below 1e-11, changes no sum.
REACH, REACH_OF_OTHERS = 40.0, 7.0

# Standard deviations of the relative mean motion, the eccentricity vector and the tilt: with larger ones
# linear errors are none, and some orbits no ellipses. Errors along the orbit may be as long as they like.
LARGEST_ERROR = 0.3

NOT_FINITE, TOO_LARGE, NO_RADIUS = range(6, 9)

REASONS = {
    NOT_FINITE: "a state or an error is not a number",
    TOO_LARGE: "the errors are as large as the orbits",
    NO_SPREAD: "the errors do not spread the miss in all directions",
    NO_RADIUS: "the radius must be 0 m or more, and finite",
    NO_ELLIPSE: "an orbit within the errors is not an ellipse about the Earth",
    NO_MOTION: "the objects do not move relative to each other",
    NO_CONVERGENCE: "no orbits within the errors bring the objects together",
    MEET_TOO_LONG: "the objects stay together for so long that their relative motion turns",
}


class Meetings(NamedTuple):
    """Encounters (n,): the probability, NaN where there is none, and the likeliest meeting."""

    probability: FloatArray
    state: npt.NDArray[np.int64]  # CONVERGED, or a key of REASONS
    seconds: FloatArray  # from TCA
    sigmas: FloatArray  # how far from the nominal orbits
    spread_rad: FloatArray  # standard deviation of the time of the meeting x mean motion


def probability_3d(
    r_primary_m: FloatArray,
    v_primary_m_s: FloatArray,
    r_secondary_m: FloatArray,
    v_secondary_m_s: FloatArray,
    root_rtn: FloatArray,
    radius_m: FloatArray,
) -> Meetings:
    """Return the probability that two objects come within `radius_m` (n,) of each other around TCA.

    States (n, 3) at TCA in one inertial frame, m and m/s. root_rtn (n, 12, m): errors of both states,
    position and velocity of the primary, then of the secondary, each in its own RTN, are root_rtn @ z with z
    independent standard normals; rows that share a z are correlated (`joint_root`). Two-body motion.
    Neighbours may meet several times in the quarter revolutions before and after TCA; their probabilities are
    added. Without errors the probability is 1 or 0. There is no number where `state` says why.
    """
    count, _, size = root_rtn.shape
    states = np.stack([r_primary_m, v_primary_m_s, r_secondary_m, v_secondary_m_s], axis=1).astype(float)
    axes = np.stack([rtn_axes(r_primary_m, v_primary_m_s), rtn_axes(r_secondary_m, v_secondary_m_s)], axis=1)
    roots = np.ascontiguousarray(root_rtn, float).reshape(count, 2, 6, size)
    radii = np.ascontiguousarray(radius_m, float)
    table, codes = np.full((count, 4), np.nan), np.empty(count, np.int64)
    _all_meetings(states, np.ascontiguousarray(axes), roots, radii, np.array(STARTS_RAD), codes, table)
    return Meetings(table[:, 0], codes, table[:, 1], table[:, 2], table[:, 3])


def spread_in_elements(
    states: FloatArray, axes: FloatArray, root_rtn: FloatArray
) -> tuple[int, FloatArray, FloatArray]:
    """Return the elements (2, 6) of two objects and how they spread with the normals (2, 6, m).

    states (2, 6), m and m/s, axes (2, 3, 3), and root_rtn (12, m) as in `probability_3d`. First comes
    CONVERGED, or a key of REASONS, with which the others are not to be used.
    """
    roots = np.ascontiguousarray(root_rtn, float).reshape(2, 6, -1)
    elements, spread = np.empty((2, 6)), np.empty(roots.shape)
    four = np.ascontiguousarray(states, float).reshape(4, 3)
    state = _spread_of(four, np.ascontiguousarray(axes), roots, elements, np.empty((6, 6)), spread)
    return int(state), elements, spread


@kernel
def _all_meetings(states, axes, roots, radii, starts_rad, codes, table):  # type: ignore[no-untyped-def]
    size = roots.shape[3]
    elements, partials, spread = np.empty((2, 6)), np.empty((6, 6)), np.empty((2, 6, size))
    for n in range(len(codes)):
        codes[n] = NO_RADIUS
        if not 0.0 <= radii[n] < np.inf:
            continue
        codes[n] = _spread_of(states[n], axes[n], roots[n], elements, partials, spread)
        if codes[n] != CONVERGED:
            continue
        if not spread.any():
            codes[n] = _without_errors(elements, axes[n], spread, radii[n], table[n])
        elif _are_neighbours(states[n]):
            codes[n] = _meetings_of_neighbours(elements, axes[n], spread, starts_rad, radii[n], table[n])
        else:
            codes[n] = _meeting(elements, axes[n], spread, 0.0, REACH, radii[n], table[n])


@kernel
def _spread_of(states, axes, roots, elements, partials, spread):  # type: ignore[no-untyped-def]
    """Fill the elements (2, 6) of both objects, and how they spread with the normals (2, 6, m)."""
    if not np.isfinite(states).all():
        return NOT_FINITE
    for which in range(2):
        position, velocity = states[2 * which], states[2 * which + 1]
        distance, radial, in_track = np.sqrt((position * position).sum()), 0.0, 0.0
        for i in range(3):
            radial += axes[which, 0, i] * velocity[i]
            in_track += axes[which, 1, i] * velocity[i]
        if not elements_at(distance, radial, in_track, elements[which], partials):
            return NO_ELLIPSE
        for i in range(6):
            for j in range(roots.shape[2]):
                total = 0.0
                for k in range(6):
                    total += partials[i, k] * roots[which, k, j]
                spread[which, i, j] = total
            sigma = np.sqrt((spread[which, i] * spread[which, i]).sum())
            if not sigma < np.inf:
                return NOT_FINITE
            if i < 5 and sigma > LARGEST_ERROR * (elements[which, 0] if i == 0 else 1.0):
                return TOO_LARGE
    return CONVERGED


@kernel
def _without_errors(elements, axes, spread, radius, row):  # type: ignore[no-untyped-def]
    """Fill `row` (4,) of orbits that are known: they meet at the closest approach to TCA or not."""
    u, miss, velocity = np.zeros(spread.shape[2]), np.empty(3), np.empty(3)
    gradient = np.empty((3, spread.shape[2]))
    state, seconds = closest_approach(elements, axes, spread, u, 0.0, miss, velocity, gradient)
    if state in (CONVERGED, NO_MOTION):
        row[0] = 1.0 if (miss * miss).sum() < radius * radius else 0.0
        row[1], row[2], row[3] = seconds, 0.0, 0.0
        return CONVERGED
    return state


@kernel
def _meeting(elements, axes, spread, start_s, reach, radius, row):  # type: ignore[no-untyped-def]
    """Fill probability, seconds, sigmas and spread (4,) of the meeting found from `start_s`."""
    u, found = np.zeros(spread.shape[2]), np.empty(8)
    state = design_point(elements, axes, spread, start_s, reach, u, found)
    if state != CONVERGED:
        return state
    xx, xy, yy = found[2], found[3], found[4]
    larger = 0.5 * (xx + yy) + np.hypot(0.5 * (xx - yy), xy)
    smaller = (xx * yy - xy * xy) / larger  # the difference would lose its digits
    angle = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    cosine, sine = np.cos(angle), np.sin(angle)
    major, minor = cosine * found[0] + sine * found[1], cosine * found[1] - sine * found[0]
    row[1], row[2], row[3] = found[5], np.sqrt((u * u).sum()), found[6]
    if found[6] > LARGEST_MEETING_SPREAD_RAD:
        return MEET_TOO_LONG
    row[0] = np.exp(log_probability_of(major, minor, np.sqrt(larger), np.sqrt(smaller), radius))
    return CONVERGED


def are_neighbours(v_primary_m_s: FloatArray, v_secondary_m_s: FloatArray) -> bool:
    """Return whether two objects with these velocities (3,) stay beside each other."""
    relative, speed = np.linalg.norm(v_secondary_m_s - v_primary_m_s), np.linalg.norm(v_primary_m_s)
    return bool(relative < NEIGHBOURS_WITHIN * speed)


@kernel
def _are_neighbours(states):  # type: ignore[no-untyped-def]
    relative, speed = states[3] - states[1], states[1]
    return (relative * relative).sum() < NEIGHBOURS_WITHIN**2 * (speed * speed).sum()


@kernel
def _meetings_of_neighbours(elements, axes, spread, starts_rad, radius, row):  # type: ignore[no-untyped-def]
    """Fill `row` with the sum of all meetings within a quarter of a revolution of TCA, and the likeliest one.

    One that is too long, and near enough to matter, leaves no number.
    """
    mean_motion = elements[0, 0]
    times, known, first = np.empty(len(starts_rad)), 0, NO_CONVERGENCE
    total, largest, other = 0.0, -1.0, np.empty(4)
    for start, start_rad in enumerate(starts_rad):
        reach = REACH if start == 0 else REACH_OF_OTHERS
        state = _meeting(elements, axes, spread, start_rad / mean_motion, reach, radius, other)
        if start == 0:
            first = state
        if state == MEET_TOO_LONG and other[2] < REACH_OF_OTHERS:
            return state
        new = state == CONVERGED and abs(other[1]) * mean_motion <= LONGEST_RAD
        for k in range(known):
            new = new and abs(other[1] - times[k]) * mean_motion > _SAME_MEETING_RAD
        if new:
            times[known] = other[1]
            known += 1
            total += other[0]
            if other[0] > largest:
                largest = other[0]
                row[1:] = other[1:]
    if known == 0:
        return NO_CONVERGENCE if first == CONVERGED else first
    row[0] = min(total, 1.0)
    return CONVERGED
