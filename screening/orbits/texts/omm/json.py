"""Orbit mean-elements messages as JSON: the list of objects of CelesTrak and Space-Track."""

import json
import re
from collections.abc import Iterator

from screening.orbits.elements import Rejection
from screening.orbits.texts.omm.fields import KEYWORDS, OmmRecords, gather
from screening.orbits.texts.rejections import Rejections
from screening.orbits.texts.unreadable import shown, unreadable

EXPECTED = '[{"NORAD_CAT_ID": 5, "EPOCH": "2024-10-29T12:18:43.492896", "MEAN_MOTION": 10.8574679, ...}, ...]'

# This limit keeps a damaged text from being searched to its end again and again; a record has 2 kB.
_RECORD_CHARACTERS = 16384
_DEPTH = 8
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_BRACE = re.compile(r"[{}]")
_SEPARATORS = re.compile(r"[\s,]*")
# Numbers stay text, so that every format goes through the same conversion.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def read_omm_json(text: str, source_name: str) -> OmmRecords:
    """Read a list of objects, one object, or one object per line; numbers may be numbers or strings.

    Keys may have any case, unused ones are ignored, and null is a missing value. Anything but an object, and
    a truncated or malformed object, is rejected, and reading continues after it. Raises UnreadableCatalogue
    if there is no object with a key of an element set.
    """
    rejected = Rejections()
    records = []
    for line, start, value in _values(text, rejected):
        texts, problem = _texts(value)
        if problem:
            rejected.append(Rejection(line, texts.get("NORAD_CAT_ID") or shown(start), problem))
        else:
            records.append((line, texts))
    if not records:
        first = rejected.kept[0] if rejected.kept else Rejection(1, text.strip(), "the list is empty")
        raise unreadable(
            source_name, "the JSON text holds no element set", first.line, first.record, EXPECTED
        )
    return gather(records, rejected)


def _values(text: str, rejected: Rejections) -> Iterator[tuple[int, str, object]]:
    """Yield each value of the list with its line and the text from there; reject what is not JSON."""
    position = len(text) - len(text.lstrip())
    position += text.startswith("[", position)
    line, counted = 1, 0
    while True:
        separators = _SEPARATORS.match(text, position)
        position = separators.end() if separators else position
        if position >= len(text) or text[position] == "]":
            return
        line, counted = line + text.count("\n", counted, position), position
        part = text[position : position + _RECORD_CHARACTERS]
        try:
            value, length = _DECODER.raw_decode(part)
        except (json.JSONDecodeError, RecursionError) as error:
            end = _end_of_deep_nesting(part)
            why = (
                error.msg if isinstance(error, json.JSONDecodeError) and end is None else "nested too deeply"
            )
            rejected.append(Rejection(line, shown(part), f"must be JSON: {why}"))
            position += end or 0
            if end is None or text[position] == "[":
                position = _behind_damage(text, position)
        else:
            position += length
            yield line, part, value


def _end_of_deep_nesting(part: str) -> int | None:
    """Return where to continue in a value that is nested deeper than records are; None if it is not.

    That is its innermost brace or bracket, with which the next record may begin. Beginning again at each of
    them would take time quadratic in their number.
    """
    depth, innermost = 0, None
    for token in _STRUCTURE.finditer(part):
        if token[0] in ("{", "["):
            depth += 1
            innermost = token.start() if depth > _DEPTH else None
        elif token[0] in ("}", "]"):
            depth -= 1
            if innermost is not None or depth <= 0:
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
    used = {key.upper(): item for key, item in value.items() if item is not None and key.upper() in KEYWORDS}
    if not used:
        return {}, "must have the keys of an element set"
    texts = {key: item for key, item in used.items() if isinstance(item, str)}
    other = next((key for key in used if key not in texts), None)
    return texts, f"{other} must be a number or a string" if other else None
