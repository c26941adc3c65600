"""Write on a sheet; places are in inches from its upper left corner."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from api.report.pictures import style

A4_IN = (8.27, 11.69)
MARGIN_IN = 0.5
NOTICE_IN = 0.27


def sheet(width_in: float, height_in: float) -> Figure:
    """Return an empty white sheet."""
    return Figure(figsize=(width_in, height_in), facecolor=style.PAPER)


def write(figure: Figure, left_in: float, top_in: float, text: str, **look: Any) -> None:
    """Write a text, by default with its upper left corner at a place."""
    width, height = figure.get_size_inches()
    figure.text(left_in / width, 1.0 - top_in / height, text, **{"va": "top", "color": style.INK, **look})


def rule(figure: Figure, left_in: float, top_in: float, width_in: float, color: str) -> None:
    """Draw a thin line across."""
    width, height = figure.get_size_inches()
    xs, y = (left_in / width, (left_in + width_in) / width), 1.0 - top_in / height
    figure.add_artist(Line2D(xs, (y, y), color=color, linewidth=0.5))


def chip(figure: Figure, level: str, text: str) -> None:
    """Write the text for a risk level into the upper right corner."""
    width = figure.get_size_inches()[0]
    box = {"boxstyle": "round,pad=0.45", "facecolor": style.TIERS[level], "linewidth": 0}
    write(
        figure, width - MARGIN_IN - 0.07, 0.45, text.upper(), ha="right", fontsize=9, fontweight="bold",
        color=style.PAPER, bbox=box,
    )  # fmt: skip


def notices(figure: Figure, texts: list[str], top_in: float) -> float:
    """Draw the warnings, one line each across the sheet; return where they end."""
    width, height = figure.get_size_inches()
    for text in texts:
        thick = NOTICE_IN - 0.05
        corner = (MARGIN_IN / width, 1.0 - (top_in + thick) / height)
        figure.add_artist(
            Rectangle(
                corner, 1.0 - 2 * MARGIN_IN / width, thick / height, facecolor=style.NOTICE, linewidth=0
            )
        )
        word, _, rest = text.partition(":")
        write(
            figure, MARGIN_IN + 0.1, top_in + 0.5 * thick, rf"$\bf{{{word.replace(' ', '~')}}}$:{rest}",
            fontsize=7.5, color=style.NOTICE_INK, va="center_baseline",
        )  # fmt: skip
        top_in += NOTICE_IN
    return top_in
