"""Write on a sheet; places are in inches from its upper left corner."""

from functools import lru_cache
from typing import Any

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextToPath

from storage.pictures import style

A4_IN = (8.27, 11.69)
MARGIN_IN = 0.5
NOTICE_IN = 0.27
_MEASURE = TextToPath()


def sheet(width_in: float, height_in: float) -> Figure:
    """Return an empty white sheet."""
    return Figure(figsize=(width_in, height_in), facecolor=style.PAPER)


def write(figure: Figure, left_in: float, top_in: float, text: str, **look: Any) -> None:
    """Write a text, by default with its upper left corner at a place."""
    width, height = figure.get_size_inches()
    look = {"va": "top", "color": style.INK, "parse_math": False, **look}  # names may have $
    figure.text(left_in / width, 1.0 - top_in / height, text, **look)


def rule(figure: Figure, left_in: float, top_in: float, width_in: float, color: str) -> None:
    """Draw a thin line across."""
    width, height = figure.get_size_inches()
    xs, y = (left_in / width, (left_in + width_in) / width), 1.0 - top_in / height
    figure.add_artist(Line2D(xs, (y, y), color=color, linewidth=0.5))


def chip(figure: Figure, level: str, top_in: float = 0.45) -> None:
    """Write a level to the right."""
    width = figure.get_size_inches()[0]
    box = {"boxstyle": "round,pad=0.45", "facecolor": style.TIERS[level], "linewidth": 0}
    write(
        figure, width - MARGIN_IN - 0.07, top_in, level.upper(), ha="right", fontsize=9, fontweight="bold",
        color=style.PAPER, bbox=box,
    )  # fmt: skip


def wrapped(text: str, width_in: float, size: float, weight: str = "normal") -> list[str]:
    """Return a text in lines that are no wider than `width_in`; a longer word has a line of its own, cut."""
    lines: list[str] = []
    space_in = text_width_in("n n", size, weight) - text_width_in("nn", size, weight)
    used_in = 0.0
    for word in text.split():
        word_in = text_width_in(word, size, weight)
        used_in += space_in + word_in
        if lines and used_in <= width_in:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, width_in, size, weight))
            used_in = word_in
    return lines


def cut(text: str, width_in: float, size: float, weight: str = "normal") -> str:
    """Return a text, or as much of its beginning as `width_in` has room for, and an ellipsis."""
    if text_width_in(text, size, weight) <= width_in:
        return text
    while text and text_width_in(f"{text}…", size, weight) > width_in:
        text = text[:-1].rstrip()
    return f"{text}…"


def fitting(text: str, width_in: float, size: float, weight: str = "normal") -> float:
    """Return the size in points, no larger than `size`, at which a text is no wider than `width_in`."""
    return max(style.TEXT, size * min(1.0, width_in / max(text_width_in(text, size, weight), 1e-9)))


@lru_cache(10_000)
def text_width_in(text: str, size: float, weight: str = "normal") -> float:
    """Return how wide a text is."""
    font = FontProperties(size=size, weight=weight)
    width_pt, _, _ = _MEASURE.get_text_width_height_descent(text, font, ismath=False)
    return float(width_pt) / 72.0


def foot(figure: Figure, said: str, number: int, count: int) -> None:
    """Write what a sheet is of, and its number, at the bottom."""
    width, height = figure.get_size_inches()
    look = {"fontsize": style.SMALL, "color": style.MUTED, "va": "bottom"}
    write(figure, MARGIN_IN, height - 0.28, said, **look)
    write(figure, width - MARGIN_IN, height - 0.28, f"page {number} of {count}", ha="right", **look)


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
        look = {"fontsize": style.TEXT, "color": style.NOTICE_INK, "va": "center_baseline"}
        left, middle = MARGIN_IN + 0.1, top_in + 0.5 * thick
        write(figure, left, middle, f"{word}:", fontweight="bold", **look)
        left += text_width_in(f"{word}: ", style.TEXT, "bold")
        write(figure, left, middle, rest.strip(), **look)
        top_in += NOTICE_IN
    return top_in
