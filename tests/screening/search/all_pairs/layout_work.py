"""Count what the search of the low zone really does in one interval, step after step."""

import time

import numpy as np

from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search.all_pairs.layout import Sample, Work, sampled
from screening.search.all_pairs.low_grid import STEPS_PER_INTERVAL, Layout
from screening.search.all_pairs.zones import Entries, LowZone, Middle
from screening.search.one_step.middle_states import evaluate_midstep
from screening.search.one_step.pads import Knots, checked_groups, measured_pads_km
from screening.synthetic.catalogue import synthetic_catalogue

EPOCH = np.datetime64("2026-11-21T06:00", "us")


def chunk_of(objects: int) -> tuple[Knots, np.ndarray]:
    """Return the first two knots of a synthetic catalogue, ordered as the search orders it, and its pads."""
    elements = synthetic_catalogue(objects, 1, EPOCH).elements
    elements = elements[np.argsort(elements["mean_motion_rev_day"], kind="stable")[::-1]]
    propagator = Propagator(elements, window(EPOCH, 1.0))
    times_s = np.arange(2) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    return knots, measured_pads_km(checked_groups(elements, propagator), knots)


def everybody(knots: Knots, pads_km: np.ndarray) -> Sample:
    """Return all objects instead of a sample."""
    return sampled(knots, pads_km, most=len(pads_km))


def counted_work(objects: Sample, threshold_km: float, layout: Layout) -> tuple[Work, float]:
    """Return the work of an interval, with what was written and tested, and the CPU seconds it took."""
    count = objects.objects
    zone = LowZone(threshold_km, objects.largest_pad_km, layout)
    steps = STEPS_PER_INTERVAL * layout.parts
    middle, entries = Middle(objects.pads_km), Entries(4 * count)
    batches = np.empty((4, 4 * count + 1000), np.int32)
    good = np.ones(count, np.bool_)
    written = tested = 0
    began_s = time.process_time()
    for step in range(steps):
        evaluate_midstep(objects.curves, (step + 0.5) / steps, zone.half_step_s, 0, middle.states)
        written += zone.sort(middle, good, entries)
        tested += zone.search(entries, batches)[1]
    spent_s = time.process_time() - began_s
    return Work(steps * count, steps * zone.cells, written, tested), spent_s
