"""The cells below 8,400 km of radius: radial layers, latitude bands, longitude cells, and which lie together.

Most objects fly on near-circular orbits and hardly move radially, so the radius is the selective axis: an
object enters every layer that it may touch in the step, widened by its pad and half the threshold. Inside a
layer, objects that can meet within half a step lie in the same or in neighbouring latitude bands and within a
known difference of longitude, so that the partners of a cell are a few runs of consecutive cells.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.search.one_step.middle_states import FloatArray32
from screening.search.one_step.pair_tests import IntArray, bending_factor

LOW_ZONE_RADIUS_KM = 8400.0  # above it objects are few and their steps can be longer
STEPS_PER_INTERVAL = 4  # 150 s; `layout` divides them
BOTTOM_KM = EARTH_RADIUS_KM + 60.0  # lower objects share the lowest layer
CELLS_PER_REACH = 2.0  # smaller cells: fewer needless partners, but more cells
# No bound orbit outside the Earth turns faster than a parabola that grazes its surface.
ANGULAR_RATE_LIMIT_RAD_S = math.sqrt(2.0 * MU_KM3_S2 / EARTH_RADIUS_KM**3)
# The cells are sized for objects that turn no faster than this, like circular orbits at 200 km and above: 99
# of 100 objects. The others, most of them at a perigee, are in cells of their own, with wider surroundings.
ORDINARY_RATE_RAD_S = 1.2e-3
ANGLE_MARGIN_RAD = 1e-3  # for the arctangent's 1e-5 and radii below BOTTOM_KM
EVERY_LONGITUDE = 10.0

_TWO_PI = 2.0 * math.pi
_RUNS = 4


class Layout(NamedTuple):
    """How the low zone is cut; any is right, `layout` chooses the cheapest."""

    parts: int  # of each step
    layer_km: float


class LowGrid(NamedTuple):
    """The cells of one chunk: the same for all its steps.

    A layer has the cells of all bands, then for each band a cell of its fast objects, at any longitude.
    """

    threshold_km: float
    half_step_s: float  # with a little overlap
    kappa: float
    top_km: float  # objects that stay above are not in this zone
    layers: int
    layer_km: float
    band_height_rad: float
    longitude_cells: IntArray  # (bands,) in each band
    first_cell: IntArray  # (bands + 1,); the last one is the first for fast objects
    cells_per_rad: FloatArray32  # (bands,)
    longitude_reach_rad: npt.NDArray[np.float64]  # (bands,) how far in longitude a partner may be
    ordinary_turn_rad: float  # objects that turn farther in half a step are fast
    runs: IntArray  # (cells, 4, 2) the partners of a cell: from which cell on, to before which


def low_grid(threshold_km: float, largest_pad_km: float, half_step_s: float, layout: Layout) -> LowGrid:
    """Lay out bands as high as two objects can approach in half a step, and the layers of a layout."""
    slack_km = threshold_km + 2.0 * largest_pad_km
    bands = _bands(slack_km, half_step_s)
    top_km = LOW_ZONE_RADIUS_KM + slack_km
    return LowGrid(
        threshold_km=threshold_km,
        half_step_s=half_step_s,
        kappa=bending_factor(BOTTOM_KM + 60.0, half_step_s),
        top_km=top_km,
        layers=int((top_km - BOTTOM_KM) / layout.layer_km) + 2,
        layer_km=layout.layer_km,
        ordinary_turn_rad=ORDINARY_RATE_RAD_S * half_step_s,
        **bands._asdict(),
    )


class _Bands(NamedTuple):
    """What is the same for all layers, as in LowGrid."""

    band_height_rad: float
    longitude_cells: IntArray
    first_cell: IntArray
    cells_per_rad: FloatArray32
    longitude_reach_rad: npt.NDArray[np.float64]
    runs: IntArray


@lru_cache(maxsize=8)  # the layouts among which one is chosen share them
def _bands(slack_km: float, half_step_s: float) -> _Bands:
    margin = slack_km / BOTTOM_KM + ANGLE_MARGIN_RAD
    angle = 2.0 * ORDINARY_RATE_RAD_S * half_step_s + margin
    widest = 2.0 * ANGULAR_RATE_LIMIT_RAD_S * half_step_s + margin
    bands = max(1, math.floor(math.pi / angle))
    height = math.pi / bands
    borders = np.abs(np.linspace(-math.pi / 2, math.pi / 2, bands + 1))
    farthest = np.maximum(borders[1:], borders[:-1])
    reach = np.array([_longitude_reach(latitude, angle) for latitude in farthest.tolist()])
    cells = np.maximum(1, (_TWO_PI * CELLS_PER_REACH / reach).astype(np.int32))
    first_cell = np.concatenate([[0], np.cumsum(cells)]).astype(np.int32)
    partners = [_partners(band, cells, first_cell, reach[band]) for band in range(bands)]
    return _Bands(
        band_height_rad=height,
        longitude_cells=cells,
        first_cell=first_cell,
        cells_per_rad=(cells / _TWO_PI).astype(np.float32),
        longitude_reach_rad=reach,
        runs=np.concatenate([*partners, _partners_of_fast(first_cell, math.ceil(widest / height))]),
    )


def _longitude_reach(latitude_rad: float, angle_rad: float) -> float:
    """Return the largest difference of longitude within `angle_rad` of a point at `latitude_rad`."""
    if latitude_rad + angle_rad >= math.pi / 2 - 1e-3:
        return EVERY_LONGITUDE
    reach = math.asin(math.sin(angle_rad) / math.cos(latitude_rad)) + 2e-4
    return reach if reach < 2.5 else EVERY_LONGITUDE


def _partners(band: int, cells: IntArray, first_cell: IntArray, reach_rad: float) -> IntArray:
    """Return the runs (k, 4, 2) of a band's cells: itself and eastward in its band, both ways in the next."""
    count, here = int(cells[band]), np.arange(cells[band])
    runs = np.zeros((count, _RUNS, 2), np.int32)
    eastward = math.ceil(reach_rad * count / _TWO_PI)
    # Either of two cells finds the other: if both could, only the western one may.
    length = np.minimum(eastward + 1, count) if 2 * eastward + 1 < count else count - here
    runs[:, :2] = first_cell[band] + _around(here, length, count)
    if band + 1 < len(cells):
        there = int(cells[band + 1])
        west = np.floor((here / count - reach_rad / _TWO_PI) * there).astype(np.int32)
        east = np.floor(((here + 1) / count + reach_rad / _TWO_PI) * there).astype(np.int32)
        runs[:, 2:] = first_cell[band + 1] + _around(west % there, np.minimum(east - west + 1, there), there)
    return runs


def _around(first: IntArray, length: "IntArray | int", count: int) -> IntArray:
    """Return `length` cells of a band from each `first` (k,) on, cut at longitude 0: (k, 2, 2)."""
    runs = np.zeros((len(first), 2, 2), np.int32)
    runs[:, 0, 0] = first
    runs[:, 0, 1] = np.minimum(first + length, count)
    runs[:, 1, 1] = np.maximum(first + length - count, 0)
    return runs


def _partners_of_fast(first_cell: IntArray, bands_away: int) -> IntArray:
    """Return the runs (bands, 4, 2) of the cells of fast objects: fast ones northward, ordinary around."""
    bands = len(first_cell) - 1
    runs = np.zeros((bands, _RUNS, 2), np.int32)
    band = np.arange(bands)
    northernmost = np.minimum(band + bands_away + 1, bands)
    runs[:, 0] = first_cell[-1] + np.stack([band, northernmost], 1)
    runs[:, 1] = first_cell[np.stack([np.maximum(band - bands_away, 0), northernmost], 1)]
    return runs
