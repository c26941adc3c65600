"""Convert the fields of orbit mean-elements messages from text, a column at a time.

The readers of all formats pass the texts on as published, and they are converted here: a catalogue gives the
same bits in every format.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray, LineNumbers, Rejection
from screening.orbits.texts.epochs import ISO_EPOCH, EpochForm
from screening.orbits.texts.rejections import Rejections, check_records
from screening.orbits.texts.unreadable import shown

REQUIRED = (
    "NORAD_CAT_ID",
    "EPOCH",
    "MEAN_MOTION",
    "ECCENTRICITY",
    "INCLINATION",
    "RA_OF_ASC_NODE",
    "ARG_OF_PERICENTER",
    "MEAN_ANOMALY",
    "BSTAR",
)
DEFAULTS = {
    "OBJECT_NAME": "",
    "OBJECT_ID": "",
    "CLASSIFICATION_TYPE": "U",
    "EPHEMERIS_TYPE": "0",
    "ELEMENT_SET_NO": "999",  # published since the count has lost its meaning
    "REV_AT_EPOCH": "0",
    "MEAN_MOTION_DOT": "0",
    "MEAN_MOTION_DDOT": "0",
}
# SGP4 gives TEME around the Earth; elements of another theory would be propagated wrongly without an error.
# "SGP/SGP4" is what CCSDS 502.0-B writes for the SGP4 elements of a TLE.
METADATA = {
    "CENTER_NAME": ("EARTH",),
    "REF_FRAME": ("TEME",),
    "TIME_SYSTEM": ("UTC",),
    "MEAN_ELEMENT_THEORY": ("SGP4", "SGP/SGP4"),
}
KEYWORDS = (*REQUIRED, *DEFAULTS, *METADATA)

# Units that a message may state (CCSDS 502.0-B-3, table 4-3); the text formats leave them out.
UNITS = {
    "MEAN_MOTION": ("rev/day",),
    "INCLINATION": ("deg",),
    "RA_OF_ASC_NODE": ("deg",),
    "ARG_OF_PERICENTER": ("deg",),
    "MEAN_ANOMALY": ("deg",),
    "BSTAR": ("1/er", "1/[earthradii]"),
    "MEAN_MOTION_DOT": ("rev/day**2", "rev/day^2", "rev/day2"),
    "MEAN_MOTION_DDOT": ("rev/day**3", "rev/day^3", "rev/day3"),
}

_FIELDS_OF_DECIMALS = {
    "MEAN_MOTION": "mean_motion_rev_day",
    "ECCENTRICITY": "eccentricity",
    "INCLINATION": "inclination_deg",
    "RA_OF_ASC_NODE": "raan_deg",
    "ARG_OF_PERICENTER": "argument_of_perigee_deg",
    "MEAN_ANOMALY": "mean_anomaly_deg",
    "BSTAR": "bstar_per_earth_radius",
    "MEAN_MOTION_DOT": "mean_motion_dot_rev_day2",
    "MEAN_MOTION_DDOT": "mean_motion_ddot_rev_day3",
}
_FIELDS_OF_INTEGERS = {
    "NORAD_CAT_ID": "norad_id",
    "EPHEMERIS_TYPE": "ephemeris_type",
    "ELEMENT_SET_NO": "element_set_number",
    "REV_AT_EPOCH": "revolution_at_epoch",
}
_FIELDS_OF_WORDS = {
    "OBJECT_NAME": "name",
    "OBJECT_ID": "object_id",
    "CLASSIFICATION_TYPE": "classification",
}

# `float` and `int` accept more (nan, infinity, 1_000, digits of other scripts), none of which is a published
# number. Tables that went through a spreadsheet or pandas show integers as 25544.0.
_INTEGER_DIGITS = 18
_DECIMAL = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*", re.ASCII)
_INTEGER = re.compile(rf"\s*([+-]?\d{{1,{_INTEGER_DIGITS}}})(?:\.0*)?\s*", re.ASCII)
# In a column of only these characters `float` and `int` accept nothing that the patterns above refuse: it is
# read at once, three times as fast.
_PLAIN_DECIMALS = re.compile(r"[0-9.eE+-]*")
_PLAIN_INTEGERS = re.compile(r"[0-9+-]*")
_VALUE_CHARACTERS_SHOWN = 40

_Value = TypeVar("_Value")


class OmmRecords(NamedTuple):
    """Texts of the records of one catalogue, one column per keyword."""

    lines: list[int]  # 1-based, where each record starts
    columns: Mapping[str, Sequence[str]]  # one text per record; a keyword that never occurs may be missing
    rejected: Rejections  # records that could not be split into keywords and texts


def gather(records: Iterable[tuple[int, Mapping[str, str]]], rejected: Rejections) -> OmmRecords:
    """Turn records, each a line number and its texts by keyword, into columns."""
    lines: list[int] = []
    columns: dict[str, list[str]] = {keyword: [] for keyword in KEYWORDS}
    for line, texts in records:
        check_records(len(lines) + rejected.count + 1)
        lines.append(line)
        for keyword, column in columns.items():
            column.append(texts.get(keyword, ""))
    return OmmRecords(lines, columns, rejected)


def to_elements(
    records: OmmRecords, epoch_form: EpochForm = ISO_EPOCH
) -> tuple[ElementArray, LineNumbers, list[Rejection]]:
    """Convert columns of text to element sets.

    Returns the element sets (n,) that could be read, not yet validated, the lines (n,) where they start, and
    every rejection so far, in the order of their lines. Names are truncated to the width of their field.
    """
    count = len(records.lines)
    elements = np.zeros(count, ELEMENT_DTYPE)
    reasons: dict[int, str] = {}  # the first fault of a record, by its index
    columns = {
        keyword: _column(records.columns, keyword, count, reasons) for keyword in (*REQUIRED, *DEFAULTS)
    }
    _check_metadata(records.columns, reasons)
    for keyword, field in _FIELDS_OF_INTEGERS.items():
        limits = np.iinfo(ELEMENT_DTYPE[field])
        lowest, highest = limits.min, limits.max
        integers = _integers(keyword, columns[keyword], reasons)
        for i, value in enumerate(integers):
            if not lowest <= value <= highest:
                reasons.setdefault(i, f"{keyword} {value} must be from {lowest} to {highest}")
                integers[i] = 0
        elements[field] = integers
    epochs = _values("EPOCH", columns["EPOCH"], epoch_form.read, (0.0, 0.0), epoch_form.expected, reasons)
    elements["epoch_jd"], elements["epoch_day_fraction"] = np.array(epochs).reshape(count, 2).T
    for keyword, field in _FIELDS_OF_DECIMALS.items():
        elements[field] = _decimals(keyword, columns[keyword], reasons)
    for keyword, field in _FIELDS_OF_WORDS.items():
        elements[field] = [_printable(text.strip()) for text in columns[keyword]]
    lines = np.array(records.lines, np.int64)
    rejected = [Rejection(records.lines[i], _label(records.columns, i), reasons[i]) for i in sorted(reasons)]
    good = np.ones(count, np.bool_)
    good[list(reasons)] = False
    return elements[good], lines[good], sorted(records.rejected.kept + rejected)


def unit_problem(keyword: str, unit: str) -> str | None:
    """Return why a stated unit is not accepted, None if it is."""
    allowed = UNITS.get(keyword)
    if allowed is None or not unit.strip() or unit.strip().lower() in allowed:
        return None
    return f"{keyword} is given in {shown(unit.strip(), _VALUE_CHARACTERS_SHOWN)}, must be in {allowed[0]}"


def _column(
    columns: Mapping[str, Sequence[str]], keyword: str, count: int, reasons: dict[int, str]
) -> Sequence[str]:
    column = columns.get(keyword)
    default = DEFAULTS.get(keyword)
    if column is None:
        column = [""] * count
    if all(map(str.strip, column)):
        return column
    if default is None:
        for i, text in enumerate(column):
            if not text.strip():
                reasons.setdefault(i, f"{keyword} is missing")
        default = "0"  # never used: the record is rejected
    return [text if text.strip() else default for text in column]


def _check_metadata(columns: Mapping[str, Sequence[str]], reasons: dict[int, str]) -> None:
    for keyword, allowed in METADATA.items():
        column = columns.get(keyword, ())
        if {text.strip().upper() for text in set(column)} <= {"", *allowed}:
            continue
        for i, text in enumerate(column):
            if text.strip().upper() not in ("", *allowed):
                reasons.setdefault(i, f"{keyword} {_quoted(text)} must be {' or '.join(allowed)}")


def _values(
    keyword: str,
    column: Sequence[str],
    read: Callable[[str], _Value],
    otherwise: _Value,
    expected: str,
    reasons: dict[int, str],
) -> list[_Value]:
    """Read every text of a column; one that raises ValueError gets a reason, and becomes `otherwise`."""
    values = [otherwise] * len(column)
    for i, text in enumerate(column):
        try:
            values[i] = read(text)
        except ValueError:
            reasons.setdefault(i, f"{keyword} {_quoted(text)} must be {expected}")
    return values


def _decimals(keyword: str, column: Sequence[str], reasons: dict[int, str]) -> list[float]:
    if _PLAIN_DECIMALS.fullmatch("".join(column)):
        with suppress(ValueError):
            return list(map(float, column))
    return _values(keyword, column, _decimal, 0.0, "a decimal number", reasons)


def _integers(keyword: str, column: Sequence[str], reasons: dict[int, str]) -> list[int]:
    if _PLAIN_INTEGERS.fullmatch("".join(column)) and max(map(len, column), default=0) <= _INTEGER_DIGITS:
        with suppress(ValueError):
            return list(map(int, column))
    return _values(keyword, column, _integer, 0, "a whole number", reasons)


def _decimal(text: str) -> float:
    if _DECIMAL.fullmatch(text) is None:
        raise ValueError(text)
    return float(text)


def _integer(text: str) -> int:
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return int(match[1])


def _quoted(text: str) -> str:
    return f"'{shown(text.strip(), _VALUE_CHARACTERS_SHOWN)}'"


def _label(columns: Mapping[str, Sequence[str]], index: int) -> str:
    texts = (
        columns[keyword][index].strip() for keyword in ("NORAD_CAT_ID", "OBJECT_NAME") if keyword in columns
    )
    return shown(next(filter(None, texts), "unnamed"))


def _printable(text: str) -> str:
    """Return a name for any file and terminal, with blanks for unprintable characters."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text).strip()
