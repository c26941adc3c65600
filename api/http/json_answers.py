"""Answers as JSON: times as ISO 8601 with Z, numbers that are not finite as null."""

from collections.abc import Mapping
from http import HTTPStatus

import numpy as np
import orjson
from fastapi import Response

JSON = "application/json"
_OPTIONS = orjson.OPT_NAIVE_UTC | orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY


def json_response(
    content: object, headers: Mapping[str, str] | None = None, status: HTTPStatus = HTTPStatus.OK
) -> Response:
    """Return content as a JSON response."""
    return Response(json_bytes(content), status, headers, JSON)


def json_bytes(content: object) -> bytes:
    """Return content as JSON."""
    return orjson.dumps(content, _as_list, _OPTIONS)


def _as_list(value: object) -> object:
    """Return an array that orjson does not write itself, as one that is not contiguous."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
