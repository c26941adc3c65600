"""Compact states of many objects on the grid of knots, for searches around a few primaries.

float32 resolves 0.5 m at 8,400 km and 4 m at 46,000 km. Objects of similar radius share tiles, so that most
tiles can be skipped for a primary without reading their states.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import NO_ORBIT, ErrorArray, IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.screen import absences_at
from screening.search.few_objects.straight_line_sieve import LEAST_SLACK_KM, raise_to_slack
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pads import LARGEST_KM, Knots, checked_groups, measured_pads_km
from screening.search.one_step.pair_tests import LANES, IntArray
from screening.search.radial_range import RadialRange
from screening.search.results import Absence

# Position of an object without a state: near no other object.
FAR_KM = np.float32(1e9)
# An object whose radius varies by more than this touches many layers, and is placed after the others.
_THICK_KM = 250.0
# If more remains unexplained, the curve itself is compared with SGP4, as often as these say.
_DOUBTFUL_KM = 100.0
FIELDS_OF_CHUNKS = ("inclination_deg", "eccentricity")


class Chunk(NamedTuple):
    """States over some hours: m knots, n objects, n a multiple of LANES; places after the last are FAR."""

    times_s: FloatArray  # (m,)
    states: FloatArray32  # (m, 6, n) TEME, km and km/s
    slack_km: FloatArray32  # (n,) of the motion, explained neither by gravity nor by the curve


def order_in_tiles(ranges: RadialRange) -> IndexArray:
    """Return the order of objects (n,) in tiles."""
    thick = ranges.high_km - ranges.low_km > _THICK_KM
    return np.lexsort((ranges.high_km, thick)).astype(np.int32)


def ranges_of_tiles(ranges: RadialRange) -> RadialRange:
    """Return the lowest and the highest radius in each tile of objects in an order (n,)."""
    behind = -len(ranges.low_km) % LANES
    low_km = np.pad(ranges.low_km, (0, behind), constant_values=np.inf).reshape(-1, LANES)
    high_km = np.pad(ranges.high_km, (0, behind), constant_values=-np.inf).reshape(-1, LANES)
    return RadialRange(low_km.min(axis=1), high_km.max(axis=1))


def chunk_of(
    elements: ElementArray, propagator: Trajectories, order: IndexArray, times_s: FloatArray
) -> tuple[Chunk, list[Absence]]:
    """Propagate objects (n,) to knots; object `order[i]` is at `i`. Also return which objects fail when.

    Of the elements only FIELDS_OF_CHUNKS are needed.

    As in the screening of all objects, a curve more than LARGEST_KM off SGP4 is invalid.
    """
    knots = Knots(times_s, *propagator.on_grid(times_s))
    slack_km = np.full(len(propagator), LEAST_SLACK_KM)
    r_km, v_km_s = knots.r_teme_km, knots.v_teme_km_s
    for k in range(len(times_s) - 1):
        raise_to_slack(r_km[k], v_km_s[k], r_km[k + 1], v_km_s[k + 1], slack_km)
    without_curve = _without_curve(elements, propagator, knots, slack_km)
    knots.errors[:, without_curve], slack_km[without_curve] = NO_ORBIT, LEAST_SLACK_KM
    count = len(order)
    states = np.empty((len(times_s), 6, count + -count % LANES), np.float32)
    _compact(knots.errors, r_km, v_km_s, order, states)
    padded_km = np.full(states.shape[2], LEAST_SLACK_KM, np.float32)
    padded_km[:count] = slack_km[order]
    return Chunk(times_s, states, padded_km), absences_at(knots)


@kernel
def _compact(
    errors: ErrorArray, r_km: FloatArray, v_km_s: FloatArray, order: IndexArray, states: FloatArray32
) -> None:
    """Write object `order[i]` of states (m, 3, n) to place `i` of `states` (m, 6, ...), FAR if failed."""
    for k in range(states.shape[0]):
        for i in range(order.shape[0]):
            j = order[i]
            good = errors[k, j] == 0
            for axis in range(3):
                states[k, axis, i] = r_km[k, axis, j] if good else FAR_KM
                states[k, 3 + axis, i] = v_km_s[k, axis, j] if good else 0.0
        states[k, :3, order.shape[0] :] = FAR_KM
        states[k, 3:, order.shape[0] :] = 0.0


@kernel
def ends_of_intervals(
    states: FloatArray32,
    knots: IndexArray,
    pairs: IntArray,
    ends: FloatArray,
    known: npt.NDArray[np.bool_],
) -> None:
    """Fill `ends` (2, 6, 2 k) with the states (m, 6, n) of pairs (2, k) at knots (k,) and at the next ones.

    `known` (k,): whether both objects have both states.
    """
    count = knots.shape[0]
    for side in range(2):
        for q in range(count):
            k, i = knots[q], pairs[side, q]
            there = states[k, 0, i] != FAR_KM and states[k + 1, 0, i] != FAR_KM
            known[q] = there and (side == 0 or known[q])
            for end in range(2):
                for field in range(6):
                    ends[end, field, side * count + q] = states[k + end, field, i]


def _without_curve(
    elements: ElementArray, propagator: Trajectories, knots: Knots, slack_km: FloatArray
) -> npt.NDArray[np.intp]:
    doubtful = np.flatnonzero(slack_km > _DOUBTFUL_KM)
    if len(doubtful) == 0:
        return doubtful
    states = (knots.errors[:, doubtful], knots.r_teme_km[:, :, doubtful], knots.v_teme_km_s[:, :, doubtful])
    checked = checked_groups(elements[doubtful], propagator.subset(doubtful))
    pads_km = measured_pads_km(checked, Knots(knots.times_s, *states))
    return doubtful[pads_km > LARGEST_KM]
