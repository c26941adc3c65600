"""Which probability counts: that of the encounter plane, or that of the likeliest orbits that meet."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import PROBABILITY_FLAGS
from screening.risk.geometry.encounter_plane import BoolArray
from screening.risk.probability.validity import FlagArray

# Of 132,470 encounters of a day, no `curved` one with a smaller number in the plane is above 1e-6 in three
# dimensions.
NEGLIGIBLE = 1e-8

# Of the speed. Of 47 `long` encounters of a day above 1e-8, two had another number in three dimensions (0.79
# and 1.21 of that in the plane), at 70 and 200 m/s; the others differ by less than 0.2 %.
ALONGSIDE = 0.1

_SLOW, _LONG, _CURVED, _NON_POSITIVE_DEFINITE = (1 << bit for bit in range(len(PROBABILITY_FLAGS)))
# With one of these the plane has no meaning.
NOT_2D = _SLOW | _NON_POSITIVE_DEFINITE


def needs_three_dimensions(
    flags: FlagArray, in_plane: FloatArray, measured: BoolArray, speed_ratio: FloatArray
) -> BoolArray:
    """Return for which encounters (n,) the number in the plane is not the one that counts.

    Flags as of `validity_flags`; in_plane: the number in the plane, also where the flags forbid it; measured:
    whether a covariance is measured, and not from a law; speed_ratio: relative speed over speed. The errors
    of a law are mostly shifts along the orbit; equal shifts of both objects leave the encounter where it is,
    so one that is only `long` loses nothing unless the objects fly nearly alongside.
    """
    turned = (flags & (_SLOW | _CURVED) != 0) | ((flags & _LONG != 0) & (speed_ratio < ALONGSIDE))
    small = (in_plane <= NEGLIGIBLE) & (flags & NOT_2D == 0)
    needed: BoolArray = np.where(measured, flags != 0, turned & ~small)
    return needed
