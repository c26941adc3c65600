"""Draw miss distance and probability from run to run, which shows whether the event gets worse."""

from datetime import timedelta
from typing import Any

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.ticker import NullFormatter

from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from api.report.pictures import style
from api.report.pictures.style import Area
from api.report.words import distance, probability


def draw_history(area: Area, report: Report) -> None:
    """Draw what each run found of an event, the oldest first."""
    history = report.over_time
    count = len(report.history)
    said = {
        0: "found by an analysis; no run has found it yet",
        1: "one run so far; later ones add to this",
    }
    style.panel(area, "From run to run", said.get(count, f"{count} runs; points coloured by risk level"))
    if not report.history:
        style.say_instead(area, "There is no history.")
        return
    miss = style.axes_in(area, bottom=0.53)
    chance = style.axes_in(area, bottom=0.13, top=0.45)
    times = [found.computed_at for found in history]
    levels = [style.TIERS[found.risk_level] for found in history]
    distances = [found.miss_distance_m for found in history]
    factor, unit = style.length_unit(max(distances))
    _series(miss, times, [value * factor for value in distances], levels)
    miss.set_ylim(0, 1.25 * max(distances) * factor)
    miss.set_ylabel(f"miss ({unit})", labelpad=2)
    miss.tick_params(labelbottom=False)
    _label_last(miss, times[-1], distances[-1] * factor, distance(distances[-1]))
    _draw_chances(chance, history, times, levels)
    _date_axis(miss, times)
    _date_axis(chance, times)
    chance.set_xlabel("when it was computed (UTC)", labelpad=1)


def _series(axes: Axes, times: list[Any], values: list[float], colors: list[str]) -> None:
    axes.plot(times, values, color=style.FAINT, linewidth=1.0, zorder=2)
    axes.scatter(times, values, c=colors, s=16, zorder=4)


def _draw_chances(axes: Axes, history: list[StoredEvent], times: list[Any], colors: list[str]) -> None:
    values = [_chance(found) for found in history]
    known = [i for i, value in enumerate(values) if value]
    axes.set_ylabel("probability", labelpad=2)
    if not known:
        axes.set_yticks([])
        axes.text(
            0.5, 0.5, "no probability: see the flags", transform=axes.transAxes, fontsize=style.TEXT,
            color=style.MUTED, ha="center", va="center",
        )  # fmt: skip
        return
    found = [values[i] or 0.0 for i in known]
    axes.set_yscale("log")
    axes.yaxis.set_minor_formatter(NullFormatter())
    _series(axes, [times[i] for i in known], found, [colors[i] for i in known])
    axes.set_ylim(min(found) / 5, max(found) * 8)
    _label_last(axes, times[known[-1]], found[-1], probability(found[-1]))


def _chance(found: StoredEvent) -> float | None:
    """Return the probability that decides the level: the larger analytic one, else Monte Carlo's."""
    analytic = [value for value in (found.probability, found.probability_2d) if value is not None]
    return max(analytic) if analytic else found.probability_mc


def _label_last(axes: Axes, time: Any, value: float, text: str) -> None:
    axes.annotate(
        text, (time, value), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=style.TEXT,
        fontweight="bold", color=style.INK, path_effects=style.halo(), zorder=6,
    )  # fmt: skip


def _date_axis(axes: Axes, times: list[Any]) -> None:
    margin = max((times[-1] - times[0]) * 0.12, timedelta(hours=3))
    axes.set_xlim(times[0] - margin, times[-1] + margin)
    locator = AutoDateLocator(minticks=2, maxticks=6)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    axes.xaxis.get_offset_text().set(fontsize=style.SMALL, color=style.MUTED)
