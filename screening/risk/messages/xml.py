"""Conjunction data messages as XML (CCSDS 505.0-B, NDM/XML)."""

from xml.parsers import expat

from screening.risk.messages.entries import FIRST_KEYWORD, Entry, unreadable

_PIECE_BYTES = 65536


def read_xml(text: str, source_name: str) -> list[list[Entry]]:
    """Split a text into messages, one per <cdm> element, and these into entries.

    The standard gives every keyword its own element, in the order of the lines of the KVN form.
    Raises UnreadableMessage if the text is not well-formed, or declares a document type: the messages have
    none, and the entities that it may declare can be made to fill the memory or to fetch files.
    """
    reader = _Reader(source_name)
    data = text.encode()
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            reader.parser.Parse(data[start : start + _PIECE_BYTES], False)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        why = f"it must be well-formed XML ({expat.ErrorString(error.code)}); perhaps it is cut off"
        line = text.split("\n")[error.lineno - 1] if error.lineno <= text.count("\n") + 1 else ""
        raise unreadable(source_name, why, error.lineno, line.strip()) from error
    return reader.messages


class _Reader:
    """Collects entries from the events of a parser."""

    def __init__(self, source_name: str) -> None:
        self.messages: list[list[Entry]] = []
        self._source_name = source_name
        self._leaf: tuple[int, str, str] | None = None  # line, keyword, unit of the element opened last
        self._text: list[str] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_document_type
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2].upper()
        line = self.parser.CurrentLineNumber
        self._leaf, self._text = (line, name, attributes.get("units", "")), []
        if name == "CDM":
            self.messages.append([Entry(line, FIRST_KEYWORD, attributes.get("version", ""))])

    def _characters(self, text: str) -> None:
        self._text.append(text)

    def _end(self, _tag: str) -> None:
        if self._leaf is not None and self.messages:
            line, keyword, unit = self._leaf
            value = " ".join("".join(self._text).split())
            self.messages[-1].append(Entry(line, keyword, f"{value} [{unit}]" if unit else value))
        self._leaf = None  # the next element to end has had children, and is no entry

    def _refuse_document_type(self, name: str, *_: object) -> None:
        why = "the XML text declares a document type, which these messages do not have"
        raise unreadable(self._source_name, why, self.parser.CurrentLineNumber, f"<!DOCTYPE {name} ...")
