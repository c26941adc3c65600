"""HTML by which notebooks show objects: without colours of its own, so that it reads on light and dark."""

from collections.abc import Sequence
from html import escape

_LONGEST = 2_000  # characters of a text
_BORDER = "border:1px solid rgba(128,128,128,.4);border-radius:4px;padding:.5em .8em;max-width:46em"


def table(
    title: str,
    rows: Sequence[tuple[str, str]],
    text: str = "",
    columns: Sequence[str] = (),
    listed: Sequence[Sequence[str]] = (),
) -> str:
    """Return a title, names with their values, a text, and rows under columns as HTML, all escaped."""
    shown = [f'<div style="{_BORDER}"><strong>{escape(title)}</strong>', "<table>"]
    shown += [_row("td", row) for row in rows]
    shown.append("</table>")
    if text:
        shown.append(f"<p>{escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…')}</p>")
    if listed:
        shown += ["<table>", _row("th", columns), *(_row("td", row) for row in listed), "</table>"]
    return "".join([*shown, "</div>"])


def _row(cell: str, values: Sequence[str]) -> str:
    look = ' style="text-align:left;vertical-align:top"'
    return f"<tr>{''.join(f'<{cell}{look}>{escape(value)}</{cell}>' for value in values)}</tr>"
