"""The path of one object as states with their errors: on its ephemerides, else by its element set."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.interpolated import POINTS
from screening.orbits.pieces import BY_ELEMENTS, PiecePaths, Pieces, pieces_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import (
    SECONDS_PER_DAY,
    FloatArray,
    TimeWindow,
    UtcArray,
    seconds_since,
    utc,
)
from screening.risk.objects.ephemeris_errors import covariances_between
from screening.risk.objects.error_law import ErrorLaws
from screening.risk.objects.state_errors import covariances_by_law

_MICROSECONDS = 1_000_000


class PathPart(NamedTuple):
    """States that rest on one source, in time; a part may begin at the instant at which another ends."""

    ephemeris: int  # which of those given, BY_ELEMENTS: by the element set
    epochs: UtcArray  # (n,) M8[us] UTC, ascending, two at least
    r_teme_km: FloatArray  # (n, 3)
    v_teme_km_s: FloatArray  # (n, 3)
    covariance_epochs: UtcArray  # (k,) some of the epochs; empty: nothing is known of the errors
    covariance_rtn: FloatArray  # (k, 6, 6) km2, km2/s, km2/s2, in the object's own RTN


def sampled_path(
    elements: ElementArray,
    laws: ErrorLaws,
    ephemerides: Sequence[Ephemeris],
    span: TimeWindow,
    step_s: float,
) -> list[PathPart]:
    """Return the path of one object in a window, each `step_s` and where one source follows another.

    Args:
        elements: its element set (1,), marked `ephemeris` if it has none of its own.
        laws: the error law of that set (1,).
        ephemerides: cut at thrusts; of several that give states for the same time the first counts.
        span: the window, both ends included.
        step_s: the time between states, to the microsecond.

    Where nothing is known, because SGP4 fails or no ephemeris goes so far, there are no states.
    """
    pieces, used = pieces_of(elements, {0: ephemerides} if ephemerides else {}, span)
    paths = PiecePaths(pieces, Propagator(elements, span).subset(pieces.objects))
    parts = []
    for i in range(len(pieces.ids)):
        times_us = _times_us(pieces, i, span, step_s)
        times_s = np.clip(times_us / _MICROSECONDS, pieces.from_s[i], pieces.to_s[i])
        error, r_km, v_km_s = paths.at(np.full(len(times_s), i, np.int32), times_s)
        source, segment = BY_ELEMENTS, None
        if pieces.segments[i] != BY_ELEMENTS and len(times_s):
            source = _source(ephemerides, utc(span, times_s[[0, -1]]))
            segment = used[pieces.segments[i]].segment
        for here in _unbroken(error == 0):
            states = times_s[here], r_km[here], v_km_s[here]
            parts.append(_part(source, segment, states, span, (elements, laws)))
    return parts


def _times_us(pieces: Pieces, i: int, span: TimeWindow, step_s: float) -> npt.NDArray[np.int64]:
    """Return the instants of a piece in microseconds from the start, those at its ends among them."""
    end_us = round(span.seconds * _MICROSECONDS)
    grid = np.arange(0, end_us + 1, round(step_s * _MICROSECONDS))
    first = max(0, round(max(pieces.from_s[i], 0.0) * _MICROSECONDS))
    last = min(end_us, round(min(pieces.to_s[i], span.seconds) * _MICROSECONDS))
    if first >= last:
        return grid[:0]
    within = grid[(grid > first) & (grid < last)]
    return np.concatenate([[first], within, [last]])


def _source(ephemerides: Sequence[Ephemeris], ends: UtcArray) -> int:
    """Return which of the ephemerides gives the states between two instants."""
    middle = ends[0] + (ends[1] - ends[0]) // 2
    return next(
        number
        for number, one in enumerate(ephemerides)
        for segment in one.segments
        if len(segment.epochs) >= POINTS and segment.usable_from <= middle <= segment.usable_to
    )


def _unbroken(known: npt.NDArray[np.bool_]) -> Iterator[slice]:
    """Yield the stretches of at least two states that are known."""
    borders = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    for first, behind in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True):
        if behind - first > 1:
            yield slice(first, behind)


def _part(
    source: int,
    segment: Segment | None,
    states: tuple[FloatArray, FloatArray, FloatArray],
    span: TimeWindow,
    of_elements: tuple[ElementArray, ErrorLaws],
) -> PathPart:
    times_s, r_km, v_km_s = states
    epochs = utc(span, times_s)
    if segment is None:
        elements, laws = of_elements
        epoch_s = seconds_since(span, elements["epoch_jd"], elements["epoch_day_fraction"])
        covariances = covariances_by_law(laws, (times_s - epoch_s) / SECONDS_PER_DAY, r_km, v_km_s)
        return PathPart(source, epochs, r_km, v_km_s, epochs, covariances)
    given_s, times = (
        (those - epochs[0]) / np.timedelta64(1, "us") / _MICROSECONDS
        for those in (segment.covariance_epochs, epochs)
    )
    known = np.zeros(len(times), np.bool_)
    if len(given_s):
        known = (times >= given_s[0]) & (times <= given_s[-1])
    covariances = np.empty((0, 6, 6))
    if known.any():
        covariances = covariances_between(given_s, segment.covariance_rtn, times[known])
    return PathPart(source, epochs, r_km, v_km_s, epochs[known], covariances)
