"""The curves of all objects between two knots: rough ones of all, exact ones of those asked for.

Every object is evaluated in float32 in the middle of each step, but few are in a pair whose minimum is then
followed in float64: exact coefficients of all, 144 bytes an object, took longer than rough ones.
"""

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.knots import POWERS, hermite_coefficients_of
from screening.orbits.timegrid import FloatArray
from screening.search.one_step.curve_blocks import rough_coefficients
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pads import Knots
from screening.search.one_step.pair_tests import IntArray


class Curves:
    """The curves of objects (n,) in one interval of a chunk of knots after the other."""

    def __init__(self, knots: Knots) -> None:
        count = knots.errors.shape[1]
        self._knots = knots
        self._exact = np.empty((count, POWERS, 3))
        self._known = np.empty(count, np.bool_)  # which of the exact ones
        self.rough: FloatArray32 = np.empty((3 * POWERS, count), np.float32)

    def enter(self, k: int) -> npt.NDArray[np.bool_]:
        """Turn to the interval between knots `k` and `k + 1`; return which objects (n,) have both states."""
        errors, r_km, v_km_s = self._knots.errors, self._knots.r_teme_km, self._knots.v_teme_km_s
        self._ends = (r_km[k], v_km_s[k], r_km[k + 1], v_km_s[k + 1])
        self._known[:] = False
        rough_coefficients(*self._ends, self.rough)
        good: npt.NDArray[np.bool_] = (errors[k] == 0) & (errors[k + 1] == 0)
        return good

    def exact_of(self, pairs: IntArray, count: int) -> FloatArray:
        """Return coefficients (n, 6, 3), km, that are filled for the objects of the first pairs (2, room)."""
        _fill_missing(*self._ends, pairs, count, self._known, self._exact)
        return self._exact


@kernel
def _fill_missing(
    r0_km: FloatArray,
    v0_km_s: FloatArray,
    r1_km: FloatArray,
    v1_km_s: FloatArray,
    pairs: IntArray,
    count: int,
    known: npt.NDArray[np.bool_],
    out: FloatArray,
) -> None:
    for k in range(count):
        for side in range(2):
            i = pairs[side, k]
            if not known[i]:
                known[i] = True
                hermite_coefficients_of(i, r0_km, v0_km_s, r1_km, v1_km_s, out)
