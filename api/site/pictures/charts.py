"""Pictures of counts: when, where, how near and how likely; and how crowded it is by altitude."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from html import escape
from math import ceil, log10

import numpy as np
import numpy.typing as npt

from api.answers.stored_events import StoredEvent
from api.report.summary import title
from api.site.frame import path_of
from screening.risk.tiers import PROBABILITY_LIMITS
from screening.risk.views.overview import AltitudeInclination, MissProbability
from screening.vocabulary import RISK_LEVELS
from storage.rows.run_record import Run
from storage.rows.words.numbers import minute

WIDTH, HEIGHT = 400.0, 250.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 10.0, 8.0, 34.0
_SHADES = 6
_DOTS = 200
_LOWEST = 1e-9
_LEO_KM = 2000.0

Counts = npt.NDArray[np.int64]


def when_svg(events: Sequence[StoredEvent], run: Run) -> str:
    """Return the likeliest events at their TCA and probability; each leads to its page."""
    span = (run.window_end - run.window_start) / timedelta(hours=1)
    shown = [one for one in events[:_DOTS] if (one.decisive_probability or 0.0) >= _LOWEST]
    powers = [log10(one.decisive_probability or _LOWEST) for one in shown]
    low, top = min([-6.4, *(one - 0.3 for one in powers)]), max([-3.5, *(one + 0.3 for one in powers)])
    x, y = _axis(0.0, span, _LEFT, WIDTH - _RIGHT), _axis(low, top, HEIGHT - _BOTTOM, _TOP)
    drawn = [_limit(limit, level, y) for limit, level in zip(PROBABILITY_LIMITS, RISK_LEVELS, strict=False)]
    for event in shown[::-1]:
        hours = (event.tca - run.window_start) / timedelta(hours=1)
        chance = event.decisive_probability or _LOWEST
        name = escape(f"{title(event)}, {minute(event.tca)} UTC, {event.graded.chance_words}")
        drawn.append(
            f'<a href="{path_of(event.id)}" aria-label="{name}"><circle class="dot {event.levels[0]}" '
            f'cx="{x(hours):.1f}" cy="{y(log10(chance)):.1f}" r="4"><title>{name}</title></circle></a>'
        )
    step = next(one for one in (1, 3, 6, 12, 24, 48, 168) if span / one <= 7 or one == 168)
    midnight = run.window_start.replace(hour=0, minute=0, second=0, microsecond=0)
    before = (run.window_start - midnight) / timedelta(hours=1)
    marks = (hour for hour in range(0, int(before + span) + 1, step) if hour >= before)
    ticks = [(x(hour - before), _clock(midnight + timedelta(hours=hour))) for hour in marks]
    sides = [(y(power), f"1e{power}") for power in range(ceil(low), int(top) + 1)]
    label = f"When: the {len(shown)} likeliest events by TCA and probability"
    return _svg(label, [*_grid(ticks, sides), *drawn], "TCA (UTC)", "group")


def where_svg(found: AltitudeInclination) -> str:
    """Return the density of events by altitude (below 2,000 km) and inclination."""
    edges_km = np.asarray(found.altitude_edges_km)
    rows = int(np.searchsorted(edges_km, _LEO_KM))
    counts = np.asarray(found.counts)[:rows].T
    xs, ys = np.asarray(found.inclination_edges_deg), edges_km[: rows + 1]
    x, y = _axis(0.0, 180.0, _LEFT, WIDTH - _RIGHT), _axis(0.0, _LEO_KM, HEIGHT - _BOTTOM, _TOP)
    ticks = [(x(degrees), f"{degrees}°") for degrees in range(0, 181, 30)]
    sides = [(y(km), f"{km:,}") for km in range(0, 2001, 500)]
    cells = _cells(counts, [x(one) for one in xs], [y(one) for one in ys])
    label = "Where: events by altitude in km, up to 2,000, and inclination of the primary"
    return _svg(label, [*_grid(ticks, sides), *cells], "inclination; upwards: altitude (km)")


def how_near_svg(found: MissProbability) -> str:
    """Return the density of events by miss and probability, with the limits of the levels."""
    xs, ys = np.asarray(found.log10_miss_edges), np.asarray(found.log10_probability_edges)
    x, y = _axis(0.0, 4.0, _LEFT, WIDTH - _RIGHT), _axis(-14.0, -2.0, HEIGHT - _BOTTOM, _TOP)
    left, right, first = (int(np.searchsorted(*one)) for one in ((xs, 0.0), (xs, 4.0), (ys, -14.0)))
    last = int(np.searchsorted(ys, -2.0))
    counts = np.asarray(found.counts)[left:right, first:last]
    cells = _cells(counts, [x(one) for one in xs[left : right + 1]], [y(one) for one in ys[first : last + 1]])
    ticks = [(x(power), text) for power, text in enumerate(("1 m", "10 m", "100 m", "1 km", "10 km"))]
    sides = [(y(power), f"1e{power}") for power in range(-14, -1, 3)]
    limits = [_limit(limit, level, y) for limit, level in zip(PROBABILITY_LIMITS, RISK_LEVELS, strict=False)]
    label = "How near and how likely: events by miss distance and probability"
    return _svg(label, [*_grid(ticks, sides), *cells, *limits], "miss distance; upwards: probability")


def by_altitude_svg(shells: Sequence[tuple[float, float, float, float]]) -> str:
    """Return bars of the approaches a day by shell up to 2,000 km, the darker part outside constellations.

    `shells`: lower and upper altitude in km, approaches a day of all, and of those outside.
    """
    low = [shell for shell in shells if shell[1] <= _LEO_KM]
    most = max((shell[2] for shell in low), default=0.0) or 1.0
    steps = (base * 10.0**power for power in range(-2, 9) for base in (1, 2, 5))
    step = next(one for one in steps if most <= 5 * one)
    x, y = _axis(0.0, _LEO_KM, _LEFT, WIDTH - _RIGHT), _axis(0.0, 1.05 * most, HEIGHT - _BOTTOM, _TOP)
    ticks = [(x(km), f"{km:,}") for km in range(0, 1751, 250)]
    sides = [(y(step * i), f"{step * i:,g}") for i in range(6) if step * i <= 1.05 * most]

    def bars(counts: Iterable[float], opacity: float) -> str:
        path = "".join(
            f"M{x(shell[0]):.1f} {y(0.0):.1f}V{y(count):.1f}H{x(shell[1]):.1f}V{y(0.0):.1f}Z"
            for shell, count in zip(low, counts, strict=True)
            if count > 0.0
        )
        return f'<path class="cell" style="fill-opacity:{opacity}" d="{path}"/>'

    drawn = [bars((shell[2] for shell in low), 0.4), bars((shell[3] for shell in low), 1.0)]
    label = "Fast approaches closer than 5 km a day, by altitude; darker: outside constellations"
    return _svg(label, [*_grid(ticks, sides), *drawn], "altitude (km); upwards: approaches a day")


def _axis(low: float, high: float, first: float, last: float) -> Callable[[float], float]:
    return lambda value: float(first + (value - low) / (high - low) * (last - first))


def _clock(at: datetime) -> str:
    return f"{at:%H:%M}" if at.hour or at.minute else f"{at:%d %b}"


def _limit(limit: float, level: str, y: Callable[[float], float]) -> str:
    at = y(log10(limit))
    return (
        f'<path class="limit {level}" d="M{_LEFT:.0f} {at:.1f}H{WIDTH - _RIGHT:.0f}"/>'
        f'<text class="limit {level}" x="{_LEFT + 4:.0f}" y="{at - 3:.1f}">{level}</text>'
    )


def _grid(ticks: Iterable[tuple[float, str]], sides: Iterable[tuple[float, str]]) -> Iterator[str]:
    for at, text in ticks:
        yield f'<path class="grid" d="M{at:.1f} {_TOP:.0f}V{HEIGHT - _BOTTOM:.0f}"/>'
        yield f'<text class="tick" x="{at:.1f}" y="{HEIGHT - _BOTTOM + 14:.0f}">{text}</text>'
    for at, text in sides:
        yield f'<path class="grid" d="M{_LEFT:.0f} {at:.1f}H{WIDTH - _RIGHT:.0f}"/>'
        yield f'<text class="side" x="{_LEFT - 5:.0f}" y="{at + 3.5:.1f}">{text}</text>'


def _cells(counts: Counts, xs: Sequence[float], ys: Sequence[float]) -> Iterator[str]:
    """Yield one path a shade: cells (n, m) that hold as many events, by the logarithm of the count."""
    most = log10(max(int(counts.max(initial=0)), 2))
    with np.errstate(divide="ignore"):
        shades = np.ceil(np.log10(counts + 0.5) / most * _SHADES).clip(1, _SHADES)
    for shade in range(1, _SHADES + 1):
        path = "".join(
            f"M{xs[i]:.1f} {ys[j + 1]:.1f}H{xs[i + 1]:.1f}V{ys[j]:.1f}H{xs[i]:.1f}Z"
            for i, j in zip(*np.nonzero((shades == shade) & (counts > 0)), strict=True)
        )
        if path:
            yield f'<path class="cell" style="fill-opacity:{shade / _SHADES:.2f}" d="{path}"/>'


def _svg(label: str, drawn: Iterable[str], below: str, role: str = "img") -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="{role}" aria-label="{label}">'
        f'{"".join(drawn)}<text class="below" x="{_LEFT:.0f}" y="{HEIGHT - 4:.0f}">{below}</text></svg>'
    )
