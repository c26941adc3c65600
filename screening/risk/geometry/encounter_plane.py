"""The encounter plane: what matters of a miss and two covariances if the relative motion is straight.

During a fast encounter the relative velocity hardly changes, so whether two objects touch is decided in the
plane normal to it (Foster & Estes 1992; Alfano 2005). Everything later stages need is expressed in the
principal axes of the combined covariance projected on that plane.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane_kernel import (
    fill_products,
    fill_projected,
    fill_radials_and_normals,
    find_roots,
    turn,
)

BoolArray = npt.NDArray[np.bool_]

# Rotating a covariance leaves errors of some 1e-15 of its largest eigenvalue in the smallest.
ROUNDING_OF_EIGENVALUES = 1e-12


class EncounterPlane(NamedTuple):
    """Encounters (n,) seen along their relative velocity; secondary minus primary."""

    miss_major_m: FloatArray  # in the plane, along the larger sigma
    miss_minor_m: FloatArray  # in the plane, along the smaller sigma
    sigma_major_m: FloatArray
    sigma_minor_m: FloatArray
    sigma_along_m: FloatArray  # along the relative velocity
    miss_along_m: FloatArray  # component along the relative velocity: 0 at an exact TCA
    relative_speed_m_s: FloatArray
    positive_definite: BoolArray  # both covariances, and their sum in the plane
    major_axis: FloatArray  # (n, 3) unit vectors in the frame of the states, right-handed in this order
    minor_axis: FloatArray
    along_axis: FloatArray
    major_from_radial_rad: FloatArray  # the major axis, from the primary's radial as seen in the plane

    def of(self, rows: npt.NDArray[np.intp]) -> "EncounterPlane":
        """Return some of the encounters."""
        return EncounterPlane._make(field.take(rows, axis=0) for field in self)


def covariance_of_miss(
    covariance_primary: FloatArray, covariance_secondary: FloatArray, cross_covariance: FloatArray | None
) -> FloatArray:
    """Return the covariances (n, m, m) of the difference of both errors: C1 + C2 - X - X'.

    X is the cross-covariance of the primary's error with the secondary's, None if they are independent.
    """
    combined = covariance_primary + covariance_secondary
    if cross_covariance is None:
        return combined
    return combined - cross_covariance - cross_covariance.swapaxes(-1, -2)


def encounter_plane(
    r_primary_m: FloatArray,
    v_primary_m_s: FloatArray,
    r_secondary_m: FloatArray,
    v_secondary_m_s: FloatArray,
    covariance_primary_m2: FloatArray,
    covariance_secondary_m2: FloatArray,
    cross_covariance_m2: FloatArray | None = None,
) -> EncounterPlane:
    """Project encounters on the plane normal to their relative velocity.

    States are (n, 3), position covariances (n, 3, 3), all in one inertial frame: rotate each covariance from
    its own RTN first. The cross-covariance is that of `covariance_of_miss`. Without relative motion
    there is no plane, and values that depend on it are NaN. A projected covariance that is not positive
    definite gives a NaN sigma_minor.
    """
    miss = r_secondary_m - r_primary_m
    motion = v_secondary_m_s - v_primary_m_s
    combined = covariance_of_miss(covariance_primary_m2, covariance_secondary_m2, cross_covariance_m2)
    projected, sigma_along = np.empty(miss.shape), np.empty(len(miss))
    with np.errstate(invalid="ignore", divide="ignore"):
        speed = np.linalg.norm(motion, axis=1)
        along = motion / speed[:, np.newaxis]
        across, upright = radial_and_normal(r_primary_m, along)
        fill_projected(np.ascontiguousarray(combined), along, across, upright, projected, sigma_along)
        larger, smaller, angle = _principal(*projected.T)
        major, minor = np.empty(miss.shape), np.empty(miss.shape)
        turn(np.cos(angle), np.sin(angle), across, upright, major, minor)
        sigma_minor = np.sqrt(np.where(smaller > 0, smaller, np.nan))
        return EncounterPlane(
            miss_major_m=_dot(miss, major),
            miss_minor_m=_dot(miss, minor),
            sigma_major_m=np.sqrt(larger),
            sigma_minor_m=sigma_minor,
            sigma_along_m=sigma_along,
            miss_along_m=_dot(miss, along),
            relative_speed_m_s=speed,
            positive_definite=(
                _positive_semidefinite(covariance_primary_m2)
                & _positive_semidefinite(covariance_secondary_m2)
                & (np.isfinite(sigma_minor) | (speed == 0))
            ),
            major_axis=major,
            minor_axis=minor,
            along_axis=along,
            major_from_radial_rad=angle,
        )


def radial_and_normal(r: FloatArray, along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two unit vectors (n, 3) of the planes normal to unit vectors `along`, at positions `r`.

    The first is the radial as seen in the plane, the second along x radial.
    """
    across, upright = np.empty(along.shape), np.empty(along.shape)
    fill_radials_and_normals(*map(np.ascontiguousarray, (r, along)), across, upright)
    return across, upright


def principal(projected: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the larger and smaller eigenvalue of symmetric (n, 2, 2), and the angle of the larger's axis.

    The angle is in radians, from the first axis towards the second.
    """
    return _principal(projected[:, 0, 0], projected[:, 0, 1], projected[:, 1, 1])


def _principal(a: FloatArray, b: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    larger = 0.5 * (a + c) + np.hypot(0.5 * (a - c), b)
    # The product form keeps the digits of the smaller one, which the difference would lose.
    smaller = (a * c - b * b) / larger
    return larger, smaller, 0.5 * np.arctan2(2.0 * b, a - c)


def _positive_semidefinite(covariance: FloatArray) -> BoolArray:
    # An object known exactly (a covariance of zeros) is allowed: only the sum has to have an inverse.
    allowed = _has_a_cholesky_factor(covariance)
    doubtful = np.flatnonzero(~allowed)
    doubtful = doubtful[np.isfinite(covariance[doubtful]).all(axis=(1, 2))]
    eigenvalues = np.linalg.eigvalsh(covariance[doubtful])
    allowed[doubtful] = eigenvalues[:, 0] >= -ROUNDING_OF_EIGENVALUES * eigenvalues[:, 2]
    return allowed


def _has_a_cholesky_factor(covariance: FloatArray) -> BoolArray:
    """Return which symmetric (n, 3, 3) have one as they are, so no eigenvalue below zero but for rounding.

    Pivots take a tenth of the time of eigenvalues (Higham 2002, Accuracy and Stability of Numerical
    Algorithms, theorem 10.7).
    """
    has = np.empty(len(covariance), np.bool_)
    find_roots(np.ascontiguousarray(covariance), has)
    return has


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    product = np.empty(len(a))
    fill_products(a, b, product)
    return product
