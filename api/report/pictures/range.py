"""Draw the distance over time: the bottom of the curve, and the minutes or revolutions around it."""

import numpy as np
from matplotlib.axes import Axes

from api.report.contents import Report
from screening.risk.views.shapes import RangeCurve
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.words.numbers import distance


def draw_range(area: Area, report: Report) -> None:
    """Draw the distance over time around TCA, or why it is unknown."""
    event, near, wide = report.event, report.geometry.near, report.geometry.wide
    shaded = "" if event.inside_s is None else "; shaded: inside"
    style.panel(area, "Distance over time", f"from {_paths(report)}{shaded}")
    if near is None or wide is None:
        style.say_instead(area, report.geometry.missing["range"])
        return
    _curve(style.axes_in(area, bottom=0.56), near, event.miss_distance_m, labelled=True)
    axes = style.axes_in(area, bottom=0.13, top=0.42)
    _curve(axes, wide, event.miss_distance_m, labelled=False)
    if event.inside_s is not None:  # mark the time inside the threshold of a slow event
        in_time, _ = style.time_unit(wide.seconds_from_tca[-1])
        begin, end = np.multiply(event.inside_s, in_time)
        axes.axvspan(begin, end, color=style.PRIMARY, alpha=0.12, linewidth=0)


def _paths(report: Report) -> str:
    """Say what the distances are from, which is another path where an ephemeris is gone."""
    if report.event.told:
        return "a message's states, two-body motion"
    tracks = report.geometry.primary, report.geometry.secondary
    given = [track is not None and track.ephemeris is not None for track in tracks]
    if all(given):
        return "both operators' ephemerides"
    return "an operator's ephemeris and an element set" if any(given) else "SGP4 and both element sets"


def _curve(axes: Axes, curve: RangeCurve, miss_m: float, *, labelled: bool) -> None:
    seconds, metres = curve.seconds_from_tca, curve.range_m
    in_time, time = style.time_unit(seconds[-1])
    in_length, length = style.length_unit(float(np.nanmax(metres)))
    axes.plot(seconds * in_time, metres * in_length, color=style.COMBINED, linewidth=1.4)
    axes.plot(0.0, miss_m * in_length, "o", markersize=3.6, color=style.INK, zorder=5)
    axes.set(
        xlim=(seconds[0] * in_time, seconds[-1] * in_time), ylim=(0, np.nanmax(metres) * in_length * 1.05)
    )
    axes.set_xlabel(f"time from TCA ({time})", labelpad=1)
    axes.set_ylabel(f"distance ({length})", labelpad=2)
    if labelled:
        height = 0.62 if miss_m < 0.4 * np.nanmax(metres) else 0.25  # clear of the curve
        axes.annotate(
            f"miss {distance(miss_m)}", (0.0, miss_m * in_length), xytext=(0.5, height),
            textcoords="axes fraction", ha="center", fontsize=style.TEXT, fontweight="bold",
            color=style.INK, arrowprops={"arrowstyle": "-", "color": style.FAINT, "linewidth": 0.7},
            path_effects=style.halo(),
        )  # fmt: skip
