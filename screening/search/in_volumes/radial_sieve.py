"""Find which objects may come into a flat volume within 5 minutes of a knot.

Two bounds leave out a pair. Straight motion from the knot, as in `straight_line_sieve`: the two come no
closer than the sphere around the volume. And the distances from the Earth's centre: on its osculating orbit
an object climbs or falls by mu e / h at most, its slack on top of that. Most that cross the path of a low
satellite do so kilometres above or below, where a flat volume has some hundred metres, so that the second
bound leaves out far more.
"""

import math

import numpy as np
import numpy.typing as npt

from screening.kernels import fast_kernel, inlined_kernel, kernel
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.propagate import ErrorArray, IndexArray
from screening.orbits.timegrid import FloatArray
from screening.search.few_objects.straight_line_sieve import (
    HALF_INTERVAL_S,
    REACH_PER_KM,
    REACH_PER_SPEED_S,
)
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pair_tests import LANES, IntArray

# Rows of the entries (ENTRY_ROWS, m), objects in the order of their radii: position and velocity, slack, and
# between which radii they stay. An object without a state stays between none.
X, Y, Z, VX, VY, VZ, SLACK, LOW, HIGH = (np.uintp(row) for row in range(9))
ENTRY_ROWS = 9
# An object whose radius may change by more within 5 minutes is placed behind the others.
THICK_KM = 60.0
_NOWHERE_KM = np.float32(1e9)

_f = np.float32


@kernel
def radii_near_knot(
    errors: ErrorArray,
    r_km: FloatArray,
    v_km_s: FloatArray,
    slack_km: FloatArray,
    low_km: FloatArray,
    high_km: FloatArray,
    keys: FloatArray,
) -> None:
    """Fill between which radii objects (n,) with states (3, n) stay around a knot, and keys to sort them."""
    for i in range(errors.shape[0]):
        if errors[i] != 0:
            low_km[i], high_km[i], keys[i] = _NOWHERE_KM, -_NOWHERE_KM, _NOWHERE_KM
            continue
        r2, v2, rv = 0.0, 0.0, 0.0
        for axis in range(3):
            r2 += r_km[axis, i] * r_km[axis, i]
            v2 += v_km_s[axis, i] * v_km_s[axis, i]
            rv += r_km[axis, i] * v_km_s[axis, i]
        radius = math.sqrt(r2)
        h2 = r2 * v2 - rv * rv
        parameter = h2 / MU_KM3_S2
        e = math.sqrt(max(0.0, 1.0 + (v2 - 2.0 * MU_KM3_S2 / radius) * parameter / MU_KM3_S2))
        moved = HALF_INTERVAL_S * MU_KM3_S2 * e / math.sqrt(max(h2, 1e-9))
        low = max(radius - moved, parameter / (1.0 + e))
        high = radius + moved
        if e < 1.0:
            high = min(high, parameter / (1.0 - e))
        low_km[i], high_km[i] = min(low, radius) - slack_km[i], max(high, radius) + slack_km[i]
        keys[i] = radius + (0.5 * _NOWHERE_KM if high - low > THICK_KM else 0.0)


@kernel
def arrange(
    order: npt.NDArray[np.intp],
    r_km: FloatArray,
    v_km_s: FloatArray,
    slack_km: FloatArray,
    low_km: FloatArray,
    high_km: FloatArray,
    entries: FloatArray32,
    tile_low_km: FloatArray32,
    tile_high_km: FloatArray32,
) -> None:
    """Write objects in an order (n,) to `entries` (ENTRY_ROWS, m), and the radii of tiles of LANES of them.

    m is the next multiple of LANES. Radii are rounded outwards.
    """
    for at in range(entries.shape[1]):
        if at >= order.shape[0] or high_km[order[at]] < low_km[order[at]]:
            entries[:, at] = _f(0)
            entries[X, at] = _NOWHERE_KM
            entries[LOW, at], entries[HIGH, at] = _NOWHERE_KM, -_NOWHERE_KM
            continue
        i = order[at]
        for axis in range(3):
            entries[axis, at] = r_km[axis, i]
            entries[3 + axis, at] = v_km_s[axis, i]
        entries[SLACK, at] = slack_km[i]
        entries[LOW, at] = low_km[i] - 0.01
        entries[HIGH, at] = high_km[i] + 0.01
    for tile in range(tile_low_km.shape[0]):
        low, high = _NOWHERE_KM, -_NOWHERE_KM
        for at in range(tile * LANES, (tile + 1) * LANES):
            low, high = min(low, entries[LOW, at]), max(high, entries[HIGH, at])
        tile_low_km[tile], tile_high_km[tile] = low, high


@inlined_kernel
def _excess_of_tile(entries, one, tile, reach_km, low_km, high_km, excess):  # type: ignore[no-untyped-def]
    """Fill for each object of a tile what is positive if it stays outside."""
    tau, per_km, per_speed = _f(HALF_INTERVAL_S), _f(REACH_PER_KM), _f(REACH_PER_SPEED_S)
    x, y, z, vx, vy, vz = one
    start = np.uintp(tile * LANES)
    for lane in range(np.uintp(LANES)):
        g = start + lane
        rx, ry, rz = entries[X, g] - x, entries[Y, g] - y, entries[Z, g] - z
        ux, uy, uz = entries[VX, g] - vx, entries[VY, g] - vy, entries[VZ, g] - vz
        u2 = ux * ux + uy * uy + uz * uz + _f(1e-9)
        per_u = _f(1) / math.sqrt(u2)
        at = -(rx * ux + ry * uy + rz * uz) * per_u * per_u
        at = at if at < tau else tau
        at = at if at > -tau else -tau
        cx, cy, cz = rx + at * ux, ry + at * uy, rz + at * uz
        limit = per_km * (reach_km + entries[SLACK, g]) + per_speed * u2 * per_u
        outside = cx * cx + cy * cy + cz * cz - limit * limit
        above, below = entries[LOW, g] - high_km, low_km - entries[HIGH, g]
        radially = above if above > below else below
        excess[lane] = outside if outside > radially else radially


@fast_kernel
def candidates_near_knot(
    entries: FloatArray32,
    tile_low_km: FloatArray32,
    tile_high_km: FloatArray32,
    order: npt.NDArray[np.intp],
    places: IndexArray,
    reach_km: FloatArray32,
    below_km: FloatArray32,
    above_km: FloatArray32,
    found: IntArray,
) -> int:
    """Write to `found` (2, room) which objects may come into the volumes of primaries, as places in `order`.

    `places` (p,) are those of the primaries, `reach_km` (p,) the radii of the spheres around their volumes,
    `below_km` and `above_km` (p,) how much closer to the Earth's centre, or farther, an object in them may
    be. Returns how many there are, even beyond the room.
    """
    excess = np.empty(LANES, np.float32)
    n = 0
    for k in range(places.shape[0]):
        p = places[k]
        if entries[HIGH, p] < entries[LOW, p]:
            continue
        one = (
            entries[X, p], entries[Y, p], entries[Z, p], entries[VX, p], entries[VY, p], entries[VZ, p],
        )  # fmt: skip
        low, high = entries[LOW, p] - below_km[k], entries[HIGH, p] + above_km[k]
        reach = reach_km[k] + entries[SLACK, p]
        for tile in range(tile_low_km.shape[0]):
            if tile_low_km[tile] > high or tile_high_km[tile] < low:
                continue
            _excess_of_tile(entries, one, tile, reach, low, high, excess)
            least = _f(1e30)
            for lane in range(np.uintp(LANES)):
                least = excess[lane] if excess[lane] < least else least
            if least > _f(0):
                continue
            for lane in range(LANES):
                g = tile * LANES + lane
                if excess[lane] <= _f(0) and g != p and g < order.shape[0]:
                    if n < found.shape[1]:
                        found[0, n] = k
                        found[1, n] = order[g]
                    n += 1
    return n
