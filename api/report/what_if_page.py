"""What burns make of an event, as one self-contained web page."""

from collections.abc import Sequence
from html import escape
from typing import TextIO

from api.answers.manoeuvres import WhatIf
from api.report.page_frame import page_head, svg
from api.report.pictures.trade_space import trade_space_sheet
from api.report.what_if_tables import (
    BURN_COLUMNS,
    CHANGE_COLUMNS,
    burn_rows,
    change_rows,
    compared,
    none_found,
    offered,
    told_of,
)
from storage.rows.words.numbers import instant, minute

_MOST_CHANGES = 100
_MEANING = (
    "Raised: encounters that the burn brings to the goal or above it. Sum of all: of the probabilities of "
    "all encounters of this object in the time screened. a: change of the semi-major axis. R, T, N: radially "
    "outwards, along the track, across the orbit."
)


def write_what_if(stream: TextIO, made: WhatIf) -> None:
    """Write a page about burns."""
    event, side = made.event, made.side
    other = event.secondary if made.who == "primary" else event.primary
    title = f"What if {side.norad_id} {side.name} burns"
    stream.write(page_head(title))
    stream.write(
        f"<article>\n<header><h1>{escape(title)}</h1>"
        f'<p class="which">To avoid {other.norad_id} {escape(other.name)}, {instant(event.tca)} UTC · '
        f"event {event.id}</p></header>\n"
    )
    if made.rests_on:
        stream.write(f'<p class="notice">{escape(made.rests_on)}</p>\n')
    stream.write(
        f"<p>The whole changed path is screened against the catalogue from {minute(made.window_start)} to "
        f"{minute(made.window_end)} UTC; the goal is a probability of {made.goal:g}.</p>\n"
    )
    if made.found is not None:
        picture = svg("the trade space of burns", trade_space_sheet(made, made.found))
        stream.write(f"<figure>{picture}</figure>\n")
    if none_found(made):
        stream.write(f"<p>{escape(none_found(made))}</p>\n")
    stream.write(f"<section><h3>Burns</h3>{_table(BURN_COLUMNS, burn_rows(made))}")
    stream.write(
        f'<p class="aside">{escape(" ".join([*offered(made), _MEANING, *compared(made)]))}</p></section>\n'
    )
    one = told_of(made)
    if one is not None:
        rows, in_all = change_rows(made, one, _MOST_CHANGES)
        stream.write(f"<section><h3>What else changes</h3>{_table(CHANGE_COLUMNS, rows)}")
        if in_all > len(rows):
            stream.write(f'<p class="aside">and {in_all - len(rows):,} less probable</p>')
        stream.write("</section>\n")
    stream.write("</article>\n</body>\n</html>\n")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head_cells = "".join(f'<th class="value">{escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f'<td class="value">{escape(cell)}</td>' for cell in row) + "</tr>\n" for row in rows
    )
    head = f"<thead><tr>{head_cells}</tr></thead>"
    return f'<div class="scroll"><table>{head}\n<tbody>{body}</tbody></table></div>'
