"""Draw the encounter plane: sigma ellipses, hard-body circle, miss vector."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Ellipse, FancyArrowPatch

from screening.risk.views.shapes import PlaneView, Spread
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.words.numbers import distance, number

_SIGMAS = (3, 2, 1)
_MARGIN = 1.12
_BELOW_IN, _LEGEND_IN = 0.86, 0.4  # room below the axes, and from there to the legend
_MAGNIFIER = (0.655, 0.02, 0.335, 0.335)  # as a fraction of the axes
_LEAST_MAGNIFIED = 4.0  # below that the miss is visible without it
_MAGNIFIED_IN = 2.8  # in a lower picture there is no room for it
_HAIRLINE = 6.0  # times longer than high: at one scale a line, so that each direction gets its own
_SHADES = {3: 0.10, 2: 0.16, 1: 0.26}


class _View(NamedTuple):
    """The part of the plane that is shown, m."""

    x_m: tuple[float, float]
    y_m: tuple[float, float]
    factor: float  # factor from m to the unit of the axes
    unit: str
    upwards: float  # how many times larger the scale upwards is than the one to the right: 1, or a hairline's


def draw_encounter_plane(
    area: Area, plane: PlaneView | None, radius_m: float | None, names: Sequence[str], missing: str = ""
) -> None:
    """Draw the encounter plane of an event, or why it is `missing`.

    `radius_m` is the combined hard-body radius, None if unknown; `names` are those of primary and secondary.
    """
    if plane is None:
        style.panel(area, "Encounter plane")
        style.say_instead(area, missing)
        return
    style.panel(area, "Encounter plane", _subtitle(plane, names[1]))
    axes = style.axes_in(area, bottom=_BELOW_IN / area.height_in)
    view = _view(axes, plane, radius_m or 0.0)
    axes.set(xlim=np.multiply(view.x_m, view.factor), ylim=np.multiply(view.y_m, view.factor))
    axes.set_aspect(view.upwards)
    axes.set_xlabel(f"perpendicular ({view.unit}){_stretched(view)}")
    axes.set_ylabel(f"radial, up ({view.unit})", labelpad=2)
    _ellipses(axes, plane, view.factor)
    _hard_body(axes, radius_m, view.factor)
    _pair(axes, plane, view, names)
    miss_m = float(np.hypot(plane.miss_x_m, plane.miss_y_m))
    half_m = max(0.72 * miss_m, 0.5 * miss_m + 1.2 * (radius_m or 0.0))
    times = _MAGNIFIER[3] * (view.y_m[1] - view.y_m[0]) / (2 * half_m)
    if times > _LEAST_MAGNIFIED and area.height_in > _MAGNIFIED_IN:
        enlarged = f"{number(times, 0)} times enlarged" if view.upwards == 1.0 else "near the miss, one scale"
        _magnifier(axes, plane, radius_m, half_m, enlarged)
    _legend(axes, plane, radius_m, names, _LEGEND_IN / (area.height_in - style.HEADING_IN - _BELOW_IN))


def _subtitle(plane: PlaneView, secondary: str) -> str:
    seen = f"{secondary} comes out of the picture"
    if plane.miss_sigmas is None:
        return f"not rated, so no ellipses; {seen}"
    return f"the miss is {number(plane.miss_sigmas, 2)} σ; {seen}"


def _stretched(view: _View) -> str:
    if view.upwards == 1.0:
        return ""
    times = number(max(view.upwards, 1.0 / view.upwards), 0)
    return f"; upwards {times} times {'stretched' if view.upwards > 1.0 else 'squeezed'}"


def _view(axes: Axes, plane: PlaneView, radius_m: float) -> _View:
    """Fit the origin, the miss and the 3-sigma ellipse into the axes.

    Both directions have one scale, unless all would be a hairline.
    """
    x, y = plane.miss_x_m, plane.miss_y_m
    reach = max(float(np.hypot(x, y)), 2.0 * radius_m)
    xs, ys = [-0.15 * reach, 0.15 * reach], [-0.15 * reach, 0.15 * reach]
    spread, own = plane.combined, plane.primary
    wide, high = (3 * np.sqrt(spread.xx_m2), 3 * np.sqrt(spread.yy_m2)) if spread else (0.3 * reach,) * 2
    xs, ys = [*xs, x - wide, x + wide], [*ys, y - high, y + high]
    if own:
        xs += [-np.sqrt(own.xx_m2), np.sqrt(own.xx_m2)]
        ys += [-np.sqrt(own.yy_m2), np.sqrt(own.yy_m2)]
    box = axes.get_window_extent()
    scale_x, scale_y = (max(xs) - min(xs)) / box.width, (max(ys) - min(ys)) / box.height
    if max(scale_x, scale_y) < _HAIRLINE * min(scale_x, scale_y):
        scale_x = scale_y = max(scale_x, scale_y)
    half_x, half_y = 0.5 * _MARGIN * scale_x * box.width, 0.5 * _MARGIN * scale_y * box.height
    mid_x, mid_y = 0.5 * (max(xs) + min(xs)), 0.5 * (max(ys) + min(ys))
    factor, unit = style.length_unit(2 * half_x)
    x_m, y_m = (mid_x - half_x, mid_x + half_x), (mid_y - half_y, mid_y + half_y)
    return _View(x_m, y_m, factor, unit, scale_x / scale_y)


def _ellipses(axes: Axes, plane: PlaneView, factor: float) -> None:
    miss = np.array([plane.miss_x_m, plane.miss_y_m]) * factor
    combined = plane.combined
    if combined is None:
        return
    for sigmas in _SIGMAS:
        axes.add_patch(
            _ellipse(miss, combined, sigmas * factor, facecolor=style.COMBINED, alpha=_SHADES[sigmas])
        )
        axes.add_patch(
            _ellipse(miss, combined, sigmas * factor, fill=False, color=style.COMBINED, linewidth=0.8)
        )
        turn = np.radians(combined.major_axis_deg)
        towards = np.array([np.cos(turn), np.sin(turn)])
        towards *= 1 if towards @ miss >= 0 else -1  # away from the name of the primary
        edge = miss + towards * sigmas * combined.sigma_major_m * factor
        axes.annotate(
            f"{sigmas}σ", (float(edge[0]), float(edge[1])), fontsize=style.SMALL, color=style.COMBINED,
            ha="center", va="center", path_effects=style.halo(2.5),
        )  # fmt: skip
    for spread, centre, color in (
        (plane.primary, np.zeros(2), style.PRIMARY),
        (plane.secondary, miss, style.SECONDARY),
    ):
        if spread:
            axes.add_patch(
                _ellipse(
                    centre, spread, factor, fill=False, color=color, linewidth=1.0, linestyle=(0, (4, 2))
                )
            )


def _ellipse(centre: Any, spread: Spread, scale: float, **look: Any) -> Ellipse:
    minor = spread.sigma_minor_m
    return Ellipse(
        tuple(centre),
        2 * scale * spread.sigma_major_m,
        2 * scale * (0.0 if np.isnan(minor) else minor),
        angle=spread.major_axis_deg,
        **look,
    )


def _pair(axes: Axes, plane: PlaneView, view: _View, names: Sequence[str]) -> None:
    miss = np.array([plane.miss_x_m, plane.miss_y_m]) * view.factor
    axes.add_patch(_arrow(miss))
    of_ellipses = list(axes.texts)
    seen = miss * (1.0, view.upwards)
    length = float(np.hypot(*seen))
    away = seen / length if length > 0 else np.array([1.0, 0.0])
    for point, direction, color, name in (
        (np.zeros(2), -away, style.PRIMARY, names[0]),
        (miss, away, style.SECONDARY, names[1]),
    ):
        axes.plot(*point, "o", markersize=3.6, color=color, zorder=6)
        axes.annotate(
            name,
            (float(point[0]), float(point[1])),
            xytext=tuple(direction * 11),
            textcoords="offset points",
            fontsize=style.TEXT,
            fontweight="bold",
            color=color,
            ha="left" if direction[0] > 0.3 else ("right" if direction[0] < -0.3 else "center"),
            va="center",
            path_effects=style.halo(2.5),
            zorder=7,
            parse_math=False,
        )
    written = [text.get_window_extent() for text in axes.texts[len(of_ellipses) :]]
    for text in of_ellipses:
        text.set_visible(not text.get_window_extent().count_overlaps(written))


def _hard_body(axes: Axes, radius_m: float | None, factor: float) -> None:
    if radius_m is not None:
        radius = radius_m * factor
        axes.add_patch(Circle((0.0, 0.0), radius, color=style.HARD_BODY, alpha=0.5, linewidth=0, zorder=4))
        axes.add_patch(Circle((0.0, 0.0), radius, fill=False, color=style.HARD_BODY, linewidth=0.9, zorder=4))


def _arrow(miss: Any) -> FancyArrowPatch:
    return FancyArrowPatch(
        (0.0, 0.0), tuple(miss), arrowstyle="-|>", mutation_scale=7, shrinkA=0, shrinkB=1.5, linewidth=1.1,
        color=style.INK, zorder=5,
    )  # fmt: skip


def _magnifier(axes: Axes, plane: PlaneView, radius_m: float | None, half_m: float, title: str) -> None:
    """Show the miss and the hard-body circle enlarged, in a corner."""
    miss = np.array([plane.miss_x_m, plane.miss_y_m])
    centre = 0.5 * miss
    inset = axes.inset_axes(_MAGNIFIER, zorder=8)
    inset.set(xlim=centre[0] + np.array([-half_m, half_m]), ylim=centre[1] + np.array([-half_m, half_m]))
    inset.set_aspect("equal")
    inset.set_xticks([])
    inset.set_yticks([])
    inset.spines[:].set(color=style.FAINT, linewidth=0.7)
    _hard_body(inset, radius_m, 1.0)
    inset.add_patch(_arrow(miss))
    inset.plot(0, 0, "o", markersize=3, color=style.PRIMARY, zorder=6)
    inset.plot(*miss, "o", markersize=3, color=style.SECONDARY, zorder=6)
    inset.set_title(title, fontsize=style.SMALL, color=style.MUTED, pad=2)


def _legend(axes: Axes, plane: PlaneView, radius_m: float | None, names: Sequence[str], below: float) -> None:
    miss = distance(float(np.hypot(plane.miss_x_m, plane.miss_y_m)))
    entries: list[tuple[str, dict[str, Any]]] = [(f"miss in the plane, {miss}", {"color": style.INK})]
    if radius_m is not None:
        look = {"marker": "o", "markersize": 5, "linewidth": 0, "color": style.HARD_BODY}
        entries.append((f"hard body, R {number(radius_m)} m", look))
    if plane.combined:
        dashed = {"linewidth": 1.0, "linestyle": (0, (4, 2))}
        entries += [
            (f"{names[0]} alone, 1σ", {"color": style.PRIMARY, **dashed}),
            (f"{names[1]} alone, 1σ", {"color": style.SECONDARY, **dashed}),
            (
                "both together, 1, 2, 3σ",
                {"color": style.COMBINED, "alpha": 0.35, "linewidth": 5},
            ),
        ]
    legend = axes.legend(
        [Line2D([], [], **look) for _, look in entries], [text for text, _ in entries], ncols=2,
        loc="upper left", bbox_to_anchor=(-0.17, -below), fontsize=style.SMALL, labelcolor=style.MUTED,
        frameon=False, handlelength=1.6, columnspacing=1.2, labelspacing=0.25, borderpad=0,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)  # names may have $
