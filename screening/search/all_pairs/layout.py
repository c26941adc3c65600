"""Choose how the low zone is cut in time, radius and direction, by a model of what a cut costs.

Nothing but the cost depends on the choice: each pair that may meet in a step shares a layer and is in
neighbouring cells for any layers and parts (`low_zone`), and its minimum is followed from the middle of the
whole step (`candidates`), so that results are the same to the bit (`test_layout.py`).

In an interval between knots, with p parts of each of the steps, the search

    evaluates   p n             objects
    clears      p C             cells, with C ~ (layers) (4 pi / theta^2)
    writes      p sum_i m_i     entries, m_i = 1 + 2 extent_i / L in layers of L km
    tests       p sum_l E_l b   batches of 16 pairs, for the E_l entries of layer l

where theta ~ 2 omega tau + (D + 2 pad) / r is the height of a band and extent ~ |r'| tau + pad + D / 2 how
far an object may stray; tau, half a part, is proportional to 1 / p. The partners of an entry are two runs, at
longitude 0 more: those after it in its own band, and the next band both ways from its cell, together some
4.25 theta^2 / (4 pi) of the layer. With
x expected entries in a run, b ~ x / 16 + 15 / 32 (1 - exp(-2 x)): the last batch of a run is half empty, and
a run of less than one entry has a batch or none. Fast entries are tested against whole bands instead.

So thinner layers and more parts save tests as the square of the objects in a layer, and cost entries and
cells: they pay where objects are many and the threshold is small, since L cannot usefully be less than
2 extent > D. How many objects a layer has is counted, not assumed: blocks of a task are thin shells, and a
third of the catalogue flies in a few constellations. The constants are fitted to stages of the search.
"""

import math
from typing import NamedTuple

import numpy as np

from screening.orbits.knots import POWERS
from screening.orbits.timegrid import FloatArray
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
    RADIUS,
    ROWS,
    TURN,
    FloatArray32,
    evaluate_midstep,
)
from screening.search.one_step.pads import Knots
from screening.search.one_step.pair_tests import LANES

PARTS = (1, 2, 3)
LAYERS_KM = (180.0, 90.0, 45.0, 30.0, 20.0, 14.0, 10.0)
# Seconds on one core, fitted by tests/benchmarks/bench_layouts.py.
EVALUATE_S = 14e-9
CELL_S = 4e-9
ENTRY_S = 38e-9
BATCH_S = 5.5e-9
# Objects crowd in direction too, in the planes of constellations and at the turning points of orbits.
CROWDING = 1.15
SAMPLE = 4096  # objects that are counted


class Work(NamedTuple):
    """What the search of the low zone does in one interval."""

    objects: float  # evaluated
    cells: float  # cleared
    entries: float  # written
    batches: float  # of LANES pairs, tested

    @property
    def seconds(self) -> float:
        """Return the CPU time by the model."""
        return (
            self.objects * EVALUATE_S + self.cells * CELL_S + self.entries * ENTRY_S + self.batches * BATCH_S
        )


class Sample(NamedTuple):
    """Every so many-th of the objects, in an interval between knots."""

    curves: FloatArray32  # (18, k) coefficients
    pads_km: FloatArray32  # (k,)
    largest_pad_km: float  # of all objects
    objects: int  # in all


def chosen_layout(sample: Sample, threshold_km: float) -> Layout:
    """Return the cheapest layout for the objects of a sample.

    More parts and thinner layers cost ever less until they cost ever more: those beyond are not tried.
    """
    best, least_s = Layout(PARTS[0], LAYERS_KM[0]), math.inf
    for parts in PARTS:
        least_so_far_s, before_s = least_s, math.inf
        for layer_km in LAYERS_KM:
            layout = Layout(parts, layer_km)
            seconds = expected_work(sample, threshold_km, layout).seconds
            if seconds > before_s:
                break
            before_s = seconds
            if seconds < least_s:
                best, least_s = layout, seconds
        if least_s == least_so_far_s:
            break
    return best


def sampled(knots: Knots, pads_km: FloatArray32, most: int = SAMPLE) -> Sample:
    """Return a sample of about `most` of the objects (n,) with a state at the first two knots."""
    good = np.flatnonzero((knots.errors[0] == 0) & (knots.errors[1] == 0))
    some = good[:: max(1, len(good) // most)]
    (r0, r1), (v0, v1) = (
        np.ascontiguousarray(x[:2][:, :, some]) for x in (knots.r_teme_km, knots.v_teme_km_s)
    )
    curves = np.empty((3 * POWERS, len(some)), np.float32)
    rough_coefficients(r0, v0, r1, v1, curves)
    return Sample(curves, pads_km[some], float(pads_km.max(initial=0.0)), len(good))


def expected_work(sample: Sample, threshold_km: float, layout: Layout) -> Work:
    """Return the expected work of an interval, with objects evenly spread in direction."""
    half_step_s = half_a_step_s(STEPS_PER_INTERVAL * layout.parts)
    grid = low_grid(threshold_km, sample.largest_pad_km, half_step_s, layout)
    states = np.empty((ROWS, len(sample.pads_km)), np.float32)
    evaluate_midstep(sample.curves, 0.5, half_step_s, 0, states)
    here = states[RADIUS] - states[EXCURSION] <= grid.top_km
    states, pads_km = states[:, here], sample.pads_km[here]
    fast = states[TURN] > grid.ordinary_turn_rad
    weight = sample.objects / max(1, len(sample.pads_km))
    ordinary = weight * _entries(states[:, ~fast], pads_km[~fast], grid)  # (layers,)
    turning = weight * _entries(states[:, fast], pads_km[fast], grid)
    everybody = ordinary + turning
    batches = 0.0
    for entries, share, runs in zip((ordinary, turning), *_shares(grid), strict=True):
        partners = np.multiply.outer(CROWDING * ordinary, runs[0]) + np.multiply.outer(turning, runs[1])
        batches += float((np.multiply.outer(entries, share) * _batches(partners).sum(axis=2)).sum())
    steps = STEPS_PER_INTERVAL * layout.parts
    cells = grid.layers * len(grid.runs)
    return Work(steps * sample.objects, steps * cells, steps * float(everybody.sum()), steps * batches)


def _entries(states: FloatArray32, pads_km: FloatArray32, grid: LowGrid) -> FloatArray:
    """Return how many entries each layer (layers,) has, as `place_in_cells` counts them."""
    extent_km = states[EXCURSION] + pads_km + 0.5 * grid.threshold_km
    height_km = states[RADIUS] - BOTTOM_KM
    first, last = (
        np.clip((height_km + side * extent_km) / grid.layer_km, 0.0, grid.layers).astype(np.intp)
        for side in (-1.0, 1.0)
    )
    begins = np.bincount(first, minlength=grid.layers + 1)
    ends = np.bincount(np.minimum(last, grid.layers - 1) + 1, minlength=grid.layers + 1)
    entries: FloatArray = np.cumsum(begins - ends)[: grid.layers].astype(np.float64)
    return entries


def _shares(grid: LowGrid) -> tuple[list[FloatArray], list[FloatArray]]:
    """Return the bands' shares of ordinary and of fast entries, and the shares that are an entry's partners.

    Each list has ordinary entries first, then fast ones: (bands,), and (2, bands, 4) of the runs, in which
    share of the ordinary and of the fast ones they have.
    """
    bands = len(grid.longitude_cells)
    borders = np.sin(np.linspace(-math.pi / 2, math.pi / 2, bands + 1))
    band = np.diff(borders) / 2.0
    none = np.zeros(int(grid.first_cell[-1]))
    ordinary = np.concatenate([np.repeat(band / grid.longitude_cells, grid.longitude_cells), 0.0 * band])
    everybody = np.stack([ordinary, np.concatenate([none, band])])
    before = np.pad(np.cumsum(everybody, axis=1), ((0, 0), (1, 0)))
    middle = grid.first_cell[:-1] + grid.longitude_cells // 2
    shares = []
    for cells in (middle, grid.first_cell[-1] + np.arange(bands)):
        runs = grid.runs[cells]
        share = before[:, runs[:, :, 1]] - before[:, runs[:, :, 0]]
        share[:, :, 0] -= 0.5 * everybody[:, cells]  # of its own cell what follows it
        shares.append(share)
    return [band, band], shares


def _batches(entries: FloatArray) -> FloatArray:
    """Return the expected batches of a run with so many expected entries."""
    batches: FloatArray = entries / LANES + (LANES - 1) / (2.0 * LANES) * (1.0 - np.exp(-2.0 * entries))
    return batches
