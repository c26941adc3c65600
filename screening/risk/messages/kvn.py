"""Conjunction data messages as lines of `KEYWORD = value [unit]` (CCSDS 508.0-B, KVN)."""

import re

from screening.risk.messages.entries import COMMENT, FIRST_KEYWORD, Entry, unreadable

_COMMENT = re.compile(r"COMMENT\b[ \t=]*(?P<text>.*)", re.IGNORECASE)


def read_kvn(text: str, source_name: str) -> list[list[Entry]]:
    """Split a text into messages, each begun by CCSDS_CDM_VERS, and these into entries.

    Blank lines are skipped, and comments may be anywhere. Raises UnreadableMessage for a line of another
    form, or one before the first message.
    """
    messages: list[list[Entry]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        comment = _COMMENT.fullmatch(line)
        if comment:
            entry = Entry(number, COMMENT, comment["text"])
        elif line:
            keyword, equals, value = (part.strip() for part in line.partition("="))
            if not equals:
                raise unreadable(source_name, "a line must be of the form KEYWORD = value", number, line)
            entry = Entry(number, keyword.upper(), value)
        else:
            continue
        if entry.keyword == FIRST_KEYWORD:
            messages.append([])
        if messages:
            messages[-1].append(entry)
        elif entry.keyword != COMMENT:
            raise unreadable(source_name, f"a message must begin with {FIRST_KEYWORD}", number, line)
    return messages
