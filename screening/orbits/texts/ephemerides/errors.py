"""Errors of texts that are not ephemerides, or not ones that can be used."""

from typing import Self

from screening.errors import InputError
from screening.orbits.texts.unreadable import shown


class UnreadableEphemeris(InputError):
    """A text without a usable ephemeris; the message names the line, if it is known."""

    rule = "readable"  # of checks, which it breaks
    line: int | None = None

    def of_rule(self, rule: str) -> Self:
        """Return it as the breach of another rule."""
        self.rule = rule
        return self


def unreadable(source_name: str, why: str, line: int | None = None, text: str = "") -> UnreadableEphemeris:
    """Build the error: what is wrong, and where (one line of `text`, the whole text, is shown)."""
    message = f"Cannot read an ephemeris from {source_name}: {why}."
    if line is not None:
        message += f"\n  line {line:<4}: {shown(_line(text, line).strip())}"
    error = UnreadableEphemeris(message)
    error.line = line
    return error


def line_at(text: str, position: int) -> int:
    """Return the number of the line, from 1, in which a position of the text lies."""
    return text.count("\n", 0, position) + 1


def _line(text: str, number: int) -> str:
    start = 0
    for _ in range(number - 1):
        start = text.find("\n", start) + 1
    return text[start:].partition("\n")[0] if number > 1 else text.partition("\n")[0]
