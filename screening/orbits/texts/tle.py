"""Two-line element sets, with or without name lines."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sgp4.alpha5 import from_alpha5
from sgp4.io import compute_checksum

from screening.orbits.elements import Rejection
from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.epochs import EpochForm, midnight_and_fraction
from screening.orbits.texts.omm.fields import Decimals, OmmRecords, gather
from screening.orbits.texts.plain_tle import COLUMNS, full_year, plain_epochs, plain_pairs
from screening.orbits.texts.rejections import Rejections, check_records
from screening.orbits.texts.unreadable import cut_off, shown

_PIECE_CHARACTERS = 1 << 19  # some 3,500 element sets


class _Field(NamedTuple):
    """A span of a line, [start, end) counted from 0."""

    keyword: str
    start: int
    end: int
    pattern: str
    expected: str


_ANGLE = r"[ \d-]{3}\.[ \d]{4}"
_POWER = r"[ +-][ \d]{5}[ +-]\d"
_NUMBER = r"[ \d]{4}\d|[A-HJ-NP-Z]\d{4}"
_NUMBER_EXPECTED = "five digits, or Alpha-5: a letter except I and O, four digits"
_POWER_EXPECTED = "digits and a power of ten, like 28098-4"

# Blanks separate the fields (CelesTrak, "NORAD Two-Line Element Set Format").
_LINE_1 = (
    _Field("NORAD_CAT_ID", 2, 7, _NUMBER, _NUMBER_EXPECTED),
    _Field("CLASSIFICATION_TYPE", 7, 8, r"[ A-Z]", "a letter"),
    _Field("OBJECT_ID", 9, 17, r"[ \dA-Z]{8}", "launch year, number and piece, like 98067A"),
    _Field("EPOCH", 18, 32, r"[ \d]\d[ \d]{2}\d\.\d{8}", "YYDDD.DDDDDDDD"),
    _Field("MEAN_MOTION_DOT", 33, 43, r"[ +-]\.[ \d]{8}", "a fraction, like .00000023"),
    _Field("MEAN_MOTION_DDOT", 44, 52, _POWER, _POWER_EXPECTED),
    _Field("BSTAR", 53, 61, _POWER, _POWER_EXPECTED),
    _Field("EPHEMERIS_TYPE", 62, 63, r"[ \d]", "a digit"),
    _Field("ELEMENT_SET_NO", 64, 68, r"[ \d]{4}", "a number"),
    _Field("checksum", 68, 69, r"\d", "a digit"),
)
_LINE_2 = (
    _Field("NORAD_CAT_ID", 2, 7, _NUMBER, _NUMBER_EXPECTED),
    _Field("INCLINATION", 8, 16, _ANGLE, "degrees, like 51.6400"),
    _Field("RA_OF_ASC_NODE", 17, 25, _ANGLE, "degrees, like 348.7242"),
    _Field("ECCENTRICITY", 26, 33, r"[ \d]{7}", "seven digits"),
    _Field("ARG_OF_PERICENTER", 34, 42, _ANGLE, "degrees, like 331.7664"),
    _Field("MEAN_ANOMALY", 43, 51, _ANGLE, "degrees, like 19.3264"),
    _Field("MEAN_MOTION", 52, 63, r"[ \d]{2}\.[ \d]{8}", "rev/day, like 15.49309000"),
    _Field("REV_AT_EPOCH", 63, 68, r"[ \d]{5}", "a number"),
    _Field("checksum", 68, 69, r"\d", "a digit"),
)
EXPECTED = (
    "1 NNNNNU YYNNNPPP YYDDD.DDDDDDDD +.NNNNNNNN +NNNNN-N +NNNNN-N N NNNNC",
    "2 NNNNN NNN.NNNN NNN.NNNN NNNNNNN NNN.NNNN NNN.NNNN NN.NNNNNNNNNNNNNC",
)
# A name may begin with a digit and a blank, but is shorter than this or continues differently.
_SHORTEST_DAMAGED_LINE = 32
_ELEMENT_LINE = re.compile(r"[12] (?:[ \d]{4}\d|[A-Z]\d{4})", re.ASCII)
_LINE_2_BEGINS = re.compile(r"^[ \t]*2 (?=[ \d]{4}\d)", re.ASCII | re.MULTILINE)
_DESIGNATOR = re.compile(r"(\d\d)(\d{3}[A-Z]*)", re.ASCII)


class _Pair(NamedTuple):
    """The lines of one element set."""

    start: int  # 1-based number of its first line, the name if there is one
    name: str
    line_1: str
    line_2: str


def read_tle(text: str, source_name: str) -> Iterator[OmmRecords]:
    """Read two-line element sets; a name line before them, with or without `0 `, is optional.

    Yields pieces: their texts under the keywords of an orbit mean-elements message, EPOCH as TLE_EPOCH reads
    it. Indentation, blank lines, lines that begin with # and anything after column 69 are skipped. A set is
    rejected if one of its lines is missing, breaks the column layout or fails its checksum, which lines 1 or
    2 may lack if no other of the text has it: damage could have moved a digit there. Raises
    UnreadableCatalogue if the last set is cut off. Hoots and Roehrich 1980, Spacetrack Report 3; Alpha-5
    numbers as Space-Track defines them.
    """
    columns = {number: _columns(text, number) for number in _FIELDS}
    _check_end(text, source_name, columns[2])
    rejected = Rejections()
    count, line = 0, 1
    for piece in _pieces(text):
        records = _read_piece(piece, line, columns, rejected)
        count += len(records.lines)
        check_records(count + rejected.count)
        line += piece.count("\n")
        yield records
    yield OmmRecords([], {}, rejected)


def read_pairs(text: str, rejected: Rejections) -> OmmRecords:
    """Read lines 1 and 2 that were split from something else: no set is cut off, all have checksums."""
    return _read_piece(text, 1, dict.fromkeys(_FIELDS, COLUMNS), rejected)


def _read_piece(piece: str, line: int, columns: dict[int, int], rejected: Rejections) -> OmmRecords:
    records = _plain_records(piece, line)
    return gather(_records(piece, line, columns, rejected), Rejections()) if records is None else records


def _pieces(text: str) -> Iterator[str]:
    """Yield parts of a text that end behind a line 2, where no set is open."""
    start = 0
    while start < len(text):
        last = _LINE_2_BEGINS.search(text, start + _PIECE_CHARACTERS)
        end = text.find("\n", last.end()) + 1 if last else 0
        yield text[start : end or len(text)]
        start = end or len(text)


def _plain_records(piece: str, line: int) -> OmmRecords | None:
    """Read a piece whose first line has a number; None unless all its lines are of the usual form."""
    pairs = plain_pairs(piece)
    if pairs is None or any(map(_is_no_name, pairs.names)):
        return None
    of_a_set = 3 if pairs.names else 2
    texts_1 = {field.keyword: [one[field.start : field.end] for one in pairs.lines_1] for field in _TEXTS_1}
    columns: dict[str, Sequence[str] | Decimals] = {
        **texts_1,
        **pairs.decimals,
        "NORAD_CAT_ID": list(map(str, pairs.norad_ids)),
        "OBJECT_NAME": list(map(_name, pairs.names)) or [""] * len(pairs.lines_1),
        "OBJECT_ID": [_designator(text.strip()) for text in texts_1["OBJECT_ID"]],
        "ELEMENT_SET_NO": list(map(str.strip, texts_1["ELEMENT_SET_NO"])),
        "REV_AT_EPOCH": [one[63:68].strip() for one in pairs.lines_2],
    }
    return OmmRecords(range(line, line + of_a_set * len(pairs.lines_1), of_a_set), columns, Rejections())


def _is_no_name(line: str) -> bool:
    line = line.strip()
    return not line or line.startswith("#") or is_element_line(line)


def _records(
    piece: str, first_line: int, columns: dict[int, int], rejected: Rejections
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the first line and the texts of each set of a piece."""
    for pair in _pairs(piece, first_line, rejected):
        problem = _problem(pair.line_1, 1, columns[1]) or _problem(pair.line_2, 2, columns[2])
        if problem:
            rejected.append(Rejection(pair.start, *problem))
        elif pair.line_1[2:7] != pair.line_2[2:7]:
            reason = f"line 1 is of object {pair.line_1[2:7].strip()}, line 2 must be of the same"
            rejected.append(Rejection(pair.start, shown(pair.line_2), reason))
        else:
            yield pair.start, _texts(pair)


def is_element_line(line: str) -> bool:
    """Return whether a line is, or was before it was damaged, line 1 or 2 of an element set."""
    line = line.lstrip()
    return _ELEMENT_LINE.match(line) is not None or (
        line[:2] in ("1 ", "2 ") and len(line) >= _SHORTEST_DAMAGED_LINE
    )


def _check_end(text: str, source_name: str, columns: int) -> None:
    """Raise UnreadableCatalogue if the last line is none with which a text of such lines 2 may end."""
    end = len(text)
    last = ""
    while end > 0 and (not last or last.startswith("#")):
        start = text.rfind("\n", 0, end) + 1
        last, end = text[start:end].strip(), start - 1
    kind = last[:1] if is_element_line(last) else "name"
    if kind == "1":
        raise cut_off(source_name, text, "its last line 1 has no line 2")
    if kind == "2" and len(last) < columns:
        raise cut_off(source_name, text, f"its last line has {len(last)} columns, must have {columns}")
    if kind == "name" and not text.endswith("\n"):
        raise cut_off(source_name, text, "its last line is not a complete line 2")


def _columns(text: str, number: int) -> int:
    """Return how many columns lines 1 or 2 of a text have: one fewer if none of them has a checksum."""
    with_checksum = re.search(rf"^[ \t]*{number} .{{{COLUMNS - 3}}}\d", text, re.ASCII | re.MULTILINE)
    return COLUMNS if with_checksum else COLUMNS - 1


def _pairs(text: str, first_line: int, rejected: Rejections) -> Iterator[_Pair]:
    """Yield the lines that belong together; single lines are rejected."""
    waiting: list[tuple[int, str]] = []  # a name, a line 1, or both, waiting for the rest
    for number, raw in enumerate(lines_of(text), start=first_line):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        kind = line[0] if is_element_line(line) else "name"
        has_line_1 = bool(waiting) and is_element_line(waiting[-1][1])
        if kind == "2" and has_line_1:
            start, first = waiting[0]
            name = _name(first) if len(waiting) == 2 else ""
            yield _Pair(start, name, waiting[-1][1], line)
            waiting = []
        elif kind == "1" and not has_line_1:
            waiting.append((number, line))
        else:
            _reject_incomplete(waiting, rejected)
            waiting = [(number, line)] if kind != "2" else []
            if kind == "2":
                rejected.append(Rejection(number, shown(line), "this line 2 must follow its line 1"))
    _reject_incomplete(waiting, rejected)


def _reject_incomplete(waiting: Sequence[tuple[int, str]], rejected: Rejections) -> None:
    if waiting:
        last = waiting[-1][1]
        alone = "neither an element line nor a name followed by line 1"
        reason = "this line 1 must be followed by its line 2" if is_element_line(last) else alone
        rejected.append(Rejection(waiting[0][0], shown(last), reason))


def _name(line: str) -> str:
    return line[2:].strip() if line.startswith("0 ") else line.strip()


def _layout(number: int, fields: Sequence[_Field]) -> re.Pattern[str]:
    pattern, column = f"{number} ", 2
    for field in fields:
        pattern += " " * (field.start - column) + f"({field.pattern})"
        column = field.end
    return re.compile(pattern + r"(?:\s.*)?", re.ASCII)


_FIELDS = {1: _LINE_1, 2: _LINE_2}
_TEXTS_1 = tuple(
    field
    for field in _LINE_1
    if field.keyword in ("CLASSIFICATION_TYPE", "OBJECT_ID", "EPOCH", "EPHEMERIS_TYPE", "ELEMENT_SET_NO")
)
_LAYOUTS = {
    (number, fields[count - 1].end): _layout(number, fields[:count])
    for number, fields in _FIELDS.items()
    for count in (len(fields), len(fields) - 1)
}


def _problem(line: str, number: int, columns: int) -> tuple[str, str] | None:
    """Return the line as shown and its fault, None if there is none."""
    if _LAYOUTS[number, columns].fullmatch(line):
        tally = compute_checksum(line)
        if columns < COLUMNS or int(line[COLUMNS - 1]) == tally:
            return None
        return shown(line), f"line {number} gives its checksum as {line[COLUMNS - 1]} but tallies to {tally}"
    if len(line) < columns:
        return shown(line), f"line {number} has {len(line)} columns, must have {COLUMNS}"
    for field in _FIELDS[number]:
        value = line[field.start : field.end]
        if re.fullmatch(field.pattern, value, re.ASCII) is None:
            where = f"line {number} columns {field.start + 1}-{field.end}, {field.keyword}"
            return shown(line), f"{where}: '{shown(value)}' must be {field.expected}"
    return shown(line), f"line {number} must have blanks between its columns"


def _texts(pair: _Pair) -> dict[str, str]:
    texts = {field.keyword: pair.line_2[field.start : field.end] for field in _LINE_2}
    texts |= {field.keyword: pair.line_1[field.start : field.end] for field in _LINE_1}
    return texts | {
        "NORAD_CAT_ID": str(from_alpha5(texts["NORAD_CAT_ID"])),
        "OBJECT_NAME": pair.name,
        "OBJECT_ID": _designator(texts["OBJECT_ID"].strip()),
        # The decimal point, and the e of powers of ten, are implied.
        "ECCENTRICITY": "." + texts["ECCENTRICITY"].replace(" ", "0"),
        "MEAN_MOTION_DDOT": _power(texts["MEAN_MOTION_DDOT"]),
        "BSTAR": _power(texts["BSTAR"]),
    }


def _power(text: str) -> str:
    """Write ` 28098-4` as `.28098e-4`."""
    return f"{text[0].strip()}.{text[1:6].replace(' ', '0')}e{text[6:].strip()}"


@lru_cache(maxsize=1 << 16)
def _designator(text: str) -> str:
    """Write `98067A` as an orbit mean-elements message does, `1998-067A`; leave what is not of this form."""
    match = _DESIGNATOR.fullmatch(text)
    return f"{full_year(int(match[1]))}-{match[2]}" if match else text


def _read_tle_epoch(text: str) -> tuple[float, float]:
    """Read YYDDD.DDDDDDDD; day 366 of a common year is the next 1 January, as in python-sgp4."""
    day_of_year, decimals = int(text[2:5]), text[6:].strip()
    if not 1 <= day_of_year <= 366:
        raise ValueError(text)
    ordinal = date(full_year(int(text[:2])), 1, 1).toordinal() + day_of_year - 1
    return midnight_and_fraction(ordinal, int(decimals) / 10 ** len(decimals))


TLE_EPOCH = EpochForm(_read_tle_epoch, "YYDDD.DDDDDDDD with a day of the year from 1 to 366", plain_epochs)
