"""The entries of a conjunction data message of any form, and the error that names one of them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from screening.errors import InputError
from screening.orbits.texts.unreadable import shown

FIRST_KEYWORD = "CCSDS_CDM_VERS"
COMMENT = "COMMENT"
OBJECT = "OBJECT"
MAX_ENTRIES = 10_000  # of one message; the longest published one has 170


class UnreadableMessage(InputError):
    """A text that is not a conjunction data message, or an unusable one; names line and keyword."""

    def __init__(self, text: str, line: int = 0, keyword: str = "") -> None:
        super().__init__(text)
        self.line = line  # 1-based; 0: of no line
        self.keyword = keyword  # empty: of none


class Entry(NamedTuple):
    """One keyword and its value, followed by its unit in brackets if there was one."""

    line: int  # 1-based
    keyword: str  # upper case
    value: str
    written: str = ""  # as written, if the text has another form than `text`

    @property
    def text(self) -> str:
        """The entry as a line."""
        return self.written or f"{self.keyword} = {self.value}"


class Found(NamedTuple):
    """A message in a text."""

    entries: list[Entry]
    text: str  # the message as it stands there


GoOn = Callable[[], None]  # is called often while a text is read, and may raise to end that

# Each message of a text, or the error of one without entries.
MessageTexts = Iterator["Found | UnreadableMessage"]


def too_long(entries: list[Entry], source_name: str) -> UnreadableMessage:
    """Build the error for a message with more entries than any needs."""
    why = f"a message may have {MAX_ENTRIES:,} lines"
    return unreadable(source_name, why, entries[-1].line, entries[-1].text)


def unreadable(source_name: str, why: str, line: int, text: str, keyword: str = "") -> UnreadableMessage:
    """Build the error for an unusable message: the reason, and below it the offending line."""
    told = (
        f"Cannot read a conjunction data message from {source_name}: {why}.\n  line {line:<4}: {shown(text)}"
    )
    return UnreadableMessage(told, line, keyword)
