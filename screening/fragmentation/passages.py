"""Where orbits pass a point: how far away, and how fast against an object there."""

from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.reference.local_axes import cross, rtn_axes
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, UtcArray, instants

METRES_PER_KM = 1000.0
# What a fresh set is off by, measured: pieces of Cosmos 1408 that drag hardly moves pass 0.5 to 1.5 km from
# the point.
_LEAST_TOLERANCE_KM = 1.0
# How wrong the decay of a piece's orbit may be between the event and its set: drag then is that of neither.
_DECAY_SHARE = 0.2
_STEPS = 3  # to the nearest point: each one's error is a thousandth of the last, at eccentricities up to 0.1


class Orbits(NamedTuple):
    """Osculating orbits (t, n): planes, sizes and shapes, TEME; NaN where SGP4 has no state."""

    normal: FloatArray  # (t, 3, n) unit vectors along r x v
    parameter_km: FloatArray  # (t, n) semi-latus rectum
    perigee: FloatArray  # (t, 3, n) towards perigee, its length the eccentricity


def orbits(r_km: FloatArray, v_km_s: FloatArray) -> Orbits:
    """Return the orbits of states (t, 3, n), TEME."""
    momentum = np.cross(r_km, v_km_s, axis=1)
    size = np.linalg.norm(momentum, axis=1, keepdims=True)
    towards = np.cross(v_km_s, momentum, axis=1) / MU_KM3_S2
    perigee = towards - r_km / np.linalg.norm(r_km, axis=1, keepdims=True)
    return Orbits(momentum / size, size[:, 0] ** 2 / MU_KM3_S2, perigee)


def beside(some: Orbits, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far planes (t, n) lie beside directions (t, 3), as a sine, and the radius there in km."""
    sine = np.einsum("tin,ti->tn", some.normal, direction)
    radius_km = some.parameter_km / (1.0 + np.einsum("tin,ti->tn", some.perigee, direction))
    return sine, radius_km


def tolerance_km(elements: ElementArray, at: np.datetime64) -> FloatArray:
    """Return how far paths (n,) may be off at a time (UTC), km, by how much drag changes them until then."""
    epoch: UtcArray = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    days = np.abs((epoch - at) / np.timedelta64(1, "D"))
    per_day = elements["mean_motion_rev_day"]
    axis_km = np.cbrt(MU_KM3_S2 * (SECONDS_PER_DAY / (2.0 * np.pi * per_day)) ** 2)
    decay_km = 4.0 / 3.0 * axis_km * np.abs(elements["mean_motion_dot_rev_day2"]) * days / per_day
    tolerance: FloatArray = _LEAST_TOLERANCE_KM + _DECAY_SHARE * decay_km
    return tolerance


def passages(
    paths: Propagator, times_s: FloatArray, r_km: FloatArray, v_km_s: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how far objects (n,) pass from points on a path, and how fast against what flies it.

    Each object is taken where its path is nearest, at most half a revolution from the time.

    Args:
        paths: the objects.
        times_s: (t,) seconds from the start of their window.
        r_km: (t, 3) the path's positions then, TEME.
        v_km_s: (t, 3) its velocities.

    Returns:
        Distances (t, n) in km and relative velocities (t, n, 3) in m/s in the RTN axes of the path; NaN where
        SGP4 has no state.
    """
    count, many = len(times_s), len(paths)
    index = np.tile(np.arange(many, dtype=np.int32), count)
    point, when = np.repeat(r_km, many, axis=0), np.repeat(times_s, many).astype(float)
    for _ in range(_STEPS):
        _, r, v = paths.at(index, when)
        momentum = cross(r, v)
        size = np.linalg.norm(momentum, axis=1)
        sine = np.einsum("ij,ij->i", cross(r, point), momentum) / size
        angle = np.arctan2(sine, np.einsum("ij,ij->i", r, point))
        when += np.nan_to_num(angle * np.einsum("ij,ij->i", r, r) / size)
    _, r, v = paths.at(index, when)
    distance_km = np.linalg.norm(r - point, axis=1).reshape(count, many)
    relative = v.reshape(count, many, 3) - v_km_s[:, np.newaxis]
    in_axes = np.einsum("tij,tnj->tni", rtn_axes(r_km, v_km_s), relative)
    return distance_km, in_axes * METRES_PER_KM
