"""Read element sets together with when each became known, as collections of published sets tell it."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray, Rejection, validate
from screening.orbits.texts.catalogue import records_of
from screening.orbits.texts.decoding import DEFAULT_MAX_BYTES, catalogue_text
from screening.orbits.texts.epochs import ISO_EPOCH, EpochForm
from screening.orbits.texts.omm.csv import DELIMITERS
from screening.orbits.texts.omm.fields import DATES, RECORDS_OF_A_PIECE, REQUIRED, OmmRecords, to_elements
from screening.orbits.texts.rejections import Rejections
from screening.orbits.texts.tle import TLE_EPOCH, read_pairs
from screening.orbits.texts.unreadable import shown
from screening.orbits.timegrid import instants

Instants = npt.NDArray[np.datetime64]

_LINES = (("LINE1", "LINE2"), ("TLE_LINE1", "TLE_LINE2"))  # columns of tables that hold TLEs
_NOT_GIVEN = np.datetime64("NaT", "us")


class DatedSets(NamedTuple):
    """Element sets of a text, or of a piece of it."""

    elements: ElementArray  # (n,), ELEMENT_DTYPE, in the order of the text
    known_at: Instants  # (n,), M8[us], UTC; NaT: the text does not say
    rejected: Sequence[Rejection]
    more_rejected: int = 0  # beyond those in `rejected`


def read_dated_sets(
    text: bytes | str, *, source_name: str = "the text", max_bytes: int = DEFAULT_MAX_BYTES
) -> Iterator[DatedSets]:
    """Read every element set of a text in any format of catalogues; yield them in pieces.

    A set became known at `seen`, a column of tables in UTC, else at its CREATION_DATE. Tables may also hold
    TLEs, in columns line1 and line2 (or TLE_LINE1 and TLE_LINE2).

    Raises:
        UnreadableCatalogue: the format is unknown, or the text is cut off.
        InputError: it has more than `max_bytes` bytes, or too many records.
    """
    content = catalogue_text(text, max_bytes=max_bytes, source_name=source_name)
    form: EpochForm = TLE_EPOCH
    pieces = _of_a_table_of_lines(content)
    if pieces is None:
        _, form, pieces = records_of(content, source_name)
    for piece in pieces:
        yield _dated(piece, form)


def has_lines(header: str) -> bool:
    """Return whether the first line of a table names columns that hold TLEs, and none of OMM beside them."""
    keywords, _ = _keywords(header)
    return _columns_of_lines(keywords) is not None


def _dated(piece: OmmRecords, form: EpochForm) -> DatedSets:
    """Convert records as a catalogue's are; of those that stay, add the dates."""
    numbered = piece._replace(lines=range(len(piece.lines)), rejected=Rejections())
    read, places, unread = to_elements(numbered, form)
    elements, invalid = validate(read, places)
    refused = [one._replace(line=piece.lines[one.line]) for one in (*unread, *invalid)]
    places = places[~np.isin(places, [one.line for one in invalid])]
    known_at: Instants = np.full(len(places), _NOT_GIVEN)
    keyword, texts = _dates(piece.columns)
    if texts:
        known_at, wrong = _instants([texts[place] for place in places])
        for index in np.flatnonzero(wrong):
            line, label = piece.lines[places[index]], str(elements["norad_id"][index])
            why = f"{keyword} '{shown(texts[places[index]], 40)}' must be {ISO_EPOCH.expected}"
            refused.append(Rejection(line, label, why))
        elements, known_at = elements[~wrong], known_at[~wrong]
    kept = piece.rejected.kept
    return DatedSets(elements, known_at, sorted(kept + refused), piece.rejected.count - len(kept))


def _dates(columns: Mapping[str, object]) -> tuple[str, Sequence[str]]:
    for keyword in DATES:
        texts = columns.get(keyword)
        if isinstance(texts, (list, tuple)) and any(texts):
            return keyword, texts
    return "", ()


def _instants(texts: Sequence[str]) -> tuple[Instants, npt.NDArray[np.bool_]]:
    """Read times: (n,) M8[us], NaT where there is none, and which are not times."""
    read: dict[str, tuple[float, float] | None] = {}
    for text in set(texts):
        try:
            read[text] = ISO_EPOCH.read(text)
        except ValueError:
            read[text] = None
    pairs = np.array([read[text] or (np.nan, np.nan) for text in texts]).reshape(len(texts), 2)
    readable = ~np.isnan(pairs[:, 0])
    known_at = np.full(len(texts), _NOT_GIVEN)
    known_at[readable] = instants(pairs[readable, 0], pairs[readable, 1])
    given = np.fromiter((bool(text.strip()) for text in texts), np.bool_, len(texts))
    return known_at, given & ~readable


def _of_a_table_of_lines(content: str) -> Iterable[OmmRecords] | None:
    """Return the records of a table that holds TLEs, None if it is none."""
    header, _, rows = content.lstrip().partition("\n")
    keywords, delimiter = _keywords(header)
    columns = _columns_of_lines(keywords)
    if columns is None:
        return None
    first_line = content.count("\n", 0, len(content) - len(rows)) + 1
    return _records_of_lines(rows.split("\n"), keywords, delimiter, columns, first_line)


def _keywords(header: str) -> tuple[list[str], str]:
    delimiter = max(DELIMITERS, key=header.count)
    return [name.strip().strip('"').upper() for name in header.split(delimiter)], delimiter


def _columns_of_lines(keywords: Sequence[str]) -> tuple[int, int] | None:
    if set(REQUIRED) <= set(keywords):
        return None
    for first, second in _LINES:
        if first in keywords and second in keywords:
            return keywords.index(first), keywords.index(second)
    return None


def _records_of_lines(
    lines: Sequence[str],
    keywords: Sequence[str],
    delimiter: str,
    columns: tuple[int, int],
    first_line: int,
) -> Iterator[OmmRecords]:
    dates = {keyword: keywords.index(keyword) for keyword in DATES if keyword in keywords}
    for start in range(0, len(lines), RECORDS_OF_A_PIECE):
        rejected, numbers, rows = Rejections(), [], []
        for number, line in enumerate(lines[start : start + RECORDS_OF_A_PIECE], first_line + start):
            row = _fields(line, delimiter)
            problem = _problem(row, keywords, columns)
            if not problem:
                numbers.append(number)
                rows.append(row)
            elif line.strip():
                rejected.append(Rejection(number, shown(line), problem))
        pairs = (f"{row[columns[0]].strip()}\n{row[columns[1]].strip()}\n" for row in rows)
        misread = Rejections()
        read = read_pairs("".join(pairs), misread)
        for one in misread.kept:  # each row gave two lines
            rejected.append(one._replace(line=numbers[(one.line - 1) // 2]))
        places = [(line - 1) // 2 for line in read.lines]
        known = {keyword: [rows[place][column] for place in places] for keyword, column in dates.items()}
        yield OmmRecords([numbers[place] for place in places], {**read.columns, **known}, rejected)


def _problem(row: Sequence[str], keywords: Sequence[str], columns: tuple[int, int]) -> str:
    """Return why a row holds no element set, empty if it may."""
    if len(row) != len(keywords):
        return f"has {len(row)} fields, must have the {len(keywords)} of the first line"
    for number, column in enumerate(columns, 1):
        if not row[column].lstrip().startswith(f"{number} "):
            return f"{keywords[column]} must be line {number} of an element set"
    return ""


def _fields(line: str, delimiter: str) -> Sequence[str]:
    if '"' not in line:
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error:  # a field longer than the csv module allows: no element set
        return [line]
