"""Covariances rotated out of the radial, in-track, cross-track frame of an orbit, and speeds along it."""

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray

# Kernels are imported where they are used: they import numba, which an idle service does not need.


def speed_rt_km_s(r_km: FloatArray, v_km_s: FloatArray) -> FloatArray:
    """Return the speeds (n, 2) of states (n, 3) away from the Earth and along the track, km/s."""
    from screening.risk.geometry.rtn_kernel import fill_speeds

    speeds = np.empty((len(r_km), 2))
    fill_speeds(*map(np.ascontiguousarray, (r_km, v_km_s)), speeds)
    return speeds


def rtn_covariance_to_inertial(covariance_rtn: FloatArray, r: FloatArray, v: FloatArray) -> FloatArray:
    """Rotate covariances out of each object's OWN RTN into the inertial frame of the states (n, 3).

    `covariance_rtn` is (n, 3) standard deviations along R, T, N, or (n, 3, 3) of position, or (n, 6, 6) of
    position and velocity; the rotation of the RTN frame itself is not part of a CDM's covariance (CCSDS
    508.0-B-1: the frame is inertial, frozen at TCA). Returns (n, 3, 3) or (n, 6, 6).
    """
    if covariance_rtn.ndim == 2:
        from screening.risk.geometry.rtn_kernel import turn_out_sigmas

        inertial = np.empty((len(covariance_rtn), 3, 3))
        turn_out_sigmas(*map(np.ascontiguousarray, (covariance_rtn, r, v)), np.empty((3, 3)), inertial)
        return inertial
    axes = rtn_axes(r, v)
    back = axes.transpose(0, 2, 1)
    if covariance_rtn.shape[1] == 6:
        both = np.zeros_like(covariance_rtn)
        both[:, :3, :3] = both[:, 3:, 3:] = axes
        axes, back = both, both.transpose(0, 2, 1)
    rotated: FloatArray = back @ covariance_rtn @ axes
    return rotated


def along_rtn(vectors: FloatArray, r: FloatArray, v: FloatArray) -> FloatArray:
    """Return vectors (n, 3) along the radial, in-track and cross-track axes of states (n, 3)."""
    from screening.risk.geometry.rtn_kernel import fill_along

    out = np.empty(vectors.shape)
    fill_along(*map(np.ascontiguousarray, (r, v, vectors)), np.empty((3, 3)), out)
    return out


def covariances_m2(sigma_m: FloatArray, correlations: FloatArray) -> FloatArray:
    """Return covariances (n, 3, 3) of standard deviations (n, 3) and their correlations (n, 3)."""
    matrices = np.broadcast_to(np.eye(3), (len(sigma_m), 3, 3)).copy()
    rows, columns = np.triu_indices(3, 1)
    matrices[:, rows, columns] = matrices[:, columns, rows] = correlations
    scaled: FloatArray = matrices * sigma_m[:, :, np.newaxis] * sigma_m[:, np.newaxis, :]
    return scaled
