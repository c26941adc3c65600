"""Candidate pairs of one time step, whatever zone: the working memory of a search and how it grows.

Every search has its own memory, so that searches can run in threads side by side. No buffer has a fixed size:
a kernel that runs out of room goes on counting, and is repeated with enough.
"""

import numpy as np
import numpy.typing as npt

from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.timegrid import FloatArray
from screening.search.all_pairs import high_zone, low_zone
from screening.search.one_step.middle_states import ROWS, FloatArray32
from screening.search.one_step.pair_tests import (
    ENTRY_ROWS,
    ROUGH_EDGE,
    IntArray,
    minima_of_candidates,
    pairs_in_batches,
)
from screening.search.staying_close.crowds import Crowded

# Straight-line times are searched a little beyond the step, as its minima are.
_STEP_SLACK = 1.01
_STEP_SLACK_S = 0.1


def half_step_s(steps_per_interval: int) -> float:
    """Return half a step of a zone, with its slack."""
    return 0.5 * KNOT_STEP_S / steps_per_interval * _STEP_SLACK + _STEP_SLACK_S


class StepSearch:
    """The cells and buffers of one chunk, used step after step."""

    def __init__(
        self, threshold_km: float, pads_km: FloatArray32, sides: npt.NDArray[np.int8], room: int
    ) -> None:
        count = len(pads_km)
        self._most = room
        largest_pad_km = float(pads_km.max(initial=0.0))
        self.threshold_km = threshold_km
        self.pads_km = pads_km
        self.sides = sides
        self.low_grid = low_zone.low_grid(
            threshold_km, largest_pad_km, half_step_s(low_zone.STEPS_PER_INTERVAL)
        )
        self.high_grid = high_zone.high_grid(
            threshold_km, largest_pad_km, half_step_s(high_zone.STEPS_PER_INTERVAL)
        )
        self.midstep = np.empty((ROWS, count), np.float32)
        self._low_starts = np.empty(self.low_grid.layers * int(self.low_grid.first_cell[-1]) + 2, np.int32)
        self._high_starts = np.empty(self.high_grid.cubes**3 + 2, np.int32)
        self._cell = np.empty(count, np.int32)
        self._layer_range = np.empty((2, count), np.int32)
        self._make_room_for_entries(2 * count)
        self._make_room_for_candidates(count)
        self._high_entries = 0
        self._batches = np.empty((4, count), np.int32)
        self._pairs = np.empty((2, count), np.int32)
        self._minima = np.empty(count)

    def candidates(self, good: npt.NDArray[np.bool_], *, high: bool) -> int:
        """Fill the list of pairs that may come close in the step that `midstep` holds; return its length.

        Raises Crowded if there is no room for so many.
        """
        (self._sort_high if high else self._sort_low)(good)
        search = self._search_high if high else self._search_low
        batches = search()
        if batches > self._batches.shape[1]:
            self._check_room(batches)
            self._batches = np.empty((4, batches + batches // 4), np.int32)
            search()
        half = (self.high_grid if high else self.low_grid).half_step_s
        while True:
            count: int = pairs_in_batches(
                self._entries, self._objects, self._fast, self.midstep, self.pads_km, self._layer_range[0],
                self.sides, self._batches, batches, self.threshold_km, half, self._found, self._times,
            )  # fmt: skip
            if count <= len(self._times):
                return count
            self._check_room(count)
            self._make_room_for_candidates(count + count // 4)

    def _check_room(self, count: int) -> None:
        if count > self._most:
            raise Crowded(f"{count:,} pairs or groups of them may meet within a few minutes.")

    def minima(
        self, coefficients: FloatArray, count: int, middle: float, begin: float, end: float, *, high: bool
    ) -> tuple[IntArray, FloatArray]:
        """Return pairs (2, k) and times (k,), as `s`, of the listed candidates' minima in [begin, end]."""
        while True:
            kept = minima_of_candidates(
                coefficients, self.pads_km, self._found, self._times, count, middle, begin, end,
                self.threshold_km, low_zone.LOW_ZONE_RADIUS_KM, high, self._pairs, self._minima,
            )  # fmt: skip
            if kept <= len(self._minima):
                return self._pairs[:, :kept].copy(), self._minima[:kept].copy()
            self._pairs = np.empty((2, kept + kept // 4), np.int32)
            self._minima = np.empty(kept + kept // 4)

    def _sort_low(self, good: npt.NDArray[np.bool_]) -> None:
        entries = low_zone.count_low_entries(
            self.midstep, good, self.pads_km, self.low_grid, self._low_starts, self._cell, self._layer_range
        )
        if entries > len(self._objects):
            self._make_room_for_entries(entries + entries // 4)
        low_zone.sort_low_entries(
            self.midstep, self.pads_km, self.low_grid, self._low_starts, self._cell, self._layer_range,
            self._entries, self._objects, self._longitudes, self._fast,
        )  # fmt: skip

    def _search_low(self) -> int:
        found: int = low_zone.search_low_zone(
            self.low_grid, self._low_starts, self._entries, self._longitudes, self._fast, self._batches
        )
        return found

    def _sort_high(self, good: npt.NDArray[np.bool_]) -> None:
        self._fast[:] = False
        self._high_entries = high_zone.sort_high_entries(
            self.midstep, good, self.pads_km, self.high_grid, self._high_starts, self._cell,
            self._entries, self._objects, self._cubes,
        )  # fmt: skip

    def _search_high(self) -> int:
        found: int = high_zone.search_high_zone(
            self.high_grid, self._high_starts, self._entries, self._cubes, self._high_entries, self._batches
        )
        return found

    def _make_room_for_entries(self, room: int) -> None:
        self._entries = np.zeros((ENTRY_ROWS, room + ROUGH_EDGE), np.float32)
        self._objects = np.empty(room, np.int32)
        self._cubes = np.empty(room, np.int32)
        self._longitudes = np.empty(room, np.float32)
        self._fast = np.zeros(room, np.bool_)

    def _make_room_for_candidates(self, room: int) -> None:
        self._found = np.empty((2, room), np.int32)
        self._times = np.empty(room, np.float32)
