"""How far the path of an operator's ephemeris is from its object's element set, and whether it jumps.

What is so far off at its beginning that the errors of element sets do not explain it is another object's
path, or has other times. A thrust leads away in time, so only beginnings decide: the first state, and that
behind each gap in which much may happen.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Segment
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, instants, utc, window
from screening.risk.objects.error_law import METRES_PER_KM, ErrorLaws

FAR_SIGMAS = 10.0
FAR_KM = 100.0
LONGEST_AGE_DAYS = 7.0  # the law is fitted to errors up to this age
# Of published sets up to so much apart, 20 of 1,476 pairs are as far from each other: what thrusts.
VALID_DAYS = 3.0
STEP_S = 600.0
# Between two pieces a thrust in one direction moves an object by at most its change of velocity times the
# time. What is off by more, and by more than operators' orbits of one object differ, is a jump.
JUMP_KM = 0.1
# In longer gaps gravity alone makes nearly as much of a shift in time.
SHORT_GAP_RAD = 0.8

Instant = np.datetime64


class Distance(NamedTuple):
    """How far a path is from an element set."""

    at: Instant  # M8[us] UTC
    km: float
    sigmas: float  # of the law: the root of the sum of its three variances
    age_days: float  # since the epoch of the element set, or until it

    @property
    def is_far(self) -> bool:
        """Return whether the errors of element sets do not explain it."""
        return self.km > FAR_KM and self.sigmas > FAR_SIGMAS


class Jump(NamedTuple):
    """A path that goes on somewhere else."""

    at: Instant  # M8[us] UTC, where it goes on
    km: float


def distances(segments: Sequence[Segment], elements: ElementArray, laws: ErrorLaws) -> list[Distance]:
    """Return the distances of a path from an element set (1,), each STEP_S while it is LONGEST_AGE_DAYS old.

    `laws` are those of that set. Also at the first instant of each segment. Empty: it is never near its
    epoch, or SGP4 fails.
    """
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    longest = np.timedelta64(round(LONGEST_AGE_DAYS * SECONDS_PER_DAY * 1e6), "us")
    span = window(epoch - longest, 2.0 * LONGEST_AGE_DAYS * 24.0)
    tracks = tracks_of(segments, span)
    sampled = [
        np.arange(max(begin, 0.0), min(end, span.seconds) + 1e-6, STEP_S)
        for begin, end in zip(tracks.from_s, tracks.to_s, strict=True)
    ]
    which = np.repeat(np.arange(len(segments), dtype=np.int32), [len(times_s) for times_s in sampled])
    times_s = np.concatenate([np.empty(0), *sampled])
    on_path = Interpolated(tracks, span, np.arange(len(segments)))
    _, r_km, _ = on_path.at(which, times_s)
    first = np.zeros(len(times_s), np.int32)
    _, by_set_km, _ = Propagator(elements, span).at(first, times_s)
    away_km = np.linalg.norm(r_km - by_set_km, axis=1)
    age_days = times_s / SECONDS_PER_DAY - LONGEST_AGE_DAYS
    sigma_km = np.linalg.norm(laws.sigma_rtn_m(first, age_days), axis=1) / METRES_PER_KM
    there = np.isfinite(away_km)
    every = zip(
        utc(span, times_s)[there],
        away_km[there],
        (away_km / sigma_km)[there],
        np.abs(age_days)[there],
        strict=True,
    )
    return [Distance(at, float(km), float(sigmas), float(age)) for at, km, sigmas, age in every]


def jumps(segments: Sequence[Segment]) -> list[Jump]:
    """Return where a path goes on somewhere else, behind gaps of up to SHORT_GAP_RAD of its orbit."""
    found = []
    for before, after in _neighbours(segments):
        span = window(before.usable_to, 0.0)
        gap_s = _gap_s(before, after)
        on_path = Interpolated(tracks_of([before, after], span), span, np.arange(2), gap_s)
        _, r_km, v_km_s = on_path.at(np.arange(2, dtype=np.int32), np.full(2, gap_s))
        by_thrust_km = _length(v_km_s[1] - v_km_s[0]) * gap_s
        if (off_km := _length(r_km[1] - r_km[0])) > JUMP_KM + by_thrust_km:
            found.append(Jump(after.usable_from, off_km))
    return found


def beginnings(segments: Sequence[Segment]) -> list[Instant]:
    """Return when a path begins: its first instant, and those behind gaps too long for `jumps`."""
    behind_short = {after.usable_from for _, after in _neighbours(segments)}
    return [one.usable_from for one in segments if one.usable_from not in behind_short]


def _neighbours(segments: Sequence[Segment]) -> list[tuple[Segment, Segment]]:
    """Return the pairs of segments with a short gap between them."""
    pairs = pairwise(segments)
    return [(one, other) for one, other in pairs if _gap_s(one, other) * _turn_rad_s(one) < SHORT_GAP_RAD]


def _gap_s(before: Segment, after: Segment) -> float:
    return float((after.usable_from - before.usable_to) / np.timedelta64(1, "us")) / 1e6


def _turn_rad_s(segment: Segment) -> float:
    """Return how fast an object turns around the Earth at the end of a segment."""
    step_s = float((segment.epochs[-1] - segment.epochs[-2]) / np.timedelta64(1, "us")) / 1e6
    r_km = segment.r_teme_km[-2:]
    return _length(r_km[1] - r_km[0]) / step_s / _length(r_km[1])


def _length(vector: FloatArray) -> float:
    return float(np.linalg.norm(vector))
