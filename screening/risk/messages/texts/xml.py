"""Conjunction data messages as XML (CCSDS 505.0-B, NDM/XML)."""

from xml.parsers import expat

from screening.risk.messages.texts.entries import (
    FIRST_KEYWORD,
    MAX_ENTRIES,
    Entry,
    Found,
    GoOn,
    MessageTexts,
    too_long,
    unreadable,
)

_PIECE_BYTES = 65536
_LONGEST_TAG_BYTES = 1_000_000
_MESSAGE = "CDM"


def read_xml(text: str, source_name: str, go_on: GoOn) -> MessageTexts:
    """Yield the messages of a text, one per <cdm> element, as entries.

    The standard gives every keyword its own element, in the order of the lines of the KVN form.
    Raises UnreadableMessage if the text is not well-formed, or declares a document type: the messages have
    none, and the entities that it may declare can be made to fill the memory or to fetch files.
    """
    data = text.encode()
    reader = _Reader(source_name, data)
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            go_on()
            reader.parser.Parse(data[start : start + _PIECE_BYTES], False)
            yield from reader.finished()
            # With each piece the parser begins again with a tag that goes on, and holds the interpreter.
            if start + _PIECE_BYTES - reader.parser.CurrentByteIndex > _LONGEST_TAG_BYTES:
                why = f"a tag or a comment may have {_LONGEST_TAG_BYTES:,} bytes"
                raise unreadable(source_name, why, reader.parser.CurrentLineNumber, "")
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        why = f"it must be well-formed XML ({expat.ErrorString(error.code)}); perhaps it is cut off"
        line = text.split("\n")[error.lineno - 1] if error.lineno <= text.count("\n") + 1 else ""
        raise unreadable(source_name, why, error.lineno, line.strip()) from error
    yield from reader.finished()


class _Reader:
    """Collects entries from the events of a parser."""

    def __init__(self, source_name: str, data: bytes) -> None:
        self._data = data
        self._begin = 0  # of the message that is being read, in bytes
        self._entries: list[Entry] | None = None  # of it
        self._finished: list[Found] = []
        self._source_name = source_name
        self._leaf: tuple[int, str, str] | None = None  # line, keyword, unit of the element opened last
        self._text: list[str] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_document_type
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def finished(self) -> list[Found]:
        """Return the messages that ended since the last call."""
        messages, self._finished = self._finished, []
        return messages

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2].upper()
        line = self.parser.CurrentLineNumber
        self._leaf, self._text = (line, name, attributes.get("units", "")), []
        if name == _MESSAGE:
            self._begin = self.parser.CurrentByteIndex
            self._entries = [Entry(line, FIRST_KEYWORD, attributes.get("version", ""))]

    def _characters(self, text: str) -> None:
        self._text.append(text)

    def _end(self, tag: str) -> None:
        if self._leaf is not None and self._entries is not None:
            line, keyword, unit = self._leaf
            value = " ".join("".join(self._text).split())
            self._entries.append(Entry(line, keyword, f"{value} [{unit}]" if unit else value))
            if len(self._entries) > MAX_ENTRIES:
                raise too_long(self._entries, self._source_name)
        self._leaf = None  # the next element to end has had children, and is no entry
        if self._entries is not None and tag.rpartition(":")[2].upper() == _MESSAGE:
            end = self.parser.CurrentByteIndex
            if self._data.startswith(b"</", end):  # else it is <cdm/>, and has ended
                end = self._data.index(b">", end) + 1
            self._finished.append(Found(self._entries, self._data[self._begin : end].decode()))
            self._entries = None

    def _refuse_document_type(self, name: str, *_: object) -> None:
        why = "the XML text declares a document type, which these messages do not have"
        raise unreadable(self._source_name, why, self.parser.CurrentLineNumber, f"<!DOCTYPE {name} ...")
