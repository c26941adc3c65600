"""Orbit mean-elements messages as JSON: the list of objects of CelesTrak and Space-Track."""

import json
import re
from collections.abc import Iterable, Iterator

from screening.orbits.elements import Rejection
from screening.orbits.texts.omm.fields import KEPT, KEYWORDS, OmmRecords, gather
from screening.orbits.texts.omm.plain_json import RECORD_CHARACTERS, plain_records
from screening.orbits.texts.rejections import Rejections, check_records
from screening.orbits.texts.unreadable import cut_off, shown, unreadable

EXPECTED = '[{"NORAD_CAT_ID": 5, "EPOCH": "2024-10-29T12:18:43.492896", "MEAN_MOTION": 10.8574679, ...}, ...]'

_PIECE_CHARACTERS = 1024**2
_DEPTH = 8
_TOKENS = 64  # after which a value is no longer one that is deeply nested alone
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|$)|[\[\]{}]', re.DOTALL)
_BRACE = re.compile(r"[{}]")
_SEPARATORS = re.compile(r"[\s,]*")
# An object whose list holds the records, such as {"count": 3, "data": [{; none of its own keys is nested.
_KEY = r'\s*"[^"\\]*"\s*:\s*'
_WRAPPER = re.compile(rf'\s*\{{(?:{_KEY}(?:"[^"\\]*"|[\w.+-]+)\s*,)*{_KEY}\[\s*(?=\{{)')
_WRAPPER_CHARACTERS = 4096
# Numbers stay text, so that every format goes through the same conversion.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def read_omm_json(text: str, source_name: str) -> Iterator[OmmRecords]:
    """Read a list of objects, also in an object, one object, or one object per line.

    Numbers may be numbers or strings, keys have any case, unused ones are ignored, and null is a missing
    value. Anything but an object, and a malformed object, is rejected, and reading continues after it. Yields
    pieces of the list. Raises UnreadableCatalogue if there is no object with a key of an element set, or the
    text is cut off.
    """
    rejected = Rejections()
    values = _Values(text, rejected)
    count = 0
    while values.more():
        end = values.end_of_piece()
        piece = plain_records(text[values.position : end], values.line)
        if piece is None:
            piece = gather(_records(values.until(end), rejected), Rejections())
        else:
            values.position = end
        count += len(piece.lines)
        check_records(count + rejected.count)
        yield piece
    if not count:
        first = rejected.kept[0] if rejected.kept else Rejection(1, text.strip(), "the list is empty")
        raise unreadable(
            source_name, "the JSON text holds no element set", first.line, first.record, EXPECTED
        )
    values.check_end(source_name)
    yield OmmRecords([], {}, rejected)


def _records(
    values: Iterable[tuple[int, str, object]], rejected: Rejections
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the texts of each value that is a record; reject the others."""
    for line, start, value in values:
        texts, problem = _texts(value)
        if problem:
            rejected.append(Rejection(line, texts.get("NORAD_CAT_ID") or shown(start), problem))
        else:
            yield line, texts


class _Values:
    """Reads the values of a list from `position` on, which is in `line` after each call of `more`."""

    def __init__(self, text: str, rejected: Rejections) -> None:
        start = len(text) - len(text.lstrip())
        wrapper = _WRAPPER.match(text[:_WRAPPER_CHARACTERS])
        if wrapper and _is_record(text, wrapper.end()):
            self.position, self._closing = wrapper.end(), "}"
        else:
            self.position, self._closing = start + text.startswith("[", start), ""
        self._is_list = self.position > start
        self.line = 1
        self._text = text
        self._rejected = rejected
        self._counted = 0

    def more(self) -> bool:
        """Skip separators; return False at the end of the list."""
        separators = _SEPARATORS.match(self._text, self.position)
        self.position = separators.end() if separators else self.position
        if self.position >= len(self._text) or self._text[self.position] == "]":
            return False
        self.line += self._text.count("\n", self._counted, self.position)
        self._counted = self.position
        return True

    def check_end(self, source_name: str) -> None:
        """Raise UnreadableCatalogue if the text does not end where its values do."""
        rest = self._text[self.position + 1 :].strip()
        if not self._is_list:
            if not self._text.rstrip().endswith("}"):
                raise cut_off(source_name, self._text, "its last record does not end")
        elif self.position >= len(self._text) or not rest.endswith(self._closing):
            raise cut_off(source_name, self._text, "its list does not end")
        elif rest and not self._closing:
            line = self._text.count("\n", 0, self.position) + 1
            raise unreadable(source_name, "text follows the end of its list", line, rest, EXPECTED)

    def end_of_piece(self) -> int:
        """Return where the last object ends that begins in the next piece of the text."""
        end = self.position + _PIECE_CHARACTERS
        brace = self._text.rfind("}", self.position, end)
        return min(end, len(self._text)) if brace < 0 else brace + 1

    def until(self, end: int) -> Iterator[tuple[int, str, object]]:
        """Yield each value that begins before `end`, its line and the text from there; reject the others."""
        while self.position < end and self.more():
            part = self._text[self.position : self.position + RECORD_CHARACTERS]
            try:
                value, length = _DECODER.raw_decode(part)
            except (json.JSONDecodeError, RecursionError) as error:
                self._reject(part, error)
            else:
                self.position += length
                yield self.line, part, value

    def _reject(self, part: str, error: Exception) -> None:
        end = _end_of_deep_nesting(part)
        why = error.msg if isinstance(error, json.JSONDecodeError) and end is None else "nested too deeply"
        self._rejected.append(Rejection(self.line, shown(part), f"must be JSON: {why}"))
        self.position += end or 0
        if end is None or self._text[self.position] == "[":
            self.position = _behind_damage(self._text, self.position)


def _is_record(text: str, start: int) -> bool:
    try:
        value, _ = _DECODER.raw_decode(text[start : start + RECORD_CHARACTERS])
    except (json.JSONDecodeError, RecursionError):
        return False
    return _texts(value)[1] is None


def _end_of_deep_nesting(part: str) -> int | None:
    """Return where to continue in a value that is nested deeper than records are; None if it is not.

    That is its innermost brace or bracket, with which the next record may begin. Beginning again at each of
    them would take time quadratic in their number.
    """
    depth, innermost = 0, None
    for count, token in enumerate(_STRUCTURE.finditer(part)):
        if token[0] in ("{", "["):
            depth += 1
            innermost = token.start() if depth > _DEPTH else None
        elif token[0] in ("}", "]"):
            depth -= 1
            if innermost is not None or depth <= 0:
                break
        if count > _TOKENS and innermost is None:
            break
    return innermost


def _behind_damage(text: str, start: int) -> int:
    """Return where to continue after damage: records are flat, so a brace ends one or begins the next."""
    brace = _BRACE.search(text, start + 1)
    if brace is None:
        return len(text)
    return brace.start() if brace[0] == "{" else brace.end()


def _texts(value: object) -> tuple[dict[str, str], str | None]:
    """Return the texts by keyword, and the fault of the record."""
    if not isinstance(value, dict):
        return {}, "must be an object"
    used = {key.upper(): item for key, item in value.items() if item is not None and key.upper() in KEPT}
    if used.keys().isdisjoint(KEYWORDS):
        return {}, "must have the keys of an element set"
    texts = {key: item for key, item in used.items() if isinstance(item, str)}
    other = next((key for key in used if key not in texts and key in KEYWORDS), None)
    return texts, f"{other} must be a number or a string" if other else None
