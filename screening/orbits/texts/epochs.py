"""Read epochs of orbit mean-elements messages: ISO 8601 text to a midnight and a fraction of the day."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import JD_OF_ORDINAL_ZERO


class EpochForm(NamedTuple):
    """How the epochs of a text are written."""

    read: Callable[[str], tuple[float, float]]  # to midnight's JD and fraction of the day, or ValueError
    expected: str  # the expected form, for error messages
    # A whole column to midnights' JD and fractions, (2, n), if all texts are of the most usual form.
    read_usual: Callable[[Sequence[str]], npt.NDArray[np.float64] | None] = lambda _: None


_EPOCH = re.compile(
    r"(?P<year>\d{4})-(?:(?P<month>\d\d)-(?P<day>\d\d)|(?P<day_of_year>\d{3}))"
    r"[T ](?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<decimals>\d*))?(?:Z|\+00(?::?00)?)?",
    re.ASCII,
)


def read_epoch(text: str) -> tuple[float, float]:
    """Read an ISO 8601 epoch as the Julian date of its midnight and the fraction of that day.

    Calendar or ordinal date, any number of decimals, with or without Z (CCSDS 502.0-B-3, 7.5.10), and as
    pandas and databases write UTC: a blank for T, +00:00 for Z. The fraction is the double nearest to the
    text's exact value. Leap seconds do not exist in SGP4's time scale and are refused. Raises ValueError for
    any other text.
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


def read_usual_epochs(texts: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Read epochs that are all of the form YYYY-MM-DDThh:mm:ss.ffffff, as catalogues are published.

    Returns what `read_epoch` does, (2, n), thirty times as fast; None if any text is of another form or has
    no epoch.
    """
    joined = "".join(texts)
    if set(map(len, texts)) != {len(_USUAL)} or not joined.isascii():
        return None
    characters = np.frombuffer(joined.encode(), np.uint8).reshape(-1, len(_USUAL))
    digits = characters[:, _DIGITS] - np.uint8(ord("0"))  # of anything else above 9
    if (digits > 9).any() or (characters[:, ~_DIGITS] != _MARKS).any():
        return None
    year, month, day, hour, minute, second, microsecond = _PLACE_VALUES @ digits.T.astype(np.int64)
    months = (12 * (year - 1970) + month - 1).astype("M8[M]")
    first = months.astype("M8[D]").astype(np.int64)
    following = (months + 1).astype("M8[D]").astype(np.int64)
    exists = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= following - first)
    if not (exists & (hour <= 23) & (minute <= 59) & (second <= 59)).all():
        return None
    ordinal = first + _ORDINAL_OF_1970 + day - 1
    microseconds = 1_000_000 * (3600 * hour + 60 * minute + second) + microsecond
    # Both integers are exact as doubles, so the fraction is rounded once, as in `read_epoch`.
    return np.stack([ordinal + JD_OF_ORDINAL_ZERO, microseconds / 86_400_000_000])


_USUAL = "yyyy-mm-ddThh:mm:ss.ffffff"
_DIGITS = np.array([character.islower() for character in _USUAL])
_MARKS = np.frombuffer(b"--T::.", np.uint8)
_PLACE_VALUES = np.zeros((7, 20), np.int64)  # of the digits of each of the seven numbers
for _number, (_from, _to) in enumerate([(0, 4), (4, 6), (6, 8), (8, 10), (10, 12), (12, 14), (14, 20)]):
    _PLACE_VALUES[_number, _from:_to] = 10 ** np.arange(_to - _from)[::-1]
_ORDINAL_OF_1970 = date(1970, 1, 1).toordinal()

ISO_EPOCH = EpochForm(
    read_epoch, "YYYY-MM-DDThh:mm:ss.ffffff or YYYY-DDDThh:mm:ss.ffffff in UTC", read_usual_epochs
)


def _ordinal(match: re.Match[str]) -> int:
    year = int(match["year"])
    if match["day_of_year"] is None:
        return date(year, int(match["month"]), int(match["day"])).toordinal()
    day_of_year = int(match["day_of_year"])
    first = date(year, 1, 1).toordinal()
    if not 1 <= day_of_year <= date(year, 12, 31).toordinal() - first + 1:
        raise ValueError(match[0])
    return first + day_of_year - 1
