"""Draw miss distance and probability from run to run, which shows whether the event gets worse.

A bar goes from the least to the largest probability with all errors half to twice as large. Received messages
are diamonds between the runs: filled what their data give, hollow what they claim.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator
from matplotlib.ticker import NullFormatter

from api.models.trend import TrendPoint
from api.report.contents import Report
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.words.numbers import distance, probability
from storage.vocabulary import MESSAGE

Points = list[tuple[Any, float]]  # when, and a number


def draw_history(area: Area, report: Report) -> None:
    """Draw what each run found of an event, the oldest first."""
    points = report.trend.points
    runs = [one for one in points if one.kind != MESSAGE]
    messages = [one for one in points if one.kind == MESSAGE]
    count = len(report.history)
    said = {
        0: "found by an analysis; no run has found it yet",
        1: "one run so far; later ones add to this",
    }
    if report.event.told:
        said[0] = "no run has found it"
    told = f"; diamonds: {len(messages)} messages, hollow as claimed" if messages else ""
    heading = said.get(count, f"{count} runs; points coloured by level")
    style.panel(area, "From run to run", heading + told)
    if not points:
        style.say_instead(area, "There is no history.")
        return
    miss = style.axes_in(area, bottom=0.53)
    chance = style.axes_in(area, bottom=0.13, top=0.45)
    _draw_misses(miss, runs, messages)
    _draw_chances(chance, runs, messages)
    for axes in (miss, chance):
        _date_axis(axes, [one.made for one in points])
    chance.set_xlabel("when it was computed (UTC)", labelpad=1, loc="left")  # the date is on the right


def _draw_misses(axes: Axes, runs: Sequence[TrendPoint], messages: Sequence[TrendPoint]) -> None:
    of_runs, of_messages = (_points(points, "miss_distance_m") for points in (runs, messages))
    largest = max((value for _, value in of_runs + of_messages), default=1.0)
    factor, unit = style.length_unit(largest)
    shown, diamonds = (
        [(when, value * factor) for when, value in points] for points in (of_runs, of_messages)
    )
    _series(axes, shown, _colors(runs, "miss_distance_m"))
    _diamonds(axes, diamonds, filled=True)
    axes.set_ylim(0, 1.25 * largest * factor)
    axes.set_ylabel(f"miss ({unit})", labelpad=2)
    axes.tick_params(labelbottom=False)
    if shown:
        _label_last(axes, *shown[-1], distance(of_runs[-1][1]))


def _draw_chances(axes: Axes, runs: Sequence[TrendPoint], messages: Sequence[TrendPoint]) -> None:
    found, computed = _points(runs, "probability"), _points(messages, "probability")
    claimed = _points(messages, "claimed_probability")
    axes.set_ylabel("probability", labelpad=2)
    if not (found or computed or claimed):
        axes.set_yticks([])
        axes.text(
            0.5, 0.5, "no probability: see the flags", transform=axes.transAxes, fontsize=style.TEXT,
            color=style.MUTED, ha="center", va="center",
        )  # fmt: skip
        return
    values = [value for _, value in found + computed + claimed]
    low, high = min(values) / 5, max(values) * 8
    bands = [(one.made, one.probability_low, one.probability_high) for one in runs if one.probability]
    tops = [top for _, _, top in bands if top]
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(style.power)
    axes.yaxis.set_minor_formatter(NullFormatter())
    # The lower ends may be many decades below: the axis follows the points.
    axes.set_ylim(low, max(high, *(2 * top for top in tops)) if tops else high)
    for when, least, most in bands:
        if least is not None and most is not None:
            style.draw_band(axes, when, least, most)
    _series(axes, found, _colors(runs, "probability"))
    _diamonds(axes, computed, filled=True)
    _diamonds(axes, claimed, filled=False)
    style.draw_limits(axes)
    if found:
        _label_last(axes, *found[-1], probability(found[-1][1]))


def _points(points: Sequence[TrendPoint], name: str) -> Points:
    """Return a number of each that has it, above 0."""
    return [(one.made, value) for one in points if (value := getattr(one, name))]


def _colors(points: Sequence[TrendPoint], name: str) -> list[str]:
    return [style.TIERS[one.probability_level] for one in points if getattr(one, name)]


def _series(axes: Axes, points: Points, colors: list[str]) -> None:
    times, values = [when for when, _ in points], [value for _, value in points]
    axes.plot(times, values, color=style.FAINT, linewidth=1.0, zorder=2)
    axes.scatter(times, values, c=colors, s=16, zorder=4)


def _diamonds(axes: Axes, points: Points, *, filled: bool) -> None:
    if points:
        times, values = zip(*points, strict=True)
        color = style.COMBINED if filled else "none"
        axes.scatter(
            times, values, marker="D", s=14, facecolors=color, edgecolors=style.COMBINED, linewidths=0.9,
            zorder=5,
        )  # fmt: skip


def _label_last(axes: Axes, time: Any, value: float, text: str) -> None:
    axes.annotate(
        text, (time, value), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=style.TEXT,
        fontweight="bold", color=style.INK, path_effects=style.halo(), zorder=6,
    )  # fmt: skip


def _date_axis(axes: Axes, times: Sequence[datetime]) -> None:
    margin = max((times[-1] - times[0]) * 0.12, timedelta(hours=3))
    axes.set_xlim(times[0] - margin, times[-1] + margin)  # type: ignore[arg-type]
    locator = AutoDateLocator(minticks=2, maxticks=6)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(style.iso_dates(locator))
    axes.xaxis.get_offset_text().set(fontsize=style.SMALL, color=style.MUTED)
