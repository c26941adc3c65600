"""Read pieces of JSON in which all records are alike, as published ones are: at once, to columns."""

import re
from collections.abc import Sequence
from operator import itemgetter

import numpy as np
import orjson

from screening.orbits.texts.omm.fields import FIELDS_OF_DECIMALS, KEPT, REQUIRED, Decimals, OmmRecords
from screening.orbits.texts.rejections import Rejections

# This limit keeps a damaged text from being searched to its end again and again; a record has 2 kB.
RECORD_CHARACTERS = 16384

_BRACES = np.frombuffer(b"{}", np.uint8)
_LINE_FEED = ord("\n")
_MINUS_ZERO = re.compile(rb"-0(?![.\d])")  # orjson reads it as 0


def plain_records(piece: str, line: int) -> OmmRecords | None:
    """Read flat objects with the same keys, separated by commas; the first of them starts in `line`.

    Returns what the reader of single records does; None for any other text, also for one that may only be
    another: it is read by that.
    """
    try:
        data = b"[%b]" % piece.encode()
        if data.count(b"[") > 1 or _MINUS_ZERO.search(data):
            return None
        records = orjson.loads(data)
    except ValueError:
        return None
    characters = np.frombuffer(data, np.uint8)
    begins, ends = (np.flatnonzero(characters == brace) for brace in _BRACES)
    # As many braces as records: none is nested, none in a name.
    if not len(begins) == len(ends) == len(records) or set(map(type, records)) != {dict}:
        return None
    if len(set(map(tuple, records))) > 1 or (ends - begins).max() >= RECORD_CHARACTERS:
        return None
    columns = _columns(records)
    if columns is None:
        return None
    feeds = np.flatnonzero(characters == _LINE_FEED)
    return OmmRecords((line + np.searchsorted(feeds, begins)).tolist(), columns, Rejections())


def _columns(records: Sequence[dict[str, object]]) -> dict[str, Sequence[str] | Decimals] | None:
    keys = {key: key.upper() for key in records[0]}
    if len(set(keys.values())) < len(keys) or "NORAD_CAT_ID" not in keys.values():
        return None
    columns = {}
    for key, keyword in keys.items():
        if keyword in KEPT:
            column = _column(keyword, list(map(itemgetter(key), records)))
            if column is None:
                return None
            columns[keyword] = column
    return columns


def _column(keyword: str, values: list[object]) -> Sequence[str] | Decimals | None:
    kinds = set(map(type, values))
    if kinds == {str}:
        return values  # type: ignore[return-value]
    if kinds <= {int, float} and keyword in FIELDS_OF_DECIMALS:
        return np.array(values, np.float64)
    if kinds == {int}:
        return list(map(str, values))
    if kinds <= {str, type(None)} and keyword not in REQUIRED:
        return [value or "" for value in values]  # type: ignore[misc]
    return None
