"""Covariances of ephemerides: turned into the object's RTN, repaired where only rounding has spoiled them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.reference.local_axes import rtn_axes, tnw_axes
from screening.orbits.texts.ephemerides.frames import LocalName
from screening.orbits.timegrid import FloatArray, UtcArray

# Eigenvalues of the correlations: text of six digits spoils them by less than 1e-5, a wrong sign by 0.1.
TINY = -1e-3
_ROUNDING = -1e-12


class Repaired(NamedTuple):
    """Covariances without negative eigenvalues."""

    covariances: FloatArray  # (k, 6, 6)
    smallest: FloatArray  # (k,) eigenvalue of the correlations as read; NaN: a variance is negative
    was_repaired: npt.NDArray[np.bool_]  # (k,)


def to_rtn(
    covariances: FloatArray,
    frame: FrameName | LocalName,
    utc: UtcArray,
    r_teme_km: FloatArray,
    v_teme_km_s: FloatArray,
    frozen_at: np.datetime64 | None,
) -> FloatArray:
    """Turn covariances (k, 6, 6) of one frame into RTN of the states (k, 3) at their epochs."""
    axes = rtn_axes(r_teme_km, v_teme_km_s)
    if frame == "RTN":
        return covariances
    if frame == "TNW":
        turn = _of_states(axes @ tnw_axes(r_teme_km, v_teme_km_s).transpose(0, 2, 1))
    else:
        turn = _of_states(axes) @ rotations_to_teme(frame, utc, frozen_at).states_turn()
    turned: FloatArray = turn @ covariances @ turn.transpose(0, 2, 1)
    return turned


def repaired(covariances: FloatArray) -> Repaired:
    """Clip eigenvalues of the correlations that are a little below zero; the largest change is TINY.

    Correlations, since a covariance of km2 and km2/s2 has eigenvalues twelve orders apart. What is below TINY
    is left as it is; the caller refuses it.
    """
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    scale = np.sqrt(np.where(variances > 0.0, variances, 1.0))
    scales = scale[:, :, None] * scale[:, None, :]
    values, vectors = np.linalg.eigh(covariances / scales)
    smallest = np.where((variances < 0.0).any(axis=1), np.nan, values[:, 0])
    tiny = (smallest < _ROUNDING) & (smallest >= TINY)
    clipped = (vectors * np.maximum(values, 0.0)[:, None, :]) @ vectors.transpose(0, 2, 1) * scales
    return Repaired(np.where(tiny[:, None, None], clipped, covariances), smallest, tiny)


def states_between(
    epochs: UtcArray, r_km: FloatArray, v_km_s: FloatArray, wanted: UtcArray
) -> tuple[FloatArray, FloatArray]:
    """Return states at instants within the epochs, by the cubic through both neighbours: for axes alone."""
    left = np.clip(np.searchsorted(epochs, wanted, side="right") - 1, 0, len(epochs) - 2)
    step_s = ((epochs[left + 1] - epochs[left]) / np.timedelta64(1, "s"))[:, None]
    u = ((wanted - epochs[left]) / np.timedelta64(1, "s"))[:, None] / step_s
    r0, r1, d0, d1 = r_km[left], r_km[left + 1], v_km_s[left] * step_s, v_km_s[left + 1] * step_s
    square, cube = 3.0 * (r1 - r0) - 2.0 * d0 - d1, d0 + d1 - 2.0 * (r1 - r0)
    return r0 + u * (d0 + u * (square + u * cube)), (d0 + u * (2.0 * square + 3.0 * u * cube)) / step_s


def _of_states(turn: FloatArray) -> FloatArray:
    both = np.zeros((len(turn), 6, 6))
    both[:, :3, :3] = both[:, 3:, 3:] = turn
    return both
