"""What is usual in an object's history: medians over a window of time, which a few manoeuvres do not move."""

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from screening.orbits.timegrid import FloatArray

IntArray = npt.NDArray[np.int64]

MAD_TO_SIGMA = 1.4826  # of a normal distribution
# Steps on either side. Errors of sets change over months, with the Sun and with how they are fitted; a
# hundred steps give a median to a tenth, and a burn every two weeks moves it little.
HALF_WINDOW = 50


def local_median(values: FloatArray, owner: IntArray, used: npt.NDArray[np.bool_]) -> FloatArray:
    """Return, for each value (n,), the median of its object's used values around it; NaN if there is none.

    Owners ascend. At both ends of a history the window stays as long as the history lets it.
    """
    place = np.flatnonzero(used & np.isfinite(values))
    borders = np.flatnonzero(np.diff(owner[place], prepend=-1, append=-1))
    sizes = np.diff(borders)
    short = sizes <= 2 * HALF_WINDOW + 1
    of_owner = np.full(owner.max(initial=-1) + 1, np.nan)
    of_owner[owner[place[borders[:-1][short]]]] = _medians(values[place], borders[:-1], sizes)[short]
    out = of_owner[owner]
    for first, size in zip(borders[:-1][~short], sizes[~short], strict=True):
        own = place[first : first + size]
        medians = _rolling_median(values[own])
        begin, end = (
            np.searchsorted(owner, owner[own[0]]),
            np.searchsorted(owner, owner[own[0]], side="right"),
        )
        nearest = np.searchsorted(own, np.arange(begin, end))
        out[begin:end] = medians[np.minimum(nearest, size - 1)]
    return out


def _medians(values: FloatArray, first: IntArray, sizes: IntArray) -> FloatArray:
    """Return the median of each run of values, of some sizes from some places on."""
    ordered = values[np.lexsort((values, np.repeat(np.arange(len(sizes)), sizes)))]
    middle: FloatArray = (ordered[first + (sizes - 1) // 2] + ordered[first + sizes // 2]) / 2.0
    return middle


def robust_sigma(values: FloatArray, owner: IntArray, used: npt.NDArray[np.bool_]) -> FloatArray:
    """Return a robust standard deviation about zero of the object's used values around each one (n,)."""
    return MAD_TO_SIGMA * local_median(np.abs(values), owner, used)


def _rolling_median(values: FloatArray) -> FloatArray:
    middle = np.median(sliding_window_view(values, 2 * HALF_WINDOW + 1), axis=1)
    return np.pad(middle, HALF_WINDOW, mode="edge")
