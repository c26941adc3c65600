"""Draw how far off an object's element set may be, by age: the error law, and differences of its own sets."""

import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from screening.risk.views.object_errors import ObjectErrors
from storage.pictures import style
from storage.pictures.style import Area
from storage.times import time_text

ERRORS_IN = (10.2, 4.5)  # width and height, inches
AXES = ("radial", "in-track", "cross-track")
SMALLEST_M = 1.0  # shorter differences are drawn there: nobody asks for less of an element set
_HEADING_IN, _BELOW_IN, _LEFT_IN, _GAP_IN = 0.95, 0.7, 0.66, 0.22
_LINE = 150  # characters
_MEASURED: Any = {
    "marker": "o", "markersize": 3.2, "linewidth": 0, "color": style.SECONDARY, "alpha": 0.45,
    "markeredgewidth": 0,
}  # fmt: skip
_SIGMA: Any = {"color": style.PRIMARY, "linewidth": 1.6}
_WITHIN: Any = {"color": style.PRIMARY, "linewidth": 1.2, "linestyle": (0, (4, 2))}


def error_sheet(found: ObjectErrors) -> Figure:
    """Return the picture as a figure: an axis of the orbit beside the other, on the same scale of lengths."""
    figure = Figure(figsize=ERRORS_IN, facecolor=style.PAPER)
    width_in, height_in = ERRORS_IN[0] - 0.3, ERRORS_IN[1] - 0.2
    area = Area(figure, 0.15, 0.1, width_in, height_in)
    style.panel(area, _title(found), textwrap.fill(f"{found.words} {burn_words(found)}", _LINE))
    each_in = (width_in - _LEFT_IN - 2.0 * _GAP_IN - 0.05) / 3.0
    tall = (height_in - _HEADING_IN - _BELOW_IN) / height_in
    highest_m = _highest_m(found)
    for place, name in enumerate(AXES):
        left_in = _LEFT_IN + place * (each_in + _GAP_IN)
        axes = area.axes(left_in / width_in, _BELOW_IN / height_in, each_in / width_in, tall)
        _draw_axis(axes, found, place, highest_m)
        axes.set_title(name, fontsize=style.TITLE, color=style.INK, loc="left", pad=4)
        axes.tick_params(labelleft=not place)
    _legend(figure, found)
    return figure


def burn_words(found: ObjectErrors) -> str:
    """Say how likely a burn is that the law has beside its sigmas."""
    law = found.law
    if not found.burns_per_day:
        return "Its burns are in the law." if found.manoeuvring else "It is not known to thrust: no burns."
    days = [int(np.searchsorted(law.age_days, age)) for age in (1.0, 3.0, 7.0)]
    shares = ", ".join(f"{100.0 * law.burn_share[day]:.1f} % after {law.age_days[day]:g} d" for day in days)
    return f"In the 95 %: a burn since the epoch, usually of {found.burn_dv_m_s:.2g} m/s ({shares})."


def _title(found: ObjectErrors) -> str:
    of_it = " ".join([str(found.norad_id), found.name]).strip()
    return f"{of_it}: how far off its element set is, epoch {time_text(found.element_epoch, 'seconds')}"


def _highest_m(found: ObjectErrors) -> float:
    """Return the power of ten above all that is drawn."""
    drawn = np.concatenate([found.law.within_95_rtn_m, np.abs(found.differences.missed_rtn_m)])
    return float(10.0 ** np.ceil(np.log10(drawn.max())))


def _draw_axis(axes: Axes, found: ObjectErrors, place: int, highest_m: float) -> None:
    law, own = found.law, found.differences
    sigma_m, within_m = law.sigma_rtn_m[:, place], law.within_95_rtn_m[:, place]
    axes.fill_between(law.age_days, sigma_m, within_m, color=style.PRIMARY, alpha=0.1, linewidth=0)
    axes.plot(law.age_days, sigma_m, **_SIGMA)
    axes.plot(law.age_days, within_m, **_WITHIN)
    axes.plot(own.age_days, np.maximum(np.abs(own.missed_rtn_m[:, place]), SMALLEST_M), **_MEASURED)
    axes.set_yscale("log")
    axes.set(xlim=(0.0, law.age_days[-1]), ylim=(SMALLEST_M, highest_m))
    axes.set_xticks(range(round(law.age_days[-1]) + 1))
    axes.yaxis.set_major_locator(LogLocator(numticks=10))
    axes.yaxis.set_major_formatter(FuncFormatter(_length))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("age of the set (days)", labelpad=1)


def _length(value_m: float, _place: float) -> str:
    return f"{value_m:,.0f} m" if value_m < 1000.0 else f"{value_m / 1000.0:,.0f} km"


def _legend(figure: Figure, found: ObjectErrors) -> None:
    shown = len(found.differences.age_days)
    own = f"{shown} differences of its own sets" if shown else "no earlier set of it in the store"
    figure.legend(
        [Line2D([], [], **_SIGMA), Line2D([], [], **_WITHIN), Line2D([], [], **_MEASURED)],
        ["law, 1 sigma of quiet sets", "law, 95 % of all, with tails and burns", own],
        ncols=3, loc="lower left", bbox_to_anchor=(0.05, 0.015), fontsize=style.SMALL, labelcolor=style.MUTED,
        frameon=False, markerscale=1.4,
    )  # fmt: skip
