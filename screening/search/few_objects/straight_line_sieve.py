"""Find which objects may come near a primary within 5 minutes of a knot: straight motion with a bound.

At a knot both states are SGP4's own. If a pair is `d` apart at some time within tau of it, straight motion
from the knot brings it, at that time, within

    d (2 + w tau sinh(w tau) - cosh(w tau)) + V (tau cosh(w tau) - sinh(w tau) / w)

The relative acceleration is at most w^2 times the separation, w^2 = 2 mu / rho^3 with rho the smallest radius
on the line between the two, so separation and speed grow no faster than hyperbolic functions. V, the speed at
the approach, is at most (|v| + w d sinh(w tau)) / (2 - cosh(w tau)) with the speed |v| at the knot.

The part of an object's motion that gravity does not explain, its slack, is added to `d`. SGP4's velocity is
not exactly the derivative of its position, and where it is not, the velocities at both ends of an interval,
integrated by the rule of Euler and Maclaurin, do not give the difference of the positions. Over the whole
catalogue, at its epoch and 24 days later, neither motion by gravity from a knot nor the interpolated curve
was further off SGP4 than half of that error plus 2 km.
"""

import math

import numpy as np
import numpy.typing as npt

from screening.kernels import fast_kernel, inlined_kernel, kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.timegrid import FloatArray
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pair_tests import LANES, IntArray

HALF_INTERVAL_S = 0.5 * KNOT_STEP_S + 0.1  # with a little overlap
# Two objects that meet at 6,400 km are never more than 4,700 km apart within 5 minutes, so that the line
# between them stays above 6,000 km.
_LINE_RADIUS_KM = 6000.0
_RATE = math.sqrt(2.0 * MU_KM3_S2 / _LINE_RADIUS_KM**3)
_ANGLE = _RATE * HALF_INTERVAL_S
_COSH, _SINH = math.cosh(_ANGLE), math.sinh(_ANGLE)
REACH_PER_SPEED_S = (HALF_INTERVAL_S * _COSH - _SINH / _RATE) / (2.0 - _COSH)  # 41.5 s
REACH_PER_KM = 2.0 + _ANGLE * _SINH - _COSH + REACH_PER_SPEED_S * _RATE * _SINH  # 1.23
LEAST_SLACK_KM = 3.0

_f = np.float32


@kernel
def raise_to_slack(
    r0_km: FloatArray, v0_km_s: FloatArray, r1_km: FloatArray, v1_km_s: FloatArray, slack_km: FloatArray
) -> None:
    """Raise `slack_km` (n,) to what the states (3, n) at both ends of an interval leave unexplained.

    NaN values are ignored.
    """
    h = KNOT_STEP_S
    for i in range(slack_km.shape[0]):
        a0 = acceleration_km_s2(r0_km[0, i], r0_km[1, i], r0_km[2, i])
        a1 = acceleration_km_s2(r1_km[0, i], r1_km[1, i], r1_km[2, i])
        missed2 = 0.0
        for axis in range(3):
            moved = 0.5 * h * (v0_km_s[axis, i] + v1_km_s[axis, i]) - h * h / 12.0 * (a1[axis] - a0[axis])
            missed2 += (r1_km[axis, i] - r0_km[axis, i] - moved) ** 2
        missed = LEAST_SLACK_KM + math.sqrt(missed2)
        if missed > slack_km[i]:
            slack_km[i] = missed


@inlined_kernel
def _excess_of_tile(states, slack_km, primary, tile, threshold_km, times_s, excess):  # type: ignore[no-untyped-def]
    """Fill for each object of a tile when straight motion is closest, and the squared distance then."""
    tau, per_km, per_speed = _f(HALF_INTERVAL_S), _f(REACH_PER_KM), _f(REACH_PER_SPEED_S)
    x, y, z = states[0, primary], states[1, primary], states[2, primary]
    vx, vy, vz = states[3, primary], states[4, primary], states[5, primary]
    reach = per_km * (_f(threshold_km) + slack_km[primary])
    start = np.uintp(tile * LANES)
    for lane in range(np.uintp(LANES)):
        g = start + lane
        rx, ry, rz = states[0, g] - x, states[1, g] - y, states[2, g] - z
        ux, uy, uz = states[3, g] - vx, states[4, g] - vy, states[5, g] - vz
        u2 = ux * ux + uy * uy + uz * uz + _f(1e-9)
        per_u = _f(1) / math.sqrt(u2)
        at = -(rx * ux + ry * uy + rz * uz) * per_u * per_u
        at = at if at < tau else tau
        at = at if at > -tau else -tau
        cx, cy, cz = rx + at * ux, ry + at * uy, rz + at * uz
        limit = reach + per_km * slack_km[g] + per_speed * u2 * per_u
        times_s[lane] = at
        excess[lane] = cx * cx + cy * cy + cz * cz - limit * limit


@fast_kernel
def tiles_near(
    states: FloatArray32,
    slack_km: FloatArray32,
    primary: int,
    tiles: IntArray,
    threshold_km: float,
    noted: IntArray,
) -> int:
    """Note which of the `tiles`, LANES objects each, contain one that may come near the primary.

    `states` (6, n) are at a knot, km and km/s, n a multiple of LANES. Returns how many are noted.
    """
    times_s, excess = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    count = 0
    for t in range(tiles.shape[0]):
        _excess_of_tile(states, slack_km, primary, tiles[t], threshold_km, times_s, excess)
        least = _f(1e30)
        for lane in range(np.uintp(LANES)):
            least = excess[lane] if excess[lane] < least else least
        if least <= _f(0):
            noted[count] = tiles[t]
            count += 1
    return count


@fast_kernel
def pairs_near(
    states: FloatArray32,
    slack_km: FloatArray32,
    asked: npt.NDArray[np.bool_],
    primary: int,
    tiles: IntArray,
    count: int,
    threshold_km: float,
    found: IntArray,
    times_s: FloatArray32,
    first: int,
) -> int:
    """Write the pairs of the noted tiles to `found` (2, room) from `first` on, and when they are closest.

    `times_s` (room,) are those of straight motion. A pair of two primaries counts once, for the first of
    them. Returns how many are there then.
    """
    times, excess = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    n = first
    for k in range(count):
        _excess_of_tile(states, slack_km, primary, tiles[k], threshold_km, times, excess)
        for lane in range(LANES):
            g = tiles[k] * LANES + lane
            if excess[lane] <= _f(0) and g != primary and not (asked[g] and g < primary):
                found[0, n] = primary
                found[1, n] = g
                times_s[n] = times[lane]
                n += 1
    return n
