"""The encounter plane as a small SVG: what `storage/pictures/plane.py` draws with matplotlib.

That takes 0.1 CPU-s and 53 kB a picture, this 0.2 ms and 3 kB, and it follows the colours of the page.
"""

from collections.abc import Iterator, Sequence
from html import escape
from math import hypot

from screening.risk.views.shapes import PlaneView, Spread
from storage.rows.words.numbers import distance, number

_SIZE = 360.0  # of the square, units of the SVG
_MARGIN = 1.15
_SIGMAS = (3, 2, 1)


def plane_svg(plane: PlaneView, radius_m: float | None, names: Sequence[str]) -> str:
    """Return the picture as seen along the relative velocity: errors around the miss, hard body, miss.

    `radius_m`: the combined hard-body radius, None if unknown; `names`: of primary and secondary.
    """
    centre, half_m = _view(plane, radius_m or 0.0)
    scale = _SIZE / 2.0 / half_m

    def at(x_m: float, y_m: float) -> tuple[float, float]:
        return _SIZE / 2.0 + (x_m - centre[0]) * scale, _SIZE / 2.0 - (y_m - centre[1]) * scale

    miss_m = hypot(plane.miss_x_m, plane.miss_y_m)
    label = f"Encounter plane: {escape(names[1])} passes {distance(miss_m)} from {escape(names[0])}"
    miss, origin = at(plane.miss_x_m, plane.miss_y_m), at(0.0, 0.0)
    drawn = [*_errors(plane, origin, miss, scale)]
    if radius_m:
        drawn.append(_circle("hard-body", origin, max(radius_m * scale, 1.0)))
    drawn.append(
        f'<path class="miss" d="M{origin[0]:.1f} {origin[1]:.1f}L{miss[0]:.1f} {miss[1]:.1f}"/>'
        f"{_circle('first', origin, 3.5)}{_circle('second', miss, 3.5)}"
    )
    apart = hypot(miss[0] - origin[0], miss[1] - origin[1])
    up, down = ("first", "second") if origin[1] <= miss[1] else ("second", "first")
    for side, shift in ((up, -9.0), (down, 19.0)):
        x, y = origin if side == "first" else miss
        name = names[0] if side == "first" else names[1]
        x = min(max(x, 70.0), _SIZE - 70.0) if apart > 0 else x
        drawn.append(f'<text class="{side}" x="{x:.1f}" y="{y + shift:.1f}">{escape(name)}</text>')
    return (
        f'<svg class="plane" viewBox="0 0 {_SIZE:.0f} {_SIZE:.0f}" role="img" aria-label="{label}">'
        f"{''.join(drawn)}{_bar(half_m, scale)}</svg>"
    )


def caption(plane: PlaneView, radius_m: float | None) -> str:
    """Return how to read the picture."""
    said = ["Seen along the relative velocity; up is away from the Earth."]
    if plane.combined:
        said.append("Shaded: where the second object may be, given the errors of both: 1, 2 and 3 sigma.")
    if plane.miss_sigmas is not None:
        said.append(f"The miss is {number(plane.miss_sigmas, 2)} sigma.")
    if radius_m:
        said.append(f"Circle around the first: both bodies together, {number(radius_m)} m.")
    return " ".join(said)


def _view(plane: PlaneView, radius_m: float) -> tuple[tuple[float, float], float]:
    """Return the centre and half the side, m, of a square that holds origin, miss and 3 sigma."""
    x, y = plane.miss_x_m, plane.miss_y_m
    reach = max(hypot(x, y), 2.0 * radius_m)
    xs, ys = [-0.2 * reach, 0.2 * reach], [-0.2 * reach, 0.2 * reach]
    spread = plane.combined
    wide, high = (3.0 * spread.xx_m2**0.5, 3.0 * spread.yy_m2**0.5) if spread else (0.3 * reach, 0.3 * reach)
    xs, ys = [*xs, x - wide, x + wide], [*ys, y - high, y + high]
    half = 0.5 * _MARGIN * max(max(xs) - min(xs), max(ys) - min(ys), 1e-3)
    return (0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys))), half


def _errors(
    plane: PlaneView, origin: tuple[float, float], miss: tuple[float, float], scale: float
) -> Iterator[str]:
    if plane.combined is None:
        return
    for sigmas in _SIGMAS:
        yield _ellipse("both", plane.combined, miss, scale * sigmas)
    for side, spread, centre in (("first", plane.primary, origin), ("second", plane.secondary, miss)):
        if spread is not None:
            yield _ellipse(f"own {side}", spread, centre, scale)


def _ellipse(kind: str, spread: Spread, centre: tuple[float, float], scale: float) -> str:
    minor = spread.sigma_minor_m or 0.0
    minor = 0.0 if minor != minor else minor
    x, y = centre
    return (
        f'<ellipse class="{kind}" rx="{max(spread.sigma_major_m * scale, 0.6):.1f}" '
        f'ry="{max(minor * scale, 0.6):.1f}" '
        f'transform="translate({x:.1f} {y:.1f}) rotate({-spread.major_axis_deg:.2f})"/>'
    )


def _circle(kind: str, centre: tuple[float, float], radius: float) -> str:
    return f'<circle class="{kind}" cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:.1f}"/>'


def _bar(half_m: float, scale: float) -> str:
    """Return a bar of a round length in the lower left corner."""
    wanted = 0.5 * half_m
    power = 10.0 ** len(str(int(wanted))) / 10.0 if wanted >= 1.0 else 0.1
    length_m = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted or step == 1.0)
    text = f"{length_m / 1000.0:g} km" if length_m >= 1000.0 else f"{length_m:g} m"
    end = 12.0 + length_m * scale
    return (
        f'<path class="bar" d="M12 {_SIZE - 12:.0f}H{end:.1f}"/>'
        f'<text class="bar" x="12" y="{_SIZE - 18:.0f}">{text}</text>'
    )
