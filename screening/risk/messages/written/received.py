"""Received messages as lines, to share them in any form."""

from screening.risk.messages.read import ReadMessage
from screening.risk.messages.texts.entries import COMMENT, OBJECT, Entry, unreadable
from screening.risk.messages.values import value_and_unit
from screening.risk.messages.written.lines import Line, Message, parted

_STATE = ("X", "Y", "Z")


def received(read: ReadMessage, source_name: str = "the text") -> Message:
    """Return a message that has been read as its lines.

    Values are those of the text, digit by digit. Raises UnreadableMessage for a summary, which has no states:
    the standard requires states.
    """
    missing = _missing(read.entries)
    if missing:
        last = read.entries[-1]
        why = f"{missing} is missing, so the message is incomplete"
        raise unreadable(source_name, why, last.line, last.text)
    return parted(_line(entry) for entry in read.entries if entry.value or entry.keyword == COMMENT)


def _missing(entries: list[Entry]) -> str:
    """Return what a message needs and these entries lack, empty for nothing."""
    objects = [entry.value.upper() for entry in entries if entry.keyword == OBJECT]
    if objects != ["OBJECT1", "OBJECT2"]:
        return "OBJECT1 or OBJECT2"
    given = [entry.keyword for entry in entries if entry.value]
    return next((keyword for keyword in _STATE if given.count(keyword) < len(objects)), "")


def _line(entry: Entry) -> Line:
    value, unit = value_and_unit(entry.value)
    line = Line(entry.keyword, value, unit)
    return line if unit and line.is_number else Line(entry.keyword, entry.value)
