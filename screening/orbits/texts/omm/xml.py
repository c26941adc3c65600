"""Orbit mean-elements messages as XML (CCSDS 505.0-B, NDM/XML)."""

import re
from typing import NamedTuple
from xml.parsers import expat

from screening.errors import InputError, UnreadableCatalogue
from screening.orbits.elements import Rejection
from screening.orbits.texts.omm.fields import KEYWORDS, OmmRecords, gather, unit_problem
from screening.orbits.texts.rejections import Rejections
from screening.orbits.texts.unreadable import cut_off, shown, unreadable

EXPECTED = (
    "<ndm><omm><body><segment><metadata>...<data><meanElements><EPOCH>2024-10-29T12:18:43.492896</EPOCH>..."
)

_SEGMENT = re.compile(rb"<(?:[\w.-]+:)?segment[\s>]")
_FIRST_PIECE_BYTES = 256  # most repeated reading ends soon
_PIECE_BYTES = 65536
_MARKUP_BYTES = 1024**2  # of a tag or comment: what has not ended is read again with each piece
_READ_AGAIN = 8
_TEXT_CHARACTERS = 1000  # of one element; a value has some twenty
_ROOT = b"<ndm>"


def read_omm_xml(text: str, source_name: str) -> OmmRecords:
    """Read every segment of one message, or of several in an <ndm>.

    Comments and unused elements are skipped; a unit must be the one that the standard prescribes. A segment
    that is not well-formed is rejected, and reading continues at the next. Raises UnreadableCatalogue if
    there is no segment, the outermost element is not closed, or there is a document type: the messages have
    none, and the entities that it may declare can be made to fill the memory or to fetch files.
    """
    data = text.encode()
    reader = _SegmentReader(source_name)
    position: int | None = 0
    line, prologue = 1, b""
    while position is not None:
        failed_at = reader.read(data, position, line, prologue)
        if reader.handed_bytes > _READ_AGAIN * len(data) + _PIECE_BYTES:
            raise InputError(
                f"{source_name} is not read: its XML is damaged in so many places that continuing after "
                f"each would take more than {_READ_AGAIN} times as long as reading it once."
            )
        match = None if failed_at is None else _SEGMENT.search(data, max(failed_at, position + 1))
        if match is not None:
            line += data.count(b"\n", position, match.start())
            prologue = _ROOT
        position = None if match is None else match.start()
    if not reader.records and not reader.rejected.count:
        raise unreadable(source_name, "the XML text holds no <segment>", 1, text.lstrip(), EXPECTED)
    if text[text.rfind("</") + 2 :].rpartition(">")[0].strip() != reader.root:
        raise cut_off(source_name, text, f"its <{reader.root}> is not closed")
    return gather(reader.records, reader.rejected)


class _Segment(NamedTuple):
    """The segment that is being read."""

    line: int
    texts: dict[str, str]
    problems: list[str]


class _SegmentReader:
    """Collects the texts of segments from the events of one or more parsers."""

    def __init__(self, source_name: str) -> None:
        self.records: list[tuple[int, dict[str, str]]] = []
        self.rejected = Rejections()
        self.handed_bytes = 0  # to parsers
        self.root = ""  # the outermost element
        self._source_name = source_name
        self._segment: _Segment | None = None
        self._keyword: str | None = None  # whose text is being read

    def read(self, data: bytes, position: int, line: int, prologue: bytes) -> int | None:
        """Read from a position in a line to the end, or to where the text is not well-formed.

        Returns None at the end, otherwise the position of the failure. The prologue replaces the elements
        around a segment when reading starts in the middle.
        """
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_document_type
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        self._parser, self._lines_before = parser, line - 1
        try:
            parser.Parse(prologue, False)
            start, length = position, _FIRST_PIECE_BYTES
            while start < len(data):
                piece = data[start : start + length]
                self.handed_bytes += len(piece)
                parser.Parse(piece, False)
                start, length = start + length, min(2 * length, _PIECE_BYTES)
                if start - position + len(prologue) - parser.CurrentByteIndex > _MARKUP_BYTES:
                    raise self._refused(f"a tag or comment has more than {_MARKUP_BYTES:,} bytes", "...")
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            # Between segments there is nothing to lose.
            self._finish(f"must be well-formed XML ({expat.ErrorString(error.code)})")
            return position + parser.ErrorByteIndex - len(prologue)
        return None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        self.root = self.root or tag
        if name == "segment":
            self._finish("must be closed before the next one")
            self._segment = _Segment(self._lines_before + self._parser.CurrentLineNumber, {}, [])
        elif self._segment is not None and name in KEYWORDS:
            self._keyword = name
            problem = unit_problem(name, attributes.get("units", ""))
            if name in self._segment.texts:
                problem = f"{name} occurs twice, must be in a segment of its own"
            if problem:
                self._segment.problems.append(problem)
            self._segment.texts[name] = ""

    def _text(self, text: str) -> None:
        if self._segment is not None and self._keyword is not None:
            known = self._segment.texts[self._keyword]
            if len(known) + len(text) > _TEXT_CHARACTERS:
                self._segment.problems.append(
                    f"{self._keyword} must have at most {_TEXT_CHARACTERS} characters"
                )
                self._keyword = None
            else:
                self._segment.texts[self._keyword] = known + text

    def _end(self, tag: str) -> None:
        self._keyword = None
        if _local(tag) == "segment":
            self._finish(None)

    def _finish(self, problem: str | None) -> None:
        """Keep the segment that is open, if one is, or reject it."""
        segment, self._segment, self._keyword = self._segment, None, None
        if segment is None:
            return
        problems = segment.problems + ([problem] if problem else [])
        if not problems:
            self.records.append((segment.line, segment.texts))
            return
        label = segment.texts.get("NORAD_CAT_ID") or segment.texts.get("OBJECT_NAME") or "a segment"
        self.rejected.append(Rejection(segment.line, shown(label.strip()), problems[0]))

    def _refuse_document_type(self, name: str, *_: object) -> None:
        why = "the XML text declares a document type, which these messages do not have"
        raise self._refused(why, f"<!DOCTYPE {name} ...")

    def _refused(self, why: str, shown_text: str) -> UnreadableCatalogue:
        line = self._lines_before + self._parser.CurrentLineNumber
        return unreadable(self._source_name, why, line, shown_text, EXPECTED)


def _local(tag: str) -> str:
    """Return a tag without its prefix."""
    return tag.rpartition(":")[2]
