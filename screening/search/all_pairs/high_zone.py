"""Candidate pairs above 8,400 km of radius: cubes as wide as two objects can approach in half a step."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import fast_kernel, kernel
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import FloatArray
from screening.search.all_pairs.low_grid import LOW_ZONE_RADIUS_KM
from screening.search.one_step.middle_states import EXCURSION, RADIUS, FloatArray32, X
from screening.search.one_step.pair_tests import (
    LANES,
    IntArray,
    bending_factor,
    note_close,
)

STEPS_PER_INTERVAL = 2  # 300 s
# Farther objects are in the outermost cubes: clamping never separates two objects.
HALF_WIDTH_KM = 46000.0
MOST_RISE_KM = 400.0  # of an orbit, between two knots


class HighGrid(NamedTuple):
    """The cubes of one chunk: the same for all its steps."""

    threshold_km: float
    half_step_s: float  # with a little overlap
    kappa: float
    bottom_km: float  # objects that stay below are not in this zone
    cube_km: float
    cubes: int  # along one axis, with an empty one at either end


def high_grid(threshold_km: float, largest_pad_km: float, half_step_s: float) -> HighGrid:
    """Lay out cubes so that objects which can meet in half a step lie in the same or in touching ones.

    An object at the zone's border at some moment of the step is never more than 1,500 km below it, where
    nothing bound is faster than the escape speed.
    """
    slack_km = threshold_km + 2.0 * largest_pad_km
    fastest_km_s = math.sqrt(2.0 * MU_KM3_S2 / (LOW_ZONE_RADIUS_KM - slack_km - 1500.0))
    cube_km = slack_km + 2.0 * fastest_km_s * half_step_s
    return HighGrid(
        threshold_km=threshold_km,
        half_step_s=half_step_s,
        kappa=bending_factor(LOW_ZONE_RADIUS_KM - slack_km, half_step_s),
        bottom_km=LOW_ZONE_RADIUS_KM - slack_km,
        cube_km=cube_km,
        cubes=int(2.0 * HALF_WIDTH_KM / cube_km) + 3,
    )


@kernel
def first_in_zone(r_teme_km: FloatArray, grid: HighGrid) -> int:
    """Return the first object that may be in the zone between knots, (m, 3, n): those before stay below.

    Between two knots an orbit rises above both by mu / r^2 (600 s)^2 / 8 at most: 370 km at 7,000 km.
    """
    limit2 = (grid.bottom_km - MOST_RISE_KM) ** 2
    for i in range(r_teme_km.shape[2]):
        for k in range(r_teme_km.shape[0]):
            if r_teme_km[k, 0, i] ** 2 + r_teme_km[k, 1, i] ** 2 + r_teme_km[k, 2, i] ** 2 > limit2:
                return i
    return int(r_teme_km.shape[2])


@kernel
def sort_into_cubes(
    midstep: FloatArray32,
    good: npt.NDArray[np.bool_],
    grid: HighGrid,
    first: int,
    starts: IntArray,
    cube: IntArray,
    objects: IntArray,
) -> int:
    """Write the objects from `first` on that may be in the zone into their cubes; return how many.

    `starts` (cubes^3 + 2,): the entries of cube k lie at starts[k] .. starts[k + 1].
    """
    starts[:] = 0
    for i in range(first, midstep.shape[1]):
        cube[i] = -1
        if not good[i] or midstep[RADIUS, i] + midstep[EXCURSION, i] < grid.bottom_km:
            continue
        key = 0
        for axis in range(3):
            coordinate = min(max(float(midstep[X + axis, i]), -HALF_WIDTH_KM), HALF_WIDTH_KM)
            key = key * grid.cubes + int((coordinate + HALF_WIDTH_KM) / grid.cube_km) + 1
        cube[i] = key
        starts[key + 2] += 1
    count = 0
    for k in range(2, starts.shape[0]):
        count += starts[k]
        starts[k] = count
    for i in range(first, midstep.shape[1]):
        if cube[i] >= 0:
            at = starts[cube[i] + 1]
            starts[cube[i] + 1] = at + 1
            objects[at] = i
    return count


@fast_kernel
def search_high_zone(
    grid: HighGrid, starts: IntArray, entries: FloatArray32, batches: IntArray
) -> tuple[int, int]:
    """Note every batch with a pair that may come within reach.

    Returns how many, even beyond the room, and how many batches were tested.

    Partners of a cube: itself and the next, and the three cubes of each of the four touching rows later in
    the order; neighbouring cubes of a row are one run of entries.
    """
    row = grid.cubes
    plane = row * row
    n = 0
    tested = 0
    for k in range(starts.shape[0] - 2):
        begin, end = starts[k], starts[k + 1]
        if begin == end:
            continue
        last = starts[k + 2]
        for p in range(begin, end):
            n = note_close(entries, p, p + 1, p + 1, last, -1, batches, n)
            tested += (last - p + LANES - 2) // LANES
        for shift in (row, plane - row, plane, plane + row):
            first, last = starts[k + shift - 1], starts[k + shift + 2]
            n = note_close(entries, begin, end, first, last, -1, batches, n)
            tested += (end - begin) * ((last - first + LANES - 1) // LANES)
    return n, tested
