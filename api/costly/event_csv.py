"""Lists of events as CSV, for spreadsheets and scripts: written and sent a part at a time."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from api.answers.rows import EVENT_FIELDS
from screening.vocabulary import SIZES_FROM
from storage.in_memory.event_table import EventQuery, EventTable
from storage.reading.fleet_view import SEEN_FROM_FLEET, Seen
from storage.rows.spreadsheets import NAME_COLUMNS, without_formulas

CSV = "text/csv"
CSV_CONTENT: Mapping[str, Any] = {CSV: {"schema": {"type": "string"}}}
# Of its licence: whose the published sizes are. A line of CSV has no room for it.
_LICENCE = (
    f'<https://creativecommons.org/licenses/by/4.0/>; rel="license"; title="sizes, masses: {SIZES_FROM}"'
)

_ROWS = 1000  # 0.8 MB


def csv_headers(name: str) -> dict[str, str]:
    """Return the headers of a list that is saved under a name."""
    return {
        "Content-Disposition": f'attachment; filename="{name}.csv"',
        "Vary": "Accept",
        "Link": _LICENCE,
    }


def csv_parts(table: EventTable, query: EventQuery, inside_of: Seen | None = None) -> Iterator[bytes]:
    """Yield the events of one page: a header with the fields of the JSON, then a line each, times with Z.

    NULL is empty. A name that a spreadsheet would take for a formula is prefixed with `'`. `inside_of`: of a
    fleet's events, what is seen from its objects; an event then has a line for each.
    """
    fields = EVENT_FIELDS if inside_of is None else (*EVENT_FIELDS, *SEEN_FROM_FLEET.values())
    yield ",".join(fields).encode() + b"\n"
    for part in table.tables(query, _ROWS):
        rows = part if inside_of is None else _seen_from_fleet(part, inside_of)
        columns = [_written(name, rows[name]) for name in rows.column_names]
        sink = pa.BufferOutputStream()
        options = csv.WriteOptions(include_header=False, quoting_style="needed")
        csv.write_csv(pa.table(columns, names=fields), sink, options)
        yield sink.getvalue().to_pybytes()


def _seen_from_fleet(events: pa.Table, inside_of: Seen) -> pa.Table:
    numbers = events["event_id"].to_pylist()
    seen = [(place, one) for place, number in enumerate(numbers) for one in inside_of[number]]
    rows = events.take(pa.array([place for place, _ in seen], pa.int64()))
    for name in SEEN_FROM_FLEET.values():
        rows = rows.append_column(name, pa.array([one[name] for _, one in seen]))
    return rows


def _written(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        # `strftime` gives the same but takes eleven times as long.
        text = pc.cast(pc.cast(column, pa.timestamp("us")), pa.string())
        return pc.binary_join_element_wise(pc.binary_replace_slice(text, 10, 11, "T"), "Z", "")
    if name in NAME_COLUMNS:
        return without_formulas(column)
    return column
