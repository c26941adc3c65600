"""Draw the trade space of a search: what burns of each size at each time make of an encounter."""

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from api.answers.manoeuvres import WhatIf
from screening.manoeuvre.search import SMALLEST_M_S, Found
from storage.pictures import style
from storage.pictures.style import Area

TRADE_SPACE_IN = (7.4, 4.6)  # width and height, inches
_LOWEST = 1e-12  # below that all is alike: nobody acts on it
_HOURS = (0.5, 1, 2, 3, 6, 12, 24, 48, 72)
_SIZES_M_S = (-1.0, -0.1, -0.01, 0.0, 0.01, 0.1, 1.0)
_MISSES_KM = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
_PER_M = 1e-3
_GOAL: Any = {"colors": style.HARD_BODY, "linewidths": 1.8, "linestyles": "solid"}
_BEST: Any = {"marker": "*", "linewidth": 0, "color": style.SECONDARY}
_OTHER: Any = {
    "marker": "o", "markersize": 4, "linewidth": 0, "color": style.PAPER, "markeredgecolor": style.INK,
}  # fmt: skip


def draw_trade_space(area: Area, made: WhatIf, found: Found) -> None:
    """Draw probability as colour with the goal's contour, the miss as lines, and the burns found."""
    side, other = made.side, made.event.secondary if made.who == "primary" else made.event.primary
    mover, avoided = (f"{one.norad_id} {one.name}".strip() for one in (side, other))
    style.panel(
        area,
        f"Burns of {mover} along its track",
        f"to avoid {avoided}: probability (colour) and miss (thin lines) at TCA",
    )
    axes = area.axes(0.095, 0.2, 0.77, 0.66)
    axes.grid(visible=False)
    space = found.space
    hours, sizes_m_s = space.before_tca_s / 3600.0, space.dv_rtn_m_s[0, :, 1]
    probability = np.ma.masked_invalid(np.clip(space.probability, _LOWEST, 1.0)).T
    axes.set(xscale="log", xlim=(hours.max(), hours.min()), ylim=_height(sizes_m_s[[0, -1]]))
    drawn = axes.pcolormesh(
        hours,
        _height(sizes_m_s),
        probability,
        norm=LogNorm(_LOWEST, max(float(probability.max()), 10.0 * _LOWEST)),
        cmap=colormaps["cividis_r"],
        shading="nearest",
        edgecolors="face",
        linewidth=0.1,
    )
    _lines(axes, hours, sizes_m_s, made.goal, found)
    _burns(axes, made, found)
    marked = [np.asarray(line.get_xydata()) for line in axes.lines]
    burns = axes.transData.transform(np.concatenate([np.zeros((0, 2)), *marked]))
    for label in axes.texts:  # of the misses
        if label.get_window_extent().padded(3.0).count_contains(burns):
            label.set_visible(False)
    axes.xaxis.set_major_locator(FixedLocator([h for h in _HOURS if hours.min() <= h <= hours.max()]))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yticks(_height(np.array(_SIZES_M_S)), [f"{size:+g}" if size else "0" for size in _SIZES_M_S])
    axes.set_xlabel("burn before TCA (h)", labelpad=1)
    axes.set_ylabel("delta-v in-track (m/s)", labelpad=2)
    bar = area.figure.colorbar(drawn, cax=area.axes(0.885, 0.2, 0.02, 0.66))
    bar.ax.tick_params(labelsize=style.SMALL, colors=style.MUTED)
    assert bar.solids is not None
    bar.solids.set_rasterized(False)  # a page shows no images
    bar.outline.set_visible(False)
    _legend(axes, made)


def trade_space_sheet(made: WhatIf, found: Found) -> Figure:
    """Return the picture as a figure of its own."""
    return style.alone(TRADE_SPACE_IN, lambda area: draw_trade_space(area, made, found))


def _height(size_m_s: np.ndarray) -> np.ndarray:
    """Return where sizes are drawn: by their logarithm, both signs, with a step about 0."""
    steps = np.log10(np.maximum(np.abs(size_m_s), SMALLEST_M_S) / SMALLEST_M_S) + 0.15
    height: np.ndarray = np.where(size_m_s == 0.0, 0.0, np.sign(size_m_s) * steps)
    return height


def _lines(axes: Axes, hours: np.ndarray, sizes_m_s: np.ndarray, goal: float, found: Found) -> None:
    height = _height(sizes_m_s)
    miss_km = np.ma.masked_invalid(found.space.miss_distance_m * _PER_M).T
    levels = [one for one in _MISSES_KM if miss_km.min() < one < miss_km.max()]
    if levels:
        drawn = axes.contour(hours, height, miss_km, levels, colors=style.FAINT, linewidths=0.6)
        axes.clabel(drawn, fontsize=style.SMALL, fmt="%g km", colors=style.INK)
        for label in drawn.labelTexts:
            label.set_path_effects(style.halo())
            across, up = axes.transAxes.inverted().transform(axes.transData.transform(label.get_position()))
            label.set_visible(bool(0.05 < across < 0.95 and 0.03 < up < 0.97))  # not across the edge
    probability = np.ma.masked_invalid(np.clip(found.space.probability, _LOWEST / 10.0, 1.0)).T
    if probability.min() < goal < probability.max():
        axes.contour(hours, height, np.log10(probability), [np.log10(goal)], **_GOAL)


def _burns(axes: Axes, made: WhatIf, found: Found) -> None:
    for one in found.candidates:
        burn = one.burns[0]
        before_h = float((made.encounter["tca"][0] - burn.at) / np.timedelta64(1, "us")) / 3.6e9
        point = before_h, float(_height(np.array([burn.dv_rtn_m_s[1]]))[0])
        if one is found.best:
            axes.plot(*point, markersize=12, markeredgecolor=style.PAPER, zorder=7, **_BEST)
        else:
            axes.plot(*point, zorder=6, **_OTHER)


def _legend(axes: Axes, made: WhatIf) -> None:
    goal = Line2D([], [], color=_GOAL["colors"], linewidth=_GOAL["linewidths"])
    best = Line2D([], [], markersize=9, **_BEST)
    others = Line2D([], [], **_OTHER)
    axes.legend(
        [goal, best, others],
        [
            f"probability {made.goal:g}",
            "cheapest that raises nothing else",
            "others, screened against everything",
        ],
        ncols=3, loc="upper left", bbox_to_anchor=(-0.02, -0.12), fontsize=style.SMALL,
        labelcolor=style.MUTED, frameon=False,
    )  # fmt: skip
