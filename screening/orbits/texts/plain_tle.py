"""Read pieces of TLE text whose lines all have the usual form, as published ones do: at once, to columns."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import JD_OF_ORDINAL_ZERO

COLUMNS = 69
FIRST_YEAR_OF_TWO_DIGITS = 57  # 57 to 99 mean the 1900s, beginning with Sputnik's year

_Characters = npt.NDArray[np.uint8]
_Numbers = npt.NDArray[np.float64]

# d: a digit; b: a digit, or blanks before the first; s: blank, + or -; c: a blank, digit or letter; l: a
# blank or letter; anything else stands for itself. Usual lines have no other form of the layout in tle.py.
_FORMS = {
    1: "1 bbbbdl cccccccc ddddd.dddddddd s.dddddddd sdddddsd sdddddsd d bbbdd",
    2: "2 bbbbd bbd.dddd bbd.dddd ddddddd bbd.dddd bbd.dddd bd.ddddddddbbbbdd",
}
_CLASSES = {
    "d": "0123456789",
    "b": " 0123456789",
    "s": " +-",
    "c": " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "l": " ABCDEFGHIJKLMNOPQRSTUVWXYZ",
}
_SHORTEST_MEAN = 40  # characters of a line; that of sets with names of one character is 47
_POWERS = 10.0 ** np.arange(19)  # exact


class PlainPairs(NamedTuple):
    """The lines of the element sets of a piece, and the decimal numbers in them."""

    names: Sequence[str]  # lines; none if no set has one
    lines_1: Sequence[str]
    lines_2: Sequence[str]
    norad_ids: list[int]
    decimals: dict[str, _Numbers]  # by keyword


def plain_pairs(piece: str) -> PlainPairs | None:
    """Split whole lines into element sets that all have names, or all none, and read their numbers.

    Returns None if any line is not exactly of the usual form, or has a wrong checksum: the piece is then read
    line by line. A decimal number is an integer below 2^53 divided once by an exact power of ten, so it is
    the double nearest to its text. Whether name lines are names, the caller must check.
    """
    if not piece.isascii() or _SHORTEST_MEAN * piece.count("\n") > len(piece):
        return None  # many short lines would make a list of forty times their size
    lines = piece.split("\n")
    if not lines[-1]:
        lines.pop()
    of_a_set = 2 if lines and lines[0].startswith("1 ") and len(lines[0]) == COLUMNS else 3
    lines_1, lines_2 = lines[of_a_set - 2 :: of_a_set], lines[of_a_set - 1 :: of_a_set]
    if not lines or len(lines) % of_a_set or {*map(len, lines_1), *map(len, lines_2)} != {COLUMNS}:
        return None
    first, second = (_characters(of_one) for of_one in (lines_1, lines_2))
    if not (_is_usual(first, 1) and _is_usual(second, 2)) or (first[:, 2:7] != second[:, 2:7]).any():
        return None
    names = lines[::3] if of_a_set == 3 else ()
    return PlainPairs(names, lines_1, lines_2, _whole(first, 2, 7).tolist(), _decimals(first, second))


def plain_epochs(texts: Sequence[str]) -> _Numbers | None:
    """Read epochs that are all YYDDD.DDDDDDDD without blanks: midnights' JD, fractions, (2, n); or None."""
    if set(map(len, texts)) != {14} or not "".join(texts).isascii():
        return None
    characters = _characters(texts)
    if not _has_form(characters, "ddddd.dddddddd"):
        return None
    year, day = _whole(characters, 0, 2), _whole(characters, 2, 5)
    if (day < 1).any() or (day > 366).any():
        return None
    midnight = _first_days()[year] + (day - 1)
    return np.stack([midnight, _whole(characters, 6, 14) / _POWERS[8]])


def full_year(two_digits: int) -> int:
    """Return the year that two digits mean."""
    return two_digits + (1900 if two_digits >= FIRST_YEAR_OF_TWO_DIGITS else 2000)


def _characters(lines: Sequence[str]) -> _Characters:
    return np.frombuffer("".join(lines).encode(), np.uint8).reshape(len(lines), -1)


def _is_usual(lines: _Characters, number: int) -> bool:
    """Return whether lines (n, 69) have the usual form and right checksums."""
    if not _has_form(lines, _FORMS[number]):
        return False
    body = lines[:, :-1]
    values = np.where((body >= ord("0")) & (body <= ord("9")), body - np.uint8(ord("0")), body == ord("-"))
    return bool((values.sum(axis=1, dtype=np.int64) % 10 == lines[:, -1] - np.uint8(ord("0"))).all())


def _has_form(lines: _Characters, form: str) -> bool:
    allowed = _allowed(form)
    if not allowed[np.arange(len(form)), lines].all():
        return False
    padded = np.array([i for i, pair in enumerate(pairwise(form)) if pair == ("b", "b")], np.intp)
    blank = lines == ord(" ")
    return not (blank[:, padded + 1] & ~blank[:, padded]).any()


@lru_cache
def _allowed(form: str) -> npt.NDArray[np.bool_]:
    """Return which of 256 characters each column of a form may have."""
    table = np.zeros((len(form), 256), np.bool_)
    for column, kind in enumerate(form):
        table[column, list(_CLASSES.get(kind, kind).encode())] = True
    return table


@lru_cache
def _first_days() -> _Numbers:
    """Return the Julian dates of 1 January of the years that 00 to 99 mean."""
    return np.array([date(full_year(one), 1, 1).toordinal() + JD_OF_ORDINAL_ZERO for one in range(100)])


def _decimals(first: _Characters, second: _Characters) -> dict[str, _Numbers]:
    return {
        "MEAN_MOTION_DOT": _signs(first, 33) * (_whole(first, 35, 43) / _POWERS[8]),
        "MEAN_MOTION_DDOT": _power(first, 44),
        "BSTAR": _power(first, 53),
        "INCLINATION": _fraction(second, 8, 11, 16),
        "RA_OF_ASC_NODE": _fraction(second, 17, 20, 25),
        "ECCENTRICITY": _whole(second, 26, 33) / _POWERS[7],
        "ARG_OF_PERICENTER": _fraction(second, 34, 37, 42),
        "MEAN_ANOMALY": _fraction(second, 43, 46, 51),
        "MEAN_MOTION": _fraction(second, 52, 54, 63),
    }


def _whole(lines: _Characters, start: int, end: int) -> npt.NDArray[np.int64]:
    """Return the whole number in some columns, of which the first may be blank."""
    value = np.zeros(len(lines), np.int64)
    for column in range(start, end):
        value = 10 * value + (lines[:, column] & np.uint8(15))  # of a blank 0
    return value


def _fraction(lines: _Characters, start: int, point: int, end: int) -> _Numbers:
    decimals = end - point - 1
    whole = _whole(lines, start, point) * 10**decimals + _whole(lines, point + 1, end)
    fraction: _Numbers = whole / _POWERS[decimals]
    return fraction


def _signs(lines: _Characters, column: int) -> _Numbers:
    return np.where(lines[:, column] == ord("-"), -1.0, 1.0)


def _power(lines: _Characters, start: int) -> _Numbers:
    """Read ` 28098-4`, which means .28098e-4."""
    digits = _whole(lines, start + 1, start + 6)
    exponent = _whole(lines, start + 7, start + 8)
    exponent = np.where(lines[:, start + 6] == ord("-"), -exponent, exponent) - 5
    scale = _POWERS[np.abs(exponent)]
    power: _Numbers = _signs(lines, start) * np.where(exponent < 0, digits / scale, digits * scale)
    return power
