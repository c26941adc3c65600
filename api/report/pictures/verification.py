"""Draw how earlier predictions did: regions, probabilities, errors of laws, and what became of warnings."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from storage.pictures import style
from storage.pictures.style import Area
from storage.verification.record import RegionsHeld, Verification

SAID_PERCENT = (50.0, 80.0, 95.0, 99.0)
REGIONS_IN = (7.27, 4.6)  # as wide as a sheet of A4 has room for
FEWEST = 100.0  # encounters of the farthest day that is drawn
LEAST_RATIO, LEAST_PROBABILITY = 0.01, 1e-14  # what is smaller, or 0, is drawn there
FATES = {
    "red": ("critical or high", style.TIERS["critical"]),
    "medium": ("medium", "#d9a400"),
    "low": ("low", style.PRIMARY),
    "vanished": ("beyond the threshold", style.FAINT),
}
_COLORS = (style.PRIMARY, style.SECONDARY, style.HARD_BODY, style.COMBINED, style.TIERS["medium"], style.INK)
_MARKERS = "os^Dv<>PX*ph"
_AS_SAID: Any = {"color": style.MUTED, "linewidth": 1.0, "linestyle": (0, (4, 2)), "label": "as said"}


class Picture(NamedTuple):
    """A picture of a table: how to read it, and what to say if there is nothing to draw (None)."""

    draw: Callable[[Verification], Figure | None]
    reading: str
    missing: str


def days_drawn(regions: Sequence[RegionsHeld]) -> list[int]:
    """Return one day ahead, and the farthest day with encounters enough, as far as there are such."""
    counts: dict[int, float] = {}
    for one in regions:
        counts[one.days_ahead] = counts.get(one.days_ahead, 0.0) + one.encounters
    farthest = max((day for day, count in counts.items() if count >= FEWEST), default=1)
    return [day for day in sorted({1, max(farthest, 1)}) if day in counts]


def draw_regions(found: Verification) -> Figure | None:
    """Draw the share of errors inside regions over what was said of these, by kind of pair."""
    if not days_drawn(found.regions):
        return None
    figure = Figure(figsize=REGIONS_IN, facecolor=style.PAPER)
    draw_regions_in(Area(figure, 0.0, 0.0, *REGIONS_IN), found)
    return figure


def draw_regions_in(area: Area, found: Verification) -> None:
    """Draw the same into an area of REGIONS_IN; there are days to draw."""
    style.panel(
        area,
        "Did the regions hold as many errors as they were said to?",
        "share of encounters inside; bars: 90 % intervals of the counts (Wilson)",
    )
    days = days_drawn(found.regions)
    kinds = sorted({one.kind for one in found.regions})
    if len(days) == 1:
        beside = area._replace(left_in=area.left_in + area.width_in / 2.0, width_in=area.width_in / 2.0)
        none = f"No farther day has {FEWEST:g} encounters.", "None was predicted a day ahead."
        style.say_instead(beside, none[days[0] > 1])
    for place, day in enumerate(days):
        axes = area.axes(0.07 + 0.5 * place, 0.26, 0.41, 0.56)
        axes.plot((0.0, 100.0), (0.0, 100.0), **_AS_SAID)
        for one in found.regions:
            if one.days_ahead == day:
                shares = np.array([one.inside_50, one.inside_80, one.inside_95, one.inside_99])
                low, high = np.array(one.between).T
                beyond = 100.0 * np.stack([shares - low, high - shares])
                look = _look(kinds.index(one.kind)) | {"label": f"{one.kind}, {one.encounters:,.0f}"}
                axes.errorbar(SAID_PERCENT, 100.0 * shares, beyond, capsize=2, elinewidth=0.8, **look)
        axes.set(xlim=(45.0, 101.0), ylim=(0.0, 102.0))
        axes.xaxis.set_major_locator(FixedLocator(SAID_PERCENT))
        axes.set_title(_days(day), fontsize=style.TITLE, color=style.INK, loc="left", pad=4)
        _finish(axes, 2, "region said (%)", "errors inside (%)")


def draw_probabilities(found: Verification) -> Figure | None:
    """Draw the mean of the last run over the mean said, by order of magnitude and lead; both axes log."""
    rows = found.probabilities
    if not rows:
        return None
    area = _sheet(
        "Did probabilities stay, on average, as they were said?",
        "means by order of magnitude of what was said; 0 where the last run did not list the event",
    )
    axes = area.axes(0.07, 0.18, 0.9, 0.65)
    drawn = np.maximum([(one.said, one.came) for one in rows], LEAST_PROBABILITY)
    limits = 0.5 * drawn.min(), 2.0 * drawn.max()
    axes.plot(limits, limits, **_AS_SAID)
    lead = np.array([one.days_ahead for one in rows])
    for place, day in enumerate(np.unique(lead)):
        count = sum(one.encounters for one in rows if one.days_ahead == day)
        axes.plot(*drawn[lead == day].T, label=f"{_days(day)}, {count:,.0f}", **_look(place))
    axes.set(xscale="log", yscale="log", xlim=(0.5 * drawn[:, 0].min(), limits[1]), ylim=limits)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(style.power))
        axis.set_minor_formatter(NullFormatter())
    _finish(axes, 5, "mean probability said", "mean in the last run before TCA")
    return area.figure


def draw_errors(found: Verification) -> Figure | None:
    """Draw median errors in-track, over what the law says, by days ahead; one line per law."""
    if not found.errors:
        return None
    area = _sheet(
        "Were the errors of objects as large as their laws say?",
        "median error in-track over the law's, 1 is as said; in brackets all predictions under the law",
    )
    axes = area.axes(0.07, 0.18, 0.9, 0.65)
    axes.axhline(1.0, **_AS_SAID)
    for place, law in enumerate(sorted({one.error_law for one in found.errors})):
        rows = [one for one in found.errors if one.error_law == law]
        ratios = [max(one.in_track, LEAST_RATIO) for one in rows]
        count = sum(one.predictions for one in rows)
        axes.plot([one.days_ahead for one in rows], ratios, label=f"{law} ({count:,.0f})", **_look(place))
    axes.set(yscale="log", xticks=sorted({one.days_ahead for one in found.errors}))
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0.5), max(high, 2.0))
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    _finish(axes, 5, "days ahead of TCA (0: the last run before it)", "error in-track over the law's (ratio)")
    return area.figure


def draw_warnings(found: Verification) -> Figure | None:
    """Draw, for each lead, stacked shares of what became of critical or high warnings."""
    red = [one for one in found.warnings if one.level in ("critical", "high") and one.encounters]
    if not red:
        return None
    area = _sheet(
        "What became of critical or high warnings?",
        "share of them at each level in the last run before TCA; above the bars: how many there were",
    )
    axes = area.axes(0.07, 0.18, 0.9, 0.65)
    days = sorted({one.days_ahead for one in red})
    counts = np.array([sum(one.encounters for one in red if one.days_ahead == day) for day in days])
    below = np.zeros(len(days))
    for fate, (label, color) in FATES.items():
        of_it = [sum(getattr(one, fate) for one in red if one.days_ahead == day) for day in days]
        percent = 100.0 * np.array(of_it) / counts
        axes.bar(days, percent, 0.6, bottom=below, color=color, label=label)
        below += percent
    for day, count in zip(days, counts, strict=True):
        axes.text(day, 101.5, f"{count:,.0f}", fontsize=style.TEXT, color=style.INK, ha="center")
    axes.set(xticks=days, xlim=(0.4, max(days[-1], 4) + 0.6), ylim=(0.0, 100.0))
    _finish(axes, 5, "days ahead of TCA", "warnings (%)")
    return area.figure


def _sheet(title: str, subtitle: str) -> Area:
    width_in, height_in = 10.2, 4.5
    figure = Figure(figsize=(width_in, height_in), facecolor=style.PAPER)
    area = Area(figure, 0.15, 0.1, width_in - 0.3, height_in - 0.2)
    style.panel(area, title, subtitle)
    return area


def _look(place: int) -> dict[str, Any]:
    color, marker = _COLORS[place % len(_COLORS)], _MARKERS[place % len(_MARKERS)]
    return {"color": color, "marker": marker, "markersize": 4.5, "linewidth": 1.2}


def _finish(axes: Axes, columns: int, below: str, beside: str) -> None:
    axes.set(xlabel=below, ylabel=beside)
    look: Any = {"fontsize": style.SMALL, "labelcolor": style.MUTED, "frameon": False}
    axes.legend(ncols=columns, loc="upper left", bbox_to_anchor=(-0.02, -0.13), **look)


def _days(ahead: int) -> str:
    return "one day ahead" if ahead == 1 else f"{ahead} days ahead"


_RATHER_WIDER = "Encounters share objects and sets, some stand for several: true intervals are wider."
PICTURES = {
    "warnings": Picture(
        draw_warnings,
        "Each bar is all critical or high warnings of that many days ahead; its lowest part was still "
        "so in the last run before TCA. A tall grey part says that such warnings mostly dissolve.",
        "No warning was critical or high: there is no fate to draw.",
    ),
    "regions": Picture(
        draw_regions,
        "On the dashed line regions hold what they are said to hold. Below it errors are larger than "
        f"said, above it smaller; the numbers are encounters. {_RATHER_WIDER}",
        f"No encounter was predicted one day ahead, and no other day has {FEWEST:g}.",
    ),
    "errors": Picture(
        draw_errors,
        "On the dashed line errors are as the law says. Above it they are larger, so the law says too "
        f"little; below it smaller. Ratios below {LEAST_RATIO:g} are drawn there.",
        "No error of an object was compared with its law: there is no ratio to draw.",
    ),
    "probabilities": Picture(
        draw_probabilities,
        "On the dashed line the mean probability stays as it was said. Below it warnings faded, above it "
        f"they grew; the numbers are encounters. A mean below {LEAST_PROBABILITY:g} is drawn there.",
        "No probability was said a day or more ahead and followed up: there is none to draw.",
    ),
}
