"""Reports on paper: a page of pictures and one of numbers, or both on one wide sheet."""

import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from api.report import timeline
from api.report.contents import Report
from api.report.numbers import Row, Section, sections
from api.report.paper.event_block import draw_main_numbers
from api.report.paper.writing import (
    A4_IN,
    MARGIN_IN,
    NOTICE_IN,
    chip,
    cut,
    fitting,
    foot,
    notices,
    rule,
    sheet,
    wrapped,
    write,
)
from api.report.pictures.in_order import PICTURES
from api.report.summary import sentences, title
from storage.pictures import style
from storage.pictures.style import PANEL_IN, Area
from storage.rows.words.numbers import instant, minute

# Draw the table of runs and messages.

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


# Draw the table of numbers.

_ROW_IN = 0.166
_HEAD_ROWS, _GAP_ROWS = 1.44, 0.9  # the heading of a section, and what is below it, in rows
# Columns as fractions of the width: the right edges of the values, then unit and meaning.
_ONE_VALUE = ((0.41,), 0.42, 0.56)
_TWO_VALUES = ((0.365, 0.6), 0.605, 0.652)
_NAME, _HEADING = (
    {"fontsize": style.TITLE, "fontweight": "bold"},
    {"fontsize": style.TEXT, "fontweight": "bold"},
)


def draw_sections(
    figure: Figure,
    sections: Sequence[Section],
    left_in: float,
    top_in: float,
    width_in: float,
    height_in: float,
) -> None:
    """Draw sections of the table one below the other, from a place in inches from the upper left corner.

    The rows are closer together if there are more of them than the height has room for.
    """
    rows = sum(len(section.rows) + _HEAD_ROWS + _GAP_ROWS for section in sections)
    row_in = min(_ROW_IN, height_in / rows)
    for section in sections:
        places = _ONE_VALUE if len(section.columns) == 1 else _TWO_VALUES
        write(figure, left_in, top_in, section.title, va="center_baseline", **_NAME)
        for heading, right in zip(section.columns, places[0], strict=True):
            at = left_in + right * width_in
            write(
                figure, at, top_in, heading, va="center_baseline", ha="right", color=style.MUTED, **_HEADING
            )
        rule(figure, left_in, top_in + 0.72 * row_in, width_in, style.FAINT)
        top_in += _HEAD_ROWS * row_in
        for row in section.rows:
            _draw_row(figure, row, places, (left_in, top_in, width_in))
            rule(figure, left_in, top_in + 0.5 * row_in, width_in, style.GRID)
            top_in += row_in
        top_in += _GAP_ROWS * row_in


def _draw_row(
    figure: Figure,
    row: Row,
    places: tuple[tuple[float, ...], float, float],
    where: tuple[float, float, float],
) -> None:
    left, top, width = where
    rights, unit, meaning = places
    line = {"va": "center_baseline", "fontsize": style.TEXT}
    write(figure, left, top, row.label, **line)
    for value, right in zip(row.values, rights, strict=True):
        write(figure, left + right * width, top, value, ha="right", fontweight="bold", **line)
    aside = {"va": "center_baseline", "fontsize": style.SMALL, "color": style.MUTED}
    write(figure, left + unit * width, top, row.unit, **aside)
    write(figure, left + meaning * width, top, row.meaning, **aside)


_WIDE_IN = (5 * PANEL_IN[0] + 2 * MARGIN_IN + 0.3, 10.1)
_CARDS_IN = 0.5
_WIDE_LINES, _PAGE_LINES = 12, 28  # of runs and messages
_SUMMARY_WIDTH_IN = 0.5 * A4_IN[0] - MARGIN_IN - 0.32  # the axis beside them has wide numbers
_SUMMARY_SIZES_PT = (9.0, 8.5, 8.0)  # the largest that leaves the pictures below their height
_SUMMARY_TITLE_IN, _SUMMARY_LINE_EM, _SUMMARY_GAP_IN = 0.24, 1.264, 0.07
_LEAST_PICTURE_IN = 0.9 * PANEL_IN[1]
_CHIP_IN = 1.0  # room for the risk level beside the title


def wide_sheet(report: Report) -> Figure:
    """Return everything about an event on one wide sheet."""
    below = height_in(report, _WIDE_LINES)
    figure = sheet(_WIDE_IN[0], _WIDE_IN[1] + NOTICE_IN * len(report.notices) + 1.1 * below)
    top = _draw_heading(figure, report)
    _draw_panels(figure, report, top)
    top += PANEL_IN[1] + 0.25
    encounter, chance, objects, run = sections(report)
    half = 0.5 * (_WIDE_IN[0] - 2 * MARGIN_IN)
    under = figure.get_size_inches()[1] - below
    room = under - 0.1 - top
    draw_sections(figure, [encounter, chance], MARGIN_IN, top, half - 0.25, room)
    draw_sections(figure, [objects, run], MARGIN_IN + half + 0.05, top, half - 0.05, room)
    draw_timeline(figure, report, MARGIN_IN, under, 2 * half, _WIDE_LINES)
    return figure


def event_pages(report: Report) -> list[Figure]:
    """Return an event on two pages: the words and five pictures, then numbers; with messages, on three."""
    pictures = sheet(*A4_IN)
    top = _draw_heading(pictures, report) + 0.1
    _draw_words_and_pictures(pictures, report, top, A4_IN[1] - 0.5 - top)
    numbers = sheet(*A4_IN)
    top = _draw_title(numbers, report) + 0.1
    width, room = A4_IN[0] - 2 * MARGIN_IN, A4_IN[1] - 0.4 - top
    draw_sections(numbers, sections(report), MARGIN_IN, top, width, room)
    if not height_in(report, _PAGE_LINES):
        return _numbered([pictures, numbers], report)
    messages = sheet(*A4_IN)
    top = _draw_title(messages, report) + 0.1
    draw_timeline(messages, report, MARGIN_IN, top, width, _PAGE_LINES)
    return _numbered([pictures, numbers, messages], report)


def _numbered(sheets: list[Figure], report: Report) -> list[Figure]:
    said = f"skysieve  ·  event {report.event.id}  ·  made {minute(report.made_at)} UTC"
    for number, figure in enumerate(sheets, start=1):
        foot(figure, said, number, len(sheets))
    return sheets


def _draw_heading(figure: Figure, report: Report) -> float:
    """Draw title, notices and the main numbers; return where they end, inches from the top."""
    top = notices(figure, report.notices, _draw_title(figure, report)) + 0.1
    draw_main_numbers(figure, report, top, 0.15, 11.0)
    return top + _CARDS_IN


def _draw_title(figure: Figure, report: Report) -> float:
    event = report.event
    room_in = figure.get_size_inches()[0] - 2 * MARGIN_IN - _CHIP_IN
    names = cut(title(event), room_in, style.TEXT, "bold")
    size = fitting(names, room_in, 15.0, "bold")
    write(figure, MARGIN_IN, 0.42, names, fontsize=size, fontweight="bold")
    which = (
        f"Close approach of {event.primary.norad_id} and {event.secondary.norad_id}  ·  "
        f"{instant(event.tca)} UTC  ·  event {event.id}"
    )
    write(figure, MARGIN_IN, 0.74, which, fontsize=8.5, color=style.MUTED)
    chip(figure, event.levels[0])
    return 0.98


def _draw_words_and_pictures(figure: Figure, report: Report, top_in: float, room_in: float) -> None:
    """Draw the words and the pictures in two columns.

    Below the words are the second picture and, if all are higher so, the third; the others are beside them.
    """
    first, *others = PICTURES.values()
    summary = _summary(report, room_in - 0.1 - 2 * _LEAST_PICTURE_IN)
    words_in = summary.height_in + 0.1

    def lowest_in(below: int) -> float:
        return min((room_in - words_in) / below, room_in / (len(PICTURES) - below))

    below = max(1, 2, key=lowest_in)
    beside_in = MARGIN_IN + 0.5 * (A4_IN[0] - 2 * MARGIN_IN)
    _draw_summary(figure, summary, MARGIN_IN, top_in + 0.1)
    _draw_column(figure, report, others[:below], (MARGIN_IN, top_in + words_in, room_in - words_in))
    _draw_column(figure, report, [first, *others[below:]], (beside_in, top_in, room_in))


def _draw_column(
    figure: Figure,
    report: Report,
    pictures: Sequence[Callable[[Area, Report], None]],
    where: tuple[float, float, float],
) -> None:
    """Draw pictures one below the other, as high as the room allows."""
    left, top, room = where
    height = min(PANEL_IN[1], room / len(pictures))
    for i, draw in enumerate(pictures):
        draw(Area(figure, left, top + i * height, PANEL_IN[0], height), report)


def _draw_panels(figure: Figure, report: Report, top_in: float) -> None:
    """Draw all pictures in a row."""
    width = (_WIDE_IN[0] - 2 * MARGIN_IN) / len(PICTURES)
    for i, draw in enumerate(PICTURES.values()):
        draw(Area(figure, MARGIN_IN + i * width, top_in, *PANEL_IN), report)


class _Summary(NamedTuple):
    """The sentences as lines, for the place beside the first picture."""

    size_pt: float
    paragraphs: list[list[str]]

    @property
    def line_in(self) -> float:
        return self.size_pt * _SUMMARY_LINE_EM / 72.0

    @property
    def height_in(self) -> float:
        """How high they are with their heading."""
        lines = (len(lines) * self.line_in + _SUMMARY_GAP_IN for lines in self.paragraphs)
        return _SUMMARY_TITLE_IN + sum(lines)


def _summary(report: Report, room_in: float) -> _Summary:
    """Return the sentences in the largest size that has room, else in the smallest."""
    said = sentences(report)
    for size_pt in _SUMMARY_SIZES_PT:
        found = _Summary(size_pt, [wrapped(sentence, _SUMMARY_WIDTH_IN, size_pt) for sentence in said])
        if found.height_in <= room_in:
            break
    return found


def _draw_summary(figure: Figure, summary: _Summary, left_in: float, top_in: float) -> None:
    write(figure, left_in, top_in, "In words", fontsize=style.TITLE, fontweight="bold")
    top_in += _SUMMARY_TITLE_IN
    for lines in summary.paragraphs:
        for line in lines:
            write(figure, left_in, top_in, line, fontsize=summary.size_pt)
            top_in += summary.line_in
        top_in += _SUMMARY_GAP_IN
