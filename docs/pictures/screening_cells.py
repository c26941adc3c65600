"""Two pictures of docs/screening.md: layers and cells of the low zone, step and pad."""

from typing import NamedTuple

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.search.all_pairs.low_grid import (
    BOTTOM_KM,
    STEPS_PER_INTERVAL,
    Layout,
    LowGrid,
    low_grid,
)
from screening.search.all_pairs.zones import half_a_step_s
from screening.search.one_step.curve_blocks import rough_coefficients
from screening.search.one_step.middle_states import (
    EXCURSION,
    LATITUDE,
    LONGITUDE,
    RADIUS,
    ROWS,
    FloatArray32,
    evaluate_midstep,
)
from screening.search.one_step.pads import FloatArray32 as Pads
from screening.search.one_step.pads import Knots, checked_groups, measured_pads_km

INK, GREY, ORANGE, BLUE, YELLOW = "#1f2937", "#9aa5b1", "#c2410c", "#1d4ed8", "#fde68a"
LAYER_ALTITUDE_KM = 800.0  # of the layer whose cells are drawn
ALTITUDES_KM = (690.0, 900.0)
ARC_RAD = 0.5
CHUNK_INTERVALS = 24
TILT_RAD = 0.45
LAYER_KM = 45.0  # that several are seen; for 26,834 objects the search chooses 90 km at 10 km, 45 km at 1 km
STEP_S = KNOT_STEP_S / STEPS_PER_INTERVAL
_HALF_S = half_a_step_s(STEPS_PER_INTERVAL)


class Step(NamedTuple):
    """All objects in the middle of one step."""

    midstep: FloatArray32  # (ROWS, n)
    pads_km: Pads  # (n,)
    grid: LowGrid


def _step(elements: ElementArray, span: TimeWindow, threshold_km: float) -> Step:
    propagator = Propagator(elements, span)
    times_s = np.arange(CHUNK_INTERVALS + 1) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    pads_km = measured_pads_km(checked_groups(elements, propagator), knots)
    r, v = knots.r_teme_km, knots.v_teme_km_s
    curves = np.empty((3 * POWERS, len(elements)), np.float32)
    rough_coefficients(r[0], v[0], r[1], v[1], curves)
    midstep = np.empty((ROWS, len(elements)), np.float32)
    evaluate_midstep(curves, 0.5 / STEPS_PER_INTERVAL, _HALF_S, 0, midstep)
    # What reaches beyond a few kilometres widens the cells; such objects would only blur the picture.
    largest_km = float(np.percentile(pads_km, 99.0))
    return Step(midstep, pads_km, low_grid(threshold_km, largest_km, _HALF_S, Layout(1, LAYER_KM)))


def draw_cells(elements: ElementArray, span: TimeWindow, threshold_km: float) -> Figure:
    """Draw a cut through the layers, and one layer with its cells."""
    step = _step(elements, span, threshold_km)
    figure, (cut, globe) = plt.subplots(
        1, 2, figsize=(9.0, 4.9), width_ratios=(5, 6), layout="constrained", facecolor="white"
    )
    _draw_cut(cut, step, threshold_km)
    _draw_globe(globe, step, threshold_km)
    figure.suptitle("Layers and cells of the low zone", fontsize=12, fontweight="bold")
    return figure


def _extent_km(step: Step, threshold_km: float) -> FloatArray:
    return step.midstep[EXCURSION] + step.pads_km + 0.5 * threshold_km


def _draw_cut(axes: Axes, step: Step, threshold_km: float) -> None:
    altitude = step.midstep[RADIUS] - EARTH_RADIUS_KM
    arc = step.midstep[LONGITUDE] - np.pi
    extent = _extent_km(step, threshold_km)
    low, high = ALTITUDES_KM
    here = (np.abs(step.midstep[LATITUDE]) < 0.05) & (np.abs(arc) < ARC_RAD)
    here &= (altitude + extent > low) & (altitude - extent < high) & (extent < 100.0)
    bottoms = BOTTOM_KM - EARTH_RADIUS_KM + LAYER_KM * np.arange(40)
    for bottom in bottoms[(bottoms > low - LAYER_KM) & (bottoms < high)]:
        axes.axhline(bottom, color=GREY, linewidth=0.8)
    layers = np.floor((altitude + extent - bottoms[0]) / LAYER_KM) - np.floor(
        (altitude - extent - bottoms[0]) / LAYER_KM
    )
    for several, colour, label in ((False, BLUE, "touches one layer"), (True, ORANGE, "touches more")):
        some = here & ((layers > 0) == several)
        x = np.degrees(arc[some])
        bars = [[(a, y - e), (a, y + e)] for a, y, e in zip(x, altitude[some], extent[some], strict=True)]
        axes.add_collection(LineCollection(bars, colors=colour, linewidths=0.9, alpha=0.8))
        axes.plot(x, altitude[some], ".", color=colour, markersize=2.5, label=label)
    axes.set(xlabel="longitude on the grid (°)", ylabel="altitude (km)", ylim=ALTITUDES_KM)
    axes.set(xlim=(-np.degrees(ARC_RAD), np.degrees(ARC_RAD)))
    axes.set_title("A cut through the layers, 45 km each:\nhow far an object may go in a step")
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, markerscale=3)
    axes.spines[["top", "right"]].set_visible(False)


def _seen(latitude: FloatArray, longitude: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Project points of the unit sphere, its pole up and towards us; the depth is positive in front."""
    along, depth = np.cos(latitude) * np.sin(longitude), np.cos(latitude) * np.cos(longitude)
    up, cosine, sine = np.sin(latitude), np.cos(TILT_RAD), np.sin(TILT_RAD)
    return along, up * cosine - depth * sine, depth * cosine + up * sine


def _line(axes: Axes, latitude: FloatArray, longitude: FloatArray) -> None:
    x, y, depth = _seen(latitude, longitude)
    hidden = depth < 0.0
    axes.plot(np.where(hidden, np.nan, x), np.where(hidden, np.nan, y), color=GREY, linewidth=0.45)


def _draw_globe(axes: Axes, step: Step, threshold_km: float) -> None:
    grid = step.grid
    turn = np.linspace(0.0, 2.0 * np.pi, 721)
    axes.add_patch(plt.Circle((0, 0), 1.0, facecolor="#f8fafc", edgecolor=GREY, linewidth=0.8))
    altitude = step.midstep[RADIUS] - EARTH_RADIUS_KM
    extent = _extent_km(step, threshold_km)
    layer = int((LAYER_ALTITUDE_KM + EARTH_RADIUS_KM - BOTTOM_KM) / LAYER_KM)
    bottom = BOTTOM_KM - EARTH_RADIUS_KM + layer * LAYER_KM
    inside = (altitude + extent > bottom) & (altitude - extent < bottom + LAYER_KM)
    latitude, longitude = step.midstep[LATITUDE].astype(float), step.midstep[LONGITUDE].astype(float)
    x, y, depth = _seen(latitude, longitude)
    near_us = inside & (depth > 0.0)
    chosen = np.flatnonzero(near_us)[np.hypot(x[near_us] + 0.12, y[near_us] - 0.05).argmin()]
    _shade_partners(axes, grid, latitude[chosen], longitude[chosen])
    for band, cells in enumerate(grid.longitude_cells):
        low = -np.pi / 2 + band * grid.band_height_rad
        _line(axes, np.full(721, low), turn)
        for cell in range(cells):
            _line(axes, np.linspace(low, low + grid.band_height_rad, 9), np.full(9, 2 * np.pi * cell / cells))
    axes.plot(x[near_us], y[near_us], ".", color=BLUE, markersize=2.6)
    axes.plot(x[chosen], y[chosen], "o", color=ORANGE, markersize=6, zorder=5)
    axes.set(xlim=(-1.03, 1.03), ylim=(-1.03, 1.03), aspect="equal")
    axes.axis("off")
    axes.set_title(
        f"The layer from {bottom:.0f} to {bottom + LAYER_KM:.0f} km: {inside.sum():,} objects in\n"
        f"{grid.first_cell[-1]:,} cells, and where one looks for partners"
    )


def _shade_partners(axes: Axes, grid: LowGrid, latitude: float, longitude: float) -> None:
    """Shade the cells of the own band eastward, and of the next band both ways."""
    own = int((latitude + np.pi / 2) / grid.band_height_rad)
    cell = grid.first_cell[own] + int(longitude * grid.cells_per_rad[own])
    for begin, end in grid.runs[cell].tolist():
        if begin == end:
            continue
        band = int(np.searchsorted(grid.first_cell, begin, side="right")) - 1
        width = 2.0 * np.pi / grid.longitude_cells[band]
        low = -np.pi / 2 + band * grid.band_height_rad
        along = np.linspace(begin - grid.first_cell[band], end - grid.first_cell[band], 40) * width
        latitudes = np.concatenate([np.full(40, low), np.full(40, low + grid.band_height_rad)])
        x, y, _ = _seen(latitudes, np.concatenate([along, along[::-1]]))
        axes.add_patch(Polygon(np.column_stack([x, y]), facecolor=YELLOW, edgecolor="none"))


def draw_step(elements: ElementArray, span: TimeWindow, threshold_km: float) -> Figure:
    """Draw an object's altitude over one interval, and what each step makes of it."""
    step = _step(elements, span, threshold_km)
    altitude = step.midstep[RADIUS] - EARTH_RADIUS_KM
    moderate = (np.abs(elements["eccentricity"] - 0.012) < 0.003) & (np.abs(altitude - 800.0) < 60.0)
    chosen = np.flatnonzero(moderate)[step.midstep[EXCURSION][moderate].argmax()]
    propagator = Propagator(elements[[chosen]], span)
    times_s = np.linspace(0.0, KNOT_STEP_S, 601)
    _, r, _ = propagator.on_grid(times_s)
    height = np.linalg.norm(r[:, :, 0], axis=1) - EARTH_RADIUS_KM
    figure, axes = plt.subplots(figsize=(9.0, 4.4), layout="constrained", facecolor="white")
    bottoms = BOTTOM_KM - EARTH_RADIUS_KM + LAYER_KM * np.arange(60)
    for bottom in bottoms:
        axes.axhline(bottom, color=GREY, linewidth=0.8)
    knots = np.array([0.0, KNOT_STEP_S])
    _, r_knots, v_knots = propagator.on_grid(knots)
    curves = np.empty((1, POWERS, 3))
    hermite_coefficients(r_knots[0], v_knots[0], r_knots[1], v_knots[1], curves)
    rough = np.empty((3 * POWERS, 1), np.float32)
    rough_coefficients(r_knots[0], v_knots[0], r_knots[1], v_knots[1], rough)
    middle = np.empty((ROWS, 1), np.float32)
    pad_km = float(step.pads_km[chosen])
    for k in range(STEPS_PER_INTERVAL):
        evaluate_midstep(rough, (k + 0.5) / STEPS_PER_INTERVAL, _HALF_S, 0, middle)
        _draw_one_step(axes, k, middle, pad_km, threshold_km, bottoms)
    axes.plot(times_s, height, color=INK, linewidth=1.4, label="the object, SGP4")
    axes.plot(knots, height[[0, -1]], "s", color=INK, markersize=6, label="knots")
    axes.set(xlabel="seconds in the interval between two knots", ylabel="altitude (km)", xlim=(-12, 612))
    axes.set(ylim=(height.min() - 25.0, height.max() + 48.0), xticks=np.arange(0, 601, 75))
    axes.legend(frameon=True, framealpha=0.9, edgecolor="none", loc="upper right")
    eccentricity = elements["eccentricity"][chosen]
    axes.set_title(f"e = {eccentricity:.3f}: the radii it may take in each step, and the layers it enters")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _draw_one_step(
    axes: Axes, k: int, middle: FloatArray32, pad_km: float, threshold_km: float, bottoms: FloatArray
) -> None:
    begin = STEP_S * k
    altitude, excursion = float(middle[RADIUS, 0]) - EARTH_RADIUS_KM, float(middle[EXCURSION, 0])
    extent = excursion + pad_km + 0.5 * threshold_km
    for bottom in bottoms[(bottoms > altitude - extent - LAYER_KM) & (bottoms < altitude + extent)]:
        _box(axes, (begin, bottom), LAYER_KM, "#eff6ff")
    label = "+ pad + half the threshold", "± radial excursion in the step", "mid-step"
    margin, radial, middle_label = label if k == 0 else ("", "", "")
    _box(axes, (begin, altitude - extent), 2 * extent, YELLOW, margin)
    _box(axes, (begin, altitude - excursion), 2 * excursion, "#fdba74", radial)
    axes.plot(begin + STEP_S / 2, altitude, "o", color=ORANGE, markersize=5, label=middle_label or None)


def _box(axes: Axes, corner: tuple[float, float], height: float, colour: str, label: str = "") -> None:
    begin, bottom = corner
    axes.add_patch(
        Rectangle(
            (begin + 2, bottom), STEP_S - 4, height, facecolor=colour, edgecolor="none", label=label or None
        )
    )
