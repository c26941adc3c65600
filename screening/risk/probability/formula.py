"""The closed formula for the collision probability, in units of sigma."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import BoolArray, EncounterPlane


def formula(h: FloatArray, u: FloatArray, r: FloatArray) -> FloatArray:
    """Return Pc = exp(-h^2/2) (1 - exp(-r^2/2)) erfc(u / (sqrt(2) r)) for arrays of one shape.

    h: Mahalanobis length of the miss in the encounter plane; u: the component along the relative velocity, in
    sigmas; r: combined hard-body radius over the geometric mean of the plane's two sigmas. With u = 0 it is
    the leading term of Chan's series (Chan 2008, "Spacecraft Collision Probability"). It holds within
    (R max(1, h) / s_minor)^2 / 8 of the exact integral, R the radius and s_minor the smaller sigma: it
    under-reports for round covariances and over-reports for elongated ones missed along the major axis.
    """
    beside = np.ones(np.shape(u))
    along = u != 0.0
    if along.any():
        from scipy.special import erfc  # takes 0.1 s to import, and no run has a u

        with np.errstate(divide="ignore", invalid="ignore"):
            beside[along] = erfc(u[along] / (np.sqrt(2.0) * r[along]))
    probability: FloatArray = np.exp(-0.5 * h * h) * -np.expm1(-0.5 * r * r) * beside
    return probability


def formula_arguments(
    plane: EncounterPlane, radius_m: FloatArray, at_minimum: BoolArray | bool = False
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return h, u and r of encounters (n,) with combined hard-body radii (n,).

    `at_minimum` says where the TCA is known to be a minimum of the distance: u is 0 there. The states do not
    always show it: SGP4's velocity is not quite the derivative of its position, and a message rounds its TCA
    to 1 ms, 15 m of a fast encounter. Either would leave a u that is small, but not compared with r.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        h: FloatArray = np.hypot(
            plane.miss_major_m / plane.sigma_major_m, plane.miss_minor_m / plane.sigma_minor_m
        )
        u = np.where(at_minimum, 0.0, np.abs(plane.miss_along_m) / plane.sigma_along_m)
        r: FloatArray = radius_m / np.sqrt(plane.sigma_major_m * plane.sigma_minor_m)
    return h, u, r
