"""A digest on sheets of paper: its list, when its events are, then two of them a sheet."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from matplotlib.figure import Figure

from api.report.contents import Report
from api.report.digest import FORECASTS, Digest, above_list, below_list
from api.report.digest_columns import Column, cells, columns, legend
from api.report.paper.event_block import BLOCK_IN, draw_block
from api.report.paper.writing import (
    A4_IN,
    MARGIN_IN,
    NOTICE_IN,
    chip,
    cut,
    foot,
    notices,
    rule,
    sheet,
    wrapped,
    write,
)
from api.report.pictures import verification
from api.report.pictures.when import draw_when
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.words.numbers import minute
from storage.shell.verification import what_passed
from storage.verification.record import Verification

_WIDTH_IN = A4_IN[0] - 2 * MARGIN_IN
_TOP_IN, _BOTTOM_IN = 0.7, A4_IN[1] - 0.45
_LINE_IN, _ROW_IN = 0.16, 0.325
_WHEN_IN = (1.55, 3.4)  # least and greatest height of the picture

Draw = Callable[[Figure, float], None]  # from a height, inches from the top


class _Part(NamedTuple):
    """Something on a sheet."""

    height_in: float
    draw: Draw


class _Plan:
    """What comes where: sheets, each with its parts and their heights from the top."""

    def __init__(self) -> None:
        self.sheets: list[list[tuple[float, Draw]]] = [[]]
        self._top_in = 0.42

    @property
    def room_in(self) -> float:
        return _BOTTOM_IN - self._top_in

    def add(self, part: _Part, head: _Part | None = None) -> None:
        """Put a part below the others, or on a new sheet, there below a head."""
        if part.height_in > self.room_in:
            self.sheets.append([])
            self._top_in = _TOP_IN
            if head is not None:
                self.add(head)
        self.sheets[-1].append((self._top_in, part.draw))
        self._top_in += part.height_in


def digest_pages(digest: Digest, reports: Iterable[Report]) -> Iterator[Figure]:
    """Yield the sheets of a digest; `reports` on its events, in their order, are asked for one by one."""
    told = iter(reports)
    plan = _planned(digest, told)
    for number, parts in enumerate(plan.sheets, start=1):
        figure = sheet(*A4_IN)
        if number > 1:
            name = cut(digest.title, _WIDTH_IN, style.TEXT)
            write(figure, MARGIN_IN, 0.36, name, fontsize=style.TEXT, color=style.MUTED)
        for top, draw in parts:
            draw(figure, top)
        made = f"skysieve  ·  run {digest.run.run_id}  ·  made {minute(digest.made_at)} UTC"
        foot(figure, made, number, len(plan.sheets))
        yield figure


def _planned(digest: Digest, reports: Iterator[Report]) -> _Plan:
    plan = _Plan()
    plan.add(_heading(digest))
    for line in _paragraphs(above_list(digest)):
        plan.add(line)
    _plan_list(plan, digest)
    for line in (*_paragraphs(below_list(digest)), *_paragraphs(legend(digest), color=style.MUTED)):
        plan.add(line)
    _plan_picture(plan, digest)
    for event in digest.events:
        number = next(i for i, entry in enumerate(digest.entries, 1) if entry.event.id == event.id)
        fills = event == digest.events[0] and plan.room_in >= BLOCK_IN
        height = min(plan.room_in, BLOCK_IN + _WHEN_IN[0]) if fills else BLOCK_IN
        plan.add(_Part(height, partial(_next_block, reports, number, height)))
    if digest.judged is not None:
        _plan_forecasts(plan, digest.judged)
    return plan


def _plan_forecasts(plan: _Plan, found: Verification) -> None:
    """Say how the forecasts of the store did, and draw whether regions held what they should."""
    picture = verification.PICTURES["regions"]
    look = {"fontsize": style.TITLE, "fontweight": "bold"}
    plan.add(_Part(0.45, lambda figure, top: write(figure, MARGIN_IN, top + 0.2, FORECASTS, **look)))
    for line in (*_paragraphs([what_passed(found)], color=style.MUTED), *_paragraphs(found.words)):
        plan.add(line)
    drawn = bool(verification.days_drawn(found.regions))
    if drawn:

        def draw(figure: Figure, top_in: float) -> None:
            verification.draw_regions_in(Area(figure, MARGIN_IN, top_in, *verification.REGIONS_IN), found)

        plan.add(_Part(verification.REGIONS_IN[1], draw))
    for line in _paragraphs([picture.reading if drawn else picture.missing], color=style.MUTED):
        plan.add(line)


def _next_block(
    reports: Iterator[Report], number: int, height_in: float, figure: Figure, top_in: float
) -> None:
    draw_block(figure, next(reports), number, top_in, height_in)


def _heading(digest: Digest) -> _Part:
    under = wrapped(digest.subtitle, _WIDTH_IN, style.TEXT)
    below_title = 0.3 + len(under) * _LINE_IN + 0.05

    def draw(figure: Figure, top_in: float) -> None:
        name = cut(digest.title, _WIDTH_IN - 1.0, 15, "bold")
        write(figure, MARGIN_IN, top_in, name, fontsize=15, fontweight="bold")
        for index, line in enumerate(under):
            place = top_in + 0.3 + index * _LINE_IN
            write(figure, MARGIN_IN, place, line, fontsize=style.TEXT, color=style.MUTED)
        if digest.level is not None:
            chip(figure, digest.level)
        notices(figure, digest.notices, top_in + below_title)

    return _Part(below_title + NOTICE_IN * len(digest.notices) + 0.08, draw)


def _paragraphs(texts: Iterable[str], color: str = style.INK) -> Iterator[_Part]:
    for text in texts:
        lines = wrapped(text, _WIDTH_IN, style.TEXT)
        for line in lines:
            last = line is lines[-1]
            yield _Part(_LINE_IN + (0.06 if last else 0.0), partial(_line, line, color))


def _line(text: str, color: str, figure: Figure, top_in: float) -> None:
    write(figure, MARGIN_IN, top_in, text, fontsize=style.TEXT, color=color)


def _plan_list(plan: _Plan, digest: Digest) -> None:
    if not digest.entries:
        plan.add(_Part(0.5, lambda figure, top: _line("There are none.", style.INK, figure, top + 0.1)))
        return
    shown = columns(digest)
    heads = [column.heads for column in shown]
    look = {"color": style.MUTED, "fontweight": "bold"}
    head = _Part(_ROW_IN + 0.03, partial(_draw_row, shown, heads, look, style.FAINT))
    plan.add(head)
    for number, entry in enumerate(digest.entries, start=1):
        row = partial(_draw_row, shown, cells(number, entry), {}, style.GRID)
        plan.add(_Part(_ROW_IN, row), head)
    plan.add(_Part(0.08, lambda _figure, _top: None))


def _draw_row(
    shown: list[Column],
    texts: list[tuple[str, str]],
    look: dict[str, str],
    line_color: str,
    figure: Figure,
    top_in: float,
) -> None:
    """Draw both lines of a row, and the rule above it."""
    rule(figure, MARGIN_IN, top_in, _WIDTH_IN, line_color)
    left_in = MARGIN_IN
    for column, pair in zip(shown, texts, strict=True):
        width_in = column.points / 72
        at = left_in + (width_in - 0.1 if column.side == "right" else 0.0)
        for index, text in enumerate(pair):
            short = cut(text, width_in - 0.05, style.TEXT, look.get("fontweight", "normal"))
            top = top_in + 0.03 + index * 0.145
            write(figure, at, top, short, ha=column.side, fontsize=style.TEXT, **look)
        left_in += width_in


def _plan_picture(plan: _Plan, digest: Digest) -> None:
    """Fill the rest of the sheet with when the events are; beside it, an event may have room too."""
    least, greatest = _WHEN_IN
    room = plan.room_in - BLOCK_IN if plan.room_in >= BLOCK_IN + least else plan.room_in
    if not digest.entries or room < least or BLOCK_IN <= plan.room_in < BLOCK_IN + least:
        return
    height = min(room, greatest)

    def draw(figure: Figure, top_in: float) -> None:
        draw_when(Area(figure, MARGIN_IN, top_in, _WIDTH_IN, height), digest)

    plan.add(_Part(height, draw))
