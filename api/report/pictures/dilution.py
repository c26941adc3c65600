"""Draw probability against the scale of the covariance; for a slow event the path around the primary."""

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from api.report.contents import Report
from screening.risk.views.shapes import RangeCurve, ScaleCurve
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.words.numbers import probability

_HEADROOM_IN = 0.58  # room above the peak for text
SMALLEST = 1e-40  # probability shown


def draw_dilution(area: Area, report: Report) -> None:
    """Draw the dilution curve of an event, or why there is none."""
    curve, path = report.geometry.dilution, report.geometry.wide
    if curve is None and path is not None and "slow" in (report.event.probability_flag or ""):
        _draw_path(area, path, report.event.inside_s)
        return
    title = "Probability if the data were better or worse"
    if curve is None:
        style.panel(area, title)
        style.say_instead(area, report.geometry.missing["probability_against_scale"])
        return
    style.panel(area, title, _subtitle(curve))
    axes = style.axes_in(area)
    scale, now, peak = curve.scale, curve.probability_2d, curve.peak_probability
    lowest = max(min(now / 30, peak * 1e-5), SMALLEST)
    height_in = area.height_in - style.HEADING_IN - style.BOTTOM_IN
    highest = peak * (peak / lowest) ** (_HEADROOM_IN / (height_in - _HEADROOM_IN))
    axes.set(xscale="log", yscale="log", xlim=(scale[0], scale[-1]), ylim=(lowest, highest))
    axes.plot(scale, np.maximum(curve.probability, SMALLEST), color=style.COMBINED, linewidth=1.5)
    if curve.peak_scale > 0:
        axes.axvspan(curve.peak_scale, scale[-1], color=style.SECONDARY, alpha=0.07, linewidth=0)
        style.mark(axes, (curve.peak_scale, peak), f"largest {probability(peak)}", style.SECONDARY, (4, 9))
        axes.text(
            0.985, 0.98, "diluted: better data\ncould raise it", transform=axes.transAxes, ha="right",
            va="top", fontsize=style.SMALL, color=style.SECONDARY, path_effects=style.halo(),
        )  # fmt: skip
    beside = (-5, -12) if curve.diluted else (-5, 6)  # where the curve leaves room
    style.mark(axes, (1.0, max(now, lowest)), f"as it is {probability(now)}", style.INK, beside)
    style.draw_limits(axes)
    axes.set_xlabel("k: all sigmas times k")
    axes.set_ylabel("collision probability", labelpad=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_locator(LogLocator(numticks=9))
    axes.yaxis.set_major_formatter(style.power)
    axes.yaxis.set_minor_formatter(NullFormatter())


def _subtitle(curve: ScaleCurve) -> str:
    side, said = ("past", "too poor") if curve.diluted else ("before", "good enough")
    return f"k = 1 is {side} the peak at {curve.peak_scale:.2g}: data {said} to tell"


def _draw_path(area: Area, curve: RangeCurve, inside_s: tuple[float, float] | None) -> None:
    style.panel(
        area,
        "Path of the secondary around the primary",
        "slow: no probability in a plane" + ("" if inside_s is None else "; thick: inside"),
    )
    axes = style.axes_in(area)
    axes.margins(0.12)
    seconds, radial, in_track = curve.seconds_from_tca, curve.radial_m, curve.in_track_m
    factor, unit = style.length_unit(float(np.nanmax(np.abs([radial, in_track]))))
    axes.plot(in_track * factor, radial * factor, color=style.FAINT, linewidth=1.0)
    if inside_s is not None:
        inside = (seconds >= inside_s[0]) & (seconds <= inside_s[1])
        axes.plot(in_track[inside] * factor, radial[inside] * factor, color=style.SECONDARY, linewidth=2.0)
    axes.plot(0, 0, "o", markersize=4.5, color=style.PRIMARY, zorder=6)
    middle = len(seconds) // 2
    axes.plot(
        in_track[middle] * factor, radial[middle] * factor, "o", markersize=4, color=style.INK, zorder=6
    )
    for x, y, text, color in (
        (0.0, 0.0, "primary", style.PRIMARY),
        (in_track[middle] * factor, radial[middle] * factor, "TCA", style.INK),
    ):
        inwards = "left" if 2 * x < sum(axes.get_xlim()) else "right"
        axes.annotate(
            text, (x, y), xytext=(5 if inwards == "left" else -5, 5), textcoords="offset points", ha=inwards,
            fontsize=style.TEXT, fontweight="bold", color=color, path_effects=style.halo(), zorder=7,
        )  # fmt: skip
    axes.set_xlabel(f"in-track ({unit}), the primary flies to the right")
    axes.set_ylabel(f"radial, up ({unit})", labelpad=2)
