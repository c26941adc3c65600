"""What the sigmas of objects leave out of their errors."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray


class Tails(NamedTuple):
    """The other parts of the errors of objects (k,): tails of their sets, and burns since their epochs."""

    tail_share: FloatArray  # (k,)
    tail_scale_rtn: FloatArray  # (k, 3), on the sigmas
    burn_share: FloatArray  # (k,)
    burn_in_track_m: FloatArray  # (k,), 1-sigma displacement if there was a burn

    def weights(self) -> FloatArray:
        """Return the weights (k, 3) of the parts: quiet, tail, burnt."""
        quiet = 1.0 - self.burn_share
        shares = [quiet * (1.0 - self.tail_share), quiet * self.tail_share, self.burn_share]
        return np.stack(shares, axis=1)


def within_rtn_m(sigma_rtn_m: FloatArray, tails: Tails, share: float) -> FloatArray:
    """Return within what a share of the errors of objects (k,) lies, on each axis (k, 3), m: of all parts.

    sigma_rtn_m (k, 3), m, are those of the quiet parts. Found by halving, to a thousandth.
    """
    from scipy.special import erf  # takes 0.1 s to import

    scales = np.stack([np.ones_like(tails.tail_scale_rtn), tails.tail_scale_rtn], axis=1)
    burnt_m = sigma_rtn_m.copy()
    burnt_m[:, 1] = np.hypot(sigma_rtn_m[:, 1], tails.burn_in_track_m)
    parts_m = np.concatenate([scales * sigma_rtn_m[:, np.newaxis], burnt_m[:, np.newaxis]], axis=1)
    weights = tails.weights()[:, :, np.newaxis]
    low_m: FloatArray = np.zeros_like(sigma_rtn_m)
    high_m: FloatArray = 10.0 * parts_m.max(axis=1)
    while np.any(high_m - low_m > 1e-3 * high_m):
        middle_m = (low_m + high_m) / 2.0
        inside = (weights * erf(middle_m[:, np.newaxis] / (np.sqrt(2.0) * parts_m))).sum(axis=1)
        low_m, high_m = np.where(inside < share, middle_m, low_m), np.where(inside < share, high_m, middle_m)
    return high_m
