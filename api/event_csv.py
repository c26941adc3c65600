"""Lists of events as CSV, for spreadsheets and scripts: written and sent a part at a time."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pyarrow import csv

from api.exchange import exchange_of
from api.load import FairQueue, GoOn, at_once_or_in_turn, nobody_leaves
from api.rendering import EVENT_FIELDS
from storage.event_table import EventQuery, EventTable

CSV = "text/csv"
CSV_CONTENT: Mapping[str, Any] = {CSV: {"schema": {"type": "string"}}}

_ROWS = 5000  # 4 MB
_TIME = "%Y-%m-%dT%H:%M:%SZ"  # %S has the microseconds
_NAMES = ("primary_name", "secondary_name")
# A spreadsheet would take such a name for a formula, and catalogues come from elsewhere.
_LIKE_A_FORMULA = r"^([=+\-@\t\r])"


def prefers_csv(accept: str) -> bool:
    """Return whether a client names CSV, and nothing that JSON would satisfy more."""
    weights = dict(_weighted(part) for part in accept.split(","))
    csv_weight = weights.get(CSV, 0.0)
    if "application/json" in weights:
        return csv_weight > weights["application/json"]
    other = max(weights.get("application/*", 0.0), weights.get("*/*", 0.0))
    return csv_weight > 0 and csv_weight >= other


async def csv_response(
    parts: Iterator[bytes], run_id: str, request: Request, queue: FairQueue | None
) -> StreamingResponse:
    """Return an answer whose parts are made one by one, each when it is its client's turn and has room.

    Raises:
        Busy: the first part did not get its turn; later ones wait as long as they must.
    """

    def following(_go_on: GoOn) -> bytes | None:
        return next(parts, None)

    head = next(parts)
    part = await at_once_or_in_turn(request, queue, following)
    whose = exchange_of(request).credential

    async def sent() -> AsyncIterator[bytes]:
        following_part = part
        yield head
        while following_part is not None:
            yield following_part
            if queue is None:
                following_part = await run_in_threadpool(next, parts, None)
            else:
                following_part = await queue.run("answer", whose, following, nobody_leaves(), begun=True)

    return StreamingResponse(
        sent(),
        media_type=CSV,
        headers={
            "Content-Disposition": f'attachment; filename="conjunctions-{run_id}.csv"',
            "Vary": "Accept",
        },
    )


def csv_parts(table: EventTable, query: EventQuery) -> Iterator[bytes]:
    """Yield the events of one page: a header with the fields that JSON has, a line each, times with Z.

    What does not apply is empty. Before a name that a spreadsheet would take for a formula stands a `'`.
    """
    yield ",".join(EVENT_FIELDS).encode() + b"\n"
    for part in table.tables(query, _ROWS):
        columns = [_written(name, part[name]) for name in part.column_names]
        sink = pa.BufferOutputStream()
        options = csv.WriteOptions(include_header=False, quoting_style="needed")
        csv.write_csv(pa.table(columns, names=EVENT_FIELDS), sink, options)
        yield sink.getvalue().to_pybytes()


def _written(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        return pc.strftime(column, format=_TIME)
    if name in _NAMES:
        return pc.replace_substring_regex(column, pattern=_LIKE_A_FORMULA, replacement=r"'\1")
    return column


def _weighted(part: str) -> tuple[str, float]:
    kind, _, parameters = part.partition(";")
    weight = 1.0
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                weight = float(value)
            except ValueError:
                weight = 0.0
    return kind.strip().lower(), weight
