"""Runs and received messages about an event, as lines of tables: on one time line, and side by side."""

from datetime import datetime
from typing import Any, NamedTuple

from api.answers.event_messages import when_made
from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from storage.rows.graded import UNKNOWN, graded
from storage.rows.words.numbers import NOT_KNOWN, chance_words, instant, metres, minute, number, probability

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
RIGHT_ALIGNED = ("miss (m)", "P", "P claimed", "P computed")
_KINDS = {
    "run": "run",
    "second_look": "second look",
    "fleet": "search around fleets",
    "message": "message",
    "restricted_message": "message",
}


SIDE_TITLE = "Side by side"
SIDE_HEADINGS = (
    "from",
    "made (UTC)",
    "TCA (UTC)",
    "miss (m)",
    "P",
    "sigma along the miss (m)",
    "covariances",
)


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


def sides(report: Report) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return headings and rows: ours and the newest message of each sender; no rows without a message."""
    if report.side_by_side is None:
        return [], []
    found = report.side_by_side.rows
    headings = [*SIDE_HEADINGS, *(f"sigmas from {row.who}" for row in found)]
    rows = [
        (
            f"{row.who} (newest)" if row.newest else row.who,
            minute(row.made_at),
            instant(row.tca),
            metres(row.miss_distance_m),
            probability(row.probability),
            metres(row.miss_sigma_m),
            " on the ephemeris of ".join(filter(None, (row.covariance, " and ".join(row.on_ephemerides_of)))),
            *(NOT_KNOWN if sigmas is None else number(sigmas) for sigmas in row.sigmas_apart),
        )
        for row in found
    ]
    return headings, rows


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
