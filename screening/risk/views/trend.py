"""One encounter as different data see it: how sure each is of the relative position, and of the probability.

The band of a probability is what it would be if the errors of both objects were wrong by up to a factor.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from screening.risk.geometry.rtn import covariances_m2, rtn_covariance_to_inertial
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.maximum import maximum_over_scale

LEAST_SCALE, LARGEST_SCALE = 0.5, 2.0  # of all sigmas together


class Seen(NamedTuple):
    """An encounter as seen n times; NaN for what is not known."""

    primary_teme_m: FloatArray  # (n, 6) state at TCA, m and m/s
    secondary_teme_m: FloatArray
    primary_sigma_m: FloatArray  # (n, 3) 1-sigma position, own RTN
    secondary_sigma_m: FloatArray
    primary_correlations: FloatArray  # (n, 3) of these errors: R with T, R with N, T with N
    secondary_correlations: FloatArray
    hard_body_radius_m: FloatArray  # (n,) combined; NaN: no plane integral


class Certainty(NamedTuple):
    """What follows for each (n,); NaN where it is not defined."""

    miss_rtn_m: FloatArray  # (n, 3) secondary minus primary at TCA, in the primary's RTN
    sigma_rtn_m: FloatArray  # (n, 3) 1-sigma of that
    miss_sigmas: FloatArray  # Mahalanobis length of the miss in the encounter plane
    probability_low: FloatArray  # the least exact 2-D probability with all sigmas times 1/2 to 2
    probability_high: FloatArray  # the largest


def certainty(seen: Seen) -> Certainty:
    """Compute how sure each view of an encounter is."""
    primary, secondary = seen.primary_teme_m, seen.secondary_teme_m
    covariances = [
        rtn_covariance_to_inertial(covariances_m2(sigmas, correlations), state[:, :3], state[:, 3:])
        for sigmas, correlations, state in (
            (seen.primary_sigma_m, seen.primary_correlations, primary),
            (seen.secondary_sigma_m, seen.secondary_correlations, secondary),
        )
    ]
    axes = rtn_axes(primary[:, :3], primary[:, 3:])
    in_rtn = axes @ (covariances[0] + covariances[1]) @ axes.transpose(0, 2, 1)
    states = primary[:, :3], primary[:, 3:], secondary[:, :3], secondary[:, 3:]
    plane = encounter_plane(*states, *covariances)
    with np.errstate(invalid="ignore", divide="ignore"):
        sigmas = np.hypot(plane.miss_major_m / plane.sigma_major_m, plane.miss_minor_m / plane.sigma_minor_m)
        low, high = _band(plane, seen.hard_body_radius_m)
        return Certainty(
            miss_rtn_m=np.einsum("nij,nj->ni", axes, secondary[:, :3] - primary[:, :3]),
            sigma_rtn_m=np.sqrt(np.diagonal(in_rtn, axis1=1, axis2=2)),
            miss_sigmas=sigmas,
            probability_low=low,
            probability_high=high,
        )


def _band(plane: EncounterPlane, radius_m: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest probability (n,) over the scale.

    It rises to one peak and falls: the largest is there, or at an end; the least at an end.
    """
    miss_m = plane.miss_major_m, plane.miss_minor_m
    major_m, minor_m = plane.sigma_major_m, plane.sigma_minor_m
    ends = [
        exact_2d(*miss_m, major_m * scale, minor_m * scale, radius_m)[0]
        for scale in (LEAST_SCALE, LARGEST_SCALE)
    ]
    peak, _, scale = maximum_over_scale(*miss_m, major_m, minor_m, radius_m)
    within: npt.NDArray[np.bool_] = (scale >= LEAST_SCALE) & (scale <= LARGEST_SCALE)
    allowed = plane.positive_definite
    low = np.where(allowed, np.minimum(*ends), np.nan)
    return low, np.where(allowed, np.where(within, peak, np.maximum(*ends)), np.nan)
