"""Received messages as lines, to hand them on in any form."""

from collections.abc import Iterator

from screening.risk.messages.read import each_text
from screening.risk.messages.texts.entries import COMMENT, OBJECT, Entry, UnreadableMessage, unreadable
from screening.risk.messages.values import value_and_unit
from screening.risk.messages.written.lines import Line, Message, parted

_STATE = ("X", "Y", "Z")


def each_received(
    text: bytes | str, *, source_name: str = "the text"
) -> Iterator[Message | UnreadableMessage]:
    """Yield each message of a text (KVN, XML or JSON) as its lines, or the error of one that has none.

    Values are those of the text, digit by digit. A summary, which has no states, is an error: the standard
    has no message without them.
    """
    for name, entries in each_text(text, source_name=source_name):
        if isinstance(entries, UnreadableMessage):
            yield entries
            continue
        missing = _missing(entries)
        if missing:
            last = entries[-1]
            yield unreadable(name, f"{missing} is missing, so it is no whole message", last.line, last.text)
            continue
        yield parted(_line(entry) for entry in entries if entry.value or entry.keyword == COMMENT)


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
