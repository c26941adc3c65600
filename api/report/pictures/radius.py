"""Draw probability against the combined hard-body radius, with the limits of the levels."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from api.report.contents import Report
from screening.risk.views.shapes import ALIKE, RadiusCurve
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.words.numbers import metres, probability

SMALLEST = 1e-40  # probability shown


def draw_radius(area: Area, report: Report) -> None:
    """Draw how the probability depends on the radius, or why that is not known."""
    curve, title = report.geometry.radius, "Probability if the objects were smaller or larger"
    if curve is None:
        style.panel(area, title)
        style.say_instead(area, report.geometry.missing["probability_against_radius"])
        return
    own = curve.hard_body_radius_m
    style.panel(area, title, "exact 2-D; the radius is the least certain input")
    axes = style.axes_in(area)
    shown = np.maximum(curve.probability, SMALLEST)
    lowest, highest = max(shown[0] / 3, shown[-1] * 1e-9), min(shown[-1] * 30, 10.0)
    axes.set(xscale="log", yscale="log", xlim=curve.radius_m[[0, -1]], ylim=(lowest, highest))
    axes.plot(curve.radius_m, shown, color=style.COMBINED, linewidth=1.5)
    axes.axvline(own, color=style.FAINT, linewidth=0.7)
    left = own**2 > curve.radius_m[0] * curve.radius_m[-1]  # where the curve leaves room
    style.mark(
        axes,
        (own, max(curve.probability_2d, lowest)),
        f"{metres(own)} m: {probability(curve.probability_2d)}",
        style.INK,
        (-5, 6) if left else (5, -12),
    )
    _mark_others(axes, curve, lowest)
    style.draw_limits(axes)
    axes.set_xlabel("combined hard-body radius (m)")
    axes.set_ylabel("collision probability", labelpad=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_locator(LogLocator(numticks=9))
    axes.yaxis.set_major_formatter(style.power)
    axes.yaxis.set_minor_formatter(NullFormatter())


def _mark_others(axes: Axes, curve: RadiusCurve, lowest: float) -> None:
    """Mark the spheres with both mean shadows and around both, where they are not the event's own radius."""
    marked = (
        ("^", "mean shadows", curve.mean_shadow_radius_m, curve.probability_mean_shadow),
        ("D", "spheres around both", curve.bounding_radius_m, curve.probability_bounding),
    )
    for sign, called, radius_m, chance in marked:
        if radius_m is None or chance is None or 1 / ALIKE < radius_m / curve.hard_body_radius_m < ALIKE:
            continue
        label = f"{called}, {metres(radius_m)} m: {probability(chance)}"
        at = [radius_m], [max(chance, lowest)]
        axes.plot(*at, sign, markersize=4.5, color=style.PAPER, mec=style.INK, label=label, zorder=6)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(loc="lower right", fontsize=style.SMALL, frameon=False, handletextpad=0.2, borderpad=0.1)
