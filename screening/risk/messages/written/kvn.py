"""Write a message as lines of `KEYWORD = value [unit]` (CCSDS 508.0-B, KVN)."""

from screening.orbits.texts.printable import ascii_line
from screening.risk.messages.texts.entries import COMMENT, FIRST_KEYWORD
from screening.risk.messages.written.layout import in_order
from screening.risk.messages.written.lines import Line, Message

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
