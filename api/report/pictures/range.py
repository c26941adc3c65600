"""The distance over time: the bottom of the curve, and the minutes or revolutions around it."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from api.report.pictures import style
from api.report.pictures.style import Area
from api.report.words import distance


def draw_range(area: Area, geometry: dict[str, Any]) -> None:
    """Draw the distance over time around TCA, or why it is not known."""
    found = geometry["range"]
    shaded = "" if geometry["inside_from"] is None else "; shaded: inside the threshold"
    style.panel(area, "Distance over time", f"from SGP4 and both element sets{shaded}")
    if found is None:
        style.say_instead(area, geometry["missing"]["range"])
        return
    near = style.axes_in(area, bottom=0.56)
    wide = style.axes_in(area, bottom=0.13, top=0.42)
    _curve(near, found["near"], geometry["miss_distance_m"], labelled=True)
    _curve(wide, found["wide"], geometry["miss_distance_m"], labelled=False)
    if geometry["inside_from"] is not None:
        _inside(wide, found["wide"], geometry)


def _curve(axes: Axes, curve: dict[str, Any], miss_m: float, *, labelled: bool) -> None:
    seconds = np.array(curve["seconds_from_tca"], float)
    metres = np.array(curve["range_m"], float)
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
        height = 0.62 if miss_m < 0.4 * np.nanmax(metres) else 0.25  # off the curve
        axes.annotate(
            f"miss {distance(miss_m)}", (0.0, miss_m * in_length), xytext=(0.5, height),
            textcoords="axes fraction", ha="center", fontsize=style.TEXT, fontweight="bold",
            color=style.INK, arrowprops={"arrowstyle": "-", "color": style.FAINT, "linewidth": 0.7},
            path_effects=style.halo(),
        )  # fmt: skip


def _inside(axes: Axes, curve: dict[str, Any], geometry: dict[str, Any]) -> None:
    """Mark the time inside the threshold of a slow event."""
    in_time, _ = style.time_unit(curve["seconds_from_tca"][-1])
    begin, end = (
        (geometry[name] - geometry["tca"]).total_seconds() * in_time for name in ("inside_from", "inside_to")
    )
    axes.axvspan(begin, end, color=style.PRIMARY, alpha=0.12, linewidth=0)
