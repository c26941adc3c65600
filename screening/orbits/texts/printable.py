"""Texts as messages of CCSDS may have them on a line."""

import re

_NOT_ALLOWED = re.compile(r"[^\x20-\x7e]")
_LONGEST = 220  # a line has at most 254 characters, its keyword included


def ascii_line(text: str) -> str:
    """Return a text in the characters that a message may have: printable ASCII, on one line."""
    return _NOT_ALLOWED.sub("?", text).strip()[:_LONGEST]
