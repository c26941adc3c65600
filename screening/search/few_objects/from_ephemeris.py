"""Find what comes near a few objects in a stored ephemeris: the search of `primary` without propagation."""

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.screen import EDGE_S, ROUNDING_S, inside
from screening.search.few_objects.curves import Curves, Ephemeris
from screening.search.few_objects.primary import assembled, minima_in_chunks, reachable, reached, sought_in
from screening.search.radial_range import RadialRange
from screening.search.refining.final_tca import encounters_on_sgp4
from screening.search.results import Found, Screening


def screen_on_ephemeris(
    elements: ElementArray,
    ephemeris: Ephemeris,
    span: TimeWindow,
    threshold_km: float,
    primaries: IndexArray,
) -> Screening:
    """Find the encounters and proximities of some objects (p,), indices into `elements` (n,), with all.

    `elements` are sorted by norad_id. Nothing is found beyond the ephemeris, or for objects that are not in
    it.
    """
    places = places_in(ephemeris, elements)
    curves = Curves(ephemeris, span, places)
    primaries = np.unique(primaries).astype(np.int32)
    own = reachable(_of_places(ephemeris.ranges, places[primaries]), threshold_km)
    fleet = reached(elements, curves, _of_places(ephemeris.ranges, places), primaries, own)
    known = places[primaries] >= 0
    sought = sought_in(
        np.arange(len(ephemeris.norad_ids), dtype=np.int32),
        ephemeris.ranges,
        places[primaries[known]],
        RadialRange(*(bound[known] for bound in own)),
    )
    begin_s, end_s = -EDGE_S, span.seconds + EDGE_S
    chunks = curves.chunks(begin_s, end_s)
    minima = minima_in_chunks(chunks, sought, threshold_km, begin_s, end_s)
    member_at = np.full(ephemeris.states.shape[2], -1, np.int32)
    theirs = places[fleet.members]
    member_at[theirs[theirs >= 0]] = np.flatnonzero(theirs >= 0)
    pairs = member_at[minima.pairs]
    both = (pairs >= 0).all(axis=0)
    encounters = encounters_on_sgp4(fleet.propagator, np.sort(pairs[:, both], axis=0), minima.times_s[both])
    kept = inside(encounters, -ROUNDING_S, span.seconds + ROUNDING_S, threshold_km)
    largest_km = max((float(chunk.slack_km.max()) for chunk in chunks), default=0.0)
    return assembled(fleet, threshold_km, Found(kept, [], int(both.sum()), largest_km))


def _of_places(ranges: RadialRange, places: IndexArray) -> RadialRange:
    """Return the ranges of the objects at some places (n,); those without a place are nowhere."""
    low_km, high_km = (bound[np.maximum(places, 0)] for bound in ranges)
    return RadialRange(np.where(places < 0, np.inf, low_km), np.where(places < 0, -np.inf, high_km))


def places_in(ephemeris: Ephemeris, elements: ElementArray) -> IndexArray:
    """Return the place of each object of `elements` (n,) in an ephemeris, -1 if it has none."""
    order = np.argsort(ephemeris.norad_ids)
    at = np.minimum(np.searchsorted(ephemeris.norad_ids, elements["norad_id"], sorter=order), len(order) - 1)
    there = ephemeris.norad_ids[order[at]] == elements["norad_id"]
    return np.where(there, order[at], -1).astype(np.int32)
