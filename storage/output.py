"""Rows for people, spreadsheets and scripts: a table on a terminal, tabs in a pipe, CSV or JSON if asked."""

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

WIDTH_IN_A_PIPE = 150


def time_text(time: datetime) -> str:
    """Return a time as ISO 8601 with Z; a naive one is UTC already."""
    utc = time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat() + "Z"


def plain(value: object) -> object:
    """Return a stored value as JSON knows it; what is not finite becomes null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return float(value)
        case datetime():
            return time_text(value)
        case date():
            return value.isoformat()
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return str(value)


def text(value: object) -> str:
    """Return a stored value as one cell of text; NULL is empty."""
    made_plain = plain(value)
    if made_plain is None:
        return ""
    return json.dumps(made_plain) if isinstance(made_plain, (dict, list)) else str(made_plain)


def print_json(value: object) -> None:
    """Print one JSON document."""
    json.dump(plain(value), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def print_json_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as a JSON list of objects, a row a line."""
    separator = "[\n"
    for row in rows:
        made_plain = {name: plain(value) for name, value in zip(columns, row, strict=True)}
        sys.stdout.write(separator + json.dumps(made_plain, ensure_ascii=False))
        separator = ",\n"
    sys.stdout.write("[]\n" if separator == "[\n" else "\n]\n")


def print_separated(columns: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str) -> None:
    """Print rows with a header, separated by commas or tabs."""
    writer = csv.writer(sys.stdout, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([text(value) for value in row] for row in rows)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str | None = None) -> None:
    """Print rows as a table on a terminal, else separated by tabs."""
    if sys.stdout.isatty():
        print_boxed(columns, rows, caption)
    else:
        print_separated(columns, rows, "\t")


def print_boxed(columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str | None = None) -> None:
    """Print rows as a table for a reader, as wide as the terminal or as it needs to be in a pipe."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, caption=caption, caption_justify="left")
    cells = [list(row) for row in rows]
    for index, column in enumerate(columns):
        numeric = all(text(row[index]).replace(",", "").lstrip("-").isdigit() for row in cells)
        justify: Literal["right", "left"] = "right" if numeric else "left"
        table.add_column(column, justify=justify, overflow="fold", no_wrap=numeric)
    for row in cells:
        table.add_row(*(Text(text(value)) for value in row))
    console = Console(width=None if sys.stdout.isatty() else WIDTH_IN_A_PIPE)
    console.print(table)
