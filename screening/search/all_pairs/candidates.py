"""Candidate pairs of one time step in either zone: the working memory of a search and its growth.

Every search has its own memory, so that searches can run in parallel threads. No buffer has a fixed size: a
kernel that runs out of room continues counting, and is repeated with enough.
"""

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.search.all_pairs.low_grid import LOW_ZONE_RADIUS_KM, Layout
from screening.search.all_pairs.zones import Entries, HighZone, LowZone, Middle, Zone
from screening.search.one_step.curves import Curves
from screening.search.one_step.middle_states import ROWS, FloatArray32, evaluate_midstep
from screening.search.one_step.pads import Knots
from screening.search.one_step.pair_tests import (
    IntArray,
    minima_of_candidates,
    pairs_in_batches,
    straight_times,
)
from screening.search.staying_close.crowds import Crowded


class StepSearch:
    """The zones and buffers of one chunk, used step after step."""

    def __init__(
        self,
        threshold_km: float,
        knots: Knots,
        pads_km: FloatArray32,
        sides: npt.NDArray[np.int8],
        room: int,
        layout: Layout,
    ) -> None:
        count = len(pads_km)
        self._most = room
        largest_pad_km = float(pads_km.max(initial=0.0))
        self.zones: tuple[Zone, ...] = (
            LowZone(threshold_km, largest_pad_km, layout),
            HighZone(threshold_km, largest_pad_km, knots),
        )
        self.whole_step = np.empty((ROWS, count), np.float32)  # in its middle
        self._part = np.empty((ROWS, count if self.zones[0].parts > 1 else 0), np.float32)
        self.middle = Middle(pads_km)
        self._threshold_km = threshold_km
        self._sides = sides
        self._entries = Entries(2 * count)
        self._make_room_for_candidates(count)
        self._batches = np.empty((4, count), np.int32)
        self._pairs = np.empty((2, count), np.int32)
        self._minima = np.empty(count)

    def step(
        self,
        zone: Zone,
        curves: Curves,
        good: npt.NDArray[np.bool_],
        step: int,
        begin: float,
        end: float,
    ) -> tuple[IntArray, FloatArray]:
        """Return pairs (2, k) and times (k,), as `s`, of all minima of a step in [begin, end].

        Each part of the step has its own cells and candidates, and passes on the minima that lie in it. A
        minimum is followed from the middle of the whole step, so that the parts have no influence on it.
        """
        steps, parts = zone.steps_per_interval, zone.parts
        middle = (step + 0.5) / steps
        evaluate_midstep(curves.rough, middle, zone.half_whole_step_s, zone.first, self.whole_step)
        if parts == 1:
            self.middle.states = self.whole_step
            return self._followed(zone, curves, self.candidates(zone, good), middle, begin, end)
        pairs, times = [], []
        for part in range(parts):
            part_begin, part_end = ((step * parts + part + side) / (steps * parts) for side in (0, 1))
            if part_end <= begin or part_begin >= end:
                continue
            evaluate_midstep(
                curves.rough, 0.5 * (part_begin + part_end), zone.half_step_s, zone.first, self._part
            )
            self.middle.states = self._part
            count = self.candidates(zone, good)
            found, s = self._followed(zone, curves, count, middle, begin, end)
            # The first and the last part also have what lies just outside the step.
            here = ((s >= part_begin) | (part_begin <= begin)) & ((s < part_end) | (part_end >= end))
            pairs.append(found[:, here])
            times.append(s[here])
        return np.concatenate(pairs, axis=1), np.concatenate(times)

    def candidates(self, zone: Zone, good: npt.NDArray[np.bool_]) -> int:
        """Fill the list of pairs that may come close in the step of `middle`; return its length.

        Raises Crowded if there are too many.
        """
        entries, middle = self._entries, self.middle
        zone.sort(middle, good, entries)
        batches, _ = zone.search(entries, self._batches)
        if batches > self._batches.shape[1]:
            self._check_room(batches)
            self._batches = np.empty((4, batches + batches // 4), np.int32)
            zone.search(entries, self._batches)
        while True:
            count: int = pairs_in_batches(
                entries.rows, entries.objects, middle.states, middle.pads_km,
                middle.layer_range[0], self._sides, self._batches, batches, self._threshold_km,
                zone.half_step_s, self._found,
            )  # fmt: skip
            if count <= len(self._times):
                return count
            self._check_room(count)
            self._make_room_for_candidates(count + count // 4)

    def _check_room(self, count: int) -> None:
        if count > self._most:
            raise Crowded(f"{count:,} pairs or groups of pairs may meet within a few minutes.")

    def _followed(
        self, zone: Zone, curves: Curves, count: int, middle: float, begin: float, end: float
    ) -> tuple[IntArray, FloatArray]:
        """Return pairs (2, k) and times (k,), as `s`, of the listed candidates' minima in [begin, end]."""
        coefficients = curves.exact_of(self._found, count)
        straight_times(self.whole_step, self._found, count, zone.half_whole_step_s, self._times)
        while True:
            kept = minima_of_candidates(
                coefficients, self.middle.pads_km, self._found, self._times, count, middle, begin, end,
                self._threshold_km, LOW_ZONE_RADIUS_KM, zone.above_border, self._pairs, self._minima,
            )  # fmt: skip
            if kept <= len(self._minima):
                return self._pairs[:, :kept].copy(), self._minima[:kept].copy()
            self._pairs = np.empty((2, kept + kept // 4), np.int32)
            self._minima = np.empty(kept + kept // 4)

    def _make_room_for_candidates(self, room: int) -> None:
        self._found = np.empty((2, room), np.int32)
        self._times = np.empty(room, np.float32)
