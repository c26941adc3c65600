"""Collapse the encounters with a complex, such as a station and its vehicles, to one row each."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

ALONE = -1
# Sets of different epochs put docked objects up to some km apart, a second of an encounter or two; the same
# two bodies meet again after half a revolution at the soonest.
SAME_ENCOUNTER = np.timedelta64(60, "s")


class Side(NamedTuple):
    """The objects on one side of events (n,)."""

    norad_id: IntArray
    complex_id: IntArray  # ALONE: in none


def told_by_another(
    matching: BoolArray,
    primary: Side,
    secondary: Side,
    tca: npt.NDArray[np.generic],
    danger: Sequence[npt.NDArray[np.generic]],
) -> BoolArray:
    """Return which of the matching events (n,) a more dangerous one covers too.

    Events are one encounter if their objects belong to the same complexes and the TCA of each is within
    SAME_ENCOUNTER of the next. Of these the first by the keys `danger`, ascending, covers the others.
    """
    sides = (primary, secondary)
    some = np.flatnonzero(matching & ((primary.complex_id != ALONE) | (secondary.complex_id != ALONE)))
    one, other = (np.where(side.complex_id != ALONE, side.complex_id, side.norad_id)[some] for side in sides)
    first, second, times = np.minimum(one, other), np.maximum(one, other), tca[some]
    order = np.lexsort((times, second, first))
    begins = np.ones(len(some), np.bool_)
    begins[1:] = (
        (np.diff(first[order]) != 0)
        | (np.diff(second[order]) != 0)
        | (np.diff(times[order].astype("M8[us]")) > SAME_ENCOUNTER)
    )
    encounter = np.empty(len(some), np.int64)
    encounter[order] = np.cumsum(begins)
    rank = np.lexsort([key[some] for key in danger[::-1]])
    _, tells = np.unique(encounter[rank], return_index=True)
    told = np.zeros(len(matching), np.bool_)
    told[some] = True
    told[some[rank[tells]]] = False
    return told
