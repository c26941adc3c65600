"""The minima of distance of candidate pairs on their curves, of those that may be inside a flat volume.

On the curves a minimum is at another time than on SGP4, and at another place. With P, the sum of both pads,
no position is more than P off. If the curves are d apart at their minimum, with speed v, SGP4's minimum is at
most d + P, so that the curves are then at most d + 2 P apart. While the relative acceleration takes no more
than a quarter off the curvature v^2 of half the squared distance, that is within the time

    tau = sqrt((d + 2 P)^2 - d^2) / (sqrt(3/4) v) = sqrt(16/3 P (d + P)) / v

of the curves' minimum. With r and r' the way between the curves at the one and the other, u and u' the radial
direction, the radial component moves by r'.u' - r.u = (r' - r).u + r'.(u' - u). The first part is at most

    tau |v_R| + tau^2 w^2 (d + 2 P) / 2

with v_R the radial component of v, and w^2 (d + 2 P) the largest relative acceleration. As r' is at most
d + 2 P long, and u turns at the rate omega, which changes by less than omega^2, the second is at most

    (d + 2 P) (tau omega + tau^2 omega^2 / 2).

SGP4 is P beside the curves, and its radial direction, at the radius R, turned by P / R: that makes
P (1 + (d + 2 P) / R). Slower pairs are kept wherever they are inside the sphere around the volume.
"""

import math

import numpy as np

from screening.kernels import inlined_kernel, kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.knots import KNOT_STEP_S, POWERS, position_along, quintic, velocity_along
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pair_tests import (
    ONE_MINIMUM_PER_STEP_KM_S,
    SLOW_SUBSTEPS,
    STEP_OVERLAP_S,
    IntArray,
    half_squared_distance_rate,
    root_in_bracket,
)

STATE = 9  # position, velocity, acceleration of an object at a knot
# The relative acceleration of two objects d apart is at most w^2 d, w^2 = 2 mu / (6000 km)^3: it takes at
# most a quarter off v^2 above 2 w d.
SURE_SPEED_KM_S = 0.5
W_PER_S = 1.93e-3
SURE_SPEED_PER_KM_S = 2.0 * W_PER_S
SHIFT = math.sqrt(16.0 / 3.0)
# Of a pair so fast the minimum is on that side of a knot to which it moves, unless it is this close to it.
NEAR_KNOT_S = 1.0


@kernel
def states_at_knot(r_km: FloatArray, v_km_s: FloatArray, out: FloatArray) -> None:
    """Fill states (n, STATE) from positions and velocities (3, n) at a knot; NaN where there is none."""
    for i in range(out.shape[0]):
        ax, ay, az = acceleration_km_s2(r_km[0, i], r_km[1, i], r_km[2, i])
        out[i, 6], out[i, 7], out[i, 8] = ax, ay, az
        for axis in range(3):
            out[i, axis] = r_km[axis, i]
            out[i, 3 + axis] = v_km_s[axis, i]


@inlined_kernel
def _curve(earlier, later, i, j, c):  # type: ignore[no-untyped-def]
    """Fill the coefficients `c` of object `i`, or, with `j` >= 0, of the way from `j` to `i`."""
    for axis in range(3):
        p0, v0, a0 = earlier[i, axis], earlier[i, 3 + axis], earlier[i, 6 + axis]
        p1, v1, a1 = later[i, axis], later[i, 3 + axis], later[i, 6 + axis]
        if j >= 0:
            p0, v0, a0 = p0 - earlier[j, axis], v0 - earlier[j, 3 + axis], a0 - earlier[j, 6 + axis]
            p1, v1, a1 = p1 - later[j, axis], v1 - later[j, 3 + axis], a1 - later[j, 6 + axis]
        c0, c1, c2, c3, c4, c5 = quintic(p0, v0, a0, p1, v1, a1)
        c[0, axis], c[1, axis], c[2, axis] = c0, c1, c2
        c[3, axis], c[4, axis], c[5, axis] = c3, c4, c5


@kernel
def minima_in_half(
    earlier: FloatArray,
    later: FloatArray,
    first_half: bool,
    begin: float,
    end: float,
    candidates: IntArray,
    count: int,
    primaries: IndexArray,
    pads_km: FloatArray32,
    reach_km: FloatArray32,
    radial_km: FloatArray32,
    found: IntArray,
    minima: FloatArray,
) -> int:
    """Find the minima of candidate pairs in [begin, end] of an interval, half of it, that may be in volumes.

    `earlier` and `later` (n, STATE) are the states at its ends. `candidates` (2, count) are places among the
    primaries (p,), with spheres of `reach_km` (p,) and half-heights `radial_km` (p,), and other objects.
    Fills `found` (2, room) with objects and `minima` (room,) with `s`; returns the count, even beyond the
    room.
    """
    c, own = np.empty((POWERS, 3)), np.empty((POWERS, 3))
    begin -= STEP_OVERLAP_S / KNOT_STEP_S
    end += STEP_OVERLAP_S / KNOT_STEP_S
    knot = earlier if first_half else later
    kept = 0
    for q in range(count):
        k, j = candidates[0, q], candidates[1, q]
        i = primaries[k]
        if _is_beyond(knot, i, j, first_half):
            continue
        _curve(earlier, later, j, i, c)
        middle = 0.5 * (begin + end)
        speed2 = 0.0
        for axis in range(3):
            speed2 += velocity_along(c, axis, middle) ** 2
        substeps = 1 if speed2 > (ONE_MINIMUM_PER_STEP_KM_S * KNOT_STEP_S) ** 2 else SLOW_SUBSTEPS
        width = (end - begin) / substeps
        low, rate_low = begin, half_squared_distance_rate(c, begin)[0]
        for sub in range(substeps):
            high = end if sub == substeps - 1 else begin + (sub + 1) * width
            rate_high = half_squared_distance_rate(c, high)[0]
            if rate_low < 0.0 <= rate_high:
                s = root_in_bracket(c, low, high, 0.5 * (low + high))
                distance2 = 0.0
                for axis in range(3):
                    distance2 += position_along(c, axis, s) ** 2
                pad = np.float64(pads_km[i] + pads_km[j])
                limit = np.float64(reach_km[k]) + pad
                if distance2 <= limit * limit:
                    _curve(earlier, later, i, -1, own)
                    if _may_be_inside(c, own, s, math.sqrt(distance2), pad, np.float64(radial_km[k])):
                        if kept < minima.shape[0]:
                            found[0, kept], found[1, kept], minima[kept] = i, j, s
                        kept += 1
            low, rate_low = high, rate_high
    return kept


@inlined_kernel
def _is_beyond(knot, i, j, first_half):  # type: ignore[no-untyped-def]
    """Return whether a fast pair is closest on the other side of the knot, far enough from it."""
    rate, speed2 = 0.0, 0.0
    for axis in range(3):
        u = knot[j, 3 + axis] - knot[i, 3 + axis]
        rate += (knot[j, axis] - knot[i, axis]) * u
        speed2 += u * u
    outwards = rate if first_half else -rate
    return speed2 > 4.0 * ONE_MINIMUM_PER_STEP_KM_S**2 and outwards > NEAR_KNOT_S * speed2


@inlined_kernel
def _may_be_inside(c, own, s, distance, pad, half_height):  # type: ignore[no-untyped-def]
    """Return whether SGP4's minimum may be within a half-height, from the curves' at `s`."""
    along, climb, radius2, own_speed2, speed2 = 0.0, 0.0, 0.0, 0.0, 0.0
    for axis in range(3):
        here = position_along(own, axis, s)
        velocity = velocity_along(c, axis, s) / KNOT_STEP_S
        along += position_along(c, axis, s) * here
        climb += velocity * here
        radius2 += here * here
        own_speed2 += (velocity_along(own, axis, s) / KNOT_STEP_S) ** 2
        speed2 += velocity * velocity
    radius, speed = math.sqrt(radius2), math.sqrt(speed2)
    far = distance + 2.0 * pad
    if speed < SURE_SPEED_KM_S or speed < SURE_SPEED_PER_KM_S * far:
        return True
    tau = SHIFT * math.sqrt(pad * (distance + pad)) / speed
    turn = math.sqrt(own_speed2) / radius
    first = tau * (abs(climb) / radius + far * turn)
    second = 0.5 * tau * tau * far * (W_PER_S * W_PER_S + turn * turn)
    return abs(along) / radius <= half_height + pad * (1.0 + far / radius) + first + second
