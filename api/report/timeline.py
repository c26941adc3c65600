"""Runs and received messages about an event on one time line, as lines of a table."""

from datetime import datetime
from typing import Any, NamedTuple

from api.answers.event_messages import when_made
from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from storage.rows.graded import UNKNOWN, graded
from storage.rows.words.numbers import NOT_KNOWN, chance_words, instant, metres, minute, probability

TITLE = "Runs and messages"
HEADINGS = (
    "when (UTC)",
    "what",
    "TCA (UTC)",
    "miss (m)",
    "P claimed",
    "P computed",
    "differs from the event",
)
RIGHT_ALIGNED = ("miss (m)", "P claimed", "P computed")
_KINDS = {
    "run": "run",
    "second_look": "second look",
    "fleet": "search around fleets",
    "message": "message",
    "restricted_message": "message",
}


class Line(NamedTuple):
    """One run or message."""

    when: datetime  # UTC
    of_message: bool
    cells: tuple[str, ...]  # in the order of HEADINGS


def lines(report: Report) -> list[Line]:
    """Return runs, analyses and messages, the oldest first; none if there is no message."""
    if not report.received.told:
        return []
    # The row of an event known only from messages is made from one of them.
    ours = [_of_run(found) for found in report.over_time if not found.told]
    return sorted(ours + [_of_message(one) for one in report.received.told], key=lambda line: line.when)


def note(report: Report) -> str:
    """Return what is left out, or nothing."""
    count = report.received.left_out
    return f"{count:,} left out: their sources do not allow sharing them." if count else ""


def _of_run(found: StoredEvent) -> Line:
    kind = _KINDS.get(found.origin, f"{found.origin} analysis")
    cells = (
        minute(found.computed_at),
        f"{kind} {found.run_id}" if found.origin == "run" else kind,
        instant(found.tca),
        metres(found.miss_distance_m),
        NOT_KNOWN,
        chance_words(found.graded),
        "",
    )
    return Line(found.computed_at, False, cells)


def _of_message(message: dict[str, Any]) -> Line:
    mark = " (restricted)" if message["restricted"] else ""
    cells = (
        minute(when_made(message)),
        f"{message['originator'] or 'message'} {message['message_id']}{mark}".strip(),
        instant(message["tca"]),
        metres(message["miss_distance_m"]),
        probability(message["claimed_probability"]),
        _computed(message),
        "; ".join(filter(None, (message["apart"], *message["differs"]))),
    )
    return Line(when_made(message), True, cells)


def _computed(message: dict[str, Any]) -> str:
    """Return the probability that counts for a message, with its method."""
    found = graded(message)
    return UNKNOWN if found.probability is None else found.said(3)
