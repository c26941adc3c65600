"""Conjunction data messages as JSON: Space-Track's `cdm` and `cdm_public`, and others that keep the keywords.

The standard has no JSON form, so senders make their own. They use the standard's keywords and differ in how
they tell the objects apart: by prefixes (`SAT1_X`, `OBJECT1_X`), by objects and lists (`"OBJECT1": {...}`,
`"segments": [{...}, {...}]`), or by a second `OBJECT` in the same object. Units are in `X_UNIT`, in
`{"value": 1, "units": "km"}`, or those of the standard. TraCSS writes keywords in camel case.
"""

import re

from screening.risk.messages.texts.camel_case import as_keyword
from screening.risk.messages.texts.entries import (
    COMMENT,
    FIRST_KEYWORD,
    MAX_ENTRIES,
    OBJECT,
    Entry,
    Found,
    GoOn,
    MessageTexts,
    UnreadableMessage,
    too_long,
    unreadable,
)
from screening.risk.messages.texts.json_text import (
    LARGEST_MESSAGE,
    Key,
    Pairs,
    Value,
    read_elements,
    text_of,
)

_NO_MESSAGE = (
    f"it holds no message; a message has TCA and two objects in at most {LARGEST_MESSAGE:,} characters"
)
_OBJECTS = {"OBJECT1": 1, "OBJECT2": 2}
_NAME_OF_AN_OBJECT = re.compile(r"(?:OBJECT|OBJ|SAT|SATELLITE)_?([12])")
_PREFIXED = re.compile(r"(?:OBJECT|OBJ|SAT)_?([12])_(\w+)")
_UNIT_BEHIND = re.compile(r"(\w+)_UNITS?")
_VALUE_KEYS, _UNIT_KEYS = ("VALUE", "#TEXT", "$"), ("UNITS", "UNIT", "@UNITS", "@UNIT")

# Space-Track's `cdm_public` has names of its own.
HEADER_ALIASES = {
    "CDM_ID": "MESSAGE_ID",
    "CREATED": "CREATION_DATE",
    "MIN_RNG": "MISS_DISTANCE",
    "PC": "COLLISION_PROBABILITY",
}
OBJECT_ALIASES = {
    "ID": "OBJECT_DESIGNATOR",
    "NAME": "OBJECT_NAME",
    "EXCL_VOL": "EXCLUSION_VOLUME_RADIUS",
}


def read_json(text: str, source_name: str, go_on: GoOn) -> MessageTexts:
    """Yield the messages of a text, an object or a list of them, as entries.

    Messages may be inside other objects (`{"data": [...]}`). An element without a message is an error of its
    own. Raises UnreadableMessage where the text stops being JSON.
    """
    for element in read_elements(text, source_name, go_on):
        found = _messages(element.value)
        if element.listed and not found:
            found = [element.value]
        for each in found:
            if isinstance(each, Pairs) and _is_message(each):
                yield _found(each, text, source_name)
            else:
                line = each[0][0].line if isinstance(each, Pairs) and each else element.line
                yield unreadable(source_name, _NO_MESSAGE, line, element.text)


def _found(message: Pairs, text: str, source_name: str) -> Found | UnreadableMessage:
    entries = _Parts(message).entries()
    if len(entries) > MAX_ENTRIES:
        return too_long(entries, source_name)
    for entry in entries:
        try:
            "".join(entry[1:]).encode()
        except UnicodeEncodeError:
            why = "it has half of a surrogate pair, which is not a character"
            return unreadable(source_name, why, entry.line, entry.text)
    return Found(entries, text_of(message, text))


def _messages(value: Value) -> list[Value]:
    """Return the outermost objects that are messages, and the objects beside them in a list."""
    if isinstance(value, Pairs) and _is_message(value):
        return [value]
    if isinstance(value, Pairs):
        return [found for _, inner in value for found in _messages(inner)]
    if isinstance(value, list):
        inside = [(inner, _messages(inner)) for inner in value]
        if any(found for _, found in inside):
            return [each for inner, found in inside for each in found or [inner] if isinstance(each, Pairs)]
    return []


def _is_message(pairs: Pairs) -> bool:
    """Return whether an object has a TCA, or a single one in its inner objects; those of lists do not count.

    One with only the first keyword of the standard is a message without a TCA, an error of its own.
    """
    having = _having(pairs, "TCA")
    return pairs in having or len(having) == 1 or (not having and bool(_having(pairs, FIRST_KEYWORD)))


def _having(pairs: Pairs, keyword: str) -> list[Pairs]:
    """Return an object and its inner objects that have a key."""
    own = [pairs] if any(as_keyword(key.text) == keyword for key, _ in pairs) else []
    return own + [
        found for _, value in pairs if isinstance(value, Pairs) for found in _having(value, keyword)
    ]


class _Parts:
    """Collects the entries of a message: of the header (0) and of both objects (1, 2)."""

    def __init__(self, message: Pairs) -> None:
        self._parts: tuple[list[Entry], ...] = ([], [], [])
        self._aliased: tuple[list[Entry], ...] = ([], [], [])
        self._units: dict[tuple[int, str], str] = {}
        self._gather(message, 0)

    def entries(self) -> list[Entry]:
        """Return all entries in the order of the standard's other forms."""
        header = self._with_units(0)
        if not any(entry.keyword == FIRST_KEYWORD for entry in header):
            header.insert(0, Entry(header[0].line if header else 1, FIRST_KEYWORD, ""))
        for name, part in _OBJECTS.items():
            entries = self._with_units(part)
            if entries:
                header += [Entry(entries[0].line, OBJECT, name), *entries]
        return header

    def _with_units(self, part: int) -> list[Entry]:
        made = []
        given = {entry.keyword for entry in self._parts[part]}
        # Space-Track's full messages have both its own CDM_ID and the sender's MESSAGE_ID.
        instead = [entry for entry in self._aliased[part] if entry.keyword not in given]
        for entry in self._parts[part] + instead:
            unit = self._units.get((part, entry.keyword), "")
            has_one = not unit or not entry.value or entry.value.endswith("]")
            made.append(entry if has_one else entry._replace(value=f"{entry.value} [{unit}]"))
        return made

    def _gather(self, pairs: Pairs, part: int) -> int:
        """Add the entries of a JSON object; return the part to which the next entries belong."""
        for key, value in pairs:
            name = as_keyword(key.text.strip())
            of_object = _NAME_OF_AN_OBJECT.fullmatch(name)
            if name == OBJECT and str(value).strip().upper() in _OBJECTS:
                part = _OBJECTS[str(value).strip().upper()]
            elif isinstance(value, Pairs) and not _is_quantity(value):
                inside = int(of_object[1]) if of_object else part
                after = self._gather(value, inside)
                part = part if of_object else after
            elif isinstance(value, list) and any(isinstance(each, Pairs) for each in value):
                self._gather_list(value)
            else:
                self._add(key, name, value, part)
        return part

    def _gather_list(self, values: list[Value]) -> None:
        """Add the JSON objects of a list, which name their part or are in order."""
        for order, value in enumerate(values, start=1):
            if isinstance(value, Pairs):
                self._gather(value, _declared(value) or min(order, 2))

    def _add(self, key: Key, name: str, value: Value, part: int) -> None:
        if not name:
            return
        prefixed = _PREFIXED.fullmatch(name)
        if prefixed:
            part, name = int(prefixed[1]), prefixed[2]
        alias = (OBJECT_ALIASES if part else HEADER_ALIASES).get(name)
        unit_of = _UNIT_BEHIND.fullmatch(name)
        if alias:
            self._aliased[part].append(Entry(key.line, alias, _text(value), _written(key, value)))
        elif unit_of:
            self._units[part, unit_of[1]] = _text(value)
        elif name == OBJECT and part:
            return  # SAT1_OBJECT says what its prefix does
        elif name == COMMENT and isinstance(value, list):
            self._parts[part].extend(Entry(key.line, COMMENT, _text(each)) for each in value)
        elif name.startswith("COMMENT_"):
            text = _text(value)
            named = text if "=" in text or not text else f"{name[8:].replace('_', ' ')} = {text}"
            self._parts[part].append(Entry(key.line, COMMENT, named, _written(key, value)))
        else:
            self._parts[part].append(Entry(key.line, name, _text(value), _written(key, value)))


def _declared(pairs: Pairs) -> int:
    """Return the number of the object that a JSON object names, 0 if it names none."""
    for key, value in pairs:
        if key.text.upper() == OBJECT:
            return _OBJECTS.get(_text(value).upper(), 0)
        inside = _declared(value) if isinstance(value, Pairs) else 0
        if inside:
            return inside
    return 0


def _is_quantity(pairs: Pairs) -> bool:
    names = {key.text.upper() for key, _ in pairs}
    return bool(names) and names <= {*_VALUE_KEYS, *_UNIT_KEYS} and not names.isdisjoint(_VALUE_KEYS)


def _text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return value.strip()
        case Pairs():
            named = {key.text.upper(): _text(inner) for key, inner in value}
            number = next((named[name] for name in _VALUE_KEYS if name in named), "")
            unit = next((named[name] for name in _UNIT_KEYS if name in named), "")
            return f"{number} [{unit}]" if unit and number else number
    return " ".join(_text(each) for each in value)


def _written(key: Key, value: Value) -> str:
    return f'"{key.text}": {_text(value)}'
