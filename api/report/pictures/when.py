"""Draw when the events of a digest are, and how probable a collision is then."""

from typing import Any

from matplotlib.dates import AutoDateLocator
from matplotlib.ticker import LogLocator, NullFormatter

from api.report.digest import Digest
from storage.pictures import style
from storage.pictures.style import Area

_LOWEST = 1e-10  # what is smaller, or not defined, stands at the lower edge
_NUMBERED = 40  # of more events the points have no numbers


def draw_when(area: Area, digest: Digest) -> None:
    """Draw each event of the list at its TCA, in the colour of its level and with its number."""
    style.panel(
        area,
        "When",
        f"TCA and probability, by the numbers of the list; hollow: unknown, or below {_LOWEST:.0e}",
    )
    low_in, high_in = style.BOTTOM_IN, style.HEADING_IN
    axes = area.axes(0.085, low_in / area.height_in, 0.9, 1.0 - (low_in + high_in) / area.height_in)
    times: list[Any] = [entry.event.tca for entry in digest.entries]
    chances = [entry.event.decisive_probability or 0.0 for entry in digest.entries]
    shown = [max(chance, _LOWEST) for chance in chances]
    colors = [style.TIERS[entry.event.levels[0]] for entry in digest.entries]
    hollow = [
        color if chance >= _LOWEST else style.PAPER for color, chance in zip(colors, chances, strict=True)
    ]
    axes.set(yscale="log", ylim=(min(shown) / 4, max(*shown, 1e-4) * 12))
    edges: list[Any] = [digest.run.window_start, digest.run.window_end, *times]
    axes.set_xlim(min(edges), max(edges))
    axes.scatter(times, shown, s=20, c=hollow, edgecolors=colors, linewidths=1.0, zorder=4, clip_on=False)
    if len(times) <= _NUMBERED:
        for number, point in enumerate(zip(times, shown, strict=True), start=1):
            axes.annotate(
                str(number), point, xytext=(0, 5), textcoords="offset points", ha="center",
                fontsize=style.TEXT, color=style.INK, path_effects=style.halo(), zorder=5,
            )  # fmt: skip
    style.draw_limits(axes)
    axes.yaxis.set_major_locator(LogLocator(numticks=6))
    axes.yaxis.set_major_formatter(style.power)
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("probability", labelpad=2)
    locator = AutoDateLocator(minticks=3, maxticks=8)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(style.iso_dates(locator))
    axes.xaxis.get_offset_text().set(fontsize=style.SMALL, color=style.MUTED)
    axes.set_xlabel("TCA (UTC)", labelpad=1, loc="left")  # the date is on the right
