"""States of many objects on the grid of knots, compact: what a search for a few primaries reads.

float32 resolves 0.5 m at 8,400 km and 4 m at 46,000 km. Objects stand in tiles, neighbours in radius, so that
most tiles can be passed over for a primary without a look at their states.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import NO_ORBIT, ErrorArray, IndexArray, Propagator
from screening.orbits.timegrid import FloatArray
from screening.search.all_pairs.screen import absences_at
from screening.search.few_objects.straight_line_sieve import LEAST_SLACK_KM, raise_to_slack
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pads import LARGEST_KM, Knots, checked_groups, measured_pads_km
from screening.search.one_step.pair_tests import LANES
from screening.search.radial_range import RadialRange
from screening.search.results import Absence

# Where a state is put that SGP4 cannot give: near nobody.
FAR_KM = np.float32(1e9)
# An object whose radius moves by more than this touches many layers, and stands behind the others.
_THICK_KM = 250.0
# Where more is left unexplained, the curve itself is compared with SGP4.
_DOUBTFUL_KM = 100.0


class Chunk(NamedTuple):
    """States over some hours: m knots, n objects, n a multiple of LANES; what is behind the last is FAR."""

    times_s: FloatArray  # (m,)
    states: FloatArray32  # (m, 6, n) TEME, km and km/s
    slack_km: FloatArray32  # (n,) what of the motion neither gravity nor the curve between knots explains


def order_in_tiles(ranges: RadialRange) -> IndexArray:
    """Return the order in which objects (n,) stand in tiles."""
    thick = ranges.high_km - ranges.low_km > _THICK_KM
    return np.lexsort((ranges.high_km, thick)).astype(np.int32)


def ranges_of_tiles(ranges: RadialRange) -> RadialRange:
    """Return the lowest and the highest radius in each tile of objects that stand in order (n,)."""
    behind = -len(ranges.low_km) % LANES
    low_km = np.pad(ranges.low_km, (0, behind), constant_values=np.inf).reshape(-1, LANES)
    high_km = np.pad(ranges.high_km, (0, behind), constant_values=-np.inf).reshape(-1, LANES)
    return RadialRange(low_km.min(axis=1), high_km.max(axis=1))


def chunk_of(
    elements: ElementArray, propagator: Propagator, order: IndexArray, times_s: FloatArray
) -> tuple[Chunk, list[Absence]]:
    """Propagate objects (n,) to knots; object `order[i]` stands at `i`. Also return who has no state when.

    As in the screening of all objects, a curve that is more than LARGEST_KM off SGP4 is none.
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
    """Write object `order[i]` of states (m, 3, n) to place `i` of `states` (m, 6, ...); who failed is FAR."""
    for k in range(states.shape[0]):
        for i in range(order.shape[0]):
            j = order[i]
            good = errors[k, j] == 0
            for axis in range(3):
                states[k, axis, i] = r_km[k, axis, j] if good else FAR_KM
                states[k, 3 + axis, i] = v_km_s[k, axis, j] if good else 0.0
        states[k, :3, order.shape[0] :] = FAR_KM
        states[k, 3:, order.shape[0] :] = 0.0


def _without_curve(
    elements: ElementArray, propagator: Propagator, knots: Knots, slack_km: FloatArray
) -> npt.NDArray[np.intp]:
    doubtful = np.flatnonzero(slack_km > _DOUBTFUL_KM)
    if len(doubtful) == 0:
        return doubtful
    states = (knots.errors[:, doubtful], knots.r_teme_km[:, :, doubtful], knots.v_teme_km_s[:, :, doubtful])
    checked = checked_groups(elements[doubtful], propagator.subset(doubtful))
    pads_km = measured_pads_km(checked, Knots(knots.times_s, *states))
    return doubtful[pads_km > LARGEST_KM]
