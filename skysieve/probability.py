"""The collision probability in the encounter plane."""

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import ROUNDING_OF_EIGENVALUES, principal
from screening.risk.probability.exact_2d import exact_2d
from storage.machine.kernel_folder import kernels_below
from storage.settings import StoreSettings, load_settings

# Matrices may have been printed and read again.
_LARGEST_ASYMMETRY = 1e-6  # of the larger variance
_TOO_LARGE_M2 = 1e100  # products of such variances overflow

_Bools = npt.NDArray[np.bool_]


def collision_probability(
    miss_plane_m: npt.ArrayLike, covariance_plane_m2: npt.ArrayLike, radius_m: npt.ArrayLike
) -> FloatArray:
    """Integrate the Gaussian of the miss over the disk of the combined hard-body radius (Foster's integral).

    `miss_plane_m` (..., 2) is the relative position in the plane normal to the relative velocity, m;
    `covariance_plane_m2` (..., 2, 2) the sum of both objects' position covariances in the same axes, m2;
    `radius_m` (...) the sum of both radii, m. They are broadcast against each other, and the result has their
    common shape (...): an array without axes for one encounter. Its relative error is below 1e-9, down to
    probabilities of 1e-200, for sigmas whose ratio is at most 1000 and radii of at most 100 sigmas. The
    integral holds for fast encounters: relative motion that is straight while the errors matter.

    A miss of 10 m along the smaller of two sigmas, 25 m and 50 m, and a radius of 5 m (Chan's second case in
    Alfano 2005):

    >>> import skysieve
    >>> probability = skysieve.collision_probability([0, 10], [[50**2, 0], [0, 25**2]], 5)
    >>> print(f"{probability:.6f}")
    0.009181

    Raises:
        InputError: a shape is wrong, a number not finite, a radius negative, a matrix not symmetric or not
            positive definite; the message names the first such encounter.
    """
    miss = _numbers("miss_plane_m", miss_plane_m, (2,))
    covariance = _numbers("covariance_plane_m2", covariance_plane_m2, (2, 2))
    radius = _numbers("radius_m", radius_m, ())
    shape = _common_shape(miss, covariance, radius)
    misses = np.broadcast_to(miss, (*shape, 2)).reshape(-1, 2)
    covariances = np.broadcast_to(covariance, (*shape, 2, 2)).reshape(-1, 2, 2)
    radii = np.broadcast_to(radius, shape).reshape(-1)
    _refuse(radii < 0.0, "radius_m", radii, shape, "must not be negative")
    larger, smaller, angle = _principal(covariances, shape)
    major = np.cos(angle) * misses[:, 0] + np.sin(angle) * misses[:, 1]
    minor = np.cos(angle) * misses[:, 1] - np.sin(angle) * misses[:, 0]
    kernels_below(load_settings(StoreSettings).kernel_cache)
    probability, _ = exact_2d(major, minor, np.sqrt(larger), np.sqrt(smaller), radii)
    return probability.reshape(shape)


def _numbers(name: str, given: npt.ArrayLike, last_axes: tuple[int, ...]) -> FloatArray:
    """Return an argument as doubles. Raises InputError unless its last axes are those, and all are finite."""
    try:
        numbers = np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers, in arrays of equal length: {error}.") from error
    if numbers.shape[numbers.ndim - len(last_axes) :] != last_axes:
        wanted = f"(..., {', '.join(map(str, last_axes))})"
        raise InputError(f"{name} has the shape {numbers.shape}; it must be {wanted}.")
    encounters = numbers.shape[: numbers.ndim - len(last_axes)]
    own_axes = tuple(range(len(encounters), numbers.ndim))
    infinite = np.any(~np.isfinite(numbers), axis=own_axes).reshape(-1)
    _refuse(infinite, name, numbers.reshape(-1, *last_axes), encounters, "must be finite")
    return numbers


def _common_shape(miss: FloatArray, covariance: FloatArray, radius: FloatArray) -> tuple[int, ...]:
    shapes = miss.shape[:-1], covariance.shape[:-2], radius.shape
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise InputError(
            f"miss_plane_m has shape {shapes[0]}, covariance_plane_m2 {shapes[1]} and radius_m {shapes[2]}: "
            "these cannot be broadcast to one shape."
        ) from error


def _principal(covariances: FloatArray, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return both eigenvalues (n,) of matrices (n, 2, 2), the larger first, and the angle of its axis."""
    variances = np.abs(covariances[:, (0, 1), (0, 1)]).max(axis=1)
    asymmetry = np.abs(covariances[:, 0, 1] - covariances[:, 1, 0])
    what = "covariance_plane_m2"
    _refuse(asymmetry > _LARGEST_ASYMMETRY * variances, what, covariances, shape, "must be symmetric")
    _refuse(variances >= _TOO_LARGE_M2, what, covariances, shape, f"must be below {_TOO_LARGE_M2:g} m2")
    _refuse(variances == 0.0, what, covariances, shape, "must be positive definite")
    symmetric = 0.5 * (covariances + covariances.transpose(0, 2, 1))
    larger, smaller, angle = principal(symmetric)
    definite = (symmetric[:, 0, 0] > 0.0) & (smaller > ROUNDING_OF_EIGENVALUES * larger)
    _refuse(~definite, what, covariances, shape, "must be positive definite")
    return larger, smaller, angle


def _refuse(wrong: _Bools, name: str, given: FloatArray, shape: tuple[int, ...], why: str) -> None:
    """Raise InputError, which names the first wrong encounter, if any is."""
    if not wrong.any():
        return
    first = int(np.argmax(wrong))
    place = [int(index) for index in np.unravel_index(first, shape)]
    where = f"{name}{place}" if place else name
    raise InputError(f"{where} is {given[first].tolist()}; it {why}.")
