"""Curves of many objects at once, in blocks of 64 and vector instructions.

A block is one flat array, row after row of 64 lanes: the states at both ends of an interval, then the
coefficients. The compiler then knows that inputs and outputs do not overlap. Each operation is that of
`hermite_coefficients`, so that all values are the same to the last bit.
"""

import math

import numpy as np
import numpy.typing as npt

from screening.kernels import inlined_kernel, kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.knots import POWERS, quintic
from screening.orbits.timegrid import FloatArray
from screening.search.one_step.middle_states import FloatArray32

_BLOCK = 64
_R0, _V0, _R1, _V1, _CURVE = 0, 3, 6, 9, 12  # rows
_ROWS = _CURVE + 3 * POWERS
_up = np.uintp


@kernel
def rough_coefficients(
    r0_km: FloatArray, v0_km_s: FloatArray, r1_km: FloatArray, v1_km_s: FloatArray, out: FloatArray32
) -> None:
    """Fill `out` (18, n), km, with the coefficients of `hermite_coefficients`, rounded to float32.

    Row `3 * power + axis`, so that one instruction serves neighbouring objects. The states are (3, n).
    """
    block = np.ones(_ROWS * _BLOCK)
    count = out.shape[1]
    for first in range(0, count, _BLOCK):
        used = min(_BLOCK, count - first)
        _copy_in(r0_km, _R0, first, used, block)
        _copy_in(v0_km_s, _V0, first, used, block)
        _copy_in(r1_km, _R1, first, used, block)
        _copy_in(v1_km_s, _V1, first, used, block)
        _curves_of_block(block)
        for row in range(3 * POWERS):
            coefficient = out[row]
            for lane in range(_up(used)):
                coefficient[_up(first) + lane] = block[_at(_CURVE + row, lane)]


@kernel
def _copy_in(states: FloatArray, row: int, first: int, used: int, block: FloatArray) -> None:
    """Copy `used` columns of states (3, n) to three rows of the block."""
    for axis in range(3):
        coordinate = states[axis]
        for lane in range(_up(used)):
            block[_at(row + axis, lane)] = coordinate[_up(first) + lane]


@kernel
def raise_to_curve_error(
    r0_km: FloatArray,
    v0_km_s: FloatArray,
    r1_km: FloatArray,
    v1_km_s: FloatArray,
    objects: npt.NDArray[np.intp],
    fractions: FloatArray,
    r_true_km: FloatArray,
    largest_km: FloatArray,
) -> None:
    """Raise `largest_km` (n,) to the largest distance between curves and true positions at some fractions.

    The states (3, n) are those at both ends of the interval; `r_true_km` (f, 3, k) are the positions of
    `objects` (k,) at the `fractions` (f,) of it. NaN values are ignored.
    """
    block = np.ones(_ROWS * _BLOCK)
    error2 = np.empty(_BLOCK)
    for first in range(0, objects.shape[0], _BLOCK):
        used = min(_BLOCK, objects.shape[0] - first)
        for lane in range(used):
            i = objects[first + lane]
            for axis in range(3):
                block[(_R0 + axis) * _BLOCK + lane] = r0_km[axis, i]
                block[(_V0 + axis) * _BLOCK + lane] = v0_km_s[axis, i]
                block[(_R1 + axis) * _BLOCK + lane] = r1_km[axis, i]
                block[(_V1 + axis) * _BLOCK + lane] = v1_km_s[axis, i]
        _curves_of_block(block)
        for f in range(fractions.shape[0]):
            s = fractions[f]
            error2[:] = 0.0
            for axis in range(3):
                for lane in range(used):
                    error2[lane] += (_position(block, axis, lane, s) - r_true_km[f, axis, first + lane]) ** 2
            for lane in range(used):
                i = objects[first + lane]
                if error2[lane] > largest_km[i] ** 2:
                    largest_km[i] = math.sqrt(error2[lane])


@kernel
def _curves_of_block(block: FloatArray) -> None:
    for i in range(_up(_BLOCK)):
        a0 = acceleration_km_s2(block[_at(_R0, i)], block[_at(_R0 + 1, i)], block[_at(_R0 + 2, i)])
        a1 = acceleration_km_s2(block[_at(_R1, i)], block[_at(_R1 + 1, i)], block[_at(_R1 + 2, i)])
        _write_axis(block, 0, i, a0[0], a1[0])
        _write_axis(block, 1, i, a0[1], a1[1])
        _write_axis(block, 2, i, a0[2], a1[2])


@inlined_kernel
def _at(row, lane):  # type: ignore[no-untyped-def]
    """Return the place of a value; unsigned indices keep the loop over lanes free of branches."""
    return _up(row * _BLOCK) + _up(lane)


@inlined_kernel
def _write_axis(block, axis, i, a0, a1):  # type: ignore[no-untyped-def]
    p0, v0 = block[_at(_R0 + axis, i)], block[_at(_V0 + axis, i)]
    p1, v1 = block[_at(_R1 + axis, i)], block[_at(_V1 + axis, i)]
    c0, c1, c2, c3, c4, c5 = quintic(p0, v0, a0, p1, v1, a1)
    block[_at(_CURVE + axis, i)] = c0
    block[_at(_CURVE + 3 + axis, i)] = c1
    block[_at(_CURVE + 6 + axis, i)] = c2
    block[_at(_CURVE + 9 + axis, i)] = c3
    block[_at(_CURVE + 12 + axis, i)] = c4
    block[_at(_CURVE + 15 + axis, i)] = c5


@inlined_kernel
def _position(block, axis, i, s):  # type: ignore[no-untyped-def]
    high = block[_at(_CURVE + 9 + axis, i)] + s * (
        block[_at(_CURVE + 12 + axis, i)] + s * block[_at(_CURVE + 15 + axis, i)]
    )
    low = block[_at(_CURVE + axis, i)]
    return low + s * (block[_at(_CURVE + 3 + axis, i)] + s * (block[_at(_CURVE + 6 + axis, i)] + s * high))
