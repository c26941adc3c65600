"""Draw the table of runs and messages."""

import textwrap

from matplotlib.figure import Figure

from api.report import timeline
from api.report.contents import Report
from api.report.paper.writing import rule, write
from api.report.pictures import style

_ROW_IN = 0.166
_LARGEST_EM = 0.56  # width of a character, as a fraction of the font size
# Left or right edges of the columns, as fractions of the width; in the order of HEADINGS. What differs stands
# below the others, from the second column on.
_PLACES = (0.0, 0.14, 0.42, 0.76, 0.88, 1.0)
_WHAT, _DIFFERS = 1, 6
_WHAT_ENDS = 0.415


def height_in(report: Report, most: int) -> float:
    """Return how high the table is."""
    rows = sum(_rows_of(line) for line in timeline.lines(report)[-most:])
    return (rows + 3) * _ROW_IN if rows else 0.0


def draw_timeline(
    figure: Figure, report: Report, left_in: float, top_in: float, width_in: float, most: int
) -> None:
    """Draw the newest lines, `most` of them; nothing if there is no message."""
    told = timeline.lines(report)
    if not told:
        return
    _heading(figure, report, len(told) - most, (left_in, top_in, width_in))
    top_in += 1.2 * _ROW_IN
    _line(figure, timeline.HEADINGS, (left_in, top_in, width_in), color=style.MUTED, fontweight="bold")
    rule(figure, left_in, top_in + 0.5 * _ROW_IN, width_in, style.FAINT)
    for line in told[-most:]:
        top_in += _ROW_IN
        _line(figure, line.cells, (left_in, top_in, width_in))
        if _rows_of(line) > 1:
            top_in += _ROW_IN
            where = left_in + _PLACES[_WHAT] * width_in, top_in
            room = 1.0 - _PLACES[_WHAT]
            text = _cut(f"differs: {line.cells[_DIFFERS]}", room * width_in)
            write(figure, *where, text, va="center_baseline", fontsize=style.SMALL, color=style.MUTED)
        rule(figure, left_in, top_in + 0.5 * _ROW_IN, width_in, style.GRID)


def _rows_of(line: timeline.Line) -> int:
    return 2 if line.cells[_DIFFERS] else 1


def _heading(figure: Figure, report: Report, earlier: int, where: tuple[float, float, float]) -> None:
    left, top, width = where
    aside = [f"{earlier:,} earlier ones not shown."] if earlier > 0 else []
    aside += [timeline.note(report)] if timeline.note(report) else []
    name = {"fontsize": style.TITLE, "fontweight": "bold"}
    write(figure, left, top, timeline.TITLE, va="center_baseline", **name)
    beside = left + min(0.25 * width, 1.6)
    small = {"fontsize": style.SMALL, "color": style.MUTED}
    write(figure, beside, top, " ".join(aside), va="center_baseline", **small)


def _line(figure: Figure, cells: tuple[str, ...], where: tuple[float, float, float], **look: str) -> None:
    left, top, width = where
    for text, name, place in zip(cells[:_DIFFERS], timeline.HEADINGS[:_DIFFERS], _PLACES, strict=True):
        what = place == _PLACES[_WHAT]
        shown = _cut(text, (_WHAT_ENDS - place) * width) if what else text
        side = "right" if name in timeline.RIGHT_ALIGNED else "left"
        at = left + place * width
        write(figure, at, top, shown, va="center_baseline", fontsize=style.SMALL, ha=side, **look)


def _cut(text: str, room_in: float) -> str:
    return textwrap.shorten(text, int(room_in * 72 / (_LARGEST_EM * style.SMALL)), placeholder="…")
