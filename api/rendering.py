"""Rows of the store as JSON: times ISO 8601 with Z, what is not finite as null."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
from fastapi import Response

from storage.event_table import EVENT_COLUMNS
from storage.schema import OBJECTS, PROXIMITIES, REJECTIONS, RUNS

# As sent: `event_id` is called `id`.
EVENT_FIELDS = tuple("id" if name == "event_id" else name for name in EVENT_COLUMNS)
PROXIMITY_FIELDS = tuple(column.name for column in PROXIMITIES.columns)
RUN_FIELDS = tuple(column.name for column in RUNS.columns)
OBJECT_FIELDS = tuple(column.name for column in OBJECTS.columns)
REJECTION_FIELDS = tuple(column.name for column in REJECTIONS.columns if column.name != "run_id")

_OPTIONS = orjson.OPT_NAIVE_UTC | orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS


def json_response(content: object, headers: Mapping[str, str] | None = None) -> Response:
    """Return content as a JSON response; naive times are UTC."""
    return Response(json_bytes(content), headers=headers, media_type="application/json")


def json_bytes(content: object) -> bytes:
    """Return content as JSON; naive times are UTC."""
    return orjson.dumps(content, option=_OPTIONS)


def records(fields: Sequence[str], rows: Iterable[Sequence[object]]) -> list[dict[str, object]]:
    """Return rows with the names of their fields."""
    return [dict(zip(fields, row, strict=True)) for row in rows]
