"""UTC instants as Julian day and fraction, and spans measured in seconds from a start.

A Julian date in one float64 resolves only 20 to 40 microseconds, in which a satellite flies 0.3 m; the
day and its fraction are therefore kept apart everywhere.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SECONDS_PER_DAY = 86400.0
_MICROSECONDS_PER_DAY = 86_400_000_000
_JULIAN_DATE_OF_1970 = 2440587.5

FloatArray = npt.NDArray[np.float64]
UtcArray = npt.NDArray[np.datetime64]


class TimeWindow(NamedTuple):
    """The span [start, start + seconds), UTC; times inside it are seconds from the start."""

    start_jd: float  # Julian date of the midnight before the start, always ...5
    start_day_fraction: float  # [0, 1)
    seconds: float

    @property
    def start(self) -> np.datetime64:
        """The first instant, to the microsecond."""
        return _instant(self, 0.0)

    @property
    def end(self) -> np.datetime64:
        """The first instant after the span, to the microsecond."""
        return _instant(self, self.seconds)


@lru_cache(maxsize=64)  # a run asks for the ends of its window a dozen times for each ephemeris
def _instant(span: TimeWindow, seconds: float) -> np.datetime64:
    return np.datetime64(utc(span, np.array([seconds]))[0], "us")


def window(start: np.datetime64, hours: float) -> TimeWindow:
    """Return the span of `hours` that begins at the UTC instant `start`."""
    jd, day_fraction = julian_date(np.array([start], "M8[us]"))
    return TimeWindow(float(jd[0]), float(day_fraction[0]), hours * 3600.0)


def julian_date(instants: UtcArray) -> tuple[FloatArray, FloatArray]:
    """Split UTC instants (M8[us]) into the Julian date of their midnight and the fraction of the day."""
    microseconds = instants.astype("M8[us]").astype(np.int64)
    days, rest = np.divmod(microseconds, _MICROSECONDS_PER_DAY)
    return days + _JULIAN_DATE_OF_1970, rest / _MICROSECONDS_PER_DAY


def instants(jd: FloatArray, day_fraction: FloatArray) -> UtcArray:
    """Join Julian dates of midnights and day fractions into UTC instants, rounded to the microsecond."""
    days = np.rint(jd - _JULIAN_DATE_OF_1970).astype(np.int64)
    microseconds = np.rint(day_fraction * _MICROSECONDS_PER_DAY).astype(np.int64)
    joined: UtcArray = (days * _MICROSECONDS_PER_DAY + microseconds).astype("M8[us]")
    return joined


def utc(span: TimeWindow, seconds: FloatArray) -> UtcArray:
    """Turn seconds from the start of `span` into UTC instants (M8[us]); NaN becomes NaT."""
    start = instants(np.array([span.start_jd]), np.array([span.start_day_fraction]))[0]
    known = np.isfinite(seconds)
    offset = np.rint(np.where(known, seconds, 0.0) * 1e6).astype("m8[us]")
    out: UtcArray = np.where(known, start + offset, np.datetime64("NaT"))
    return out


def seconds_since(span: TimeWindow, jd: FloatArray, day_fraction: FloatArray) -> FloatArray:
    """Return the seconds from the start of `span` to the given Julian dates."""
    return ((jd - span.start_jd) + (day_fraction - span.start_day_fraction)) * SECONDS_PER_DAY
