"""Read epochs of ephemerides: ISO 8601, calendar or ordinal, of several time systems, to UTC."""

import re
from collections.abc import Sequence

import numpy as np

from screening.orbits.reference.leap_seconds import TAI_MINUS_GPS, TT_MINUS_TAI, utc_from_tai
from screening.orbits.timegrid import UtcArray

EXPECTED = "YYYY-MM-DDThh:mm:ss.ffffff or YYYY-DDDThh:mm:ss.ffffff, without a leap second"
TIME_SYSTEMS = ("UTC", "GPS", "TAI", "TT")

_EPOCH = re.compile(
    r"(?P<year>\d{4})-(?:(?P<month_day>\d\d-\d\d)|(?P<day_of_year>\d{3}))T(?P<time>\d\d:\d\d:\d\d(?:\.\d*)?)Z?",
    re.ASCII,
)


class WrongEpoch(ValueError):
    """An epoch is not readable; `index` says which of them."""

    def __init__(self, index: int, text: str) -> None:
        super().__init__(f"the epoch {text[:40]!r} is not of the form {EXPECTED}")
        self.index = index


def read_epochs(texts: Sequence[str], time_system: str) -> UtcArray:
    """Read epochs as UTC instants (n,) M8[us]; what is below a microsecond is cut off.

    `time_system` is one of TIME_SYSTEMS. Raises WrongEpoch.
    """
    instants = np.array([_iso(i, text) for i, text in enumerate(texts)], "M8[us]")
    return to_utc(instants, time_system)


def to_utc(instants: UtcArray, time_system: str) -> UtcArray:
    """Turn instants (M8[us]) of one of TIME_SYSTEMS into UTC."""
    match time_system:
        case "GPS":
            return utc_from_tai(instants + TAI_MINUS_GPS)
        case "TAI":
            return utc_from_tai(instants)
        case "TT":
            return utc_from_tai(instants - TT_MINUS_TAI)
        case _:
            return instants


def _iso(index: int, text: str) -> np.datetime64:
    match = _EPOCH.fullmatch(text.strip())
    if match is None:
        raise WrongEpoch(index, text)
    year, month_day, day_of_year, time = match.groups()
    try:
        if day_of_year is None:
            return np.datetime64(f"{year}-{month_day}T{time}", "us")
        instant = np.datetime64(f"{year}-01-01T{time}", "us") + np.timedelta64(int(day_of_year) - 1, "D")
    except ValueError:
        raise WrongEpoch(index, text) from None
    if not str(instant).startswith(year):
        raise WrongEpoch(index, text)
    return instant
