"""How far two predictions of one encounter are apart, in sigmas of all their errors together."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.geometry.two_body import orbital_period_s, propagate_two_body

# Of three dimensions: 95 and 99.9 of 100 predictions with right covariances are nearer than that.
USUAL_SIGMAS, RARE_SIGMAS = 2.795, 4.033


class Prediction(NamedTuple):
    """The two objects of an encounter at its TCA, the same one first in both predictions."""

    states_teme_m: FloatArray  # (2, 6), m and m/s
    covariances_rtn_m2: FloatArray  # (2, 3, 3) of position, each in its object's own RTN


def miss_sigma_m(one: Prediction) -> float:
    """Return one sigma, m, of the relative position along the miss, by both covariances together.

    NaN if a state or a covariance is not known, or there is no miss.
    """
    if not all(np.isfinite(part).all() for part in one):
        return float("nan")
    miss_m = (one.states_teme_m[1] - one.states_teme_m[0])[:3]
    length_m = np.linalg.norm(miss_m)
    if length_m == 0.0:
        return float("nan")
    along = miss_m / length_m
    return float(np.sqrt(along @ _together(one.states_teme_m, one.covariances_rtn_m2) @ along))


def _together(states_teme_m: FloatArray, covariances_rtn_m2: FloatArray) -> FloatArray:
    """Return the covariance (3, 3) of the relative position, in the frame of the states."""
    positions, velocities = states_teme_m[:, :3], states_teme_m[:, 3:]
    return np.asarray(rtn_covariance_to_inertial(covariances_rtn_m2, positions, velocities).sum(axis=0))


def sigmas_apart(one: Prediction, other: Prediction, later_s: float) -> float:
    """Return the Mahalanobis distance of two relative positions at one instant, by both covariances together.

    The instant is the TCA of `one`; the objects of `other`, whose TCA is `later_s` later, are moved there on
    two-body orbits, and their errors turn with them. The errors of both predictions count as independent. NaN
    if something is not known, an orbit is not bound, or the covariances are not positive definite.
    """
    everything = (*one, *other)
    if not all(np.isfinite(part).all() for part in everything):
        return float("nan")
    if not all(np.isfinite(orbital_period_s(state)) for state in other.states_teme_m):
        return float("nan")
    moved = np.stack([propagate_two_body(state, np.array([-later_s]))[0] for state in other.states_teme_m])
    apart_m = (moved[1] - moved[0])[:3] - (one.states_teme_m[1] - one.states_teme_m[0])[:3]
    covariance = _together(one.states_teme_m, one.covariances_rtn_m2)
    covariance = covariance + _together(moved, other.covariances_rtn_m2)
    try:
        whitened = np.linalg.solve(np.linalg.cholesky(covariance), apart_m)
    except np.linalg.LinAlgError:
        return float("nan")
    return float(np.linalg.norm(whitened))
