"""Read epochs of orbit mean-elements messages: ISO 8601 text to a midnight and a fraction of the day."""

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from screening.orbits.elements import JD_OF_ORDINAL_ZERO


class EpochForm(NamedTuple):
    """How the epochs of a text are written."""

    read: Callable[[str], tuple[float, float]]  # to midnight's JD and fraction of the day, or ValueError
    expected: str  # the expected form, for error messages


_EPOCH = re.compile(
    r"(?P<year>\d{4})-(?:(?P<month>\d\d)-(?P<day>\d\d)|(?P<day_of_year>\d{3}))"
    r"T(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<decimals>\d*))?Z?",
    re.ASCII,
)


def read_epoch(text: str) -> tuple[float, float]:
    """Read an ISO 8601 epoch as the Julian date of its midnight and the fraction of that day.

    Calendar or ordinal date, any number of decimals, with or without Z (CCSDS 502.0-B-3, 7.5.10). The
    fraction is the double nearest to the text's exact value. Leap seconds do not exist in SGP4's time scale
    and are refused. Raises ValueError for any other text.
    """
    match = _EPOCH.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"])
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(text)
    decimals = match["decimals"] or ""
    # Division of two Python integers is rounded once, whatever their size.
    units_per_second = 10 ** len(decimals)
    units = (3600 * hour + 60 * minute + second) * units_per_second + int(decimals or "0")
    return midnight_and_fraction(_ordinal(match), units / (86400 * units_per_second))


def midnight_and_fraction(ordinal: int, fraction: float) -> tuple[float, float]:
    """Return the Julian date of an ordinal day's midnight and a fraction below 1."""
    if fraction >= 1.0:  # an instant so close to midnight that no double lies between
        return ordinal + 1 + JD_OF_ORDINAL_ZERO, 0.0
    return ordinal + JD_OF_ORDINAL_ZERO, fraction


ISO_EPOCH = EpochForm(read_epoch, "YYYY-MM-DDThh:mm:ss.ffffff or YYYY-DDDThh:mm:ss.ffffff in UTC")


def _ordinal(match: re.Match[str]) -> int:
    year = int(match["year"])
    if match["day_of_year"] is None:
        return date(year, int(match["month"]), int(match["day"])).toordinal()
    day_of_year = int(match["day_of_year"])
    first = date(year, 1, 1).toordinal()
    if not 1 <= day_of_year <= date(year, 12, 31).toordinal() - first + 1:
        raise ValueError(match[0])
    return first + day_of_year - 1
