"""Draw events to decide about: time to TCA against probability, how sure it is, and where it was before."""

from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from api.answers.drawn.decision import LOWEST, Decision, Tails
from storage.pictures import style
from storage.pictures.style import Area

DECISION_IN = (8.0, 4.8)  # width and height, inches
_LEFT, _RIGHT = 0.085, 0.015
_SIZES = {"critical": 90.0, "high": 60.0, "medium": 34.0, "unknown": 20.0, "low": 14.0}  # points^2
_DAYS_FROM_H = 96.0  # a longer axis counts days
_MOST_NAMES = 12
# Where a name may stand: points from its mark, and how it is aligned there.
_BESIDE: tuple[tuple[int, int, Literal["left", "right"], Literal["center", "bottom", "top"]], ...] = (
    *((7, 0, "left", "center"), (-7, 0, "right", "center")),
    *((4, 6, "left", "bottom"), (-4, 6, "right", "bottom"), (4, -6, "left", "top"), (-4, -6, "right", "top")),
)


def draw_decision(area: Area, found: Decision, tails: Tails, title: str) -> None:
    """Draw a mark an event, with the tails of former runs, hours to TCA and probabilities (n,) by event."""
    unknown = np.isnan(found.probability)
    style.panel(area, title, _subtitle(found, tails))
    bottom = style.BOTTOM_IN / area.height_in
    axes = area.axes(_LEFT, bottom, 1.0 - _LEFT - _RIGHT, 1.0 - bottom - style.HEADING_IN / area.height_in)
    if not len(found.event_id):
        axes.remove()
        style.say_instead(area, f"No encounter ahead has a probability of {LOWEST:g} or more.")
        return
    longest = max(float(found.hours_to_tca.max()), *(max(hours) for hours, _ in tails.values()), 1.0)
    per_hour, unit = (1.0, "hours") if longest < _DAYS_FROM_H else (1.0 / 24.0, "days")
    known = found.probability[~unknown]
    lowest = 10.0 ** np.floor(np.log10(known.min(initial=1e-6)))
    tops = np.append(known, found.high[np.isfinite(found.high)])
    axes.set(xlim=(1.09 * longest * per_hour, 0.0), yscale="log")
    axes.set_ylim(lowest / 2.0, max(3.0 * tops.max(initial=0.0), 3e-4))
    style.draw_limits(axes)
    x, y = found.hours_to_tca * per_hour, np.where(unknown, lowest, found.probability)
    for hours, probability in tails.values():
        axes.plot(
            np.multiply(hours, per_hour), probability, color=style.FAINT, linewidth=0.8, alpha=0.7, zorder=2
        )
    for place in np.flatnonzero(np.isfinite(found.high)):
        style.draw_band(axes, x[place], found.low[place], found.high[place])
    colors = [style.TIERS[level] for level in found.levels]
    axes.scatter(
        x, y, s=[_SIZES[level] for level in found.levels],
        c=[style.PAPER if one else color for one, color in zip(unknown, colors, strict=True)],
        edgecolors=[color if one else style.PAPER for one, color in zip(unknown, colors, strict=True)],
        linewidths=0.8, zorder=4, clip_on=False,
    )  # fmt: skip
    _name(axes, found, x, y)
    axes.yaxis.set_major_locator(LogLocator(numticks=12))
    axes.yaxis.set_major_formatter(style.power)
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("collision probability", labelpad=2)
    axes.set_xlabel(f"{unit} to TCA", labelpad=1)


def _subtitle(found: Decision, tails: Tails) -> str:
    said = ["bar: all errors half to twice as large"]
    if tails:
        said.append("line: in former runs")
    if np.isnan(found.probability).any():
        said.append("hollow: no probability")
    if found.left_out:
        said.append(f"{found.left_out:,} less probable ones are not drawn")
    return "; ".join(said)


def _name(axes: Axes, found: Decision, x: np.ndarray, y: np.ndarray) -> None:
    """Write the names beside the most probable events, where there is room."""
    known = np.flatnonzero(np.isfinite(found.probability))
    points = axes.transData.transform(np.stack([x, y], axis=1))
    taken = [text.get_window_extent() for text in axes.texts]  # of the limits
    frame = axes.get_window_extent()
    for place in known[:_MOST_NAMES]:
        others = np.delete(points, place, axis=0)
        for right, up, across, along in _BESIDE:
            text = axes.annotate(
                found.names[place], (x[place], y[place]), xytext=(right, up), textcoords="offset points",
                ha=across, va=along, fontsize=style.TEXT, color=style.TIERS[found.levels[place]],
                path_effects=style.halo(), zorder=5, parse_math=False,
            )  # fmt: skip
            box = text.get_window_extent().padded(1.0)
            inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
            if inside and not box.count_overlaps(taken) and not box.count_contains(others):
                taken.append(box)
                break
            text.remove()
