"""The two zones of the search, with the same methods: each sorts objects into its cells and searches them."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from screening.orbits.knots import KNOT_STEP_S
from screening.search.all_pairs import high_zone, low_zone
from screening.search.all_pairs.low_grid import STEPS_PER_INTERVAL, Layout, low_grid
from screening.search.one_step.middle_states import ROWS, FloatArray32
from screening.search.one_step.pads import Knots
from screening.search.one_step.pair_tests import ENTRY_ROWS, ROUGH_EDGE, IntArray, write_entries

# Straight-line times are searched a little beyond the step, like its minima.
_STEP_SLACK = 1.01
_STEP_SLACK_S = 0.1


def half_a_step_s(steps_per_interval: int) -> float:
    """Return half a step of a zone, with its slack."""
    return 0.5 * KNOT_STEP_S / steps_per_interval * _STEP_SLACK + _STEP_SLACK_S


class Middle:
    """Objects (n,) in the middle of a step, and their cells in a zone."""

    def __init__(self, pads_km: FloatArray32) -> None:
        count = len(pads_km)
        self.pads_km = pads_km
        self.states = np.empty((ROWS, count), np.float32)
        self.cell = np.empty(count, np.int32)
        self.layer_range = np.empty((2, count), np.int32)
        self.reach = np.empty(count, np.float32)


class Entries:
    """Entries of objects, sorted by the cells of a zone; an object may have several."""

    def __init__(self, room: int) -> None:
        self.make_room(room)

    def make_room(self, room: int) -> None:
        """Replace the memory; its content is lost."""
        self.rows = np.zeros((ENTRY_ROWS, room + ROUGH_EDGE), np.float32)
        self.objects = np.empty(room, np.int32)

    def write(self, middle: Middle, threshold_km: float, kappa: float, count: int) -> None:
        """Write the first `count` of `objects` as entries."""
        write_entries(
            middle.states, middle.pads_km, threshold_km, kappa, self.objects, count, middle.reach, self.rows
        )


class Zone(Protocol):
    """One of the two zones."""

    above_border: bool  # on which side of LOW_ZONE_RADIUS_KM it owns minima
    steps_per_interval: int  # whole ones, in which minima are followed
    half_whole_step_s: float  # with its slack
    parts: int  # of a whole step, each with its own cells
    half_step_s: float  # half a part, with its slack
    first: int  # objects before this one are never in the zone

    def sort(self, middle: Middle, good: npt.NDArray[np.bool_], entries: Entries) -> int:
        """Write the `good` objects (n,) that may be in the zone during the step as entries of its cells.

        Returns how many entries were written.
        """

    def search(self, entries: Entries, batches: IntArray) -> tuple[int, int]:
        """Note batches (4, room) of entries that may come close.

        Returns how many, even beyond the room, and how many batches were tested.
        """


class LowZone:
    """Below LOW_ZONE_RADIUS_KM: layers, bands and cells of one chunk, used step after step."""

    above_border = False
    steps_per_interval = STEPS_PER_INTERVAL
    half_whole_step_s = half_a_step_s(STEPS_PER_INTERVAL)
    first = 0

    def __init__(self, threshold_km: float, largest_pad_km: float, layout: Layout) -> None:
        self.parts = layout.parts
        self.half_step_s = half_a_step_s(self.steps_per_interval * self.parts)
        self._grid = low_grid(threshold_km, largest_pad_km, self.half_step_s, layout)
        self.cells = self._grid.layers * len(self._grid.runs)
        self._starts = np.empty(self.cells + 2, np.int32)

    def sort(self, middle: Middle, good: npt.NDArray[np.bool_], entries: Entries) -> int:
        """Write an object into every layer that it may touch."""
        grid, cell, layer_range = self._grid, middle.cell, middle.layer_range
        low_zone.place_in_cells(middle.states, good, middle.pads_km, grid, cell, layer_range)
        count = low_zone.sort_into_cells(grid, cell, layer_range, self._starts, entries.objects)
        if count > len(entries.objects):
            entries.make_room(count + count // 4)
            low_zone.sort_into_cells(grid, cell, layer_range, self._starts, entries.objects)
        entries.write(middle, grid.threshold_km, grid.kappa, count)
        return int(count)

    def search(self, entries: Entries, batches: IntArray) -> tuple[int, int]:
        """Search each cell and its neighbours."""
        found: tuple[int, int] = low_zone.search_low_zone(self._grid, self._starts, entries.rows, batches)
        return found


class HighZone:
    """Above LOW_ZONE_RADIUS_KM: cubes of one chunk, used step after step."""

    above_border = True
    steps_per_interval = high_zone.STEPS_PER_INTERVAL
    half_whole_step_s = half_step_s = half_a_step_s(high_zone.STEPS_PER_INTERVAL)
    parts = 1

    def __init__(self, threshold_km: float, largest_pad_km: float, knots: Knots) -> None:
        self._grid = high_zone.high_grid(threshold_km, largest_pad_km, self.half_step_s)
        self._starts = np.empty(self._grid.cubes**3 + 2, np.int32)
        self.first: int = high_zone.first_in_zone(knots.r_teme_km, self._grid)

    def sort(self, middle: Middle, good: npt.NDArray[np.bool_], entries: Entries) -> int:
        """Write each object into its cube, once, so that there is always room."""
        grid = self._grid
        count: int = high_zone.sort_into_cubes(
            middle.states, good, grid, self.first, self._starts, middle.cell, entries.objects
        )
        entries.write(middle, grid.threshold_km, grid.kappa, count)
        return count

    def search(self, entries: Entries, batches: IntArray) -> tuple[int, int]:
        """Search each cube and its neighbours."""
        found: tuple[int, int] = high_zone.search_high_zone(self._grid, self._starts, entries.rows, batches)
        return found
