"""Return which minima of a task are final: nothing found elsewhere in the window can change them.

Not final is what joining the tasks may still merge or leave out (`assemble.join`): minima near an end of the
task, which the task beside it may have too; slow ones, which become visits; those of objects that share an
element set, or that SGP4 loses for a while; and those of pairs that begin close together, and may stay so.
All others, nearly all, are encounters as they are.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, pair_keys
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.assemble import SAME_MINIMUM_S, without_doubles
from screening.search.results import Found
from screening.search.staying_close.proximities import PROXIMITY_KM, pairs_within
from screening.search.staying_close.same_sets import SameSets
from screening.search.staying_close.slow import SLOW_KM_S

# Minima of one pair that are closer than SAME_MINIMUM_S are one: those on either side of an end reach so far.
END_S = 2.0 * SAME_MINIMUM_S


class Unsettled(NamedTuple):
    """Whose minima are never final within a task; by the indices that the search returns."""

    pairs: npt.NDArray[np.int64]  # (k,) `pair_keys`, ascending: within 10 km at the window's start
    objects: IndexArray  # (m,) that share their element set with others


def unsettled(propagator: Trajectories, sets: SameSets) -> Unsettled:
    """Return whose minima only the whole window settles; `propagator` is that of the sets' first objects."""
    pairs, _ = pairs_within(propagator, 0.0, PROXIMITY_KM)
    return Unsettled(np.sort(pair_keys(*sets.first[pairs])), sets.first[sets.sizes > 1])


def settle(
    found: Found, begin_s: float, end_s: float, never: Unsettled, absent: Sequence[int]
) -> tuple[EncounterArray, Found]:
    """Return the final encounters of a task that searched [begin_s, end_s), and what is left to be joined.

    `absent` are the objects that the task found without a state, by the indices that the search returns.

    The encounters are those that `assemble.join` would return for them, in the order of pair and TCA.
    """
    rows = without_doubles(found.encounters)
    tca_s, speed_km_s, primary, secondary = (
        found.encounters[name][rows]
        for name in ("tca_s", "relative_speed_km_s", "primary_index", "secondary_index")
    )
    doubtful = np.union1d(never.objects, np.array(absent, np.int32))
    final = (tca_s >= begin_s + END_S) & (tca_s < end_s - END_S) & (speed_km_s >= SLOW_KM_S)
    final &= ~np.isin(pair_keys(primary, secondary), never.pairs)
    final &= ~np.isin(primary, doubtful) & ~np.isin(secondary, doubtful)
    return found.encounters[rows[final]], found._replace(encounters=found.encounters[rows[~final]])
