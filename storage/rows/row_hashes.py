"""A hash of rows of integers that is the same on every machine and in every version."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def row_hash(columns: Iterable[npt.NDArray[np.generic]]) -> npt.NDArray[np.uint64]:
    """Return 64-bit hashes of rows given as columns of 8-byte values.

    Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" (SplitMix64).
    """
    state: npt.NDArray[np.uint64] = np.zeros(1, np.uint64)
    for column in columns:
        state = _mixed(state + _GOLDEN ^ np.ascontiguousarray(column).view(np.uint64))
    return state


def _mixed(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
