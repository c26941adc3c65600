"""Write a message as JSON: the standard's keywords, and one object for each of both objects.

The standard has no JSON form. Numbers are numbers in the standard's units, so there are no units.
"""

import json
import re
from typing import Any

from screening.risk.messages.texts.entries import COMMENT, FIRST_KEYWORD, OBJECT
from screening.risk.messages.written.layout import BARE_NUMBERS, UNITS, in_order
from screening.risk.messages.written.lines import Line, Message

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
