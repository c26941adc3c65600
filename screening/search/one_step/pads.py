"""Measure, for each object, how far the interpolated curve may be from SGP4.

The error is far from uniform. Against SGP4, with knots 600 s apart, it is 13 m for the median object of a low
orbit, but up to 2.5 km for a decaying one and 10.8 km for a deep-space orbit with e >= 0.1, because SGP4's
velocity is not exactly the derivative of its position. Each object is therefore compared with SGP4 itself at
0.3 and 0.7 of an interval (the error vanishes near 0.5), and its pad is twice the largest error seen: over
the whole catalogue the true maximum was never more than 1.98 times the checked one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.pieces import PiecePaths
from screening.orbits.sgp4.propagate import ErrorArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.one_step.curve_blocks import raise_to_curve_error

CHECKED_FRACTIONS = (0.3, 0.7)
# Ephemerides are smooth only as far as their operators made them so: all intervals are checked.
CHECKED_FRACTIONS_OF_EPHEMERIDES = (0.1, 0.3, 0.5, 0.7, 0.9)
SAFETY_FACTOR = 2.0
# The largest pad of a real orbit seen is 185 km (COSMOS 1024, e = 0.71, four weeks after its epoch). A curve
# with more is invalid: element sets with a perigee near the Earth's centre, where flattening dominates.
LARGEST_KM = 500.0
FLOOR_KM = 0.05  # for float32 positions, and intervals between checked ones
# The error of a near-circular orbit hardly changes in an hour: one interval in six is checked.
ECCENTRICITY_CHECKED_ALWAYS = 0.05
CIRCULAR_STRIDE = 6
# SGP4's deep-space positions jump by up to 0.4 km where it changes formulas, at 0.2 rad of inclination
# (Lyddane 1963), and a jump in mid-interval shows at the checked points only in part.
JUMP_INCLINATION_DEG = 11.46
NEAR_JUMP_DEG = 1.0
SAFETY_FACTOR_NEAR_JUMP = 4.0

FloatArray32 = npt.NDArray[np.float32]


class Knots(NamedTuple):
    """SGP4 states on the grid of knots: m times, n objects."""

    times_s: FloatArray  # (m,) from the start of the window
    errors: ErrorArray  # (m, n) SGP4 codes, 0 where the state is good
    r_teme_km: FloatArray  # (m, 3, n)
    v_teme_km_s: FloatArray  # (m, 3, n)


class Checked(NamedTuple):
    """Objects whose curves are compared with their paths once in a number of intervals."""

    objects: npt.NDArray[np.intp]
    stride: int
    safety_factor: float
    propagator: Trajectories
    fractions: tuple[float, ...] = CHECKED_FRACTIONS


def checked_groups(elements: ElementArray, propagator: Trajectories) -> list[Checked]:
    """Return how often the curves of objects (n,) are checked, and the factors on the errors found.

    All are checked now and then, by the propagator as it is, without a copy; then some of them again.
    """
    from_jump_deg = np.abs(elements["inclination_deg"] - JUMP_INCLINATION_DEG)
    jumping = propagator.is_deep_space & (from_jump_deg < NEAR_JUMP_DEG)
    eccentric = ~jumping & (elements["eccentricity"] >= ECCENTRICITY_CHECKED_ALWAYS)
    given = np.zeros(len(elements), np.bool_)
    if isinstance(propagator, PiecePaths):
        given = propagator.is_interpolated
    always = (
        (jumping & ~given, SAFETY_FACTOR_NEAR_JUMP, CHECKED_FRACTIONS),
        (eccentric & ~given, SAFETY_FACTOR, CHECKED_FRACTIONS),
        (given, SAFETY_FACTOR, CHECKED_FRACTIONS_OF_EPHEMERIDES),
    )
    return [
        Checked(np.arange(len(elements)), CIRCULAR_STRIDE, SAFETY_FACTOR, propagator),
        *(
            Checked(here, 1, factor, propagator.subset(here), fractions)
            for chosen, factor, fractions in always
            for here in [np.flatnonzero(chosen)]
            if len(here)
        ),
    ]


def measured_pads_km(groups: list[Checked], knots: Knots) -> FloatArray32:
    """Return the pad of each object (n,), km: a bound of |interpolated curve - SGP4| between the knots.

    Of the groups that an object is in, the last gives the factor on the largest error found in any.
    """
    largest_km = np.zeros(knots.errors.shape[1])
    pads_km = np.empty(len(largest_km))
    r_km, v_km_s = knots.r_teme_km, knots.v_teme_km_s
    for objects, stride, safety_factor, propagator, checked in groups:
        fractions = np.array(checked)
        intervals = np.arange(0, len(knots.times_s) - 1, stride)
        times_s = np.add.outer(knots.times_s[intervals], fractions * KNOT_STEP_S)
        _, r_true_km, _ = propagator.on_grid(times_s.ravel())
        r_true_km = r_true_km.reshape(*times_s.shape, 3, len(objects))
        for row, k in enumerate(intervals.tolist()):
            ends = (r_km[k], v_km_s[k], r_km[k + 1], v_km_s[k + 1])
            raise_to_curve_error(*ends, objects, fractions, r_true_km[row], largest_km)
        pads_km[objects] = FLOOR_KM + safety_factor * largest_km[objects]
    return pads_km.astype(np.float32)
