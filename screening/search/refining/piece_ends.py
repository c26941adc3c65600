"""What counts of the search between knots where an object passes from one piece of its path to the next.

Curves of pieces go on beyond their ends, so all that lies within is found like anything else. What is found
beyond is dropped, and so is one piece of an object that meets another.
"""

import numpy as np

from screening.encounters import EncounterArray
from screening.orbits.pieces import BEYOND_END_S, PiecePaths
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories


def between_objects(
    paths: Trajectories, pairs: IndexArray, times_s: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """Return the pairs (2, k), with their times (k,), without those of two pieces of one object."""
    if not isinstance(paths, PiecePaths):
        return pairs, times_s
    first, second = paths.pieces.objects[pairs]
    return pairs[:, first != second], times_s[first != second]


def in_their_time(paths: Trajectories, encounters: EncounterArray) -> EncounterArray:
    """Return the encounters at which both pieces are active, or nearly."""
    if not isinstance(paths, PiecePaths):
        return encounters
    tca_s, counts = encounters["tca_s"], np.ones(len(encounters), np.bool_)
    for who in ("primary_index", "secondary_index"):
        piece = encounters[who]
        counts &= tca_s >= paths.pieces.from_s[piece] - BEYOND_END_S
        counts &= tca_s <= paths.pieces.to_s[piece] + BEYOND_END_S
    kept: EncounterArray = encounters[counts]
    return kept
