"""The range of an object's distance from the Earth's centre: a sieve before propagation.

Osculating perigee and apogee are sampled every 6 hours. Between samples they move with J2's short periods,
the Sun, the Moon and drag. Over the whole catalogue of 2024-11-01, in windows of 24 h at its epoch and 24
days later and in one of 4 days, no object came more than 10 km below its lowest or 19 km above its highest
sample.
"""

from typing import NamedTuple

import numpy as np

from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories

SAMPLE_S = 6 * 3600.0
# Twice the measured excess, plus the largest change from one sample to the next: decay, the Moon.
BELOW_KM, ABOVE_KM = 20.0, 38.0
# Within 30 s of a sample a radius goes at most |r''| t^2 / 2 = 4.5 km beyond both samples.
OWN_SAMPLE_S = 60.0
OWN_MARGIN_KM = 5.0
_STATES_AT_A_TIME = 200_000


class RadialRange(NamedTuple):
    """Bounds of the distance of objects (n,) from the Earth's centre, km."""

    low_km: FloatArray
    high_km: FloatArray


def overlapping(ranges: RadialRange, low_km: float, high_km: float) -> IndexArray:
    """Return which of the ranges overlap [low_km, high_km]."""
    return np.flatnonzero((ranges.low_km <= high_km) & (ranges.high_km >= low_km)).astype(np.int32)


def radial_range(propagator: Trajectories) -> RadialRange:
    """Return the range of each object (n,) during the propagator's window.

    An object that SGP4 cannot propagate to one of the samples may be anywhere.
    """
    end_s = propagator.span.seconds
    times_s = np.append(np.arange(0.0, end_s, SAMPLE_S), end_s)
    error, r, v = propagator.on_grid(times_s)
    perigee_km, apogee_km = _apsides_km(r, v)
    moved_km = np.stack([np.abs(np.diff(apsis, axis=0)).max(axis=0) for apsis in (perigee_km, apogee_km)])
    low_km = perigee_km.min(axis=0) - BELOW_KM - moved_km[0]
    high_km = apogee_km.max(axis=0) + ABOVE_KM + moved_km[1]
    failed = error.any(axis=0)
    return RadialRange(np.where(failed, 0.0, low_km), np.where(failed, np.inf, high_km))


def own_range(propagator: Trajectories) -> RadialRange:
    """Return the ranges of a few objects, from samples so close that the margin is small.

    An object that SGP4 cannot propagate to one of the samples may have reached the ground.
    """
    times_s = np.arange(-OWN_SAMPLE_S, propagator.span.seconds + 2 * OWN_SAMPLE_S, OWN_SAMPLE_S)
    low_km, high_km = np.full(len(propagator), np.inf), np.zeros(len(propagator))
    failed = np.zeros(len(propagator), np.bool_)
    at_a_time = max(1, _STATES_AT_A_TIME // max(1, len(propagator)))
    for first in range(0, len(times_s), at_a_time):
        error, r, _ = propagator.on_grid(times_s[first : first + at_a_time])
        failed |= error.any(axis=0)
        radius_km = np.sqrt(np.einsum("mcn,mcn->mn", r, r))
        low_km = np.fmin(low_km, np.fmin.reduce(radius_km, axis=0))
        high_km = np.fmax(high_km, np.fmax.reduce(radius_km, axis=0))
    return RadialRange(np.where(failed, EARTH_RADIUS_KM, low_km) - OWN_MARGIN_KM, high_km + OWN_MARGIN_KM)


def _apsides_km(r_km: FloatArray, v_km_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return osculating perigee and apogee radii (m, n) of states (m, 3, n)."""
    radius = np.sqrt(np.einsum("mcn,mcn->mn", r_km, r_km))
    speed2 = np.einsum("mcn,mcn->mn", v_km_s, v_km_s)
    radial = np.einsum("mcn,mcn->mn", r_km, v_km_s)
    a = 1.0 / (2.0 / radius - speed2 / MU_KM3_S2)
    angular2 = radius**2 * speed2 - radial**2
    eccentricity = np.sqrt(np.maximum(1.0 - angular2 / (MU_KM3_S2 * a), 0.0))
    return a * (1.0 - eccentricity), a * (1.0 + eccentricity)
