"""What is usual in an object's history: medians over a window of time, which a few manoeuvres do not move."""

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from screening.orbits.timegrid import FloatArray

MAD_TO_SIGMA = 1.4826  # of a normal distribution
# Steps on either side. Errors of sets change over months, with the Sun and with how they are fitted; a
# hundred steps give a median to a tenth, and a burn every two weeks moves it little.
HALF_WINDOW = 50


def local_median(values: FloatArray, owner: npt.NDArray[np.int64], used: npt.NDArray[np.bool_]) -> FloatArray:
    """Return, for each value (n,), the median of its object's used values around it; NaN if there is none.

    Owners ascend. At both ends of a history the window stays as long as the history lets it.
    """
    out = np.full(len(values), np.nan)
    place = np.flatnonzero(used & np.isfinite(values))
    borders = np.flatnonzero(np.diff(owner[place], prepend=-1, append=-1))
    ends = np.searchsorted(owner, owner[place[borders[:-1]]], side="right")
    begins = np.searchsorted(owner, owner[place[borders[:-1]]])
    for first, last, begin, end in zip(borders[:-1], borders[1:], begins, ends, strict=True):
        medians = _rolling_median(values[place[first:last]])
        nearest = np.searchsorted(place[first:last], np.arange(begin, end))
        out[begin:end] = medians[np.minimum(nearest, last - first - 1)]
    return out


def robust_sigma(values: FloatArray, owner: npt.NDArray[np.int64], used: npt.NDArray[np.bool_]) -> FloatArray:
    """Return a robust standard deviation about zero of the object's used values around each one (n,)."""
    return MAD_TO_SIGMA * local_median(np.abs(values), owner, used)


def _rolling_median(values: FloatArray) -> FloatArray:
    width = 2 * HALF_WINDOW + 1
    if len(values) <= width:
        return np.full(len(values), np.median(values))
    middle = np.median(sliding_window_view(values, width), axis=1)
    return np.pad(middle, HALF_WINDOW, mode="edge")
