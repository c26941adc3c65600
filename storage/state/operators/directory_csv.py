"""The directory as CSV: a row an entry, lists with spaces between their parts.

What a spreadsheet would take for a formula, such as a telephone number that begins with +, gets a ' before
it, which the import takes off again.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import UsageError
from storage.rows.spreadsheets import LIKE_A_FORMULA, MARK, without_formula
from storage.state.operators.directory import NewEntry, about_of, add_entries, checked, directory
from storage.state.records import DirectoryEntry

_TEXTS = ("name_pattern", "email", "telephone", "hours", "time_zone", "note")
COLUMNS = ("operator", "owners", "norad_ids", *_TEXTS)
MOST_BYTES = 2_000_000
_MOST_SHOWN = 20  # lines that are refused


class Imported(NamedTuple):
    """What an import has brought."""

    added: list[DirectoryEntry]
    known: int  # rows that were there, word for word


def directory_csv(entries: Iterable[DirectoryEntry]) -> str:
    """Return entries as CSV, with a line of headings."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in entries:
        writer.writerow([without_formula(value) for value in _cells(one)])
    return text.getvalue()


def import_directory(store: Path, text: str, organisation_id: int, made_by: str, now: datetime) -> Imported:
    """Add the entries of a CSV text to the directory of an organisation: all of them or none.

    A row that is there word for word is passed over.

    Raises:
        UsageError: rows cannot be read or are not allowed; the message names their lines.
    """
    known = {_cells(one) for one in directory(store, organisation_id)}
    new: dict[int, NewEntry] = {}
    faults: list[str] = []
    passed_over = 0
    for line, row in _rows(text):
        try:
            entry = checked(_entry(row, organisation_id, made_by))
        except UsageError as error:
            faults.append(f"line {line}: {error}")
            continue
        if _cells(entry) in known:
            passed_over += 1
            continue
        known.add(_cells(entry))
        new[line] = entry
    if not faults:
        faults = [f"line {line}: {text}" for line, text in _doubled(store, new, organisation_id)]
    if faults:
        more = f" And {len(faults) - _MOST_SHOWN} more." if len(faults) > _MOST_SHOWN else ""
        raise UsageError(f"Nothing is imported. {' '.join(faults[:_MOST_SHOWN])}{more}")
    return Imported(add_entries(store, list(new.values()), now), passed_over)


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield rows by their headings, each with the number of its first line. Raises UsageError."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    headings: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            begins, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if headings is None:
                headings = [cell.strip().lower() for cell in cells]
                _check_headings(headings)
            elif len(cells) != len(headings):
                raise UsageError(
                    f"Nothing is imported. line {begins}: {len(cells)} cells, where the headings are "
                    f"{len(headings)}."
                )
            else:
                yield begins, dict(zip(headings, cells, strict=True))
    except csv.Error as error:
        raise UsageError(f"Nothing is imported. line {line}: this is not CSV ({error}).") from error
    if headings is None:
        raise UsageError("The file is empty: its first line names the columns.")


def _check_headings(headings: list[str]) -> None:
    unknown = [name for name in headings if name not in COLUMNS]
    if unknown or len(set(headings)) < len(headings) or "operator" not in headings:
        raise UsageError(
            f"line 1: expected the headings {', '.join(COLUMNS)}, each once, operator at least; found "
            f"{', '.join(headings)[:200]!a}."
        )


def _entry(row: dict[str, str], organisation_id: int, made_by: str) -> NewEntry:
    cells = {name: _plain(row.get(name, "")) for name in COLUMNS}
    numbers = filter(None, re.split(r"[\s,;]+", cells["norad_ids"]))
    pattern, email, telephone, hours, time_zone, note = (cells[name] for name in _TEXTS)
    return NewEntry(
        cells["operator"],
        tuple(cells["owners"].split()),
        tuple(map(_number, numbers)),
        pattern,
        email,
        telephone,
        hours,
        time_zone,
        note,
        made_by,
        organisation_id=organisation_id,
    )


def _plain(cell: str) -> str:
    """Return a cell without the mark that an export has put before it."""
    without = cell.removeprefix(MARK)
    return without if without != cell and re.match(LIKE_A_FORMULA, without) else cell


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{text[:40]!a} is not a catalogue number.")
    return int(text)


def _cells(one: DirectoryEntry | NewEntry) -> tuple[str, ...]:
    return (
        one.operator,
        " ".join(one.owners),
        " ".join(map(str, one.norad_ids)),
        *(getattr(one, name) for name in _TEXTS),
    )


def _doubled(store: Path, new: dict[int, NewEntry], organisation_id: int) -> Iterator[tuple[int, str]]:
    """Yield lines of entries that are for the objects of another one, and what is said of them."""
    there = {about_of(one): f"entry {one.id}" for one in directory(store, organisation_id)}
    for line, one in new.items():
        if about_of(one) in there:
            yield line, f"the directory has {one.operator} for these objects: {there[about_of(one)]}."
        there.setdefault(about_of(one), f"line {line}")
