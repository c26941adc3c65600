"""Predicted positions of two objects against later ones at the same instant."""

from typing import NamedTuple

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.probability.tails import Tails
from screening.verification.region import Part, content

_KM_TO_M = 1000.0


class Predicted(NamedTuple):
    """One object in each of several predictions (n,), at their TCAs, TEME."""

    r_km: FloatArray  # (n, 3)
    v_km_s: FloatArray  # (n, 3)
    sigma_rtn_m: FloatArray  # (n, 3), 1-sigma of the quiet part, own RTN
    tails: Tails


class PredictionErrors(NamedTuple):
    """What came minus what was predicted, for predictions (n,); NaN where a later position is missing."""

    primary_sigmas_rtn: FloatArray  # (n, 3), own RTN, in 1-sigma of the quiet part
    secondary_sigmas_rtn: FloatArray  # (n, 3)
    miss_error_rtn_m: FloatArray  # (n, 3), of secondary minus primary, RTN of the primary
    miss_sigma_rtn_m: FloatArray  # (n, 3), 1-sigma of that, quiet parts
    region: FloatArray  # (n,), probability of the smallest region that holds the error, 0 to 1
    miss_distance_m: FloatArray  # (n,), closest approach of the later paths


def prediction_errors(
    primary: Predicted,
    secondary: Predicted,
    later_r_km: tuple[FloatArray, FloatArray],
    later_v_km_s: tuple[FloatArray, FloatArray],
) -> PredictionErrors:
    """Compare predictions (n,) with later states (n, 3) of both at the predicted TCAs, TEME.

    The closest approach of the later paths is that of straight lines: of fast encounters.
    """
    sides = (primary, secondary)
    axes = [rtn_axes(one.r_km, one.v_km_s) for one in sides]
    off_m = [(r - one.r_km) * _KM_TO_M for r, one in zip(later_r_km, sides, strict=True)]
    own = [np.einsum("nij,nj->ni", *both) for both in zip(axes, off_m, strict=True)]
    turned = np.einsum("nij,nkj->nik", axes[0], axes[1])  # from the secondary's RTN to the primary's
    error_rtn_m = np.einsum("nij,nj->ni", axes[0], off_m[1] - off_m[0])
    parts = [_parts(primary, None), _parts(secondary, turned)]
    quiet = parts[0][0].covariance_m2 + parts[1][0].covariance_m2
    between = [later_r_km[1] - later_r_km[0], later_v_km_s[1] - later_v_km_s[0]]
    return PredictionErrors(
        own[0] / primary.sigma_rtn_m,
        own[1] / secondary.sigma_rtn_m,
        error_rtn_m,
        np.sqrt(np.einsum("nii->ni", quiet)),
        content(error_rtn_m, *parts),
        _closest_m(*between),
    )


def _parts(one: Predicted, turned: FloatArray | None) -> list[Part]:
    """Return the parts of an object's errors, quiet first, in its own axes or turned to others (n, 3, 3)."""
    tails, variance = one.tails, one.sigma_rtn_m**2
    burnt = variance.copy()
    burnt[:, 1] += tails.burn_in_track_m**2
    calm = 1.0 - tails.burn_share
    weighted = (
        (calm * (1.0 - tails.tail_share), variance),
        (calm * tails.tail_share, variance * tails.tail_scale_rtn**2),
        (tails.burn_share, burnt),
    )
    return [Part(weight, _covariance(own, turned)) for weight, own in weighted]


def _covariance(variance: FloatArray, turned: FloatArray | None) -> FloatArray:
    if turned is None:
        return variance[:, :, np.newaxis] * np.eye(3)
    covariance: FloatArray = (turned * variance[:, np.newaxis, :]) @ turned.transpose(0, 2, 1)
    return covariance


def _closest_m(r_km: FloatArray, v_km_s: FloatArray) -> FloatArray:
    speed2 = np.einsum("ni,ni->n", v_km_s, v_km_s)
    along = np.einsum("ni,ni->n", r_km, v_km_s) / np.where(speed2 > 0.0, speed2, 1.0)
    closest: FloatArray = np.linalg.norm(r_km - along[:, np.newaxis] * v_km_s, axis=1) * _KM_TO_M
    return closest
