"""Candidate pairs below 8,400 km of radius: radial layers, latitude bands, longitude cells.

Most objects fly on near-circular orbits and hardly move radially, so the radius is the selective axis: an
object enters every layer that it may touch in the step, widened by its pad and half the threshold. Inside a
layer, objects that can meet within half a step lie in the same or in neighbouring latitude bands and within a
known difference of longitude, so that the partners of an entry are two runs of consecutive entries.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import fast_kernel, inlined_kernel, kernel
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.search.one_step.middle_states import (
    EXCURSION,
    LATITUDE,
    LONGITUDE,
    RADIUS,
    TURN,
    FloatArray32,
)
from screening.search.one_step.pair_tests import (
    LANES,
    IntArray,
    bending_factor,
    collect_close,
    write_entry,
)

LOW_ZONE_RADIUS_KM = 8400.0  # above it objects are few and their steps can be longer
STEPS_PER_INTERVAL = 4  # 150 s; `layout` divides them
BOTTOM_KM = EARTH_RADIUS_KM + 60.0  # lower objects share the lowest layer
CELLS_PER_BAND_HEIGHT = 2.0  # finer cells: fewer needless partners, but more cells
# No bound orbit outside the Earth turns faster than a parabola that grazes its surface.
ANGULAR_RATE_LIMIT_RAD_S = math.sqrt(2.0 * MU_KM3_S2 / EARTH_RADIUS_KM**3)
# The cells are sized for objects that turn no faster than this, like circular orbits at 200 km and above: 99
# of 100 objects. The others, most of them at a perigee, are tested against wider surroundings.
ORDINARY_RATE_RAD_S = 1.2e-3
ANGLE_MARGIN_RAD = 1e-3  # for the arctangent's 1e-5 and radii below BOTTOM_KM
EVERY_LONGITUDE = 10.0

_TWO_PI = 2.0 * math.pi


class Layout(NamedTuple):
    """How the low zone is cut; any is right, `layout` chooses the cheapest."""

    parts: int  # of each step
    layer_km: float


class LowGrid(NamedTuple):
    """The cells of one chunk: the same for all its steps."""

    threshold_km: float
    half_step_s: float  # with a little overlap
    kappa: float
    top_km: float  # objects that stay above are not in this zone
    layers: int
    layer_km: float
    band_height_rad: float
    longitude_cells: npt.NDArray[np.int64]  # (bands,) in each band
    first_cell: npt.NDArray[np.int64]  # (bands + 1,)
    cells_per_rad: npt.NDArray[np.float64]  # (bands,)
    longitude_reach_rad: npt.NDArray[np.float64]  # (bands,) how far in longitude a partner may be
    ordinary_turn_rad: float  # objects that turn farther in half a step are fast
    bands_for_fast: int  # how many bands away a partner of a fast object may be


def low_grid(threshold_km: float, largest_pad_km: float, half_step_s: float, layout: Layout) -> LowGrid:
    """Lay out bands as high as two objects can approach in half a step, and the layers of a layout."""
    slack_km = threshold_km + 2.0 * largest_pad_km
    margin = slack_km / BOTTOM_KM + ANGLE_MARGIN_RAD
    angle = 2.0 * ORDINARY_RATE_RAD_S * half_step_s + margin
    widest = 2.0 * ANGULAR_RATE_LIMIT_RAD_S * half_step_s + margin
    bands = max(1, math.floor(math.pi / angle))
    height = math.pi / bands
    cells, reach = [], []
    for band in range(bands):
        low = -math.pi / 2 + band * height
        farthest = max(abs(low), abs(low + height))
        nearest = min(abs(low), abs(low + height)) if low * (low + height) > 0 else 0.0
        reach.append(_longitude_reach(farthest, angle))
        cells.append(max(1, int(_TWO_PI * math.cos(nearest) / angle * CELLS_PER_BAND_HEIGHT)))
    top_km = LOW_ZONE_RADIUS_KM + slack_km
    return LowGrid(
        threshold_km=threshold_km,
        half_step_s=half_step_s,
        kappa=bending_factor(BOTTOM_KM + 60.0, half_step_s),
        top_km=top_km,
        layers=int((top_km - BOTTOM_KM) / layout.layer_km) + 2,
        layer_km=layout.layer_km,
        band_height_rad=height,
        longitude_cells=np.array(cells),
        first_cell=np.concatenate([[0], np.cumsum(cells)]),
        cells_per_rad=np.array(cells) / _TWO_PI,
        longitude_reach_rad=np.array(reach),
        ordinary_turn_rad=ORDINARY_RATE_RAD_S * half_step_s,
        bands_for_fast=math.ceil(widest / height),
    )


def _longitude_reach(latitude_rad: float, angle_rad: float) -> float:
    """Return the largest difference of longitude within `angle_rad` of a point at `latitude_rad`."""
    if latitude_rad + angle_rad >= math.pi / 2 - 1e-3:
        return EVERY_LONGITUDE
    reach = math.asin(math.sin(angle_rad) / math.cos(latitude_rad)) + 2e-4
    return reach if reach < 2.5 else EVERY_LONGITUDE


@inlined_kernel
def _cell_at(longitude_rad, cells_per_rad, cells):  # type: ignore[no-untyped-def]
    """Return the cell of a band that contains a longitude in [0, 2 pi]."""
    cell = int(longitude_rad * cells_per_rad)
    return cell if cell < cells else cells - 1


@fast_kernel
def count_low_entries(
    midstep: FloatArray32,
    good: npt.NDArray[np.bool_],
    pads_km: FloatArray32,
    grid: LowGrid,
    starts: IntArray,
    cell: IntArray,
    layer_range: IntArray,
) -> int:
    """Find each object's cell and layers, and where each cell's entries begin.

    Fills `cell` (n,), -1 for objects that stay above; `layer_range` (2, n); `starts` (layers*cells + 2,), in
    which the entries of cell k lie at starts[k] .. starts[k + 1] once `sort_low_entries` has run. Returns the
    number of entries: an object has one in each layer that it may touch.
    """
    cells = grid.first_cell[-1]
    bands = grid.longitude_cells.shape[0]
    starts[:] = 0
    for i in range(midstep.shape[1]):
        cell[i] = -1
        if not good[i] or midstep[RADIUS, i] - midstep[EXCURSION, i] > grid.top_km:
            continue
        extent = midstep[EXCURSION, i] + pads_km[i] + 0.5 * grid.threshold_km
        height = midstep[RADIUS, i] - BOTTOM_KM
        lowest = int(max(0.0, (height - extent) / grid.layer_km))
        highest = int(max(0.0, (height + extent) / grid.layer_km))
        if lowest >= grid.layers:
            continue
        highest = min(highest, grid.layers - 1)
        band = min(max(int((midstep[LATITUDE, i] + math.pi / 2) / grid.band_height_rad), 0), bands - 1)
        column = _cell_at(midstep[LONGITUDE, i], grid.cells_per_rad[band], grid.longitude_cells[band])
        cell[i] = grid.first_cell[band] + column
        layer_range[0, i] = lowest
        layer_range[1, i] = highest
        for layer in range(lowest, highest + 1):
            starts[layer * cells + cell[i] + 2] += 1
    for k in range(2, starts.shape[0]):
        starts[k] += starts[k - 1]
    return int(starts[-1])


@kernel
def sort_low_entries(
    midstep: FloatArray32,
    pads_km: FloatArray32,
    grid: LowGrid,
    starts: IntArray,
    cell: IntArray,
    layer_range: IntArray,
    entries: FloatArray32,
    objects: IntArray,
    longitudes: FloatArray32,
    fast: npt.NDArray[np.bool_],
) -> None:
    """Write every object's entries into their cells."""
    cells = grid.first_cell[-1]
    for i in range(cell.shape[0]):
        if cell[i] < 0:
            continue
        for layer in range(layer_range[0, i], layer_range[1, i] + 1):
            k = layer * cells + cell[i]
            at = starts[k + 1]
            starts[k + 1] = at + 1
            write_entry(entries, at, midstep, i, pads_km[i], grid.threshold_km, grid.kappa)
            objects[at] = i
            longitudes[at] = midstep[LONGITUDE, i]
            fast[at] = midstep[TURN, i] > grid.ordinary_turn_rad


@inlined_kernel
def _runs_in_own_band(starts, own, cells, per_rad, p, longitude, reach, runs):  # type: ignore[no-untyped-def]
    """Fill `runs` with the entries after `p` in its own band up to `reach` eastward; return how many runs.

    `own` is the band's first cell in its layer.
    """
    runs[0, 0] = p + 1
    high = longitude + reach
    if reach == EVERY_LONGITUDE:
        runs[0, 1] = starts[own + cells]
        return 1
    if high < _TWO_PI:
        runs[0, 1] = starts[own + _cell_at(high, per_rad, cells) + 1]
        return 1
    runs[0, 1] = starts[own + cells]
    runs[1, 0] = starts[own]
    runs[1, 1] = min(p, starts[own + _cell_at(high - _TWO_PI, per_rad, cells) + 1])
    return 2


@inlined_kernel
def _runs_in_next_band(starts, following, cells, per_rad, longitude, reach, runs, count):  # type: ignore[no-untyped-def]
    """Add to `runs` the entries of the next band up to `reach` both ways; return the new count of runs."""
    low, high = longitude - reach, longitude + reach
    if reach == EVERY_LONGITUDE or high - low >= _TWO_PI:
        runs[count, 0], runs[count, 1] = starts[following], starts[following + cells]
        return count + 1
    if low < 0.0:
        runs[count, 0] = starts[following + _cell_at(low + _TWO_PI, per_rad, cells)]
        runs[count, 1] = starts[following + cells]
        count += 1
        low = 0.0
    if high >= _TWO_PI:
        runs[count, 0] = starts[following]
        runs[count, 1] = starts[following + _cell_at(high - _TWO_PI, per_rad, cells) + 1]
        count += 1
        high = _TWO_PI
    runs[count, 0] = starts[following + _cell_at(low, per_rad, cells)]
    runs[count, 1] = starts[following + _cell_at(high, per_rad, cells) + 1]
    return count + 1


@fast_kernel
def search_low_zone(
    grid: LowGrid,
    starts: IntArray,
    entries: FloatArray32,
    longitudes: FloatArray32,
    fast: npt.NDArray[np.bool_],
    batches: IntArray,
) -> tuple[int, int]:
    """Note every batch with a pair that may come within reach.

    Returns how many, even beyond the room, and how many batches were tested.

    A pair of ordinary entries is found by one of them; a pair with a fast entry also by the fast one.
    """
    cells_in_layer = grid.first_cell[-1]
    bands = grid.longitude_cells.shape[0]
    runs = np.empty((5, 2), np.int64)
    n = 0
    tested = 0
    for layer in range(grid.layers):
        key = layer * cells_in_layer
        if starts[key] == starts[key + cells_in_layer]:
            continue
        for band in range(bands):
            own = key + grid.first_cell[band]
            following = key + grid.first_cell[band + 1]
            cells = grid.longitude_cells[band]
            per_rad = grid.cells_per_rad[band]
            reach = grid.longitude_reach_rad[band]
            next_cells = grid.longitude_cells[band + 1] if band + 1 < bands else 0
            next_per_rad = grid.cells_per_rad[band + 1] if band + 1 < bands else 0.0
            next_is_empty = next_cells == 0 or starts[following] == starts[following + next_cells]
            for p in range(starts[own], starts[following]):
                if fast[p]:
                    first = starts[key + grid.first_cell[max(0, band - grid.bands_for_fast)]]
                    last = starts[key + grid.first_cell[min(bands, band + grid.bands_for_fast + 1)]]
                    n = collect_close(entries, p, first, p, layer, grid.half_step_s, batches, n)
                    n = collect_close(entries, p, p + 1, last, layer, grid.half_step_s, batches, n)
                    tested += (p - first + LANES - 1) // LANES + (last - p + LANES - 2) // LANES
                    continue
                count = _runs_in_own_band(starts, own, cells, per_rad, p, longitudes[p], reach, runs)
                if not next_is_empty:
                    count = _runs_in_next_band(
                        starts, following, next_cells, next_per_rad, longitudes[p], reach, runs, count
                    )
                for run in range(count):
                    first, last = runs[run, 0], runs[run, 1]
                    n = collect_close(entries, p, first, last, layer, grid.half_step_s, batches, n)
                    tested += max(0, last - first + LANES - 1) // LANES
    return n, tested
