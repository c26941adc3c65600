"""Draw miss distance and probability from run to run, which shows whether the event gets worse.

Received messages are diamonds between the runs: filled what their data give, hollow what they claim.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator
from matplotlib.ticker import NullFormatter

from api.answers.event_messages import when_made
from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.danger import decisive_probability_of
from storage.rows.words.numbers import distance, probability


class _Messages:
    """The messages about an event as points: when each was made, and a number of it."""

    def __init__(self, report: Report) -> None:
        self._told = report.received.told
        self.times = [when_made(one) for one in self._told]

    def misses(self) -> list[tuple[datetime, float]]:
        """Return the miss distances, m."""
        return self._points(lambda one: one["miss_distance_m"])

    def computed(self) -> list[tuple[datetime, float]]:
        """Return the probabilities that count for them, above 0."""
        return self._points(decisive_probability_of)

    def claimed(self) -> list[tuple[datetime, float]]:
        """Return the probabilities that they claim, above 0."""
        return self._points(lambda one: one["claimed_probability"])

    def _points(self, number: Callable[[dict[str, Any]], float | None]) -> list[tuple[datetime, float]]:
        values = [number(one) for one in self._told]
        return [(when, value) for when, value in zip(self.times, values, strict=True) if value]


def draw_history(area: Area, report: Report) -> None:
    """Draw what each run found of an event, the oldest first."""
    history = report.over_time
    count = len(report.history)
    said = {
        0: "found by an analysis; no run has found it yet",
        1: "one run so far; later ones add to this",
    }
    if report.event.told:
        said[0] = "no run has found it"
    messages = _Messages(report)
    told = f"; diamonds: {len(messages.times)} messages, hollow as claimed" if messages.times else ""
    heading = said.get(count, f"{count} runs; points coloured by level")
    style.panel(area, "From run to run", heading + told)
    history = [found for found in history if not found.told]
    if not report.history and not messages.times:
        style.say_instead(area, "There is no history.")
        return
    miss = style.axes_in(area, bottom=0.53)
    chance = style.axes_in(area, bottom=0.13, top=0.45)
    times = [found.computed_at for found in history]
    levels = [style.TIERS[found.levels[0]] for found in history]
    distances = [found.miss_distance_m for found in history]
    largest = max([*distances, *(value for _, value in messages.misses())], default=1.0)
    factor, unit = style.length_unit(largest)
    _series(miss, times, [value * factor for value in distances], levels)
    _diamonds(miss, [(when, value * factor) for when, value in messages.misses()], filled=True)
    miss.set_ylim(0, 1.25 * largest * factor)
    miss.set_ylabel(f"miss ({unit})", labelpad=2)
    miss.tick_params(labelbottom=False)
    if times:
        _label_last(miss, times[-1], distances[-1] * factor, distance(distances[-1]))
    _draw_chances(chance, history, messages, levels)
    shown = sorted([*times, *messages.times])
    _date_axis(miss, shown)
    _date_axis(chance, shown)
    chance.set_xlabel("when it was computed (UTC)", labelpad=1, loc="left")  # the date is on the right


def _series(axes: Axes, times: list[Any], values: list[float], colors: list[str]) -> None:
    axes.plot(times, values, color=style.FAINT, linewidth=1.0, zorder=2)
    axes.scatter(times, values, c=colors, s=16, zorder=4)


def _diamonds(axes: Axes, points: list[tuple[Any, float]], *, filled: bool) -> None:
    if points:
        times, values = zip(*points, strict=True)
        color = style.COMBINED if filled else "none"
        axes.scatter(
            times, values, marker="D", s=14, facecolors=color, edgecolors=style.COMBINED, linewidths=0.9,
            zorder=5,
        )  # fmt: skip


def _draw_chances(axes: Axes, history: list[StoredEvent], messages: _Messages, colors: list[str]) -> None:
    times = [found.computed_at for found in history]
    values = [found.decisive_probability for found in history]
    known = [i for i, value in enumerate(values) if value]
    computed, claimed = messages.computed(), messages.claimed()
    axes.set_ylabel("probability", labelpad=2)
    if not known and not computed and not claimed:
        axes.set_yticks([])
        axes.text(
            0.5, 0.5, "no probability: see the flags", transform=axes.transAxes, fontsize=style.TEXT,
            color=style.MUTED, ha="center", va="center",
        )  # fmt: skip
        return
    found = [values[i] or 0.0 for i in known]
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(style.power)
    axes.yaxis.set_minor_formatter(NullFormatter())
    _series(axes, [times[i] for i in known], found, [colors[i] for i in known])
    _diamonds(axes, computed, filled=True)
    _diamonds(axes, claimed, filled=False)
    everything = [*found, *(value for _, value in computed + claimed)]
    axes.set_ylim(min(everything) / 5, max(everything) * 8)
    if found:
        _label_last(axes, times[known[-1]], found[-1], probability(found[-1]))


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
    axes.xaxis.set_major_formatter(style.iso_dates(locator))
    axes.xaxis.get_offset_text().set(fontsize=style.SMALL, color=style.MUTED)
