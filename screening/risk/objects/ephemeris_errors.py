"""The covariances that operators give with their ephemerides, between the epochs at which they give them.

Standard deviations are interpolated geometrically, correlations linearly. A mean of correlation matrices is
one, so the result is always a covariance; and it does not depend on units, as a mean of logarithms of
matrices would. Nothing is extrapolated.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.ephemerides import Segment
from screening.orbits.timegrid import FloatArray, TimeWindow

M2_PER_KM2 = 1e6


class EphemerisErrors(NamedTuple):
    """Covariances of positions in the segments of ephemerides; times are seconds from a window's start."""

    times_s: FloatArray  # (c,) ascending in each segment
    covariance_rtn_m2: FloatArray  # (c, 3, 3), in the object's own RTN
    starts: npt.NDArray[np.int64]  # (s + 1,) where those of each segment begin

    def at(self, segments: npt.NDArray[np.integer], times_s: FloatArray) -> FloatArray:
        """Return covariances (k, 3, 3), m^2, in segments (k,) at times (k,); NaN where none is given."""
        found = np.full((len(times_s), 3, 3), np.nan)
        for segment in np.unique(segments):
            own = slice(self.starts[segment], self.starts[segment + 1])
            given_s = self.times_s[own]
            here = np.flatnonzero(segments == segment)
            if len(given_s):
                here = here[(times_s[here] >= given_s[0]) & (times_s[here] <= given_s[-1])]
                found[here] = covariances_between(given_s, self.covariance_rtn_m2[own], times_s[here])
        return found


def errors_of(segments: Sequence[Segment], span: TimeWindow) -> EphemerisErrors:
    """Return the covariances of segments, with times from the start of a window."""
    epochs = np.concatenate([np.empty(0, "M8[us]"), *(one.covariance_epochs for one in segments)])
    matrices = np.concatenate([np.empty((0, 6, 6)), *(one.covariance_rtn for one in segments)])
    counts = [len(one.covariance_epochs) for one in segments]
    return EphemerisErrors(
        (epochs.astype("M8[us]") - span.start) / np.timedelta64(1, "us") / 1e6,
        matrices[:, :3, :3] * M2_PER_KM2,
        np.cumsum([0, *counts]).astype(np.int64),
    )


def covariances_between(given_s: FloatArray, covariances: FloatArray, times_s: FloatArray) -> FloatArray:
    """Interpolate covariances (c, m, m) at times (k,) that lie within `given_s` (c,)."""
    later = np.clip(np.searchsorted(given_s, times_s), 1, max(1, len(given_s) - 1))
    earlier, later = later - 1, np.minimum(later, len(given_s) - 1)
    length_s = given_s[later] - given_s[earlier]
    share = np.divide(times_s - given_s[earlier], length_s, out=np.zeros_like(times_s), where=length_s > 0.0)
    weights = np.stack([1.0 - share, share])
    both = covariances[np.stack([earlier, later])]
    sigmas = np.sqrt(np.einsum("akii->aki", both))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = np.nan_to_num(both / _products(sigmas))
        sigma = np.exp(np.einsum("ak,aki->ki", weights, np.log(sigmas)))
    sigma = np.where((sigmas == 0.0).any(axis=0), 0.0, sigma)
    between: FloatArray = np.einsum("ak,akij->kij", weights, correlations) * _products(sigma)
    return between


def _products(sigma: FloatArray) -> FloatArray:
    """Return the products (..., m, m) of standard deviations (..., m)."""
    return sigma[..., :, np.newaxis] * sigma[..., np.newaxis, :]
