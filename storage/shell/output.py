"""Print rows: as a table on a terminal, with tabs in a pipe, as CSV or JSON on request."""

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from storage.times import time_text

# rich is imported where it is used, so that `--help` and output into a pipe are quick.
if TYPE_CHECKING:
    from rich.table import Table

WIDTH_IN_A_PIPE = 150
FOLDED_WIDTH = 14  # of a column that may wrap


def plain(value: object) -> object:
    """Return a stored value for JSON; numbers that are not finite become null."""
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
        case _ if is_dataclass(value):
            return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
        case _ if hasattr(value, "tolist"):  # an array; numpy is slow to import
            return plain(value.tolist())
        case _:
            return str(value)


def text(value: object) -> str:
    """Return a stored value as one cell of text; NULL is empty."""
    made_plain = plain(value)
    if made_plain is None:
        return ""
    return json.dumps(made_plain) if isinstance(made_plain, (dict, list)) else str(made_plain)


def counted(number: int, what: str) -> str:
    """Return a number of things, in the singular where it is one."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def print_json(value: object) -> None:
    """Print one JSON document."""
    json.dump(plain(value), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def print_json_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as a JSON list of objects, one row per line."""
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


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], folded: Sequence[str] = ()) -> None:
    """Print rows as a table on a terminal, value below value if it is too narrow; else separated by tabs.

    Only the `folded` columns may wrap.
    """
    if sys.stdout.isatty():
        print_first_that_fits([(columns, list(rows))], folded=folded)
    else:
        print_separated(columns, rows, "\t")


def print_first_that_fits(
    layouts: Sequence[tuple[Sequence[str], Sequence[Sequence[object]]]],
    caption: str | None = None,
    folded: Sequence[str] = (),
) -> None:
    """Print rows in the first of several layouts (columns, rows) that fits the width.

    Only the `folded` columns may wrap. If no layout fits, the last one is printed with each value on its own
    line: nothing is cut off. In a pipe the width is WIDTH_IN_A_PIPE.
    """
    from rich.console import Console
    from rich.measure import Measurement

    console = Console(width=None if sys.stdout.isatty() else WIDTH_IN_A_PIPE)
    unlimited = console.options.update(width=100_000)
    for columns, rows in layouts:
        table = _boxed(columns, rows, caption, folded)
        if Measurement.get(console, unlimited, table).minimum <= console.width:
            console.print(table)
            return
    columns, rows = layouts[-1]
    widest = max(map(len, columns))
    for number, row in enumerate(rows, start=1):
        sys.stdout.write(f"row {number}\n")
        sys.stdout.writelines(
            f"  {name:<{widest}}  {text(value)}\n" for name, value in zip(columns, row, strict=True)
        )
    sys.stdout.write(f"{caption or f'{len(rows):,} rows'}\n")


def _boxed(
    columns: Sequence[str], rows: Sequence[Sequence[object]], caption: str | None, folded: Sequence[str]
) -> "Table":
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD, caption=caption, caption_justify="left", pad_edge=False, collapse_padding=True
    )
    for index, column in enumerate(columns):
        numeric = all(
            text(row[index]).replace(",", "").lstrip("-").isdigit() for row in rows if row[index] != ""
        )
        justify: Literal["right", "left"] = "right" if numeric else "left"
        whole = max([cell_len(column), *(cell_len(text(row[index])) for row in rows)])
        least = min(whole, FOLDED_WIDTH) if column in folded else whole
        wrapped = column in folded
        table.add_column(column, justify=justify, overflow="fold", no_wrap=not wrapped, min_width=least)
    for row in rows:
        table.add_row(*(Text(text(value)) for value in row))
    return table
