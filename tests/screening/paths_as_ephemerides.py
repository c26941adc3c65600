"""Ephemerides made from SGP4, as if an operator had published them."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow, utc


def segment_of(span: TimeWindow, times_s: FloatArray, r_teme_km: FloatArray) -> Segment:
    """Return states at times from a window's start as a segment without covariance."""
    epochs = utc(span, times_s)
    nothing = np.empty(0, "M8[us]"), np.empty((0, 6, 6))
    return Segment(epochs, np.ascontiguousarray(r_teme_km), epochs[0], epochs[-1], *nothing)


def ephemerides_of(
    elements: ElementArray, span: TimeWindow, chosen: npt.NDArray[np.integer], *spans_s: FloatArray
) -> dict[int, list[Ephemeris]]:
    """Return the ephemerides of some objects, a segment for each array of times."""
    propagator = Propagator(elements[chosen], span)
    made: dict[int, list[Ephemeris]] = {}
    states = [propagator.on_grid(times_s) for times_s in spans_s]
    for place, i in enumerate(chosen.tolist()):
        segments = [
            segment_of(span, times_s, r[:, :, place])
            for times_s, (error, r, _) in zip(spans_s, states, strict=True)
            if not error[:, place].any()
        ]
        one = elements[i]
        made[i] = [Ephemeris(int(one["norad_id"]), str(one["name"]), str(one["object_id"]), tuple(segments))]
    return made


def moved(one: Ephemeris, by_s: float) -> Ephemeris:
    """Return an ephemeris with later epochs."""
    by = np.timedelta64(round(by_s * 1e6), "us")
    segments = (
        part._replace(
            epochs=part.epochs + by, usable_from=part.usable_from + by, usable_to=part.usable_to + by
        )
        for part in one.segments
    )
    return one._replace(segments=tuple(segments))
