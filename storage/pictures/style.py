"""The look of pictures: colours that colour-blind people can tell apart, plain axes, no global state."""

import textwrap
from collections.abc import Callable
from io import BytesIO
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.ticker import MaxNLocator

from screening.risk.tiers import PROBABILITY_LIMITS
from storage.pictures.colours import TIERS as TIERS

# Okabe & Ito (2008), Color universal design, and greys.
INK, MUTED, FAINT, GRID, PAPER = "#1f2933", "#5b6673", "#98a2b0", "#e5e8ec", "#ffffff"
PRIMARY, SECONDARY, COMBINED, HARD_BODY = "#0072b2", "#c44e00", "#3f5673", "#a3195b"
NOTICE, NOTICE_INK = "#fdf3d6", "#6b4e00"

# Points.
SMALL, TEXT, TITLE = 8.0, 8.0, 9.0  # nothing is smaller, so that it can be read on paper

PANEL_IN = (3.55, 3.3)  # width and height of one picture, inches
_LEFT, _RIGHT = 0.16, 0.05  # margins of a picture around its axes
HEADING_IN, BOTTOM_IN = 0.53, 0.48  # for its heading, and for the texts below the axes


class Area(NamedTuple):
    """A rectangle of a figure, inches from its upper left corner, in which one picture is drawn."""

    figure: Figure
    left_in: float
    top_in: float
    width_in: float
    height_in: float

    def text(self, x: float, y: float, text: str, **look: Any) -> None:
        """Write a text at a place given as fractions of the area, from its lower left corner."""
        left, bottom, *_ = self._in_figure(x, y, 0.0, 0.0)
        self.figure.text(left, bottom, text, parse_math=False, **look)  # names may have $

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Add axes, placed by fractions of the area from its lower left corner."""
        axes = self.figure.add_axes(self._in_figure(left, bottom, width, height))
        tidy(axes)
        return axes

    def _in_figure(
        self, left: float, bottom: float, width: float, height: float
    ) -> tuple[float, float, float, float]:
        whole_width, whole_height = self.figure.get_size_inches()
        return (
            (self.left_in + left * self.width_in) / whole_width,
            1.0 - (self.top_in + (1.0 - bottom) * self.height_in) / whole_height,
            width * self.width_in / whole_width,
            height * self.height_in / whole_height,
        )


class Picture(Figure):
    """A figure that a notebook shows without pyplot."""

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.savefig(stream, format="png", dpi=110)
        return stream.getvalue()


def alone(size_in: tuple[float, float], draw: Callable[[Area], None]) -> Figure:
    """Return a figure of a width and height, inches, that holds one picture."""
    figure = Picture(figsize=size_in, facecolor=PAPER)
    draw(Area(figure, 0.1, 0.1, size_in[0] - 0.2, size_in[1] - 0.2))
    return figure


def panel(area: Area, title: str, subtitle: str = "") -> None:
    """Write the heading of a picture."""
    in_area = 1.0 / area.height_in
    area.text(0.0, 1.0 - 0.1 * in_area, title, fontsize=TITLE, fontweight="bold", color=INK, va="top")
    area.text(0.0, 1.0 - 0.29 * in_area, subtitle, fontsize=SMALL, color=MUTED, va="top")


def axes_in(area: Area, bottom: float | None = None, top: float | None = None) -> Axes:
    """Return axes across a picture, between two heights given as fractions of it; None: the room there is."""
    bottom = BOTTOM_IN / area.height_in if bottom is None else bottom
    top = 1.0 - HEADING_IN / area.height_in if top is None else top
    return area.axes(_LEFT, bottom, 1.0 - _LEFT - _RIGHT, top - bottom)


def power(value: float, _place: float) -> str:
    """Return a power of ten for an axis; raised digits would be too small to read."""
    return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e+") if value else "0"


def iso_dates(locator: AutoDateLocator) -> ConciseDateFormatter:
    """Return what writes the dates and times of an axis as ISO 8601 does."""
    return ConciseDateFormatter(  # type: ignore[no-untyped-call]
        locator,
        formats=["%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M", "%S.%f"],
        zero_formats=["", "%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M"],
        offset_formats=["", "%Y", "%Y", "%Y-%m-%d", "%Y-%m-%d", "%Y-%m-%d %H:%M"],
    )


def tidy(axes: Axes) -> None:
    """Draw axes in light grey."""
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_locator(MaxNLocator(5))  # more numbers would run into each other
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.spines[["left", "bottom"]].set_linewidth(0.7)
    axes.tick_params(labelsize=SMALL, colors=MUTED, width=0.7, length=2.5, which="major")
    axes.tick_params(which="minor", length=0)
    axes.xaxis.label.set(fontsize=TEXT, color=INK)
    axes.yaxis.label.set(fontsize=TEXT, color=INK)


def say_instead(area: Area, reason: str) -> None:
    """Write in place of a picture why it is missing."""
    text = textwrap.fill(reason, 46)
    area.text(0.5, 0.5, text, fontsize=TEXT, color=MUTED, ha="center", va="center", linespacing=1.5)


def mark(axes: Axes, point: tuple[float, float], text: str, color: str, beside: tuple[float, float]) -> None:
    """Mark a point of a curve, with a text this many points beside it."""
    axes.plot(*point, "o", markersize=4, color=color, zorder=6)
    axes.annotate(
        text, point, xytext=beside, textcoords="offset points", ha="left" if beside[0] > 0 else "right",
        fontsize=TEXT, fontweight="bold", color=color, path_effects=halo(), zorder=7,
    )  # fmt: skip


def draw_limits(axes: Axes) -> None:
    """Draw the limits of the levels that lie within the probabilities shown."""
    low, high = axes.get_ylim()
    for name, limit in zip(("critical", "high", "medium"), PROBABILITY_LIMITS, strict=True):
        if low < limit < high:
            axes.axhline(limit, color=TIERS[name], linewidth=0.7, linestyle=(0, (1, 2)))
            axes.text(
                0.01, limit, f" {name}", transform=axes.get_yaxis_transform(), fontsize=SMALL,
                color=TIERS[name], va="bottom",
            )  # fmt: skip


def draw_band(axes: Axes, x: Any, low: float, high: float) -> None:
    """Draw a bar from the least to the largest probability; it ends at the lower edge of the axes."""
    axes.plot([x, x], [max(low, axes.get_ylim()[0]), high], color=FAINT, linewidth=2.5, alpha=0.6, zorder=1)


def halo(width: float = 2.0) -> list[AbstractPathEffect]:
    """Return a white edge that keeps a text readable over lines."""
    return [withStroke(linewidth=width, foreground=PAPER)]


def length_unit(largest_m: float) -> tuple[float, str]:
    """Return the factor from m and the name of the unit for an axis up to `largest_m`."""
    return (1.0, "m") if largest_m < 10_000 else (1e-3, "km")


def time_unit(largest_s: float) -> tuple[float, str]:
    """Return the factor from s and the name of the unit for an axis up to `largest_s`."""
    for seconds, factor, name in ((1.0, 1e3, "ms"), (240.0, 1.0, "s"), (10_800.0, 1 / 60, "min")):
        if largest_s < seconds:
            return factor, name
    return 1 / 3600, "h"
