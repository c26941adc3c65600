"""How far the interpolated curve may be from SGP4: measured for each object, never assumed.

The error is far from uniform. Against SGP4, with knots 600 s apart, it is 13 m for the median object of a
low orbit, but up to 2.5 km for a decaying one and 10.8 km for a deep-space orbit with e >= 0.1, because
SGP4's velocity is not exactly the derivative of its position. Each object is therefore compared with SGP4
itself at 0.3 and 0.7 of an interval (the error vanishes near 0.5), and its pad is twice the largest error
seen: over the whole catalogue the true maximum never exceeded the checked one by more than 1.98.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients, interpolate_km
from screening.orbits.propagate import ErrorArray, Propagator
from screening.orbits.timegrid import FloatArray

CHECKED_FRACTIONS = (0.3, 0.7)
SAFETY_FACTOR = 2.0
# Of real orbits, none has a pad of more than 22 km. A curve that is farther off is none: such are SGP4's states
# shortly before it gives up.
LARGEST_KM = 100.0
FLOOR_KM = 0.05  # float32 positions, and what lies between two checked intervals
# The error of a near-circular orbit hardly changes in an hour: one interval in six is checked.
ECCENTRICITY_CHECKED_ALWAYS = 0.05
CIRCULAR_STRIDE = 6

FloatArray32 = npt.NDArray[np.float32]


class Knots(NamedTuple):
    """SGP4 states on the grid of knots: m times, n objects."""

    times_s: FloatArray  # (m,) from the start of the window
    errors: ErrorArray  # (m, n) SGP4 codes, 0 where the state is good
    r_teme_km: FloatArray  # (m, 3, n)
    v_teme_km_s: FloatArray  # (m, 3, n)


def measured_pads_km(elements: ElementArray, propagator: Propagator, knots: Knots) -> FloatArray32:
    """Return the pad of each object (n,), km: a bound of |interpolated curve - SGP4| between the knots."""
    largest = np.zeros(len(elements))
    eccentric = elements["eccentricity"] >= ECCENTRICITY_CHECKED_ALWAYS
    for objects, stride in ((np.flatnonzero(eccentric), 1), (np.flatnonzero(~eccentric), CIRCULAR_STRIDE)):
        checked = propagator.subset(objects)
        intervals = np.arange(0, len(knots.times_s) - 1, stride)
        for fraction in CHECKED_FRACTIONS:
            times_s = knots.times_s[intervals] + fraction * KNOT_STEP_S
            _, r_true_km, _ = checked.on_grid(times_s)
            for row, k in enumerate(intervals.tolist()):
                error_km = _error_km(knots, k, objects, fraction, r_true_km[row])
                largest[objects] = np.fmax(largest[objects], error_km)  # NaN: SGP4 failed there
    return (FLOOR_KM + SAFETY_FACTOR * largest).astype(np.float32)


def _error_km(
    knots: Knots, k: int, objects: npt.NDArray[np.intp], fraction: float, r_true_km: FloatArray
) -> FloatArray:
    r0, r1 = (np.ascontiguousarray(knots.r_teme_km[at][:, objects]) for at in (k, k + 1))
    v0, v1 = (np.ascontiguousarray(knots.v_teme_km_s[at][:, objects]) for at in (k, k + 1))
    coefficients = np.empty((len(objects), POWERS, 3))
    hermite_coefficients(r0, v0, r1, v1, coefficients)
    error: FloatArray = np.linalg.norm(interpolate_km(coefficients, fraction) - r_true_km, axis=0)
    return error
