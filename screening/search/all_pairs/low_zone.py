"""Candidate pairs below 8,400 km of radius: objects in the cells of `low_grid`, against those near them."""

import math

import numpy as np
import numpy.typing as npt

from screening.kernels import fast_kernel, kernel
from screening.search.all_pairs.low_grid import BOTTOM_KM, LowGrid
from screening.search.one_step.middle_states import (
    EXCURSION,
    LATITUDE,
    LONGITUDE,
    RADIUS,
    TURN,
    FloatArray32,
)
from screening.search.one_step.pair_tests import LANES, IntArray, note_close

_f = np.float32
_i = np.int32


@fast_kernel
def place_in_cells(
    midstep: FloatArray32,
    good: npt.NDArray[np.bool_],
    pads_km: FloatArray32,
    grid: LowGrid,
    cell: IntArray,
    layer_range: IntArray,
) -> None:
    """Fill `cell` (n,) and `layer_range` (2, n), the first and the last layer.

    The last layer is -1 where there is none: objects without a state, and those that stay above.
    """
    half_threshold, bottom, top = _f(0.5 * grid.threshold_km), _f(BOTTOM_KM), _f(grid.top_km)
    per_km, per_rad = _f(1.0 / grid.layer_km), _f(1.0 / grid.band_height_rad)
    quarter, ordinary = _f(math.pi / 2), _f(grid.ordinary_turn_rad)
    last_layer, last_band = _i(grid.layers - 1), _i(grid.longitude_cells.shape[0] - 1)
    fast_cells = grid.first_cell[last_band + 1]
    radius, excursion, turn = midstep[RADIUS], midstep[EXCURSION], midstep[TURN]
    latitude, longitude = midstep[LATITUDE], midstep[LONGITUDE]
    first, last = layer_range[0], layer_range[1]
    for i in range(cell.shape[0]):
        extent = excursion[i] + pads_km[i] + half_threshold
        height = radius[i] - bottom
        lowest = _i(max(_f(0), (height - extent) * per_km))
        highest = _i(max(_f(0), (height + extent) * per_km))
        first[i] = max(lowest, _i(0))  # whatever a state that is NaN became
        here = good[i] & (radius[i] - excursion[i] <= top) & (lowest <= last_layer)
        last[i] = min(highest, last_layer) if here else _i(-1)
    for i in range(cell.shape[0]):
        band = max(min(_i((latitude[i] + quarter) * per_rad), last_band), _i(0))
        at = np.uintp(band)
        column = max(min(_i(longitude[i] * grid.cells_per_rad[at]), grid.longitude_cells[at] - _i(1)), _i(0))
        cell[i] = fast_cells + band if turn[i] > ordinary else grid.first_cell[at] + column


@kernel
def sort_into_cells(
    grid: LowGrid, cell: IntArray, layer_range: IntArray, starts: IntArray, objects: IntArray
) -> int:
    """Write the objects into their cells, once in each layer that they may touch; return how many entries.

    The entries of cell k lie at starts[k] .. starts[k + 1]; `starts` (layers*cells + 2,). If there is no room
    in `objects` nothing is written.
    """
    cells = grid.runs.shape[0]
    starts[:] = 0
    for i in range(cell.shape[0]):
        for layer in range(layer_range[0, i], layer_range[1, i] + 1):
            starts[layer * cells + cell[i] + 2] += 1
    count = 0
    for k in range(2, starts.shape[0]):
        count += starts[k]
        starts[k] = count
    if count > objects.shape[0]:
        return count
    for i in range(cell.shape[0]):
        for layer in range(layer_range[0, i], layer_range[1, i] + 1):
            k = layer * cells + cell[i] + 1
            objects[starts[k]] = i
            starts[k] += 1
    return count


@fast_kernel
def search_low_zone(
    grid: LowGrid, starts: IntArray, entries: FloatArray32, batches: IntArray
) -> tuple[int, int]:
    """Note every batch with a pair that may come within reach.

    Returns how many, even beyond the room, and how many batches were tested.
    """
    cells = grid.runs.shape[0]
    n = 0
    tested = 0
    for layer in range(grid.layers):
        key = layer * cells
        if starts[key] == starts[key + cells]:
            continue
        for cell in range(cells):
            begin, end = starts[key + cell], starts[key + cell + 1]
            if begin == end:
                continue
            last = starts[key + grid.runs[cell, 0, 1]]
            for p in range(begin, end):
                n = note_close(entries, p, p + 1, p + 1, last, layer, batches, n)
                tested += (last - p + LANES - 2) // LANES
            for run in range(1, grid.runs.shape[1]):
                first = starts[key + grid.runs[cell, run, 0]]
                last = starts[key + grid.runs[cell, run, 1]]
                n = note_close(entries, begin, end, first, last, layer, batches, n)
                tested += (end - begin) * ((last - first + LANES - 1) // LANES)
    return n, tested
