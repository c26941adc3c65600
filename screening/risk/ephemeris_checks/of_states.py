"""Checks of the states themselves: span, steps, gaps, velocities, altitude."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from screening.orbits.burns import arcs_km_s
from screening.orbits.ephemerides import Segment
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.texts.ephemerides.objects import AsWritten
from screening.orbits.timegrid import FloatArray
from screening.risk.ephemeris_checks.findings import Judge, Place
from screening.risk.objects.departure import SHORT_GAP_RAD

_HALF = 0.5  # of a revolution: beyond, an angle says nothing
_USUAL_STEPS = 7  # on each side of a step
_M_PER_KM = 1000.0
_LOW_ORBIT_KM = 2000.0  # of the largest altitude
_EQUATOR_KM, _FLATTENING = 6378.137, 1.0 / 298.257223563


class Steps(NamedTuple):
    """The steps of a segment."""

    seconds: FloatArray  # (n - 1,)
    is_gap: npt.NDArray[np.bool_]  # (n - 1,)
    usual_s: FloatArray  # (n - 1,) median of those around


class Measured(NamedTuple):
    """What was measured of the states."""

    span_days: float
    step_s: float  # the longest that is no gap
    step_revolutions: float  # likewise
    lowest_km: float  # above the ellipsoid
    velocity_m_s: float | None  # the largest difference; None: the file has no velocities


def check_states(
    judge: Judge,
    segments: Sequence[Segment],
    written: Sequence[AsWritten],
    outside: Sequence[np.datetime64],
) -> Measured:
    """Check the segments of a file; at instants `outside` a jump is known, and velocities say nothing."""
    all_steps = [_steps(one, judge) for one in segments]
    span_days = _span(judge, segments)
    step = _step(judge, segments, written, all_steps)
    _gaps(judge, segments, all_steps)
    velocity = _velocities(judge, segments, written, all_steps, outside)
    return Measured(span_days, *step, _altitude(judge, segments), velocity)


def _steps(segment: Segment, judge: Judge) -> Steps:
    seconds = np.diff(segment.epochs) / np.timedelta64(1, "us") / 1e6
    around = np.pad(seconds, _USUAL_STEPS, mode="reflect" if len(seconds) > _USUAL_STEPS else "edge")
    usual_s = np.median(sliding_window_view(around, 2 * _USUAL_STEPS + 1), axis=1)
    return Steps(seconds, seconds > judge.number("gap") * usual_s, usual_s)


def _span(judge: Judge, segments: Sequence[Segment]) -> float:
    days = float((segments[-1].usable_to - segments[0].usable_from) / np.timedelta64(1, "D"))
    words, limit = f"it spans {days:.3g} days", judge.limit("span")
    if limit is None:
        judge.without_limit("span", words, days)
        return days
    is_low = max(_altitudes_km(one).max() for one in segments) < _LOW_ORBIT_KM
    assert not isinstance(limit.value, tuple)
    least = limit.value if is_low or limit.elsewhere is None else limit.elsewhere
    if days < least:
        orbit = "in low orbit" if is_low else "beyond low orbits"
        judge.add("span", f"{words}; {least:g} {orbit}", value=days, at=segments[0].epochs[0], limit=least)
    return days


def _step(
    judge: Judge, segments: Sequence[Segment], written: Sequence[AsWritten], all_steps: Sequence[Steps]
) -> tuple[float, float]:
    longest: tuple[float, float, np.datetime64] = (-1.0, 0.0, segments[0].epochs[0])
    for segment, about, steps in zip(segments, written, all_steps, strict=True):
        unit = segment.r_teme_km / np.linalg.norm(segment.r_teme_km, axis=1)[:, None]
        chords = np.linalg.norm(np.diff(unit, axis=0), axis=1)
        by_angle = 2.0 * np.arcsin(np.minimum(chords / 2.0, 1.0)) / math.tau
        by_time = steps.seconds / _period_s(segment, _first_velocity(about))
        part = np.where(by_time < _HALF, np.minimum(by_angle, by_time), by_time)
        part = np.where(steps.is_gap, 0.0, part)
        i = int(np.argmax(part))
        if part[i] > longest[0]:
            longest = float(part[i]), float(steps.seconds[i]), segment.epochs[i]
    revolutions, seconds, at = longest
    words = f"the longest step is {seconds:g} s, {revolutions:.3f} revolutions"
    limit = judge.limit("step")
    if limit is None:
        judge.without_limit("step", words, revolutions)
    elif not isinstance(limit.value, tuple) and revolutions > limit.value:
        judge.add("step", f"{words}; at most {limit.value:.3f}", value=revolutions, at=at)
    return seconds, revolutions


def _first_velocity(about: AsWritten) -> FloatArray | None:
    return None if about.v_teme_km_s is None else about.v_teme_km_s[0]


def _period_s(segment: Segment, v_km_s: FloatArray | None) -> float:
    """Return the period of the orbit of the first state; infinite if it is none.

    Without a velocity, that of the arc to the second state, or of a circle if that is too far.
    """
    distance_km = float(np.linalg.norm(segment.r_teme_km[0]))
    circle_s = math.tau * math.sqrt(distance_km**3 / MU_KM3_S2)
    seconds = np.array([0.0, (segment.epochs[1] - segment.epochs[0]) / np.timedelta64(1, "us") / 1e6])
    if v_km_s is None:
        if math.tau * seconds[1] / circle_s > SHORT_GAP_RAD:
            return circle_s
        v_km_s = arcs_km_s(seconds, segment.r_teme_km[:2])[0][0]
    inverse_km = 2.0 / distance_km - float((v_km_s**2).sum()) / MU_KM3_S2
    return math.inf if inverse_km <= 0.0 else math.tau * math.sqrt(1.0 / (inverse_km**3 * MU_KM3_S2))


def _gaps(judge: Judge, segments: Sequence[Segment], all_steps: Sequence[Steps]) -> None:
    places = [
        _gap(segment.epochs[i], steps.seconds[i], steps.usual_s[i])
        for segment, steps in zip(segments, all_steps, strict=True)
        for i in np.flatnonzero(steps.is_gap).tolist()
    ]
    for before, after, steps in zip(segments[:-1], segments[1:], all_steps[:-1], strict=True):
        seconds = float((after.usable_from - before.usable_to) / np.timedelta64(1, "us")) / 1e6
        usual_s = float(np.median(steps.seconds))
        if seconds > judge.number("gap") * usual_s:
            places.append(_gap(before.epochs[-1], seconds, usual_s))
    judge.add_places("gap", places)


def _gap(at: np.datetime64, seconds: float, usual_s: float) -> Place:
    return Place(at, seconds / usual_s, f"no state for {seconds:g} s, where steps are {usual_s:g} s")


def _velocities(
    judge: Judge,
    segments: Sequence[Segment],
    written: Sequence[AsWritten],
    all_steps: Sequence[Steps],
    outside: Sequence[np.datetime64],
) -> float | None:
    """Compare velocities with those of arcs of gravity to the state before and to the one after."""
    places, largest = [], None
    for segment, about, steps in zip(segments, written, all_steps, strict=True):
        if about.v_teme_km_s is None:
            continue
        away = np.full(len(segment.epochs), np.inf)
        for run in _runs(segment, about.v_teme_km_s[0], steps):
            seconds = (segment.epochs[run] - segment.epochs[run.start]) / np.timedelta64(1, "us") / 1e6
            departure, arrival = arcs_km_s(seconds, segment.r_teme_km[run])
            inner = about.v_teme_km_s[run]
            here = away[run]
            here[:-1] = np.linalg.norm(departure - inner[:-1], axis=1)
            here[1:] = np.minimum(here[1:], np.linalg.norm(arrival - inner[1:], axis=1))
        away[np.isin(segment.epochs, np.array(outside, "M8[us]"))] = np.inf
        if not np.isfinite(away).any():
            continue
        away_m_s = np.where(np.isfinite(away), away * _M_PER_KM, 0.0)
        largest = max(largest or 0.0, float(away_m_s.max()))
        places += [
            Place(segment.epochs[i], float(away_m_s[i]), f"its velocity is {away_m_s[i]:.3g} m/s off")
            for i in np.flatnonzero(away_m_s > judge.number("velocity")).tolist()
        ]
    judge.add_places("velocity", places)
    return largest


def _runs(segment: Segment, v_km_s: FloatArray, steps: Steps) -> Iterator[slice]:
    """Yield the states between steps that are too long for an arc."""
    turn_rad = math.tau * steps.seconds / _period_s(segment, v_km_s)
    cuts = np.flatnonzero(steps.is_gap | (turn_rad > SHORT_GAP_RAD)).tolist()
    for first, last in zip([0, *(i + 1 for i in cuts)], [*cuts, len(steps.seconds)], strict=True):
        if last > first:
            yield slice(first, last + 1)


def _altitude(judge: Judge, segments: Sequence[Segment]) -> float:
    lowest: tuple[float, np.datetime64] = (math.inf, segments[0].epochs[0])
    for segment in segments:
        altitude_km = _altitudes_km(segment)
        i = int(np.argmin(altitude_km))
        if altitude_km[i] < lowest[0]:
            lowest = float(altitude_km[i]), segment.epochs[i]
    if lowest[0] < judge.number("altitude"):
        words = f"it comes down to {lowest[0]:.0f} km above the Earth"
        judge.add("altitude", words, value=lowest[0], at=lowest[1])
    return lowest[0]


def _altitudes_km(segment: Segment) -> FloatArray:
    """Return altitudes (n,) above the ellipsoid, by the geocentric latitude."""
    distance_km = np.linalg.norm(segment.r_teme_km, axis=1)
    sine = segment.r_teme_km[:, 2] / distance_km
    altitudes: FloatArray = distance_km - _EQUATOR_KM * (1.0 - _FLATTENING * sine**2)
    return altitudes
