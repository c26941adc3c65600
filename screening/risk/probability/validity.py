"""Flag encounters for which the two-dimensional probability does not hold."""

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import PROBABILITY_FLAGS
from screening.risk.geometry.encounter_plane import EncounterPlane
from screening.risk.geometry.two_body import MU_M3_S2
from screening.risk.probability.validity_kernel import fill_shifts

LARGEST_TURN_RAD = 0.05
LONGEST_PART_OF_A_REVOLUTION = 0.02
SIGMAS_PASSED = 8.0  # from 4 sigmas before to 4 behind
LARGEST_CURVATURE_SHIFT_SIGMAS = 0.1

FlagArray = npt.NDArray[np.uint8]
ObjectErrors = tuple[FloatArray, FloatArray, FloatArray]


def validity_flags(
    plane: EncounterPlane,
    r_primary_m: FloatArray,
    v_primary_m_s: FloatArray,
    r_secondary_m: FloatArray,
    v_secondary_m_s: FloatArray,
    covariance_primary_m2: FloatArray,
    covariance_secondary_m2: FloatArray,
) -> FlagArray:
    """Return which assumptions of the 2-D integral encounters (n,) violate, as bits of PROBABILITY_FLAGS.

    The 2-D integral assumes straight and uniform relative motion while it matters, and Gaussian errors along
    straight lines. With n the mean motion at the encounter's radius, d the miss in the plane and v the
    relative speed:

    slow   n d / v > 0.05. Relative acceleration is of the order n^2 d; over the time d / v in which the miss
           matters it turns the relative velocity by the angle n d / v.
    long   8 sigma_along n / (2 pi v) > 0.02: the time in which the 8 sigmas along the relative velocity pass
           by, as a fraction of a revolution, during which neither velocity nor covariance is constant.
    curved H > 0.1. For the objects to meet, their errors must make up the miss; the likeliest way to (the
           least squared distance in sigmas) displaces the primary by C1 g and the secondary by -C2 g, g =
           P' (P C P')^-1 P m, P the projection on the plane, C = C1 + C2 and m the miss. The in-track parts t
           of these displacements follow the orbit and fall t^2 / (2 r) below the straight line on which the
           covariance puts them. H is the difference of the two falls, in sigmas of the plane.
    non_positive_definite  as found in the plane.

    An impossible comparison (no relative velocity, NaN) raises its flag. The first two conditions follow the
    reasoning of Coppola 2012, "Including velocity uncertainty in the probability of collision between space
    objects", and of Hall 2021, "Expected collision rates for tracked satellites"; the limits are chosen to
    separate the messages of NASA CARA whose Monte Carlo value differs from the 2-D one.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        radius = np.linalg.norm(r_primary_m, axis=1)
        mean_motion = np.sqrt(MU_M3_S2 / radius**3)
        miss = np.hypot(plane.miss_major_m, plane.miss_minor_m)
        turn = mean_motion * miss / plane.relative_speed_m_s
        seconds = SIGMAS_PASSED * plane.sigma_along_m / plane.relative_speed_m_s
        shift = curvature_shift_sigmas(
            plane,
            (r_primary_m, v_primary_m_s, covariance_primary_m2),
            (r_secondary_m, v_secondary_m_s, covariance_secondary_m2),
        )
        holds = {
            "slow": turn <= LARGEST_TURN_RAD,
            "long": seconds * mean_motion / (2.0 * np.pi) <= LONGEST_PART_OF_A_REVOLUTION,
            "curved": shift <= LARGEST_CURVATURE_SHIFT_SIGMAS,
            "non_positive_definite": plane.positive_definite,
        }
    flags = np.zeros(len(radius), np.uint8)
    for bit, word in enumerate(PROBABILITY_FLAGS):
        flags |= np.where(holds[word], 0, 1 << bit).astype(np.uint8)
    return flags


def curvature_shift_sigmas(
    plane: EncounterPlane, primary: ObjectErrors, secondary: ObjectErrors
) -> FloatArray:
    """Return H (n,) of `validity_flags`; objects are positions, velocities (n, 3), covariances (n, 3, 3)."""
    towards = (
        plane.major_axis * (plane.miss_major_m / plane.sigma_major_m**2)[:, np.newaxis]
        + plane.minor_axis * (plane.miss_minor_m / plane.sigma_minor_m**2)[:, np.newaxis]
    )
    shift = np.empty(len(towards))
    fill_shifts(
        towards,
        tuple(map(np.ascontiguousarray, (*primary[:2], *secondary[:2]))),
        tuple(map(np.ascontiguousarray, (primary[2], secondary[2]))),
        (plane.major_axis, plane.minor_axis),
        (plane.sigma_major_m, plane.sigma_minor_m),
        shift,
    )
    return shift
