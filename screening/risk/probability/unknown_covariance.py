"""The covariance of an object without one that makes a collision likeliest."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import principal
from screening.risk.probability.exact_2d import exact_2d

DECADES = 4.0  # of the variance, on either side of the one that is best for a point
COARSE, FINE = 81, 41  # variances tried: 10 per decade, then 200, where P changes by about 1e-5 of itself
SMALL_DISK = 0.1  # of the known smaller sigma: a disk this small counts as a point
DIRECTIONS = 24
SMALLEST_SIGMA = 1e-4  # of the radius, instead of 0


def likeliest_covariance(miss_m: FloatArray, known_m2: FloatArray, radius_m: float) -> FloatArray:
    """Return the unknown covariance (2, 2), m^2, with which a collision is likeliest.

    `miss_m` (2,) and the known object's covariance (2, 2), positive definite, in the encounter plane. For a
    point, the worst covariance of the other object has no width, lies along the miss, and has the variance
    |m|^2 (1 - 1/k), where k = m' C^-1 m > 1 is the squared distance in sigmas of the known one; the miss is
    then at one sigma. For k of 1 or less it is 0. (Frisbee 2015, "An upper bound on high speed satellite
    collision probability when only one object has position uncertainty information", AAS 15-717.) From there
    the integral over the disk is maximised, also in other directions if the disk is not small. The result is
    the largest to within 1e-5 of itself.
    """
    square = float(miss_m @ miss_m)
    if square == 0.0:
        return np.zeros((2, 2))
    toward = np.arctan2(miss_m[1], miss_m[0])
    k = float(miss_m @ np.linalg.solve(known_m2, miss_m))
    best = square * max(1.0 - 1.0 / k, 1e-3)
    angles = np.array([toward])
    if radius_m > SMALL_DISK * np.sqrt(principal(known_m2[np.newaxis])[1][0]):
        angles = toward + np.linspace(0.0, np.pi, DIRECTIONS, endpoint=False)
    angle, variance = _likeliest(
        miss_m, known_m2, radius_m, angles, best * 10.0 ** np.linspace(-DECADES, DECADES, COARSE)
    )
    width, step = np.pi / DIRECTIONS, 2.0 * DECADES / (COARSE - 1)
    around = np.array([angle]) if len(angles) == 1 else angle + np.linspace(-width, width, FINE)
    angle, variance = _likeliest(
        miss_m, known_m2, radius_m, around, variance * 10.0 ** np.linspace(-step, step, FINE)
    )
    return variance * np.outer(*[np.array([np.cos(angle), np.sin(angle)])] * 2)


def _likeliest(
    miss_m: FloatArray, known_m2: FloatArray, radius_m: float, angles: FloatArray, variances: FloatArray
) -> tuple[float, float]:
    """Return the direction and the variance, perhaps 0, with which a collision is likeliest."""
    angle, variance = (grid.ravel() for grid in np.meshgrid(angles, np.append(variances, 0.0)))
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    unknown = variance[:, np.newaxis, np.newaxis] * along[:, :, np.newaxis] * along[:, np.newaxis, :]
    larger, smaller, turn = principal(known_m2 + unknown)
    cosine, sine = np.cos(turn), np.sin(turn)
    major = cosine * miss_m[0] + sine * miss_m[1]
    minor = cosine * miss_m[1] - sine * miss_m[0]
    sigma_minor = np.sqrt(np.maximum(smaller, (SMALLEST_SIGMA * radius_m) ** 2))
    _, logarithm = exact_2d(major, minor, np.sqrt(larger), sigma_minor, np.full(len(angle), radius_m))
    found = int(np.argmax(logarithm))
    return float(angle[found]), float(variance[found])
