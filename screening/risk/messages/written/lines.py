"""The lines of a message, from which all forms are written: keyword, value, unit, in the standard's order."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from screening.risk.messages.texts.entries import COMMENT, FIRST_KEYWORD, OBJECT
from screening.risk.messages.values import NUMBER

_DIGITS = 15  # what a double keeps of a decimal text; 0.1 um of a geostationary position
_IS_NUMBER = re.compile(NUMBER, re.ASCII)


class Line(NamedTuple):
    """One keyword with its value; a unit only where the standard has one."""

    keyword: str
    value: str
    unit: str = ""

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return _IS_NUMBER.fullmatch(self.value) is not None


class Message(NamedTuple):
    """The lines of a message: its header with the relative data, and both objects, each begun by OBJECT."""

    version: str
    header: list[Line]
    objects: tuple[list[Line], list[Line]]


def number(keyword: str, value: float, unit: str = "") -> Line:
    """Return the line of a number."""
    return Line(keyword, f"{value + 0.0:.{_DIGITS}g}", unit)  # + 0.0: no minus before zero


def instant_text(instant: datetime) -> str:
    """Return an instant, UTC, as messages have it."""
    return instant.replace(tzinfo=None).isoformat(timespec="microseconds")


def comments(*texts: str) -> list[Line]:
    """Return lines of comment, without those that are empty."""
    return [Line(COMMENT, text) for text in texts if text]


def parted(lines: Iterable[Line]) -> Message:
    """Return a message from its lines in the order of the KVN form.

    Comments before OBJECT belong to the part before it, as readers take them. Both objects must be there.
    """
    version, header = "1.0", list[Line]()
    objects: list[list[Line]] = []
    for line in lines:
        if line.keyword == FIRST_KEYWORD:
            version = line.value or version
            continue
        if line.keyword == OBJECT:
            objects.append([])
        (objects[-1] if objects else header).append(line)
    first, second = objects
    return Message(version, header, (first, second))
