"""Orbit mean-elements messages as lines of `KEYWORD = value` (CCSDS 502.0-B, KVN)."""

import re
from collections.abc import Iterator

from screening.orbits.elements import Rejection
from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.omm.fields import (
    DATES,
    KEPT,
    KEYWORDS,
    REQUIRED,
    UNITS,
    OmmRecords,
    gather,
    unit_problem,
)
from screening.orbits.texts.rejections import Rejections
from screening.orbits.texts.unreadable import cut_off, shown

FIRST_KEYWORD = "CCSDS_OMM_VERS"

_LINES_OF_A_MESSAGE = 500
_UNIT = re.compile(r"(?P<value>[^\[]*)\[(?P<unit>.*)\]")


def read_omm_kvn(text: str, source_name: str) -> OmmRecords:
    """Read consecutive messages, each begun by CCSDS_OMM_VERS.

    Comments, blank lines and unused keywords are skipped; a unit in brackets must be the one that the
    standard prescribes. A message with a line of another form, or a keyword twice, is rejected. Raises
    UnreadableCatalogue if the last line is no KEYWORD = value or does not end, or the last message lacks a
    needed keyword that the first of them has.
    """
    rejected = Rejections()
    records = []
    texts: dict[str, str] = {}
    for start, lines in _messages(text, rejected):
        texts, problem = _texts(lines)
        if problem:
            label = texts.get("NORAD_CAT_ID") or texts.get("OBJECT_NAME") or lines[0][1]
            rejected.append(Rejection(start, shown(label), problem))
        else:
            records.append((start, texts))
    _check_end(text, source_name, records[0][1] if records else texts, texts)
    return gather(records, rejected)


def _check_end(text: str, source_name: str, first: dict[str, str], last: dict[str, str]) -> None:
    line = text[text.rstrip().rfind("\n") + 1 :].strip()
    keyword, equals, value = (part.strip() for part in line.partition("="))
    if not keyword.startswith("COMMENT") and (not equals or (keyword in REQUIRED and not value)):
        raise cut_off(source_name, text, "its last line is not KEYWORD = value")
    if keyword in KEYWORDS and not text.endswith("\n"):  # which could be short of digits
        raise cut_off(source_name, text, f"{keyword} of its last line has no end, which is a line feed")
    missing = [keyword for keyword in REQUIRED if first.get(keyword) and not last.get(keyword)]
    if missing:
        raise cut_off(source_name, text, f"its last message has no {', '.join(missing)}")


def _messages(text: str, rejected: Rejections) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield each message's first line and its numbered lines; lines before the first message are rejected."""
    message: list[tuple[int, str]] = []
    for number, raw in enumerate(lines_of(text), start=1):
        line = raw.strip()
        if not line or line.startswith("COMMENT"):
            continue
        if line.startswith(FIRST_KEYWORD):
            if message:
                yield message[0][0], message
            message = [(number, line)]
        elif message:
            if len(message) <= _LINES_OF_A_MESSAGE:  # one more than allowed shows that there are too many
                message.append((number, line))
        else:
            rejected.append(Rejection(number, shown(line), f"must be in a message begun by {FIRST_KEYWORD}"))
    if message:
        yield message[0][0], message


def _texts(lines: list[tuple[int, str]]) -> tuple[dict[str, str], str | None]:
    """Return the texts by keyword, and the first fault of the lines."""
    texts: dict[str, str] = {}
    problem = None
    if len(lines) > _LINES_OF_A_MESSAGE:
        problem = f"a message must have at most {_LINES_OF_A_MESSAGE} lines"
    for number, line in lines:
        keyword, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            problem = problem or f"line {number}, '{shown(line, 40)}', must be of the form KEYWORD = value"
        if keyword not in KEPT:
            continue
        match = _UNIT.fullmatch(value) if keyword in UNITS else None
        if match:  # only there, since names may contain brackets
            value = match["value"].strip()
            problem = problem or unit_problem(keyword, match["unit"])
        if keyword in texts and keyword not in DATES:
            problem = problem or f"{keyword} occurs twice; each message must be separate"
        texts.setdefault(keyword, value)
    return texts, problem
