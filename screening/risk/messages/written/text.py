"""Write a message in one of its forms."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from screening.orbits.texts.printable import ascii_line
from screening.risk.messages.texts.entries import COMMENT, FIRST_KEYWORD, OBJECT
from screening.risk.messages.written.layout import (
    BARE_NUMBERS,
    DATA,
    HEADER,
    METADATA,
    RELATIVE_STATE,
    UNITS,
    in_order,
)
from screening.risk.messages.written.lines import Line, Message
from screening.vocabulary import MessageForm

# Write a message as XML: NDM/XML 4.0.0 (CCSDS 505.0-B), without name space.

_BEGIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<cdm xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:noNamespaceSchemaLocation="'
    'https://sanaregistry.org/r/ndmxml_unqualified/ndmxml-4.0.0-master-4.0.xsd" '
    'id="CCSDS_CDM_VERS" version={}>\n'
)
# What XML 1.0 cannot hold, not even escaped.
_NOT_ALLOWED = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")

Placed = tuple[str, Line]


def xml_text(message: Message) -> str:
    """Return the text of a message."""
    placed = in_order(message.header)
    header = [line for element, line in placed if element == HEADER]
    relative = [one for one in placed if one[0] != HEADER]
    body = [*_element("relativeMetadataData", _relative(relative))]
    for part in message.objects:
        body += _element("segment", _segment(in_order(part)))
    lines = [*_element("header", _leaves(header)), *_element("body", body)]
    return _BEGIN.format(quoteattr(message.version)) + "\n".join(lines) + "\n</cdm>\n"


def _relative(placed: list[Placed]) -> Iterator[str]:
    """Yield the data on both objects; the vector inside them has no comments of its own."""
    yield from _leaves(line for _, line in placed if line.keyword == COMMENT)
    values = [one for one in placed if one[1].keyword != COMMENT]
    for element, group in groupby(values, key=lambda one: one[0]):
        inside = _leaves(line for _, line in group)
        yield from _element(element, inside) if element == RELATIVE_STATE else inside


def _segment(placed: list[Placed]) -> Iterator[str]:
    yield from _element(METADATA, _leaves(line for element, line in placed if element == METADATA))
    data: list[str] = []
    for element in DATA:
        lines = [line for at, line in placed if at == element]
        data += _element(element, _leaves(lines)) if lines else []
    yield from _element("data", data)


def _element(name: str, inside: Iterable[str]) -> Iterator[str]:
    yield f"<{name}>"
    yield from inside
    yield f"</{name}>"


def _leaves(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the elements of one block, its comments first."""
    for line in sorted(lines, key=lambda line: line.keyword != COMMENT):
        units = f" units={quoteattr(line.unit)}" if line.unit else ""
        yield f"<{line.keyword}{units}>{escape(_NOT_ALLOWED.sub('?', line.value))}</{line.keyword}>"


# Write a message as JSON: the standard's keywords, and one object for each of both objects.
#
# The standard has no JSON form. Numbers are numbers in the standard's units, so there are no units.

_NUMBER_OF_JSON = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)


def json_text(message: Message) -> str:
    """Return the text of a message: one JSON object."""
    content: dict[str, Any] = {FIRST_KEYWORD: message.version, **_values(message.header)}
    for lines in message.objects:
        values = _values(lines)
        content[str(values.pop(OBJECT)).upper()] = values
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _values(lines: list[Line]) -> dict[str, Any]:
    """Return values by keyword; comments are a list."""
    values: dict[str, Any] = {}
    for _, line in in_order(lines):
        if line.keyword == COMMENT:
            values.setdefault(COMMENT, []).append(line.value)
        else:
            values[line.keyword] = _value(line)
    return values


def _value(line: Line) -> object:
    """Return a number where the keyword has one; with another unit than the standard's it is beside it."""
    numeric = line.keyword in UNITS or line.keyword in BARE_NUMBERS or line.unit != ""
    value: object = line.value
    if numeric and _NUMBER_OF_JSON.fullmatch(line.value):
        value = json.loads(line.value)
    foreign = line.unit not in ("", UNITS.get(line.keyword, ""))
    return {"value": value, "units": line.unit} if foreign else value


# Write a message as lines of `KEYWORD = value [unit]` (CCSDS 508.0-B, KVN).

_WIDTH = 28  # of COLLISION_PROBABILITY_METHOD, the longest keyword


def kvn_text(message: Message) -> str:
    """Return the text of a message, in printable ASCII; no line is longer than 254 characters."""
    parts = (message.header, *message.objects)
    lines = [Line(FIRST_KEYWORD, message.version), *(line for part in parts for _, line in in_order(part))]
    return "".join(f"{_written(line)}\n" for line in lines)


def _written(line: Line) -> str:
    value = ascii_line(line.value)
    if line.keyword == COMMENT:
        return f"{COMMENT} {value}"
    return f"{line.keyword:<{_WIDTH}} = {value}" + (f" [{line.unit}]" if line.unit else "")


_WRITERS = {"kvn": kvn_text, "xml": xml_text, "json": json_text}


def message_text(message: Message, form: MessageForm) -> str:
    """Return the text of a message; all forms carry the same numbers."""
    return _WRITERS[form](message)
