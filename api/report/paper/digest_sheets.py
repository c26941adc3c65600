"""The list of a digest on sheets of paper."""

import textwrap

from matplotlib.figure import Figure

from api.report.digest import HEADINGS, Digest, cells, legend
from api.report.paper.writing import A4_IN, MARGIN_IN, chip, notices, rule, sheet, write
from api.report.pictures import style

_ROW_IN = 0.178
_LINES = 50  # on a page
_NAME_CHARACTERS = 26
# Left or right edges of the columns, as fractions of the width; in the order of HEADINGS.
_PLACES = (
    (0.0, "left"), (0.155, "left"), (0.37, "left"), (0.645, "right"), (0.7, "right"), (0.795, "right"),
    (0.81, "left"), (0.895, "left"), (0.945, "left"),
)  # fmt: skip


def digest_pages(digest: Digest) -> list[Figure]:
    """Return the list of a digest, on as many pages as it needs."""
    lines = [cells(event) for event in digest.events]
    parts = [lines[i : i + _LINES] for i in range(0, len(lines), _LINES)] or [[]]
    return [_page(digest, part, index == 0) for index, part in enumerate(parts)]


def _page(digest: Digest, lines: list[tuple[str, ...]], first: bool) -> Figure:
    figure = sheet(*A4_IN)
    write(figure, MARGIN_IN, 0.42, digest.title, fontsize=15, fontweight="bold")
    write(figure, MARGIN_IN, 0.74, digest.subtitle, fontsize=style.SMALL, color=style.MUTED)
    chip(figure, digest.level, digest.level)
    top = (notices(figure, digest.notices, 0.98) if first else 0.98) + 0.15
    _draw_line(figure, HEADINGS, top, color=style.MUTED, fontweight="bold")
    rule(figure, MARGIN_IN, top + 0.6 * _ROW_IN, A4_IN[0] - 2 * MARGIN_IN, style.FAINT)
    if not digest.total:
        write(figure, MARGIN_IN, top + 1.5 * _ROW_IN, "There are none.", fontsize=style.TITLE)
    for number, line in enumerate(lines, start=1):
        below = top + (number + 0.3) * _ROW_IN
        _draw_line(figure, line, below)
        rule(figure, MARGIN_IN, below + 0.5 * _ROW_IN, A4_IN[0] - 2 * MARGIN_IN, style.GRID)
    below = top + (len(lines) + 1.6) * _ROW_IN
    write(figure, MARGIN_IN, below, legend(digest), fontsize=style.SMALL, color=style.MUTED)
    return figure


def _draw_line(figure: Figure, line: tuple[str, ...], top_in: float, **look: str) -> None:
    width = A4_IN[0] - 2 * MARGIN_IN
    for text, (place, side) in zip(line, _PLACES, strict=True):
        short = textwrap.shorten(text, _NAME_CHARACTERS, placeholder="…")
        write(
            figure, MARGIN_IN + place * width, top_in, short, ha=side, va="center_baseline",
            fontsize=style.SMALL, **look,
        )  # fmt: skip
