"""The exact two-dimensional collision probability (Foster's integral), and its largest value over sigma."""

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.timegrid import FloatArray
from screening.risk.probability.exact_2d_kernel import log_probability_of


def exact_2d(
    miss_major_m: FloatArray,
    miss_minor_m: FloatArray,
    sigma_major_m: FloatArray,
    sigma_minor_m: FloatArray,
    radius_m: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Integrate the Gaussian of the relative position over the disk of the combined hard-body radius.

    Takes and returns (n,): the probability and its natural logarithm, which remains valid if the probability
    is below the smallest double. Relative error under 1e-9 down to 1e-200 for aspect ratios to 1000 and radii
    to 100 sigmas. NaN where a sigma is not positive or an argument not finite. Foster & Estes 1992; Alfano
    2005, "A numerical implementation of spherical object collision probability".
    """
    geometry = contiguous(miss_major_m, miss_minor_m, sigma_major_m, sigma_minor_m, radius_m)
    logarithm = np.empty(len(geometry[0]))
    _log_probabilities(*geometry, logarithm)
    return np.exp(logarithm), logarithm


def contiguous(*arrays: npt.ArrayLike) -> list[FloatArray]:
    """Return the arrays broadcast to one length (n,) and contiguous, as the kernels need them."""
    return [
        np.ascontiguousarray(a)
        for a in np.broadcast_arrays(*(np.atleast_1d(np.asarray(a, float)) for a in arrays))
    ]


@kernel
def _log_probabilities(miss_major, miss_minor, sigma_major, sigma_minor, radius, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        out[i] = log_probability_of(miss_major[i], miss_minor[i], sigma_major[i], sigma_minor[i], radius[i])
