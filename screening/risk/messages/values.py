"""Read values of conjunction data messages: numbers with units, instants."""

import math
import re
from collections.abc import Iterable

import numpy as np

from screening.orbits.texts.epochs import ISO_EPOCH, read_epoch
from screening.orbits.timegrid import instants
from screening.risk.messages.texts.entries import COMMENT, Entry, UnreadableMessage, unreadable

NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEdD][-+]?\d+)?"
_PLAIN_NUMBER = re.compile(NUMBER, re.ASCII)
_LONGEST_INSTANT = 64  # characters; no clock has more decimals
# Larger numbers describe no orbit, and their squares would overflow.
LARGEST_NUMBER = 1e30
# From the first satellite on, and before M8[ns] and `datetime` end: others read and add to these.
EARLIEST, LATEST = np.datetime64("1957-01-01", "us"), np.datetime64("2200-01-01", "us")
SI = {"m": 1.0, "km": 1e3}
_POWERS = {"": 1, "/s": 1, "**2": 2, "**2/s": 2, "**2/s**2": 2}


class Values:
    """The entries of one part of a message, by keyword."""

    def __init__(self, entries: Iterable[Entry], part: str, source_name: str) -> None:
        self.part = part
        self.source_name = source_name
        self.entries: dict[str, Entry] = {}
        self.comments: list[Entry] = []
        self._contradictions: dict[str, Entry] = {}
        self.last = Entry(1, "", "")
        for entry in entries:
            self.last = entry
            if entry.keyword == COMMENT:
                self.comments.append(entry)
            elif entry.value != self.entries.setdefault(entry.keyword, entry).value:
                self._contradictions.setdefault(entry.keyword, entry)

    def entry(self, keyword: str) -> Entry | None:
        """Return the entry of a keyword; raise UnreadableMessage if it occurs with two values."""
        other = self._contradictions.get(keyword)
        if other is not None:
            first = self.entries[keyword]
            raise self.wrong(other, f"must not differ from line {first.line}, {first.text}")
        return self.entries.get(keyword)

    def wrong(self, entry: Entry, why: str) -> UnreadableMessage:
        """Build the error for an entry."""
        what = f"{entry.keyword} of {self.part} {why}"
        return unreadable(self.source_name, what, entry.line, entry.text, entry.keyword)

    def missing(self, keyword: str, why: str = "") -> UnreadableMessage:
        """Build the error for a missing keyword; it shows the last line of the part."""
        what = f"{keyword} of {self.part} is missing or has no value{why}; perhaps the text is cut off"
        return unreadable(self.source_name, what, self.last.line, self.last.text, keyword)

    def line(self, keyword: str) -> int:
        """Return the line of a keyword, or else the end of the part."""
        return self.entries.get(keyword, self.last).line

    def words(self, keyword: str) -> str:
        """Return the text of an optional keyword, empty if it is missing."""
        entry = self.entry(keyword)
        return "" if entry is None else entry.value

    def number(self, keyword: str, unit: str) -> float:
        """Return a number in SI units, NaN if it is missing or written as NaN.

        `unit` is the one that the standard prescribes, empty for none; metres and kilometres are converted
        into each other. Raises UnreadableMessage for any other unit.
        """
        entry = self.entry(keyword)
        if entry is None:
            return math.nan
        text, unit_given = value_and_unit(entry.value)
        if text.upper() in ("", "NAN", "N/A"):
            return math.nan
        if _PLAIN_NUMBER.fullmatch(text) is None:
            raise self.wrong(entry, "must be a number")
        value = float(text.upper().replace("D", "E")) * self._scale(entry, unit, unit_given)
        if abs(value) > LARGEST_NUMBER:
            raise self.wrong(entry, f"must be a number below {LARGEST_NUMBER:g}")
        return value

    def required(self, keyword: str, unit: str) -> float:
        """Return a required number in SI units."""
        value = self.number(keyword, unit)
        if math.isnan(value):
            raise self.missing(keyword)
        return value

    def instant(self, keyword: str) -> np.datetime64:
        """Return a UTC instant from EARLIEST to LATEST, M8[us], NaT if it is missing."""
        entry = self.entry(keyword)
        if entry is None or entry.value == "":
            return np.datetime64("NaT", "us")
        try:
            text = entry.value + self._fraction(f"{keyword}_FRACTION", entry.value)
            jd, fraction = read_epoch(text[:_LONGEST_INSTANT].replace(" ", "T"))
        except ValueError as error:
            raise self.wrong(entry, f"must be {ISO_EPOCH.expected}") from error
        instant = np.datetime64(instants(np.array([jd]), np.array([fraction]))[0], "us")
        if not EARLIEST <= instant <= LATEST:
            raise self.wrong(entry, f"must be from {EARLIEST!s:.4} to {LATEST!s:.4}")
        return instant

    def _fraction(self, keyword: str, instant: str) -> str:
        """Return the decimals that Space-Track's JSON puts in a keyword of its own.

        They are microseconds; a number below 1000 is milliseconds, to which instants are rounded.
        """
        digits = self.words(keyword)
        if "." in instant or not re.fullmatch(r"\d{1,6}", digits, re.ASCII) or not int(digits):
            return ""
        return f".{int(digits):03d}" if int(digits) < 1000 else f".{int(digits):06d}"

    def _scale(self, entry: Entry, unit: str, written: str) -> float:
        """Return the factor from a number as written to SI."""
        given = written.lower().replace("^", "**").replace(" ", "")
        if not unit and given:
            raise self.wrong(entry, "must have no unit")
        if not unit:
            return 1.0
        _, rest = _split(unit)
        given_length, given_rest = _split(given or unit)
        # Published files have velocities in [m].
        forgotten_second = rest == "/s" and given_rest == ""
        if given_length not in SI or not (given_rest == rest or forgotten_second):
            raise self.wrong(entry, f"must be in [{unit}]")
        return SI[given_length] ** _POWERS[rest]


def _split(unit: str) -> tuple[str, str]:
    length = "km" if unit.startswith("km") else "m" if unit.startswith("m") else ""
    return length, unit.removeprefix(length)


def value_and_unit(text: str) -> tuple[str, str]:
    """Return a value and the unit in brackets behind it, empty if there is none."""
    if not text.endswith("]"):
        return text, ""
    value, _, unit = text[:-1].rpartition("[")
    return value.strip(), unit.strip()
