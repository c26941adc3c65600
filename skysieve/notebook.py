"""HTML by which notebooks show objects: without colours of its own, so that it reads on light and dark."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from storage.rows.danger import decisive_probability_of, level_of
from storage.rows.graded import UNKNOWN
from storage.rows.words.numbers import distance, probability, second

MOST_LISTED = 5
LISTED = ("TCA (UTC)", "objects", "miss", "probability", "level", "event")
_TABLE = '<table style="color:inherit;font-size:inherit">'
_LONGEST = 2_000  # characters of a text
_BORDER = (
    "border:1px solid rgba(128,128,128,.4);border-radius:4px;padding:.5em .8em;max-width:60em;overflow-x:auto"
)


def listed(events: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return rows of events under LISTED."""
    return [
        (
            second(event["tca"]),
            ", ".join(
                f"{event[f'{who}_norad_id']} {event[f'{who}_name']}".strip()
                for who in ("primary", "secondary")
            ),
            distance(event["miss_distance_m"]),
            UNKNOWN if (chance := decisive_probability_of(event)) is None else probability(chance),
            level_of(event),
            str(event["event_id"]),
        )
        for event in events
    ]


def table(
    title: str,
    rows: Sequence[tuple[str, str]],
    text: str = "",
    events: Sequence[Sequence[str]] = (),
) -> str:
    """Return a title, names with their values, a text, and rows under LISTED as HTML, all escaped."""
    shown = [f'<div style="{_BORDER}"><strong>{escape(title)}</strong>', _TABLE]
    shown += [_row("td", row) for row in rows]
    shown.append("</table>")
    if text:
        shown.append(f"<p>{escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…')}</p>")
    if events:
        shown += [_TABLE, _row("th", LISTED), *(_row("td", row) for row in events), "</table>"]
    return "".join([*shown, "</div>"])


def _row(cell: str, values: Sequence[str]) -> str:
    look = ' style="text-align:left;white-space:nowrap;padding-right:1em"'
    return f"<tr>{''.join(f'<{cell}{look}>{escape(value)}</{cell}>' for value in values)}</tr>"
