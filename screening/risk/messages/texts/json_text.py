"""Read JSON with the line of every key, repeated keys, and numbers as they are written."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from screening.risk.messages.texts.entries import MAX_ENTRIES, GoOn, unreadable

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?', re.DOTALL)
DEEPEST = 32
USUAL_MESSAGE, LARGEST_MESSAGE = 65_536, 1_000_000  # characters
_SMALLEST_PIECE, _GROWTH = 512, 8
MAX_ELEMENTS = 1_000_000
_BLANK = re.compile(r"[ \t\n\r]*")


class Key(NamedTuple):
    """The key of a value in an object."""

    line: int  # 1-based
    text: str
    at: int  # where it begins in the whole text


class Pairs(tuple["tuple[Key, Value]", ...]):
    """A JSON object: its keys and values in order, repeated ones included."""


Value: TypeAlias = "str | bool | Pairs | list[Value] | None"


class Element(NamedTuple):
    """A value of a text, and where it begins."""

    line: int
    text: str  # of that line
    value: Value
    listed: bool  # an element of the outermost list, or an object in another


def read_elements(text: str, source_name: str, go_on: GoOn) -> Iterator[Element]:
    """Yield the elements of a list one by one, or the only value of a text.

    A value larger than any message is opened and its elements are yielded, since a parsed text takes twenty
    times its memory; a message that is too large becomes an element without a value. Raises
    UnreadableMessage where the text stops being JSON.
    """
    reader = _Reader(text, source_name)
    for number, element in enumerate(reader.values(listed=True, depth=0)):
        if number == MAX_ELEMENTS:
            why = f"it holds more than {MAX_ELEMENTS:,} values, few of them messages"
            raise unreadable(source_name, why, element.line, element.text)
        go_on()
        yield element
    if not reader.at_end:
        raise reader.error("text follows its end")


class _Reader:
    """Goes through a text once and counts its lines."""

    def __init__(self, text: str, source_name: str) -> None:
        self._text, self._source_name = text, source_name
        self._at = _end_of_blank(text, 0)
        self._line, self._counted = 1, 0
        self._piece = USUAL_MESSAGE

    @property
    def at_end(self) -> bool:
        """Whether the whole text has been read."""
        return self._at == len(self._text)

    def values(self, *, listed: bool, depth: int) -> Iterator[Element]:
        """Yield the value that is next, or those in it if it is the outermost list or a large one."""
        if depth > DEEPEST:
            raise self.error("it is nested too deeply")
        is_list = self._text.startswith("[", self._at)
        whole = None if is_list and depth == 0 else self._whole(listed=listed)
        if whole is not None:
            yield whole
            return
        closing = "]" if is_list else "}"
        self._at = _end_of_blank(self._text, self._at + 1)
        if self._passes(closing):
            return
        keys = 0
        while True:
            if not is_list and self._passed_key().upper() == "TCA":
                yield Element(self._line_here(), self._text_here(), None, listed=True)
            keys += not is_list and not self._text.startswith(("{", "["), self._at)
            if keys > MAX_ENTRIES:
                raise self.error(f"an object may have {MAX_ENTRIES:,} keys besides those of objects in it")
            listed = is_list and (depth == 0 or self._text.startswith("{", self._at))
            yield from self.values(listed=listed, depth=depth + 1)
            if self._passes(closing):
                return
            if not self._passes(","):
                kind = "a list" if is_list else "an object"
                raise self.error(f"{kind} must continue with , or end with {closing}")

    def _whole(self, *, listed: bool) -> Element | None:
        """Read one value, None if it is a large list or object; raise UnreadableMessage if there is none."""
        begin, line, shown = self._at, self._line_here(), self._text_here()
        try:
            raw, length = self._parsed(begin)
            value = _with_keys(raw, _keys(self._text[begin : begin + length], line, begin), 0)
        except json.JSONDecodeError as error:
            if self._text.startswith(("[", "{"), begin) and begin + LARGEST_MESSAGE < len(self._text):
                return None
            self._at = begin + error.pos
            raise self.error(error.msg) from error
        except RecursionError as error:
            raise self.error("it is nested too deeply") from error
        self._at = _end_of_blank(self._text, begin + length)
        return Element(line, shown, value, listed)

    def _parsed(self, begin: int) -> tuple[object, int]:
        """Return a decoded value and the length of its text; raise JSONDecodeError if it is too long.

        The first piece tried is twice as long as the value before: many small ones cost little each.
        """
        size = self._piece
        while True:
            piece = self._text[begin : begin + size]
            last = size >= LARGEST_MESSAGE or begin + size >= len(self._text)
            try:
                raw, length = _DECODER.raw_decode(piece)
            except json.JSONDecodeError:
                if last:
                    raise
            else:
                if last or length < size:  # else a number may go on
                    self._piece = max(2 * length, _SMALLEST_PIECE)
                    return raw, length
            size = min(size * _GROWTH, LARGEST_MESSAGE)

    def _passed_key(self) -> str:
        """Read a key; raise UnreadableMessage if there is none."""
        key = self._whole(listed=False) if self._text.startswith('"', self._at) else None
        if key is None or not self._passes(":"):
            raise self.error("an object must have keys in double quotes, each followed by :")
        return str(key.value)

    def _passes(self, mark: str) -> bool:
        """If a character is next, skip it and the blanks after it."""
        if not self._text.startswith(mark, self._at):
            return False
        self._at = _end_of_blank(self._text, self._at + 1)
        return True

    def error(self, why: str) -> Exception:
        """Build the error for the current place."""
        what = f"it must be well-formed JSON ({why}); perhaps it is cut off"
        return unreadable(self._source_name, what, self._line_here(), self._text_here())

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _text_here(self) -> str:
        first = max(self._at - 40, 0)
        begin = max(self._text.rfind("\n", first, self._at) + 1, first)
        return self._text[begin : self._at + 100].split("\n")[0].strip()


class _RawPairs(tuple["tuple[str, object]", ...]):
    """A JSON object as the decoder returns it."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=_RawPairs, parse_float=str, parse_int=str, parse_constant=str, strict=False
)


def _keys(text: str, line: int, begin: int) -> Iterator[Key]:
    """Yield the keys of a valid JSON text that begins on a line and at a place, in order."""
    counted = 0
    for string in _STRING.finditer(text):
        if string[1]:
            line += text.count("\n", counted, string.start())
            counted = string.start()
            named = json.loads(string[0].rstrip(": \t\n\r"), strict=False)
            yield Key(line, named, begin + string.start())


def text_of(pairs: Pairs, text: str) -> str:
    """Return an object with keys as it stands in the text from which it was read."""
    begin = text.rfind("{", 0, pairs[0][0].at)
    _, end = _DECODER.raw_decode(text, begin)
    return text[begin:end]


def _with_keys(raw: object, keys: Iterator[Key], depth: int) -> Value:
    """Return a decoded value with the keys found in its text, which are in the same order.

    Raises RecursionError if it is nested deeper than any message.
    """
    if depth > DEEPEST:
        raise RecursionError
    match raw:
        case _RawPairs():
            return Pairs((next(keys), _with_keys(value, keys, depth + 1)) for _, value in raw)
        case list():
            return [_with_keys(value, keys, depth + 1) for value in raw]
        case bool() | None:
            return raw
    return str(raw)


def _end_of_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
