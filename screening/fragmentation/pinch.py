"""When orbits pinched: the time at which they all pass through one point, whatever flew there.

Planes of pieces drift apart, as the nodes of lower orbits drift faster (J2), and perigees likewise. Back in
time, planes meet in one line and radii are equal on it only near the event.
"""

from typing import NamedTuple

import numpy as np

from screening.fragmentation.passages import Orbits, beside, orbits
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray

_ROUNDS = 6  # of weights: objects that do not belong to the others lose theirs


class Pinch(NamedTuple):
    """The point that orbits have in common."""

    time_s: float  # from the start of the window
    point_km: FloatArray  # (3,) TEME


def pinch(paths: Propagator, times_s: FloatArray, tolerance_km: FloatArray) -> Pinch:
    """Return at which of the times (t,) the orbits of objects (n,) pass nearest to one point.

    The median of their distances counts, each in units of its tolerance (n,), km.
    """
    _, r_km, v_km_s = paths.on_grid(times_s)
    every = orbits(r_km, v_km_s)
    has_state = np.isfinite(every.parameter_km)
    known = Orbits(*(np.nan_to_num(values) for values in every))
    line = _common_line(known.normal, has_state)
    best, found = np.inf, Pinch(0.0, np.zeros(3))
    for direction in (line, -line):
        sine, radius_km = beside(known, direction)
        common_km = _medians(radius_km, has_state)
        with np.errstate(invalid="ignore"):  # of a time without any state, whose median is infinite
            off = np.hypot(common_km * sine, radius_km - common_km) / tolerance_km
        typical = _medians(off, has_state)[:, 0]
        at = int(np.argmin(typical))
        if typical[at] < best:
            best, found = typical[at], Pinch(float(times_s[at]), common_km[at] * direction[at])
    return found


def _common_line(normal: FloatArray, has_state: FloatArray) -> FloatArray:
    """Return the unit vectors (t, 3) that lie in most of the planes with normals (t, 3, n)."""
    weight = has_state.astype(float)
    for _ in range(_ROUNDS):
        spread = np.einsum("tin,tjn,tn->tij", normal, normal, weight)
        line: FloatArray = np.linalg.eigh(spread)[1][:, :, 0]
        sine = np.abs(np.einsum("tin,ti->tn", normal, line))
        typical = _medians(sine, has_state)
        weight = has_state / (1.0 + (sine / np.maximum(2.0 * typical, 1e-9)) ** 2)
    return line


def _medians(values: FloatArray, has_state: FloatArray) -> FloatArray:
    """Return the median (t, 1) of the values (t, n) of objects with a state; infinite without any."""
    filled = np.sort(np.where(has_state, values, np.inf), axis=1)
    middle = np.maximum(has_state.sum(axis=1) - 1, 0) // 2
    medians: FloatArray = filled[np.arange(len(filled)), middle][:, np.newaxis]
    return medians
