"""TAI - UTC, from the table of erfa."""

from functools import cache

import erfa
import numpy as np

from screening.orbits.timegrid import FloatArray, UtcArray

TT_MINUS_TAI = np.timedelta64(32_184, "ms")
TAI_MINUS_GPS = np.timedelta64(19, "s")


def tai_minus_utc_s(utc: UtcArray) -> FloatArray:
    """Return TAI - UTC in seconds at UTC instants of any shape; before 1960 the first value."""
    starts, seconds = _table()
    return np.asarray(seconds[np.maximum(np.searchsorted(starts, utc, side="right") - 1, 0)])


def utc_from_tai(tai: UtcArray) -> UtcArray:
    """Turn instants of TAI (M8[us]) into UTC; a leap second itself becomes the second after it."""
    starts, seconds = _table()
    offsets = np.rint(seconds * 1e6).astype("m8[us]")
    which = np.maximum(np.searchsorted(starts + offsets, tai, side="right") - 1, 0)
    utc: UtcArray = tai - offsets[which]
    return utc


@cache
def _table() -> tuple[UtcArray, FloatArray]:
    """Return the UTC instants from which each value holds, and the values."""
    table = erfa.leap_seconds.get()
    months = (12 * (table["year"].astype(np.int64) - 1970) + table["month"] - 1).astype("M8[M]")
    return months.astype("M8[us]"), table["tai_utc"].astype(float)
