"""Write a message as XML: NDM/XML 4.0.0 (CCSDS 505.0-B), without name space."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from screening.risk.messages.texts.entries import COMMENT
from screening.risk.messages.written.layout import DATA, HEADER, METADATA, RELATIVE_STATE, in_order
from screening.risk.messages.written.lines import Line, Message

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
