"""Random numbers within kernels: a sequence of its own for each seed, without an object of the interpreter.

SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators") passes BigCrush. A
thousand numbers take 1 us, less than making one of numpy's generators.
"""

import math

import numpy as np

from screening.kernels import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31, _SHIFT_11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 2.0**-53


@kernel
def _mixed(state: np.uint64) -> np.uint64:
    state = (state ^ (state >> _SHIFT_30)) * _FIRST
    state = (state ^ (state >> _SHIFT_27)) * _SECOND
    return state ^ (state >> _SHIFT_31)


@kernel
def begin_sequence(state, seed):  # type: ignore[no-untyped-def]
    """Set the state, uint64 (1,), to the beginning of a seed's sequence."""
    state[0] = _mixed(np.uint64(seed) + _GOLDEN)  # of neighbouring seeds far apart


@kernel
def uniform(state):  # type: ignore[no-untyped-def]
    """Return the next number, in [0, 1)."""
    state[0] += _GOLDEN
    return (_mixed(state[0]) >> _SHIFT_11) * _UNIT


@kernel
def uniform_on_disk(state):  # type: ignore[no-untyped-def]
    """Return a point uniform on the unit disk.

    Drawn from the square until it is inside: cheaper than sine and cosine of a random angle.
    """
    while True:
        a, b = 2.0 * uniform(state) - 1.0, 2.0 * uniform(state) - 1.0
        if a * a + b * b < 1.0:
            return a, b


@kernel
def normal(state):  # type: ignore[no-untyped-def]
    """Return a number of the standard normal distribution; Marsaglia & Bray 1964, the polar method."""
    while True:
        a, b = uniform_on_disk(state)
        square = a * a + b * b
        if square > 0.0:
            return a * math.sqrt(-2.0 * math.log(square) / square)
