"""Reports on paper: a page of pictures and one of numbers, or both on one wide sheet."""

from matplotlib.figure import Figure

from api.report.contents import Report
from api.report.numbers import sections
from api.report.paper.event_block import draw_main_numbers
from api.report.paper.number_table import draw_sections
from api.report.paper.timeline_table import draw_timeline, height_in
from api.report.paper.writing import (
    A4_IN,
    MARGIN_IN,
    NOTICE_IN,
    chip,
    cut,
    fitting,
    foot,
    notices,
    sheet,
    wrapped,
    write,
)
from api.report.pictures import style
from api.report.pictures.in_order import PICTURES
from api.report.pictures.style import PANEL_IN, Area
from api.report.summary import sentences, title
from storage.rows.words.numbers import instant, minute

_WIDE_IN = (5 * PANEL_IN[0] + 2 * MARGIN_IN + 0.3, 10.1)
_CARDS_IN = 0.5
_WIDE_LINES, _PAGE_LINES = 12, 28  # of runs and messages
_SUMMARY_WIDTH_IN = 0.5 * A4_IN[0] - MARGIN_IN - 0.32  # the axis beside them has wide numbers
_SUMMARY_PT = 9.0
_SUMMARY_TITLE_IN, _SUMMARY_LINE_IN, _SUMMARY_GAP_IN = 0.24, 0.158, 0.07
_CHIP_IN = 1.0  # room for the risk level beside the title


def wide_sheet(report: Report) -> Figure:
    """Return everything about an event on one wide sheet."""
    below = height_in(report, _WIDE_LINES)
    figure = sheet(_WIDE_IN[0], _WIDE_IN[1] + NOTICE_IN * len(report.notices) + 1.1 * below)
    top = _draw_heading(figure, report)
    _draw_pictures(figure, report, top, PANEL_IN[1], columns=5)
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
    words, room = _words(report), A4_IN[1] - 0.5 - top
    height = min(PANEL_IN[1], room / 3, (room - _words_in(words) - 0.1) / 2)
    first = max(height, _words_in(words) + 0.1)
    _draw_summary(pictures, words, MARGIN_IN, top + 0.1)
    _draw_pictures(pictures, report, top, height, columns=2, words_in=first)
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


def _draw_pictures(
    figure: Figure, report: Report, top_in: float, height_in: float, columns: int, words_in: float = 0.0
) -> None:
    """Draw the pictures in rows; the first place is left free if words of a height stand there."""
    width = (figure.get_size_inches()[0] - 2 * MARGIN_IN) / columns
    for i, draw in enumerate(PICTURES.values(), start=1 if words_in else 0):
        left, top = MARGIN_IN + i % columns * width, top_in + i // columns * height_in
        if words_in and i >= columns:
            top += words_in - height_in
        draw(Area(figure, left, top, PANEL_IN[0], height_in), report)


def _words(report: Report) -> list[list[str]]:
    """Return the sentences as lines, for the place beside the first picture."""
    return [wrapped(sentence, _SUMMARY_WIDTH_IN, _SUMMARY_PT) for sentence in sentences(report)]


def _words_in(words: list[list[str]]) -> float:
    """Return how high they are with their heading."""
    return _SUMMARY_TITLE_IN + sum(len(lines) * _SUMMARY_LINE_IN + _SUMMARY_GAP_IN for lines in words)


def _draw_summary(figure: Figure, words: list[list[str]], left_in: float, top_in: float) -> None:
    write(figure, left_in, top_in, "In words", fontsize=style.TITLE, fontweight="bold")
    top_in += _SUMMARY_TITLE_IN
    for lines in words:
        for line in lines:
            write(figure, left_in, top_in, line, fontsize=_SUMMARY_PT)
            top_in += _SUMMARY_LINE_IN
        top_in += _SUMMARY_GAP_IN
