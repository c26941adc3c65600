"""How many approaches there are, and what they may come to: by shell, and by groups of objects."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray

Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


LIMITS_M = (1000.0, 5000.0)


class Approaches(NamedTuple):
    """Fast encounters (m,)."""

    first: Places  # of the objects
    second: Places
    altitude_km: FloatArray  # of the first at TCA: its radius less the Earth's at the equator
    miss_m: FloatArray
    probability: FloatArray  # NaN: none
    fragments: FloatArray  # of 10 cm or more if they meet; NaN: unknown


class Tally(NamedTuple):
    """What some approaches come to."""

    within_1km: FloatArray  # (groups,) numbers
    within_5km: FloatArray
    collisions: FloatArray  # sums of probabilities
    fragments: FloatArray  # sums of probabilities times pieces


class PairTally(NamedTuple):
    """What the approaches between two groups come to (k,); `other` is -1 in sums over all others."""

    one: Places
    other: Places
    tally: Tally


class Counter:
    """Counts approaches."""

    def __init__(self, approaches: Approaches, edges_km: FloatArray) -> None:
        """Take approaches (m,), and the edges of the shells: the outermost hold what lies beyond, too."""
        self._of, self._shells = approaches, len(edges_km) - 1
        shell = np.searchsorted(edges_km, approaches.altitude_km, "right") - 1
        self._shell = np.clip(shell, 0, self._shells - 1)
        chance = np.nan_to_num(approaches.probability)
        some = np.flatnonzero(chance)
        # What each number is a sum over, and of what.
        self._sums_of = (
            *(
                (np.flatnonzero(approaches.miss_m < limit_m), None)  # ones
                for limit_m in LIMITS_M
            ),
            (some, chance[some]),
            (some, chance[some] * np.nan_to_num(approaches.fragments[some])),
        )

    def by_shell(self, some: Mask | None = None) -> Tally:
        """Return the tally of each shell (shells,), of all approaches or of some (m,)."""
        return self._sums(self._shell, self._shells, some)

    def by_groups(self, group: Places, count: int, *, pairs: bool) -> Iterator[PairTally]:
        """Give the tallies of groups of objects, `group` (n,) in 0 to `count`.

        First of each, an approach between two of the same counted once, then of pairs, one <= other; without
        `pairs` only of those of two of the same.
        """
        first, second = group[self._of.first], group[self._of.second]
        same = first == second
        sums = [self._sums(first, count), self._sums(second, count, ~same)]
        yield PairTally(np.arange(count), np.full(count, -1), Tally(*map(np.add, *sums)))
        low, high = np.minimum(first, second), np.maximum(first, second)
        if pairs:
            one, other = np.divmod(np.arange(count * count), count)
            yield PairTally(one, other, self._sums(low * count + high, count * count))
        else:
            yield PairTally(np.arange(count), np.arange(count), self._sums(first, count, same))

    def _sums(self, codes: Places, count: int, some: Mask | None = None) -> Tally:
        if some is not None:
            codes = np.where(some, codes, count)  # the others go into a group of their own
        sums = (np.bincount(codes[places], values, count + 1)[:count] for places, values in self._sums_of)
        return Tally(*(each.astype(np.float64, copy=False) for each in sums))
