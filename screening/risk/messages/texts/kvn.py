"""Conjunction data messages as lines of `KEYWORD = value [unit]` (CCSDS 508.0-B, KVN)."""

import re

from screening.orbits.texts.decoding import lines_of
from screening.risk.messages.texts.entries import (
    COMMENT,
    FIRST_KEYWORD,
    MAX_ENTRIES,
    Entry,
    Found,
    GoOn,
    MessageTexts,
    UnreadableMessage,
    too_long,
    unreadable,
)

_LINES_AT_A_TIME = 10_000
_COMMENT = re.compile(r"COMMENT\b[ \t=]*(?P<text>.*)", re.IGNORECASE)


def read_kvn(text: str, source_name: str, go_on: GoOn) -> MessageTexts:
    """Yield the messages of a text, each begun by CCSDS_CDM_VERS, as entries.

    Blank lines are skipped, and comments may be anywhere. A line of another form makes its message
    unreadable; before the first message it raises UnreadableMessage.
    """
    entries: list[Entry] | None = None
    wrong: Entry | None = None
    begin, end = 0, 0  # of the message, and of the lines before this one
    for number, raw in enumerate(lines_of(text), start=1):
        here, end = end, end + len(raw) + 1
        if number % _LINES_AT_A_TIME == 0:
            go_on()
        line = raw.strip()
        if not line:
            continue
        entry = _entry(number, line)
        if entry.keyword == FIRST_KEYWORD:
            if entries is not None:
                yield _finished(Found(entries, text[begin:here]), wrong, source_name)
            entries, wrong, begin = [], None, here
        if entries is None and entry.keyword != COMMENT:
            why = f"a message must begin with {FIRST_KEYWORD}"
            raise unreadable(source_name, why, number, line)
        if entries is not None and len(entries) <= MAX_ENTRIES:
            entries.append(entry)
            wrong = wrong or (None if entry.keyword else entry)
    if entries is not None:
        yield _finished(Found(entries, text[begin:]), wrong, source_name)


def _entry(number: int, line: str) -> Entry:
    """Return the entry of a line that is not blank; without a keyword if it has another form.

    A unit behind the keyword, `X [km] = 7000`, is another form: ignored, it would lose the value.
    """
    comment = _COMMENT.fullmatch(line)
    if comment:
        return Entry(number, COMMENT, comment["text"])
    keyword, equals, value = (part.strip() for part in line.partition("="))
    if equals and not keyword.endswith(("]", ")")):
        return Entry(number, keyword.upper(), value)
    return Entry(number, "", "", written=line)


def _finished(found: Found, wrong: Entry | None, source_name: str) -> Found | UnreadableMessage:
    if len(found.entries) > MAX_ENTRIES:
        return too_long(found.entries, source_name)
    if wrong is None:
        return found
    return unreadable(
        source_name, "a line must be of the form KEYWORD = value [unit]", wrong.line, wrong.text
    )
