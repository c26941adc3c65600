"""Compute how far the orbits' curvature displaces colliding trajectories, before any is drawn.

A Gaussian in straight coordinates puts an error t along the orbit on the tangent; the orbit has fallen t^2 /
(2 r) below it there. Where that fall is not small compared with the other errors or the objects, the
covariance does not describe where the objects may be, and sampling it gives no probability.
"""

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.monte_carlo.likely_times import LikelyTimes
from screening.risk.monte_carlo.relative_motion import joint_root
from screening.risk.probability.validity import curvature_shift_sigmas


def curvature_sigmas(
    states: tuple[FloatArray, FloatArray],
    covariances: tuple[FloatArray, FloatArray],
    times: LikelyTimes,
    cross_covariance: FloatArray | None = None,
) -> float:
    """Return by how many sigmas of the relative position the fall displaces colliding trajectories.

    States (6,) and covariances (6, 6) of both objects at TCA, m and m/s. The larger of two measures: that of
    the likeliest meeting in the encounter plane (`validity_flags`), which misses errors along the relative
    motion; and that of colliding trajectories, which misses errors so long that the linear motion of the
    deviations never brings the objects together.
    """
    objects = [
        (state[np.newaxis, :3], state[np.newaxis, 3:], covariance[np.newaxis, :3, :3])
        for state, covariance in zip(states, covariances, strict=True)
    ]
    (r1, v1, c1), (r2, v2, c2) = objects
    shared = np.zeros((1, 3, 3)) if cross_covariance is None else cross_covariance[np.newaxis, :3, :3]
    with np.errstate(invalid="ignore", divide="ignore"):  # no plane without relative motion: NaN
        plane = encounter_plane(r1, v1, r2, v2, c1, c2, shared)
        in_plane = curvature_shift_sigmas(
            plane, (r1, v1, c1 - shared), (r2, v2, c2 - shared.transpose(0, 2, 1))
        )
    root = joint_root(*covariances, cross_covariance)
    return float(np.fmax(in_plane[0], _of_trajectories(states, root, times)))


def _of_trajectories(states: tuple[FloatArray, FloatArray], root: FloatArray, times: LikelyTimes) -> float:
    """Return the root mean square fall of colliding trajectories, in sigmas of the relative position.

    At each time the colliding draws z are Gaussian: the distribution of all draws, conditioned on a relative
    position in the sphere; the in-track deviations are linear in z, so the mean of the squared falls follows
    from Gaussian fourth moments.
    """
    falls, in_track = _falls(states, root)
    gain = np.linalg.solve(times.covariance_m2, times.spread_m).transpose(0, 2, 1)  # (k, 12, 3)
    mean = -np.einsum("oj,kji,ki->ko", in_track, gain, times.mean_m)
    seen = np.einsum("kij,oj->kio", times.spread_m, in_track)
    covariance = in_track @ in_track.T - np.einsum("oj,kji,kip->kop", in_track, gain, seen)
    # E[a^2 b^2] = (m_a^2 + v_a) (m_b^2 + v_b) + 2 c^2 + 4 m_a m_b c, c the covariance of a and b
    square = mean**2 + np.diagonal(covariance, axis1=1, axis2=2)
    crossed = mean[:, :, None] * mean[:, None, :] * covariance
    fourth = square[:, :, None] * square[:, None, :] + 2.0 * covariance**2 + 4.0 * crossed
    metric = falls @ np.linalg.solve(times.covariance_m2, np.broadcast_to(falls.T, (len(mean), 3, 2)))
    squared = np.einsum("kop,kop->k", metric, fourth)
    return float(np.sqrt(np.average(np.maximum(squared, 0.0), weights=times.likely)))


def _falls(states: tuple[FloatArray, FloatArray], root: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return (2, 3), the fall per squared in-track deviation, and (2, 12), that deviation as a row of z."""
    falls, in_track = np.zeros((2, 3)), np.zeros((2, 12))
    for which, (state, sign) in enumerate(zip(states, (1.0, -1.0), strict=True)):
        axes = rtn_axes(state[np.newaxis, :3], state[np.newaxis, 3:])[0]
        falls[which] = sign * axes[0] / (2.0 * np.linalg.norm(state[:3]))
        in_track[which] = axes[1] @ root[6 * which : 6 * which + 3]
    return falls, in_track
