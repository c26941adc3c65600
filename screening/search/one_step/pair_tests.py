"""The two tests of a pair: whether it could come close in this step, and exactly when."""

import math

import numpy as np
import numpy.typing as npt

from screening.kernels import fast_kernel, inlined_kernel, kernel
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.knots import KNOT_STEP_S, acceleration_along, position_along, velocity_along
from screening.orbits.timegrid import FloatArray
from screening.search.one_step.middle_states import EXCURSION, RADIUS, FloatArray32

IntArray = npt.NDArray[np.int32]

# Rows of the entries (ENTRY_ROWS, m): objects sorted by cells.
X, Y, Z, VX, VY, VZ, REACH = (np.uintp(row) for row in range(7))
ENTRY_ROWS = 7
LANES = 16  # pairs per vectorised batch
ROUGH_EDGE = LANES  # unused columns after the last entry that a batch may read

_f = np.float32
# Objects that can meet in a step are at most 3,000 km apart in its middle, and float32 then holds the terms
# of the first test to 9 km^2: it takes squares of distances smaller by this, so that no pair is lost. The
# second, in float64, is exact except for ROUNDING_KM.
ROUNDING_KM2 = _f(20.0)
ROUNDING_KM = 0.01
TINY = _f(1e-12)  # km^2/s^2, so that there is always a relative velocity

# A minimum is searched a little beyond its step, so that none falls between two steps.
STEP_OVERLAP_S = 0.02
# Below this relative speed a step may hold more than one minimum and is divided.
ONE_MINIMUM_PER_STEP_KM_S = 0.5
SLOW_SUBSTEPS = 8
NEWTON_TOLERANCE_S = 1e-6


def bending_factor(radius_km: float, half_step_s: float) -> float:
    """Return kappa: how far a pair's miss deviates from straight relative motion, per km of its separation.

    Two objects that meet feel nearly the same gravity; their relative acceleration across the relative
    velocity grows with their radial separation only, at most 3 mu/r^3 per km, which over half a step
    displaces the miss by 1.5 mu/r^3 tau^2 per km.
    """
    return 1.5 * MU_KM3_S2 / radius_km**3 * half_step_s**2


@fast_kernel
def write_entries(
    midstep: FloatArray32,
    pads_km: FloatArray32,
    threshold_km: float,
    kappa: float,
    objects: IntArray,
    count: int,
    reach: FloatArray32,
    entries: FloatArray32,
) -> None:
    """Write the `objects` of the mid-step array as entries, row by row, so that writing is even.

    REACH is an object's half of the test distance; `reach` (n,) is room for it.
    """
    half_threshold, bending = _f(0.5 * threshold_km), _f(kappa)
    excursion = midstep[EXCURSION]
    for i in range(reach.shape[0]):
        reach[i] = half_threshold + pads_km[i] + bending * (excursion[i] + half_threshold)
    for row in range(7):
        source = midstep[row] if row < 6 else reach
        entry = entries[row]
        for at in range(count):
            entry[at] = source[np.uintp(objects[at])]


@inlined_kernel
def _entry(entries, p):  # type: ignore[no-untyped-def]
    return (
        entries[X, p], entries[Y, p], entries[Z, p],
        entries[VX, p], entries[VY, p], entries[VZ, p],
        entries[REACH, p],
    )  # fmt: skip


@inlined_kernel
def _excess(entries, one, g):  # type: ignore[no-untyped-def]
    """Return something of the sign of how far an entry and entry `g` stay beyond the sum of their REACHes.

    Straight relative motion at any time, also before and after the step: few pairs are close only there, and
    to leave them out would be a quarter of the time; so would a division.
    """
    x, y, z, vx, vy, vz, reach = one
    rx, ry, rz = entries[X, g] - x, entries[Y, g] - y, entries[Z, g] - z
    ux, uy, uz = entries[VX, g] - vx, entries[VY, g] - vy, entries[VZ, g] - vz
    limit = reach + entries[REACH, g]
    beyond = rx * rx + ry * ry + rz * rz - limit * limit - ROUNDING_KM2
    u2 = ux * ux + uy * uy + uz * uz + TINY
    ru = rx * ux + ry * uy + rz * uz
    # r2 - ru^2/u2 is compared with limit^2, times u2.
    return beyond * u2 - ru * ru


@inlined_kernel
def note_close(entries, begin, end, first, last, layer, batches, n):  # type: ignore[no-untyped-def]
    """Test the entries [begin, end) of a cell against [first, last) for straight motion, 16 at a time.

    A batch in which any entry comes close is noted in `batches` (4, room) as entry, begin, end, layer, for
    `pairs_in_batches`. The loop over entries writes nothing, so that a batch stays in registers: had it an
    array to write to, the compiler would read the batch again for each entry. Returns the new count `n`,
    which continues beyond the room, so that the caller can make more.
    """
    for q in range(first, last, LANES):
        start = np.uintp(q)
        p = begin
        while p < end:
            close = False
            while p < end and not close:
                one = _entry(entries, p)
                for lane in range(np.uintp(LANES)):
                    close |= _excess(entries, one, start + lane) <= _f(0)
                p += 1
            if close:
                if n < batches.shape[1]:
                    batches[0, n] = p - 1
                    batches[1, n] = q
                    batches[2, n] = min(q + LANES, last)
                    batches[3, n] = layer
                n += 1
    return n


@kernel
def pairs_in_batches(
    entries: FloatArray32,
    objects: IntArray,
    midstep: FloatArray32,
    pads_km: FloatArray32,
    first_layers: IntArray,
    sides: npt.NDArray[np.int8],
    batches: IntArray,
    count: int,
    threshold_km: float,
    half_step_s: float,
    found: IntArray,
) -> int:
    """Write the pairs of noted batches that come close to `found` (2, room).

    In the low zone a pair is in several layers: it counts in the first that has both (`layer`, -1 elsewhere).
    With two blocks only pairs from different sides count. Returns how many, even beyond the room.
    """
    n = 0
    for batch in range(count):
        p, first, layer = batches[0, batch], batches[1, batch], batches[3, batch]
        one, start = _entry(entries, p), np.uintp(first)
        close = np.uint32(0)  # a bit for each lane: an array would keep the loop from vector instructions
        for lane in range(np.uintp(LANES)):
            close |= np.uint32(_excess(entries, one, start + lane) <= _f(0)) << np.uint32(lane)
        for g in range(first, batches[2, batch]):
            if not close >> np.uint32(g - first) & np.uint32(1):
                continue
            i, j = objects[p], objects[g]
            if layer >= 0 and max(first_layers[i], first_layers[j]) != layer:
                continue
            if sides[i] != 0 and sides[i] == sides[j]:
                continue
            radial = abs(midstep[RADIUS, j] - midstep[RADIUS, i])
            slack = pads_km[i] + pads_km[j] + midstep[EXCURSION, i] + midstep[EXCURSION, j]
            if radial > threshold_km + slack:
                continue
            closest_km = _straight_approach(entries, p, g, half_step_s)[1]
            if closest_km > entries[REACH, p] + entries[REACH, g] + ROUNDING_KM:
                continue
            if n < found.shape[1]:
                found[0, n] = min(i, j)
                found[1, n] = max(i, j)
            n += 1
    return n


@kernel
def straight_times(
    midstep: FloatArray32, found: IntArray, count: int, half_step_s: float, times: FloatArray32
) -> None:
    """Fill `times` (room,) with when, from mid-step, the pairs `found` are closest in straight motion."""
    for k in range(count):
        times[k] = _straight_approach(midstep, found[0, k], found[1, k], half_step_s)[0]


@kernel
def _straight_approach(entries: FloatArray32, p: int, g: int, half_step_s: float) -> tuple[float, float]:
    """Return when in the step two entries are closest in straight relative motion, and how close, km."""
    ru, u2 = 0.0, 1e-9
    for axis in range(3):
        r = np.float64(entries[axis, g]) - np.float64(entries[axis, p])
        u = np.float64(entries[3 + axis, g]) - np.float64(entries[3 + axis, p])
        ru += r * u
        u2 += u * u
    t = min(max(-ru / u2, -half_step_s), half_step_s)
    closest2 = 0.0
    for axis in range(3):
        r = np.float64(entries[axis, g]) - np.float64(entries[axis, p])
        u = np.float64(entries[3 + axis, g]) - np.float64(entries[3 + axis, p])
        closest2 += (r + u * t) ** 2
    return t, math.sqrt(closest2)


@inlined_kernel
def half_squared_distance_rate(c: FloatArray, s: float) -> tuple[float, float]:
    """Return d(|r|^2/2)/ds and its derivative, km^2, of the relative curve `c` (6, 3)."""
    rate = 0.0
    curvature = 0.0
    for axis in range(3):
        r = position_along(c, axis, s)
        v = velocity_along(c, axis, s)
        rate += r * v
        curvature += v * v + r * acceleration_along(c, axis, s)
    return rate, curvature


@kernel
def root_in_bracket(c: FloatArray, low: float, high: float, guess: float) -> float:
    """Return where the distance is smallest in [low, high], given that its rate is < 0 at low, >= 0 at high.

    Newton's method, halved whenever it would leave the shrinking bracket, so it cannot end on a maximum.
    """
    s = guess if low < guess < high else 0.5 * (low + high)
    for _ in range(60):
        rate, curvature = half_squared_distance_rate(c, s)
        if rate < 0.0:
            low = s
        else:
            high = s
        following = s - rate / curvature if curvature > 0.0 else 0.5 * (low + high)
        if not low <= following <= high:
            following = 0.5 * (low + high)
        if abs(following - s) * KNOT_STEP_S < NEWTON_TOLERANCE_S:
            return following
        s = following
    return s


@kernel
def minima_of_candidates(
    coefficients: FloatArray,
    pads_km: FloatArray32,
    found: IntArray,
    guesses_s: FloatArray32,
    count: int,
    middle: float,
    begin: float,
    end: float,
    threshold_km: float,
    zone_radius_km: float,
    in_high_zone: bool,
    pairs: IntArray,
    minima: FloatArray,
) -> int:
    """Find the minima of distance of the candidate pairs on the interpolated curves, in [begin, end] of `s`.

    `found` (2, count) are pairs of objects, `guesses_s` their straight-line times from the step's `middle`.
    Minima below the threshold plus both pads are kept if the zone owns them: the radius of the first object
    decides, so that none is counted twice. Fills `pairs` (2, room) and `minima` (room,) with `s`; returns the
    count, which continues beyond the room.
    """
    overlap = STEP_OVERLAP_S / KNOT_STEP_S
    begin -= overlap
    end += overlap
    c = np.empty((6, 3))
    kept = 0
    for k in range(count):
        i, j = found[0, k], found[1, k]
        for power in range(6):
            for axis in range(3):
                c[power, axis] = coefficients[j, power, axis] - coefficients[i, power, axis]
        speed2 = 0.0
        for axis in range(3):
            speed2 += velocity_along(c, axis, middle) ** 2
        fast = speed2 > (ONE_MINIMUM_PER_STEP_KM_S * KNOT_STEP_S) ** 2
        substeps = 1 if fast else SLOW_SUBSTEPS
        width = (end - begin) / substeps
        low = begin
        rate_low = half_squared_distance_rate(c, low)[0]
        limit_km = threshold_km + pads_km[i] + pads_km[j]
        for sub in range(substeps):
            high = end if sub == substeps - 1 else begin + (sub + 1) * width
            rate_high = half_squared_distance_rate(c, high)[0]
            if rate_low < 0.0 <= rate_high:
                s = root_in_bracket(c, low, high, middle + guesses_s[k] / KNOT_STEP_S)
                distance2 = 0.0
                radius2 = 0.0
                for axis in range(3):
                    distance2 += position_along(c, axis, s) ** 2
                    radius2 += position_along(coefficients[i], axis, s) ** 2
                owned = (math.sqrt(radius2) > zone_radius_km) == in_high_zone
                if owned and distance2 <= limit_km * limit_km:
                    if kept < minima.shape[0]:
                        pairs[0, kept] = i
                        pairs[1, kept] = j
                        minima[kept] = s
                    kept += 1
            low = high
            rate_low = rate_high
    return kept
