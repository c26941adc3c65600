"""Convert the fields of orbit mean-elements messages from text, a column at a time.

The readers of all formats pass the texts on as published, and they are converted here: a catalogue gives the
same bits in every format.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import orjson

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
NO_NUMBER = "the number that identifies objects; OBJECT_ID and names do not replace it"
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
# When a set became known: what histories say of each. No fault of them makes a catalogue's record unusable.
DATES = ("SEEN", "CREATION_DATE")
KEPT = (*KEYWORDS, *DATES)

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

FIELDS_OF_DECIMALS = {
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
# read at once.
_PLAIN_DECIMALS = b"0123456789.eE+-"
_PLAIN_INTEGERS = b"0123456789+-"
_VALUE_CHARACTERS_SHOWN = 40

_Value = TypeVar("_Value")


Decimals = npt.NDArray[np.float64]

# Tables and lists are converted in pieces of so many records: their texts take ten times the memory of the
# element sets, and a piece fits in the processor's cache.
RECORDS_OF_A_PIECE = 4096


class OmmRecords(NamedTuple):
    """Texts of the records of a catalogue, or of a piece of it, one column per keyword."""

    lines: Sequence[int]  # 1-based, where each record starts
    # One text per record; a keyword that never occurs may be missing, and decimal numbers may have been read.
    columns: Mapping[str, Sequence[str] | Decimals]
    rejected: Rejections  # records that could not be split into keywords and texts; all with the last piece


def gather(records: Iterable[tuple[int, Mapping[str, str]]], rejected: Rejections) -> OmmRecords:
    """Turn records, each a line number and its texts by keyword, into columns."""
    lines: list[int] = []
    columns: dict[str, list[str]] = {keyword: [] for keyword in KEPT}
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
    read = {
        "EPOCH": epoch_form.read_usual(_texts(records.columns, "EPOCH") or ()),
        **{keyword: _plain_decimals(records.columns.get(keyword, [""])) for keyword in FIELDS_OF_DECIMALS},
    }
    columns = {
        keyword: _column(records.columns, keyword, count, reasons)
        for keyword in (*REQUIRED, *DEFAULTS)
        if read.get(keyword) is None
    }
    _check_metadata(records.columns, reasons)
    for keyword, field in _FIELDS_OF_INTEGERS.items():
        limits = np.iinfo(ELEMENT_DTYPE[field])
        integers = np.array(_integers(keyword, columns[keyword], reasons), np.int64)
        outside = (integers < limits.min) | (integers > limits.max)
        for i in np.flatnonzero(outside).tolist():
            reasons.setdefault(i, f"{keyword} {integers[i]} must be from {limits.min} to {limits.max}")
        integers[outside] = 0
        elements[field] = integers
    epochs = read["EPOCH"]
    if epochs is None:
        form = epoch_form.expected
        pairs = _values("EPOCH", columns["EPOCH"], epoch_form.read, (0.0, 0.0), form, reasons)
        epochs = np.array(pairs).reshape(count, 2).T
    elements["epoch_jd"], elements["epoch_day_fraction"] = epochs
    for keyword, field in FIELDS_OF_DECIMALS.items():
        decimals = read[keyword]
        elements[field] = _decimals(keyword, columns[keyword], reasons) if decimals is None else decimals
    for keyword, field in _FIELDS_OF_WORDS.items():
        elements[field] = _words(columns[keyword])
    lines = np.array(records.lines, np.int64)
    rejected = [Rejection(records.lines[i], _label(records.columns, i), reasons[i]) for i in sorted(reasons)]
    rejected = sorted(records.rejected.kept + rejected)
    if not reasons:
        return elements, lines, rejected
    good = np.ones(count, np.bool_)
    good[list(reasons)] = False
    return elements[good], lines[good], rejected


def unit_problem(keyword: str, unit: str) -> str | None:
    """Return why a stated unit is not accepted, None if it is."""
    allowed = UNITS.get(keyword)
    if allowed is None or not unit.strip() or unit.strip().lower() in allowed:
        return None
    return f"{keyword} is given in {shown(unit.strip(), _VALUE_CHARACTERS_SHOWN)}, must be in {allowed[0]}"


def _column(
    columns: Mapping[str, Sequence[str] | Decimals], keyword: str, count: int, reasons: dict[int, str]
) -> Sequence[str]:
    column = _texts(columns, keyword)
    default = DEFAULTS.get(keyword)
    if column is None:
        column = [""] * count
    if all(map(str.strip, column)):
        return column
    if default is None:
        for i, text in enumerate(column):
            if not text.strip():
                why = f", {NO_NUMBER}" if keyword == "NORAD_CAT_ID" else ""
                reasons.setdefault(i, f"{keyword} is missing{why}")
        default = "0"  # never used: the record is rejected
    return [text if text.strip() else default for text in column]


def _texts(columns: Mapping[str, Sequence[str] | Decimals], keyword: str) -> Sequence[str] | None:
    column = columns.get(keyword)
    assert not isinstance(column, np.ndarray)  # only decimal numbers are read before
    return column


def _check_metadata(columns: Mapping[str, Sequence[str] | Decimals], reasons: dict[int, str]) -> None:
    for keyword, allowed in METADATA.items():
        column = _texts(columns, keyword) or ()
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


def _plain_decimals(column: Sequence[str] | Decimals) -> Decimals | None:
    """Return a column of numbers that are all plain, None if any is not, or is missing."""
    if isinstance(column, np.ndarray):
        return column
    joined = f",{','.join(column)},"
    if not _has_only(_PLAIN_DECIMALS, joined):
        return None
    as_json = joined.replace(",.", ",0.").replace(",-.", ",-0.")[1:-1]  # published without the zero
    if not (as_json.endswith("-0") or "-0," in as_json):  # of which orjson makes 0
        with suppress(ValueError):
            numbers = orjson.loads(f"[{as_json}]")
            if len(numbers) == len(column):  # none is empty or has a comma
                return np.array(numbers, np.float64)
    with suppress(ValueError):  # such as 5. and 007, which are not JSON either
        return np.fromiter(map(float, column), np.float64, len(column))
    return None


def _has_only(characters: bytes, joined: str) -> bool:
    return joined.isascii() and not joined.encode().translate(None, delete=b"," + characters)


def _decimals(keyword: str, column: Sequence[str], reasons: dict[int, str]) -> list[float]:
    return _values(keyword, column, _decimal, 0.0, "a decimal number", reasons)


def _integers(keyword: str, column: Sequence[str], reasons: dict[int, str]) -> list[int]:
    joined = ",".join(column)
    if _has_only(_PLAIN_INTEGERS, joined) and max(map(len, column), default=0) <= _INTEGER_DIGITS:
        with suppress(ValueError):
            whole: list[int] = orjson.loads(f"[{joined}]")
            if len(whole) == len(column):
                return whole
        with suppress(ValueError):  # such as +5 and 007, which are not JSON
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


def _label(columns: Mapping[str, Sequence[str] | Decimals], index: int) -> str:
    number, *words = (
        column[index].strip() if (column := _texts(columns, keyword)) is not None else ""
        for keyword in ("NORAD_CAT_ID", "OBJECT_NAME", "OBJECT_ID")
    )
    return shown(number or " ".join(filter(None, words)) or "unnamed")


def _words(column: Sequence[str]) -> list[str]:
    words = list(map(str.strip, column))
    return words if "".join(words).isprintable() else list(map(_printable, words))


def _printable(text: str) -> str:
    """Return a name for any file and terminal, with blanks for unprintable characters."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text).strip()
