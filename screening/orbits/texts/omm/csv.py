"""Orbit mean-elements messages as a table: the CSV of CelesTrak and Space-Track."""

import csv
from collections.abc import Iterator, Sequence

from screening.orbits.elements import Rejection
from screening.orbits.texts.omm.fields import (
    KEPT,
    KEYWORDS,
    NO_NUMBER,
    RECORDS_OF_A_PIECE,
    REQUIRED,
    OmmRecords,
)
from screening.orbits.texts.rejections import Rejections, check_records
from screening.orbits.texts.unreadable import cut_off, shown, unreadable

# A quoted field may contain line breaks; one with more lines than this has lost its closing quote.
_LINES_OF_A_RECORD = 8
_LINE_CHARACTERS = 16384
_COLUMNS = 200  # published ones have up to 40
DELIMITERS = (",", ";", "\t")

EXPECTED = (
    "OBJECT_NAME,OBJECT_ID,EPOCH,MEAN_MOTION,ECCENTRICITY,INCLINATION,RA_OF_ASC_NODE,ARG_OF_PERICENTER,"
    "MEAN_ANOMALY,...,NORAD_CAT_ID,...,BSTAR"
)


def read_omm_csv(text: str, source_name: str) -> Iterator[OmmRecords]:
    """Read a table whose first line names the columns, in any order; columns without a use are ignored.

    Lines end in a line feed; commas, semicolons or tabs separate the fields. A record with another number of
    fields than the first line is rejected. Yields pieces of the table. Raises UnreadableCatalogue if a needed
    column is missing, there is no record, or the last one has too few fields.
    """
    check_records(text.count("\n") // 2)  # as many blank lines may be added
    lines = text.split("\n")
    header_index = next(i for i, line in enumerate(lines) if line.strip())
    delimiter = max(DELIMITERS, key=lines[header_index].count)
    header, _ = _record(lines, header_index, None, delimiter)
    keywords = [name.strip().upper() for name in header]
    problem = _header_problem(keywords)
    if problem:
        raise unreadable(source_name, problem, header_index + 1, lines[header_index], EXPECTED)
    while not lines[-1].strip():
        lines.pop()
    rejected = Rejections()
    count, index = 0, header_index + 1
    while index < len(lines):
        piece = lines[index : index + RECORDS_OF_A_PIECE]
        columns = _columns_of_plain_lines(piece, keywords, delimiter)
        if columns is None:
            starts, rows, index, cut = _rows(lines, index, len(keywords), delimiter, count, rejected)
            if cut:
                raise cut_off(source_name, text, cut)
            columns = dict(zip(keywords, zip(*rows, strict=True), strict=True)) if rows else {}
        else:
            starts = list(range(index + 1, index + 1 + len(piece)))
            check_records(count + len(piece) + rejected.count)
            index += len(piece)
        count += len(starts)
        used = {keyword: column for keyword, column in columns.items() if keyword in KEPT}
        yield OmmRecords(starts, used, Rejections())
    if not count and not rejected.count:
        raise unreadable(
            source_name, "the table has no records", header_index + 1, lines[header_index], EXPECTED
        )
    yield OmmRecords([], {}, rejected)


def _columns_of_plain_lines(
    lines: Sequence[str], keywords: Sequence[str], delimiter: str
) -> dict[str, Sequence[str]] | None:
    """Return the columns of lines without quotes, each a whole record; None if any line is another."""
    width = len(keywords)
    if max(map(len, lines)) > _LINE_CHARACTERS or {line.count(delimiter) for line in lines} != {width - 1}:
        return None
    joined = delimiter.join(lines)
    if '"' in joined:
        return None
    fields = joined.split(delimiter)
    return {keyword: fields[column::width] for column, keyword in enumerate(keywords)}


def _rows(
    lines: Sequence[str], index: int, width: int, delimiter: str, count: int, rejected: Rejections
) -> tuple[list[int], list[Sequence[str]], int, str]:
    """Read a piece line by line, after `count` records.

    Returns where each starts, its fields, the end, and what is missing in the last record of all.
    """
    cut = ""
    starts: list[int] = []
    rows: list[Sequence[str]] = []
    end = min(index + RECORDS_OF_A_PIECE, len(lines))
    while index < end:
        row, following = _record(lines, index, width, delimiter)
        if following >= len(lines):
            cut = _missing_at_end(lines[index:], row, width, delimiter)
        if len(row) == width:
            check_records(count + len(rows) + rejected.count + 1)
            starts.append(index + 1)
            rows.append(row)
        elif lines[index].strip():
            reason = f"has {len(row)} fields, must have the {width} of the first line"
            rejected.append(Rejection(index + 1, shown(lines[index]), reason))
        index = following
    return starts, rows, index, cut


def _missing_at_end(lines: Sequence[str], row: Sequence[str], width: int, delimiter: str) -> str:
    """Return what the last record, `row` of the last lines, has not; empty if it is not cut off."""
    if len(row) < width and lines[-1].count(delimiter) < width:  # not read as fields if there are very many
        return f"its last record has {len(row)} fields, must have {width}"
    if lines[-1].rpartition(delimiter)[2].lstrip().startswith('"') and lines[-1].count('"') % 2:
        return "the quote in its last record is not closed"
    return ""


def _header_problem(keywords: Sequence[str]) -> str | None:
    if len(keywords) > _COLUMNS:
        return f"the table has {len(keywords)} columns, more than {_COLUMNS}"
    missing = [keyword for keyword in REQUIRED if keyword not in keywords]
    if missing:
        why = f", {NO_NUMBER}" if missing[0] == "NORAD_CAT_ID" else ""
        return f"the table has no column {', '.join(missing)}{why}"
    twice = [keyword for keyword in KEYWORDS if keywords.count(keyword) > 1]
    return f"the table has more than one column {', '.join(twice)}" if twice else None


def _record(lines: Sequence[str], index: int, width: int | None, delimiter: str) -> tuple[Sequence[str], int]:
    """Return the fields of the record that starts at a line, and the index of the line after it."""
    line = lines[index]
    if len(line) > _LINE_CHARACTERS and width is not None:
        return [line], index + 1
    plain = line.split(delimiter)
    if '"' not in line:
        return plain, index + 1
    # A quote without its other half is part of a name, such as 5" DEB, if the fields agree; taken for the
    # start of a quoted field it would swallow the records up to the next such quote.
    closed = line.count('"') % 2 == 0
    if not closed and len(plain) == width:
        return plain, index + 1
    last = index + (1 if closed else _LINES_OF_A_RECORD)
    reader = csv.reader([part + "\n" for part in lines[index:last]], delimiter=delimiter)
    try:
        row = next(reader)
    except csv.Error:  # a field longer than the csv module allows: no element set
        return plain, index + 1
    if len(row) == width or width is None or closed:
        return row, index + reader.line_num
    return plain, index + 1
